#pragma once

/// An independent solution for a cantilever with a force at its tip, from the differential equations of the rod:
///
///     r' = R (e1 + gamma),  R' = R (kappa_0 + kappa)^,  m' = -r' x n,   (gamma, kappa) = C^-1 (R^T n, R^T m),
///
/// n constant, by the fourth-order Runge-Kutta method, and shooting for the root moment that leaves the tip
/// moment-free.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/so3.hpp>

#include <Eigen/LU>

namespace picus::support {

struct CosseratCantilever {
  Section section;
  double length;
  SectionPose root;
  Vec3 kappa_0;  ///< initial twist and curvatures, constant
  Vec3 force;    ///< at the tip, inertial axes

  /// The position of the tip under the whole force, with this number of steps along the rod.
  Vec3 tip(int steps) const {
    const Mat6 compliance = section.stiffness.inverse();
    Vec3 root_moment = Vec3::Zero();
    constexpr int increments = 20;
    for (int k = 1; k <= increments; ++k) {
      const Vec3 n = force * k / increments;
      for (int i = 0; i < 8; ++i) {
        const double delta = 1e-4 * (1 + root_moment.norm());
        Mat3 jacobian;
        for (int j = 0; j < 3; ++j) {
          const Vec3 shift = delta * Vec3::Unit(j);
          jacobian.col(j) = (integrate(n, root_moment + shift, compliance, steps).m -
                             integrate(n, root_moment - shift, compliance, steps).m) /
                            (2 * delta);
        }
        root_moment -= jacobian.lu().solve(integrate(n, root_moment, compliance, steps).m);
      }
    }
    return integrate(force, root_moment, compliance, steps).r;
  }

 private:
  struct State {
    Vec3 r;
    Mat3 R;
    Vec3 m;
    State plus(const State& rate, double h) const { return {r + h * rate.r, R + h * rate.R, m + h * rate.m}; }
  };

  State rate(const State& at, const Vec3& n, const Mat6& compliance) const {
    Vec6 s;
    s << at.R.transpose() * n, at.R.transpose() * at.m;
    const Vec6 strain = compliance * s;
    const Vec3 tangent = at.R * (Vec3::UnitX() + strain.head<3>());
    return {tangent, at.R * so3::skew(kappa_0 + strain.tail<3>()), -tangent.cross(n)};
  }

  State integrate(const Vec3& n, const Vec3& root_moment, const Mat6& compliance, int steps) const {
    State at{root.position, root.axes, root_moment};
    const double h = length / steps;
    for (int i = 0; i < steps; ++i) {
      const State a = rate(at, n, compliance);
      const State b = rate(at.plus(a, h / 2), n, compliance);
      const State c = rate(at.plus(b, h / 2), n, compliance);
      const State d = rate(at.plus(c, h), n, compliance);
      at = at.plus(a, h / 6).plus(b, h / 3).plus(c, h / 3).plus(d, h / 6);
    }
    return at;
  }
};

}  // namespace picus::support
