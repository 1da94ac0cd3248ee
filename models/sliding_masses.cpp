#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/references/sliding_masses_exact.hpp>
#include <picus/models/sliding_masses.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {
namespace {

std::string numbered(std::string_view name, Index i) {
  return fmt::format("{}[{}]", name, i);
}

}  // namespace

Model make_sliding_masses(const SlidingMasses& parameters) {
  Model model("sliding-masses");
  std::vector<PointNode> nodes;
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < parameters.count; ++i) {
    const PointNode node =
        model.add_point(numbered("mass", i), {.position = {parameters.spacing * i, 0.0, 0.0}});
    model.restrict_to_plane(node);
    const auto mass =
        model.add<PointMass>({.name = numbered("body", i), .node = node, .mass = parameters.mass});
    model.add<NodeToFaceContact>({.name = numbered("floor", i),
                                  .slave = node,
                                  .face = {.normal = Vec3::UnitY()},
                                  .mu = parameters.mu,
                                  .friction_directions = 1});
    nodes.push_back(node);
    bodies.push_back(mass->mass_point());
  }
  for (Index i = 0; i + 1 < parameters.count; ++i) {
    const std::size_t place = i;
    model.add<SpringDamper>({.name = numbered("spring", i),
                             .a = nodes[place],
                             .b = nodes[place + 1],
                             .stiffness = parameters.stiffness,
                             .free_length = parameters.spacing});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = bodies});
  // The end is included, regardless of rounding in the time of a step.
  const double end = parameters.duration * (1.0 + 1e-9);
  model.add<NodalForce>(
      {.name = "push", .point = nodes.front(), .force = [F = parameters.force, end](double t) {
         return Vec3(t <= end ? F : 0.0, 0.0, 0.0);
       }});
  return model;
}

Signals sliding_masses_signals(const RunInfo& run, const SlidingMasses& parameters) {
  const auto exact = std::make_shared<const SlidingMassesExact>(parameters, run.until, run.stop_request);
  Signals signals;
  for (Index i = 0; i < parameters.count; ++i) {
    const std::string mass = numbered("mass", i);
    signals.push_back(
        position(run, mass, Axis::x).against([exact, i](double t) { return exact->position(i, t); }));
    signals.push_back(
        velocity(run, mass, Axis::x).against([exact, i](double t) { return exact->velocity(i, t); }));
    signals.push_back(contact_state(run, numbered("floor", i)));
  }
  const Node first = run.system.model().find_node(numbered("mass", 0));
  const Node last = run.system.model().find_node(numbered("mass", parameters.count - 1));
  signals.push_back({"length", "m", "distance of the first and the last mass",
                     [first, last](const Snapshot& at) {
                       return at.state.q.position(last).x() - at.state.q.position(first).x();
                     },
                     [exact](double t) { return exact->length(t); }});
  signals.push_back(energy(run));
  return signals;
}

Measures sliding_masses_measures(const RunInfo& run, const SlidingMasses& parameters) {
  const auto exact = std::make_shared<const SlidingMassesExact>(parameters, run.until, run.stop_request);
  const Signal first = position(run, numbered("mass", 0), Axis::x);
  const Signal last = position(run, numbered("mass", parameters.count - 1), Axis::x);
  const auto known = [](double time) { return std::isfinite(time) ? std::optional(time) : std::nullopt; };
  const std::string source = "event-driven solution";
  Measures measures;
  // Contacts are in the order of the masses.
  measures.add(
      "the last mass moves from", "s", measures.first_time([exact](const Snapshot& at) {
        exact->follow(at.state.time);  // incrementally, so that nothing remains to be computed at the end
        return at.state.step > 0 && at.state.contact_state.back() == ContactState::slip;
      }),
      [=, end = parameters.count - 1] { return known(exact->first_slip(end)); }, source);
  measures.add(
      "at rest from", "s", measures.last_time([](const Snapshot& at) {
        return at.state.step > 0 && std::ranges::any_of(at.state.contact_state, [](ContactState contact) {
                 return contact != ContactState::stick;
               });
      }),
      [=] { return known(exact->rest_time()); }, source);
  measures.add(
      "length at the end", "m",
      measures.at_end([=](const Snapshot& at) { return last.value(at) - first.value(at); }),
      [=, until = run.until] { return std::optional(exact->length(until)); }, source);
  measures.add(
      "position of the first mass at the end", "m", measures.at_end(first.value),
      [=, until = run.until] { return std::optional(exact->position(0, until)); }, source);
  return measures;
}

RegisteredModel registered_sliding_masses() {
  using P = SlidingMasses;
  auto table = ParameterTable<P>()
                   .integer("count", &P::count, {.low = 2, .high = 10000}, "masses")
                   .real("mass", &P::mass, Range::positive(), "kg", "of each body")
                   .real("stiffness", &P::stiffness, Range::positive(), "N/m", "of each spring")
                   .real("spacing", &P::spacing, Range::positive(), "m", "length of the unloaded springs")
                   .real("force", &P::force, Range::not_negative(), "N", "force on the first mass along x")
                   .real("duration", &P::duration, Range::positive(), "s", "how long it acts")
                   .real("mu", &P::mu, Range::positive(), "", "coefficient of friction")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "sliding-masses",
           .summary =
               "A chain of masses and springs on a rough floor is pushed at one end. A wave runs to the "
               "other "
               "end, comes back, and dies by friction after some turns. An event-driven solution is known.",
           .source = "thesis 4.2.4",
           .step = 1e-3,
           .until = 1.5,
           .convergence = {.quantities = {"mass[0].x", "mass[0].vx", "length"},
                           .steps = {1e-3, 5e-4, 2e-4, 1e-4, 5e-5}}},
      .parameters = table,
      .build = make_sliding_masses,
      .measures = sliding_masses_measures,
      .signals = sliding_masses_signals};
}

}  // namespace picus::models
