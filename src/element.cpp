#include <picus/element.hpp>

namespace picus {

Element::Element(std::string name, std::initializer_list<Node> nodes)
    : Element(std::move(name), std::vector<Node>(nodes)) {}

Element::Element(std::string name, std::vector<Node> nodes)
    : name_(std::move(name)), nodes_(std::move(nodes)) {
  for (const Node& node : nodes_) dof_count_ += velocity_size(node.kind);
}

void Inertia::mass_gradient(const Configuration&, std::span<const double>, std::span<double>) const {}

void Force::conservative_force(const Configuration&, double, std::span<double>) const {}

double Force::potential_energy(const Configuration&, double) const {
  return 0.0;
}

void BilateralConstraint::partial_rate(const Configuration&, double, std::span<double>) const {}

}  // namespace picus
