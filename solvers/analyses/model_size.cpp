#include <picus/solvers/analyses/model_size.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

bool is_in_one_place(const System& system) {
  const Configuration& q = system.model().initial_configuration();
  const Node* first = nullptr;
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    if (first == nullptr) first = &node;
    if (q.position(node) != q.position(*first)) return false;
  }
  return true;
}

/// The longest ratio of rotational to translational gradients in a row, for unit vectors the arm of a force.
double longest_arm(const Scales& scales, std::span<const GradientEntry> entries, const Gradients& G,
                   Index rows) {
  Vector translation = Vector::Zero(rows);
  Vector rotation = Vector::Zero(rows);
  for (const GradientEntry& e : entries) {
    Vector& squares = scales.kind(e.dof) == MotionKind::rotation ? rotation : translation;
    squares[e.row] += G.values[e.source] * G.values[e.source];
  }
  double longest = 0.0;
  for (Index row = 0; row < rows; ++row) {
    if (translation[row] > 0) longest = std::max(longest, std::sqrt(rotation[row] / translation[row]));
  }
  return longest;
}

}  // namespace

double size_of_model(const System& system, const Scales& scales, MassMatrix& mass) {
  if (!is_in_one_place(system)) return system.length_scale();
  const Configuration& q = system.model().initial_configuration();
  double radius = 0.0;
  mass.assemble(q);
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    for (Index i = 0; i < 3; ++i) {
      if (mass.diagonal(node.v + i) > 0)
        radius = std::max(radius, std::sqrt(mass.diagonal(node.v + 3 + i) / mass.diagonal(node.v + i)));
    }
  }
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, 0.0, G);
  radius = std::max(radius, longest_arm(scales, system.constraint_entries(), G, system.row_count()));
  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_contact_gradients(q, contact_G);
  radius =
      std::max(radius, longest_arm(scales, system.contact_entries(), contact_G, system.contact_row_count()));
  return radius > 0 ? 2 * radius : system.length_scale();
}

}  // namespace picus::solvers
