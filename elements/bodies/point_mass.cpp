#include <picus/checks.hpp>
#include <picus/elements/bodies/point_mass.hpp>

namespace picus {

PointMass::PointMass(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.node}), node_(parameters.node), mass_(parameters.mass) {
  const Culprit who{"point mass", name()};
  model.require_node(node_, who.text(), "node");
  require_positive(who, "mass", mass_, "kg");
}

void PointMass::mass(const Configuration&, std::span<double> M) const {
  matrix_view<3, 3>(M).diagonal().setConstant(mass_);
}

}  // namespace picus
