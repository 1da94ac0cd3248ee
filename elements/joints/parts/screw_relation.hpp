#pragma once

/// One equation: B advances along an axis of A by one pitch p per turn (right-handed for p > 0).
///
///     g = h(q, psi)/kappa = sin(theta - psi)/kappa,   psi = kappa (a . D - c),   kappa = 2 pi/p
///
/// with h and theta of rotation_directions.hpp and the displacement a . D - c of axis_displacement.hpp. The sine is
/// periodic, so that the equation holds beyond any number of turns; it also holds for a nut that is off by half a
/// pitch. With r = d(a . D):
///
///     dg = n/kappa . (dTheta_A - P dTheta_B) + h_s r
///     d(G v) = n'/kappa . (dTheta_A - P dTheta_B) + (n_s . (Omega_A - P Omega_B) - h dpsi/dt) r + h_s d(r v)
///     d(G^T lambda) = lambda/kappa f^ beta^ and w = lambda h_s a in JointStiffness, and
///         lambda (tau^T r + r^T tau - kappa h r^T r),   tau = n_s . (dTheta_A - P dTheta_B)

#include <picus/elements/joints/parts/axis_displacement.hpp>
#include <picus/elements/joints/parts/rotation_directions.hpp>

namespace picus {

struct ScrewRelation {
  static constexpr Index row_count = 1;

  RotationPair pair;
  AxisDisplacement along;  ///< along the axis of the pair
  double kappa = 1.0;      ///< rad/m

  void residual(const JointKinematics& at, std::span<double> g) const { g[0] = directions(at).h() / kappa; }

  void gradient(const JointKinematics& at, Index row, JointMatrix& G) const {
    const RotationDirections d = directions(at);
    add_rotation_row(at, d.n() / kappa, row, G);
    AxisDisplacement::add_row(at, d.h_s() * along.a, row, G);
  }

  void add_geometric_stiffness(const JointKinematics& at, std::span<const double> lambda,
                               JointStiffness& K) const {
    const RotationDirections d = directions(at);
    K.add_directions(d.f, d.beta, lambda[0] / kappa);
    K.add_displacement(lambda[0] * d.h_s() * along.a);
    const Index n = at.end_dof_count();
    Eigen::Matrix<double, 12, 1> r = Eigen::Matrix<double, 12, 1>::Zero();
    Eigen::Matrix<double, 12, 1> tau = r;
    JointMatrix r_row(r.data(), 1, n);
    JointMatrix tau_row(tau.data(), 1, n);
    AxisDisplacement::add_row(at, along.a, 0, r_row);
    add_rotation_row(at, d.n_s(), 0, tau_row);
    tau -= 0.5 * kappa * d.h() * r;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) K.K(i, j) += lambda[0] * (tau[i] * r[j] + r[i] * tau[j]);
    }
  }

  void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) const {
    const RotationDirections d = directions(at);
    const double psi_rate = kappa * along.measure(at, v).rate;
    add_rotation_row(at, d.n_rate(at, v, psi_rate) / kappa, row, H);
    AxisDisplacement::add_row(at, (d.n_s().dot(at.relative_angular_velocity(v)) - d.h() * psi_rate) * along.a,
                              row, H);
    AxisDisplacement{.a = d.h_s() * along.a, .s = {}}.rate_jacobian(at, v, row, H);
  }

 private:
  RotationDirections directions(const JointKinematics& at) const {
    return {pair, at, kappa * (along.a.dot(at.separation_in_axes()) - along.c)};
  }
};

}  // namespace picus
