#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/surface_scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace picus::models {

void add_box_stack(Model& model, const BoxStack& stack, const std::vector<FrameStart>& places) {
  const Vec3 size = Vec3::Constant(stack.size);
  const double mass = stack.density * size.prod();
  std::vector<MassPoint> bodies;
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  for (const FrameStart& place : places) {
    const std::string name = fmt::format("box[{}]", bodies.size());
    const FrameNode node = model.add_frame(name, place);
    const auto body = model.add<RigidBody>(
        {.name = name + " mass", .node = node, .mass = mass, .inertia = inertia::box(mass, size)});
    bodies.push_back(body->mass_point());
    model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -stack.gravity}, .bodies = bodies});
  model.add<ContactsBetween>({.name = "all", .mu = stack.mu});
}

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

Vec3 contact_force_on(const Snapshot& at, const std::function<bool(const Node&)>& is_in_group) {
  Vec3 force = Vec3::Zero();
  if (at.state.step == 0) return force;
  std::array<double, max_contact_rows * max_local_dofs> G{};
  for (const auto& contact : at.system.contacts()) {
    const std::span<double> used(G.data(), contact.rows * contact.dofs);
    std::ranges::fill(used, 0.0);
    contact.role->gradient(at.state.q, used);
    Index column = 0;
    for (const Node& node : contact.element->nodes()) {
      const bool is_own = is_in_group(node);
      for (Index c = 0; c < velocity_size(node.kind); ++c, ++column) {
        if (!is_own || c > 2) continue;
        for (Index r = 0; r < contact.rows; ++r) {
          const double entry = G[column * contact.rows + r];
          force[c] += entry * at.state.contact_impulse[contact.first_row + r] / at.h;
        }
      }
    }
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
