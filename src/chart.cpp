#include <picus/chart.hpp>

namespace picus {

Chart::Chart(const System& system) : rotating_index_of_node_(system.nodes().size(), -1) {
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    int fixed_count = 0;
    for (Index i = 3; i < 6; ++i) fixed_count += system.model().is_fixed(node.v + i) ? 1 : 0;
    // With two components fixed, Psi has a constant direction e, and T e = e.
    if (fixed_count >= 2) continue;
    rotating_index_of_node_[node.index] = count_of(rotating_nodes_);
    rotating_nodes_.push_back({node, Mat3::Identity()});
  }
}

void Chart::update(const Vector& x) {
  for (RotatingNode& rotating : rotating_nodes_) rotating.T = so3::tangent(x.segment<3>(rotating.node.v + 3));
}

void Chart::push_forward(Vector& x) const {
  for (const RotatingNode& rotating : rotating_nodes_) {
    const Vec3 psi = x.segment<3>(rotating.node.v + 3);
    x.segment<3>(rotating.node.v + 3) = rotating.T * psi;
  }
}

bool Chart::is_trivial(const Element& element) const {
  for (const Node& node : element.nodes()) {
    if (rotating_index_of_node_[node.index] >= 0) return false;
  }
  return true;
}

void Chart::apply(const Element& element, Index rows, std::span<double> block) const {
  Eigen::Map<Eigen::MatrixXd> matrix(block.data(), rows, element.dof_count());
  Index first = 0;
  for (const Node& node : element.nodes()) {
    const Index rotating = rotating_index_of_node_[node.index];
    if (rotating >= 0) {
      const Mat3& T = rotating_nodes_[rotating].T;
      for (Index r = 0; r < rows; ++r) {
        const Eigen::RowVector3d row = matrix.block<1, 3>(r, first + 3);
        matrix.block<1, 3>(r, first + 3).noalias() = row * T;
      }
    }
    first += velocity_size(node.kind);
  }
}

}  // namespace picus
