#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/rod_on_floor.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

double inertia_of(const RodOnFloor& p) {
  return p.mass * p.length * p.length / 12;
}

Vec3 start_position(const RodOnFloor& p) {
  return p.length / 2 * Vec3(std::sin(p.inclination), std::cos(p.inclination), 0);
}

Vec3 start_velocity(const RodOnFloor& p) {
  return {0, -p.length / 2 * std::sin(p.inclination) * p.rate, 0};
}

double inclination_of(const Configuration& q, const Node& rod) {
  const Vec3 along = q.rotation(rod).col(0);
  return std::atan2(along.x(), along.y());
}

}  // namespace

PlanarContactReference rod_on_floor_reference(const RodOnFloor& p, StopRequest stop_request) {
  const Vec3 x = start_position(p);
  const Vec3 v = start_velocity(p);
  const auto directions = [l = p.length / 2](const PlanarContactReference::Coordinates& at) {
    // The rod is along (cos phi, sin phi), its lower end at (x - l cos phi, y - l sin phi).
    const double s = std::sin(at.q.z());
    const double c = std::cos(at.q.z());
    const double w = at.v.z();
    return PlanarContactReference::Directions{
        .n = {0, 1, -l * c}, .t = {1, 0, l * s}, .c_n = l * s * w * w, .c_t = l * c * w * w};
  };
  return PlanarContactReference(
      PlanarContactReference::Parameters{
          .mass = {p.mass, p.mass, inertia_of(p)},
          .load = {0, -p.mass * p.gravity, 0},
          .mu = p.mu,
          .start = {.q = {x.x(), x.y(), std::numbers::pi / 2 - p.inclination}, .v = {v.x(), v.y(), -p.rate}},
          .directions = directions},
      stop_request);
}

Model make_rod_on_floor(const RodOnFloor& p) {
  Model model("rod-on-floor");
  const PlanarBody rod = add_planar_body(model, {.name = "rod",
                                                 .position = start_position(p),
                                                 .angle = std::numbers::pi / 2 - p.inclination,
                                                 .velocity = start_velocity(p),
                                                 .angular_velocity = -p.rate,
                                                 .mass = p.mass,
                                                 .inertia = inertia_of(p)});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {rod.body->mass_point()}});
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = rod.at({-p.length / 2, 0, 0}),
                                .face = {.normal = Vec3::UnitY(), .tangent = Vec3::UnitX()},
                                .mu = p.mu,
                                .friction_directions = 1});
  return model;
}

Signals rod_on_floor_signals(const RunInfo& run, const RodOnFloor& p) {
  const auto exact = std::make_shared<PlanarContactReference>(rod_on_floor_reference(p, run.stop_request));
  const Node rod = run.system.model().find_node("rod");
  const double h = run.integrator.step_size();
  Signals signals;
  signals.push_back({"inclination", "rad", "angle of the rod with the vertical",
                     [rod](const Snapshot& at) { return inclination_of(at.state.q, rod); },
                     [exact](double t) { return std::numbers::pi / 2 - exact->at(t).at.q.z(); }});
  signals.push_back({"rate", "rad/s", "rate of that angle",
                     [rod](const Snapshot& at) { return -at.state.v[rod.v + 5]; },
                     [exact](double t) { return -exact->at(t).at.v.z(); }});
  signals.push_back(
      position(run, "rod", Axis::x).against([exact](double t) { return exact->at(t).at.q.x(); }));
  signals.push_back(
      velocity(run, "rod", Axis::x).against([exact](double t) { return exact->at(t).at.v.x(); }));
  signals.push_back(normal_force(run, "floor").named("force").against([exact, h](double t) {
    return t < h / 2 ? 0.0 : exact->forces(t - h / 2).normal;
  }));
  signals.push_back(contact_state(run, "floor"));
  signals.push_back(energy(run));
  return signals;
}

Measures rod_on_floor_measures(const RunInfo& run, const RodOnFloor& p) {
  Measures measures;
  for (const Signal& signal : rod_on_floor_signals(run, p)) {
    if (signal.name == "inclination" || signal.name == "rod.x")
      measures.add("L1 error of " + signal.name, "", measures.l1_error(signal), 0.0, "reference");
  }
  return measures;
}

RegisteredModel registered_rod_on_floor() {
  using P = RodOnFloor;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the rod")
                   .real("length", &P::length, Range::positive(), "m", "length of the rod")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
                   .real("inclination", &P::inclination, Range::between(-1.5, 1.5), "rad",
                         "angle of the rod with the vertical at the start")
                   .real("rate", &P::rate, {}, "rad/s", "rate of that angle at the start");
  return ModelParts<P>{
      .info = {.name = "rod-on-floor",
               .summary = "A rod falls over while its lower end slides on a rough floor. The contact stays "
                          "closed as the rod turns, where position, velocity and force of a scheme show "
                          "their order.",
               .source = "textbook problem; reduced equations",
               .step = 1e-3,
               .until = 0.3,
               .convergence = {.quantities = {"inclination", "rod.x", "rate", "rod.vx", "force"},
                               .steps = {4e-3, 2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_rod_on_floor,
      .measures = rod_on_floor_measures,
      .signals = rod_on_floor_signals};
}

}  // namespace picus::models
