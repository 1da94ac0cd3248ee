#include <picus/convergence.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/inclined_plane.hpp>
#include <picus/models/references/inclined_plane_exact.hpp>

#include <cmath>

namespace picus::models {
namespace {

Vec3 uphill(double slope) {
  return {std::cos(slope), std::sin(slope), 0.0};
}

Vec3 normal(double slope) {
  return {-std::sin(slope), std::cos(slope), 0.0};
}

}  // namespace

Model make_inclined_plane(const InclinedPlane& parameters) {
  Model model("inclined-plane");
  const Vec3 along = uphill(parameters.slope);
  const PointNode node = model.add_point("block", {.velocity = parameters.speed * along});
  model.restrict_to_plane(node);
  const auto block = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {block->mass_point()}});
  model.add<NodeToFaceContact>({.name = "plane",
                                .slave = node,
                                .face = {.normal = normal(parameters.slope), .tangent = along},
                                .mu = parameters.mu,
                                .friction_directions = 1});
  return model;
}

Signals inclined_plane_signals(const RunInfo& run, const InclinedPlane& parameters) {
  const InclinedPlaneExact exact(parameters.speed, parameters.slope, parameters.mu, parameters.gravity);
  const Node block = run.system.model().find_node("block");
  const Vec3 along = uphill(parameters.slope);
  return {{"block.s", "m", "distance of the block uphill",
           [block, along](const Snapshot& at) { return at.state.q.position(block).dot(along); },
           [exact](double t) { return exact.position(t); }},
          {"block.vs", "m/s", "velocity of the block uphill",
           [block, along](const Snapshot& at) { return at.state.v.segment<3>(block.v).dot(along); },
           [exact](double t) { return exact.velocity(t); }},
          normal_impulse(run, "plane"),
          friction_impulse(run, "plane"),
          contact_state(run, "plane")};
}

Measures inclined_plane_measures(const RunInfo& run, const InclinedPlane& parameters) {
  const InclinedPlaneExact exact(parameters.speed, parameters.slope, parameters.mu, parameters.gravity);
  const ContactPlace plane = find_contact(run.system, "plane");
  const bool has_friction = run.system.contacts()[plane.number].rows > 1;
  const double impulse = parameters.mass * run.integrator.step_size();
  const Signal distance = inclined_plane_signals(run, parameters).front();
  const std::string source = "exact";
  const auto if_sticks = [sticks = exact.sticks()](double value) {
    return sticks ? std::optional(value) : std::nullopt;
  };
  struct Impulses {
    bool sticks = false;  ///< whether it has stuck before
    std::optional<double> normal, slipping, sticking;
    void serialize(Archive& archive) { archive(sticks, normal, slipping, sticking); }
  };
  Measures measures;
  const Impulses& impulses = measures.accumulate(Impulses{}, [=](const Snapshot& at, Impulses& last) {
    if (at.state.step == 0) return;
    last.normal = at.state.contact_impulse[plane.row];
    const double tangential = has_friction ? at.state.contact_impulse[plane.row + 1] : 0.0;
    const bool sticks = at.state.contact_state[plane.number] == ContactState::stick;
    last.sticks = last.sticks || sticks;
    if (sticks) last.sticking = tangential;
    if (!last.sticks) last.slipping = tangential;
  });
  measures.add("slip ends at", "s", measures.first_time([plane](const Snapshot& at) {
    return at.state.step > 0 && at.state.contact_state[plane.number] == ContactState::stick;
  }),
               if_sticks(exact.slip_end()), source + ", v_0 / (g (sin + mu cos))");
  const Measures::Number time = measures.at_end([](const Snapshot& at) { return at.state.time; });
  measures.add(
      "distance uphill at the end", "m", measures.at_end(distance.value),
      [=] { return std::optional(exact.position(time().value_or(0.0))); }, source);
  measures.add("L1 error of the distance", "", measures.l1_error(distance), 0.0, source);
  measures.add(
      "normal impulse of a step", "N s", [&impulses] { return impulses.normal; },
      impulse * exact.normal_force(), source);
  measures.add(
      "uphill impulse, slipping", "N s", [&impulses] { return impulses.slipping; },
      impulse * exact.slipping_force(), source);
  measures.add(
      "uphill impulse, sticking", "N s", [&impulses] { return impulses.sticking; },
      if_sticks(impulse * exact.sticking_force()), source);
  return measures;
}

RegisteredModel registered_inclined_plane() {
  using P = InclinedPlane;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the block")
          .real("speed", &P::speed, {}, "m/s", "velocity at the start, uphill")
          .real("slope", &P::slope, Range::between(0, 1.5), "rad", "angle of the plane with the horizontal")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "inclined-plane",
           .summary =
               "A block kicked up an inclined plane slows down, stops and sticks. Where it stops, friction "
               "changes its sign: it no longer brakes, it holds. A scheme that imposes friction on the "
               "velocities alone lets the block creep downhill from there on.",
           .source = "thesis 4.2.1",
           .step = 1e-3,
           .until = 2.0,
           .convergence = {.quantities = {"block.s", "block.vs"},
                           .steps = {1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_inclined_plane,
      .measures = inclined_plane_measures,
      .signals = inclined_plane_signals};
}

}  // namespace picus::models
