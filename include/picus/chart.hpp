#pragma once

/// The chart of a step: configurations are q_n o exp(x), and a change dx of the increment x rotates a frame node by
/// dTheta = T(Psi) dPsi. Element tangents are with respect to Theta; the factor T is applied here and nowhere else.

#include <picus/so3.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus {

class Chart {
 public:
  /// For the frame nodes of `system`, which is not needed after construction.
  explicit Chart(const System& system);

  /// Evaluates T of every frame node at the increment x (natural layout).
  void update(const Vector& x);

  /// Whether T is the identity for all nodes of the element: no frame node, or rotations about one body axis
  /// only.
  bool is_trivial(const Element& element) const;

  /// block := block T for a local matrix of `rows` rows and the element's components as columns.
  void apply(const Element& element, Index rows, std::span<double> block) const;

  /// Converts chart increments to body increments: x := T x, node by node (natural layout).
  void push_forward(Vector& x) const;

 private:
  struct RotatingNode {
    Node node;
    Mat3 T;
  };
  std::vector<RotatingNode> rotating_nodes_;   ///< frame nodes that can rotate about more than one axis
  std::vector<Index> rotating_index_of_node_;  ///< index into rotating_nodes_, or -1
};

}  // namespace picus
