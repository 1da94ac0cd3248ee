#include <picus/models/surface_scene.hpp>

#include <algorithm>

namespace picus::models {

double largest_displacement(const Snapshot& at) {
  const Model& model = at.system.model();
  double largest = 0;
  for (const Node& node : model.nodes()) {
    const Vec3 start = model.initial_configuration().position(node);
    largest = std::max(largest, (at.state.q.position(node) - start).norm());
  }
  return largest;
}

double normal_force_on(const Snapshot& at, std::string_view ending) {
  double force = 0;
  for (const auto& contact : at.system.contacts()) {
    if (at.state.step > 0 && contact.element->name().ends_with(ending))
      force += at.state.contact_impulse[contact.first_row] / at.h;
  }
  return force;
}

double count_closed(const Snapshot& at) {
  return static_cast<double>(at.state.contact_state.size()) -
         static_cast<double>(std::ranges::count(at.state.contact_state, ContactState::gap));
}

Signals stack_signals(const RunInfo& run) {
  return {{"motion", "m", "largest displacement of a box", largest_displacement},
          {"floor", "N", "force on the floor",
           [](const Snapshot& at) { return normal_force_on(at, " on floor"); }},
          {"contacts", "", "closed contacts", count_closed},
          signals::energy(run)};
}

Measures stack_measures(double weight) {
  Measures measures;
  measures.add("largest motion of a box", "m", measures.largest(largest_displacement), 0.0, "statics");
  measures.add("force on the floor at the end", "N",
               measures.at_end([](const Snapshot& at) { return normal_force_on(at, " on floor"); }), weight,
               "weight");
  return measures;
}

}  // namespace picus::models
