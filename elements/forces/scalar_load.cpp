#include <picus/elements/forces/require_load.hpp>
#include <picus/elements/forces/scalar_load.hpp>

namespace picus {

ScalarLoad::ScalarLoad(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.node}), load_(std::move(parameters.load)) {
  const Culprit who{"scalar load", name()};
  model.require_node(parameters.node, who.text(), "node");
  require_load(who, "load", load_, "");
}

Force::Traits ScalarLoad::traits() const {
  return {.depends_on_configuration = false,
          .depends_on_velocity = false,
          .has_potential = false,
          .is_conservative = false,
          .is_load = true};
}

void ScalarLoad::force(const Motion& motion, std::span<double> f) const {
  f[0] = load_(motion.t);
}

void ScalarLoad::tangents(const Motion&, std::span<double>, std::span<double>) const {}

}  // namespace picus
