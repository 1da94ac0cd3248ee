#pragma once

/// The strain of a three-node beam at a point s, from the relative coordinates y of beam3_relative.hpp. With the
/// quadratic Lagrange polynomials N_I(s) and their arc-length derivatives N_I' (the middle node does not contribute:
/// d_m = phi_m = 0), E = exp(phi) and T = T(phi):
///
///     c = sum N_I' d_I,   phi = sum N_I phi_I,   k = sum N_I' phi_I
///     Gamma = E^T c,      Kappa = T k                                         with the section axes M E
///
///     d(Gamma) = E^T dc + Gamma^ T dphi
///     d(Kappa) = T dk + D dphi,   D = d(T k)/dphi
///
/// and for constant forces (N, m) conjugate to (Gamma, Kappa) the second derivatives are
///
///     (c, phi) -E N^ T,   (k, phi) d(T^T m)/dphi,   (phi, phi) d(T^T h)/dphi + T^T N^ Gamma^ T + d2(m . T k)/dphi2
///
/// with h = N x Gamma.

#include <picus/elements/beams/beam3_point.hpp>
#include <picus/elements/beams/beam3_relative.hpp>
#include <picus/elements/beams/tangent_map.hpp>

namespace picus::beam3 {

using StrainGradient = Eigen::Matrix<double, 6, 12>;

struct Strain {
  Strain(const Point& point, const Relative& at)
      : point_(point),
        map_(Vec3(mean(point.N, at.phi[0], at.phi[1]))),
        k_(mean(point.slope, at.phi[0], at.phi[1])),
        E(map_.rotation()),
        T(map_.matrix()),
        gamma_(E.transpose() * mean(point.slope, at.d[0], at.d[1])),
        D(map_.derivative(k_)) {}

  /// (Gamma, Kappa) minus its initial value.
  Vec6 value() const { return (Vec6() << gamma_, T * k_).finished() - point_.start; }

  /// deps/dt for the rate y_t.
  Vec6 rate(const Vec12& y) const {
    const Rates r(point_, y);
    Vec6 result;
    result << E.transpose() * r.c + gamma_.cross(T * r.phi), T * r.k + D * r.phi;
    return result;
  }

  /// (deps/dy)^T s.
  Vec12 forces(const Vec6& s) const {
    const Vec3 N = s.head<3>();
    const Vec3 m = s.tail<3>();
    const Vec3 on_c = E * N;
    const Vec3 on_k = T.transpose() * m;
    const Vec3 on_phi = T.transpose() * N.cross(gamma_) + D.transpose() * m;
    Vec12 p;
    for (Index i = 0; i < 2; ++i) {
      p.segment<3>(6 * i) = slope(i) * on_c;
      p.segment<3>(6 * i + 3) = slope(i) * on_k + shape(i) * on_phi;
    }
    return p;
  }

  /// deps/dy.
  StrainGradient gradient() const {
    const Mat3 shear = so3::skew(gamma_).lazyProduct(T);
    StrainGradient B;
    for (Index i = 0; i < 2; ++i) {
      B.block<3, 3>(0, 6 * i) = slope(i) * E.transpose();
      B.block<3, 3>(3, 6 * i).setZero();
      B.block<3, 3>(0, 6 * i + 3) = shape(i) * shear;
      B.block<3, 3>(3, 6 * i + 3) = slope(i) * T + shape(i) * D;
    }
    return B;
  }

  /// H += weight d2(s . eps)/dy2.
  void add_second_derivative(const Vec6& s, Mat12& H) const {
    const Vec3 N = s.head<3>();
    const Vec3 m = s.tail<3>();
    const Mat3 turn = so3::skew(N).lazyProduct(T);
    const Mat3 c_phi = -point_.weight * E.lazyProduct(turn);
    const Mat3 k_phi = point_.weight * map_.transposed_derivative(m);
    Mat3 phi_phi = map_.transposed_derivative(N.cross(gamma_)) + map_.second_derivative(m, k_);
    phi_phi -= turn.transpose().lazyProduct(so3::skew(gamma_).lazyProduct(T));
    phi_phi *= point_.weight;
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 2; ++j) {
        H.block<3, 3>(6 * i, 6 * j + 3) += slope(i) * shape(j) * c_phi;
        H.block<3, 3>(6 * j + 3, 6 * i) += slope(i) * shape(j) * c_phi.transpose();
        H.block<3, 3>(6 * i + 3, 6 * j + 3) += slope(i) * shape(j) * k_phi +
                                               shape(i) * slope(j) * k_phi.transpose() +
                                               shape(i) * shape(j) * phi_phi;
      }
    }
  }

  /// d(deps/dt)/dy with the rate y_t held constant.
  StrainGradient rate_derivative(const Vec12& y) const {
    const Rates r(point_, y);
    const Vec3 w = T * r.phi;
    const Mat3 gamma_c = -so3::skew(w).lazyProduct(E.transpose());
    const Mat3 gamma_phi = (so3::skew(E.transpose() * r.c) - skew_times_skew(w, gamma_)).lazyProduct(T) +
                           so3::skew(gamma_).lazyProduct(map_.derivative(r.phi));
    Mat3 kappa_k;
    Mat3 kappa_phi = map_.derivative(r.k);
    for (Index i = 0; i < 3; ++i) {
      kappa_k.row(i) = (map_.transposed_derivative(Vec3::Unit(i)) * r.phi).transpose();
      kappa_phi.row(i) += (map_.second_derivative(Vec3::Unit(i), k_) * r.phi).transpose();
    }
    StrainGradient R;
    for (Index i = 0; i < 2; ++i) {
      R.block<3, 3>(0, 6 * i) = slope(i) * gamma_c;
      R.block<3, 3>(3, 6 * i).setZero();
      R.block<3, 3>(0, 6 * i + 3) = shape(i) * gamma_phi;
      R.block<3, 3>(3, 6 * i + 3) = slope(i) * kappa_k + shape(i) * kappa_phi;
    }
    return R;
  }

 private:
  /// Rates of c, phi and k.
  struct Rates {
    Rates(const Point& point, const Vec12& y)
        : c(mean(point.slope, y.segment<3>(0), y.segment<3>(6))),
          phi(mean(point.N, y.segment<3>(3), y.segment<3>(9))),
          k(mean(point.slope, y.segment<3>(3), y.segment<3>(9))) {}
    Vec3 c, phi, k;
  };
  template <class A, class B>
  static Vec3 mean(const std::array<double, 2>& weight, const A& a, const B& b) {
    return weight[0] * a + weight[1] * b;
  }
  double shape(Index i) const { return point_.N[i]; }
  double slope(Index i) const { return point_.slope[i]; }

  const Point& point_;
  TangentMap map_;
  Vec3 k_;
  Mat3 E, T;
  Vec3 gamma_;
  Mat3 D;
};

}  // namespace picus::beam3
