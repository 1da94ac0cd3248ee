#include <picus/solvers/analyses/centrifugal_forces.hpp>

#include <array>

namespace picus::solvers {

// M a for the acceleration a = X tr S - S X of each node.
Eigen::MatrixXd find_centrifugal_forces(const System& system, const SparseMatrix& M, const Vec3& origin) {
  constexpr std::array<std::array<Index, 2>, 6> places = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(M.size, 6);
  for (Index component = 0; component < 6; ++component) {
    const auto [row, column] = places[component];
    Mat3 S = Mat3::Zero();
    S(row, column) = S(column, row) = 1.0;
    Vector a = Vector::Zero(M.size);
    for (const Node& node : system.nodes()) {
      if (node.kind == NodeKind::scalar) continue;
      const Vec3 X = system.model().initial_configuration().position(node) - origin;
      a.segment<3>(node.v) = S.trace() * X - S * X;
    }
    for (Index c = 0; c < M.size; ++c) {
      for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k)
        forces(M.row[k], component) += M.values[k] * a[c];
    }
  }
  return forces;
}

}  // namespace picus::solvers
