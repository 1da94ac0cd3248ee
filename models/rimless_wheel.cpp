#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/rimless_wheel.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace picus::models {
namespace {

/// The direction from foot to hub.
Vec3 along_spoke(double theta) {
  return {std::sin(theta), std::cos(theta), 0};
}

Vec3 downhill(const RimlessWheel& p) {
  return {std::cos(p.slope), -std::sin(p.slope), 0};
}

Vec3 exact_hub(const RimlessWheel& p, const RimlessWheelReference::Motion& at) {
  const double stride = 2 * p.length * std::sin(std::numbers::pi / static_cast<double>(p.spokes));
  return at.steps * stride * downhill(p) + p.length * along_spoke(at.angle);
}

}  // namespace

RimlessWheelReference rimless_wheel_reference(const RimlessWheel& p, StopRequest stop_request) {
  const double about_foot = p.inertia + p.mass * p.length * p.length;
  const double between = 2 * std::numbers::pi / static_cast<double>(p.spokes);
  return RimlessWheelReference(
      {.k = p.mass * p.gravity * p.length / about_foot,
       .kept = (p.inertia + p.mass * p.length * p.length * std::cos(between)) / about_foot,
       .spokes = p.spokes,
       .slope = p.slope,
       .angle = p.angle,
       .rate = p.rate},
      stop_request);
}

Model make_rimless_wheel(const RimlessWheel& p) {
  Model model("rimless-wheel");
  const PlanarBody hub =
      add_planar_body(model, {.name = "hub",
                              .position = p.length * along_spoke(p.angle),
                              .angle = -p.angle,
                              .velocity = p.length * p.rate * Vec3(std::cos(p.angle), -std::sin(p.angle), 0),
                              .angular_velocity = -p.rate,
                              .mass = p.mass,
                              .inertia = p.inertia});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {hub.body->mass_point()}});
  const Face slope{.normal = {std::sin(p.slope), std::cos(p.slope), 0}, .tangent = downhill(p)};
  for (Index i = 0; i < p.spokes; ++i) {
    const double turned = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(p.spokes);
    model.add<NodeToFaceContact>({.name = fmt::format("foot[{}]", i),
                                  .slave = hub.at(-p.length * along_spoke(-turned)),
                                  .face = slope,
                                  .mu = p.mu,
                                  .friction_directions = 1});
  }
  return model;
}

Signals rimless_wheel_signals(const RunInfo& run, const RimlessWheel& p) {
  const auto exact = std::make_shared<RimlessWheelReference>(rimless_wheel_reference(p, run.stop_request));
  const Node hub = run.system.model().find_node("hub");
  Signals signals;
  signals.push_back(
      position(run, "hub", Axis::x).against([exact, p](double t) { return exact_hub(p, exact->at(t)).x(); }));
  signals.push_back(
      position(run, "hub", Axis::y).against([exact, p](double t) { return exact_hub(p, exact->at(t)).y(); }));
  signals.push_back({"rate", "rad/s", "rate of turning downhill",
                     [hub](const Snapshot& at) { return -at.state.v[hub.v + 5]; },
                     [exact](double t) { return exact->at(t).rate; }});
  signals.push_back({"feet", "", "feet on the slope", [count = p.spokes](const Snapshot& at) {
                       double feet = 0;
                       for (Index i = 0; i < count; ++i) feet += is_closed(at.state, i) ? 1 : 0;
                       return feet;
                     }});
  signals.push_back(energy(run));
  return signals;
}

Measures rimless_wheel_measures(const RunInfo& run, const RimlessWheel& p) {
  const Node hub = run.system.model().find_node("hub");
  Measures measures;
  measures.add("L1 error of hub.x", "", measures.l1_error(rimless_wheel_signals(run, p).front()), 0.0,
               "reference");
  measures.add("largest rate", "rad/s",
               measures.largest([hub](const Snapshot& at) { return -at.state.v[hub.v + 5]; }));
  return measures;
}

RegisteredModel registered_rimless_wheel() {
  using P = RimlessWheel;
  auto table =
      ParameterTable<P>()
          .integer("spokes", &P::spokes, {.low = 3, .high = 1000}, "number of spokes")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the hub")
          .real("inertia", &P::inertia, Range::positive(), "kg m2", "moment of inertia about the hub")
          .real("length", &P::length, Range::positive(), "m", "length of the spokes")
          .real("slope", &P::slope, Range::between(-1.5, 1.5), "rad", "angle of the slope")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
          .real("angle", &P::angle, Range::between(-1.5, 1.5), "rad",
                "angle of the standing spoke with the vertical at the start")
          .real("rate", &P::rate, {}, "rad/s", "rate of that angle at the start");
  return ModelParts<P>{
      .info = {.name = "rimless-wheel",
               .summary =
                   "A wheel of spokes without a rim rolls down a slope. One foot sticks while the next "
                   "one lands, and leaves with that impact; rates settle from step to step.",
               .source = "McGeer 1990; Coleman 2010",
               .step = 1e-3,
               .until = 5.0,
               .convergence = {.quantities = {"hub.x", "hub.y", "rate"},
                               .steps = {4e-3, 2e-3, 1e-3, 5e-4},
                               .until = 2.0}},
      .parameters = table,
      .build = make_rimless_wheel,
      .measures = rimless_wheel_measures,
      .signals = rimless_wheel_signals};
}

}  // namespace picus::models
