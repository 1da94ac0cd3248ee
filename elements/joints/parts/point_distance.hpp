#pragma once

/// One equation: the points of A and B keep a distance L.
///
///     g   = (d . d - L^2)/(2 L),   d = p_B - p_A       close to |d| - L
///     G v = n . (dp_B/dt - dp_A/dt),                   n = d/L, a unit vector where g = 0
///     d(G v) = n . d(dp_B/dt - dp_A/dt) + (dd/dt)/L . (dp_B - dp_A)
///     d(G^T lambda) = lambda/L B^T B and the force lambda n in JointStiffness, dp_B - dp_A = B dq

#include <picus/elements/joints/parts/coincident_points.hpp>

namespace picus {

struct PointDistance {
  static constexpr Index row_count = 1;

  double L = 1.0;  ///< m, > 0

  void residual(const JointKinematics& at, std::span<double> g) const {
    g[0] = (at.separation().squaredNorm() - L * L) / (2 * L);
  }

  void gradient(const JointKinematics& at, Index row, JointMatrix& G) const {
    add_separation_row(at, at.separation() / L, row, G);
  }

  void add_geometric_stiffness(const JointKinematics& at, std::span<const double> lambda,
                               JointStiffness& K) const {
    K.add_force(lambda[0] / L * at.separation());
    std::array<double, 36> storage{};
    const Index n = at.end_dof_count();
    JointMatrix B(storage.data(), 3, n);
    CoincidentPoints::gradient(at, 0, B);
    for (Index j = 0; j < n; ++j) {
      const Vec3 column = lambda[0] / L * B.col(j);
      for (Index i = 0; i < n; ++i) K.K(i, j) += B.col(i).head<3>().dot(column);
    }
  }

  void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) const {
    add_separation_rate_row(at, at.separation() / L, v, row, H);
    add_separation_row(at, at.separation_rate(v) / L, row, H);
  }
};

}  // namespace picus
