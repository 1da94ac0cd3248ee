#pragma once

/// An elastic bushing between two bodies A and B, or a body and the ground: a 6 x 6 stiffness and a 6 x 6 damping
/// matrix, with any couplings, between a frame fixed in A and one fixed in B. At the start both have the axes E_0.
///
///     d   = E_A^T R_A^T (x_B + R_B X_B - x_A - R_A X_A)      displacement of B in the bushing axes of A, m
///     psi = log(P),   P = E_A^T R_A^T R_B E_B                rotation vector of B as seen from A, rad
///     e = (d, psi),   V = 1/2 e^T K e,   f = -B^T (K e + C B v),   B = de/dq
///
/// K and C are symmetric and positive semidefinite, so that V >= 0 and dampers dissipate energy. The bushing is
/// unstressed where the points coincide in the initial orientation. The rotation vector is that of the shorter
/// rotation: |psi| < pi, so B cannot rotate relative to A by half a turn or more. For small rotations K is the usual
/// bushing matrix; for large ones the moment is conjugate to psi, T(psi)^-T K_psi psi.
///
/// With r = R_A^T (x_B + R_B X_B - x_A), w = E_A s_d and mu = T(psi)^-T s_psi for s = K e + C B v, the rows of
/// B^T s are
///
///     u_A: -R_A w     Omega_A: w x r - E_A P mu     u_B: R_A w     Omega_B: X_B x R_B^T R_A w + E_B mu

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>
#include <picus/observable.hpp>

#include <optional>
#include <string>

namespace picus {

/// Rows and columns: three displacements, then three rotations.
using Mat6 = Eigen::Matrix<double, 6, 6>;

class Bushing : public Element, public Force, public Observable, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;                ///< on a frame node or the ground
    MaterialPoint b;                ///< on another frame node or the ground
    Mat6 stiffness = Mat6::Zero();  ///< K: N/m, N/rad = N m/m, N m/rad
    Mat6 damping = Mat6::Zero();    ///< C: N s/m, N s, N m s/rad
    /// E_0: the axes of the bushing as columns, in the inertial frame at the start.
    Mat3 axes = Mat3::Identity();
  };
  Bushing(const Parameters& parameters, const Model& model);

  /// A diagonal matrix.
  static Mat6 diagonal(const Vec3& translational, const Vec3& rotational);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

  /// Displacement, rotation and load on B, all in the bushing axes of A.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

  /// Lines from both nodes to their attachment points.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1, 2, 3}}; }

 private:
  struct Kinematics;
  Kinematics kinematics(const Configuration& q) const;
  Eigen::Matrix<double, 6, 1> rate(const Kinematics& at, const Motion& motion) const;
  void write(const Eigen::Matrix<double, 12, 1>& column, std::span<double> f) const;
  void write(const Eigen::Matrix<double, 12, 12>& square, std::span<double> K) const;

  MaterialPoint a_;
  MaterialPoint b_;
  Mat3 E_A_;
  Mat3 E_B_;
  Mat6 K_;
  Mat6 C_;
  bool has_damping_;
};

}  // namespace picus
