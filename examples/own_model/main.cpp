#include <picus/picus.hpp>
#include <picus/program.hpp>

#include <cmath>

struct Flap {
  double length = 0.4;     // m
  double mass = 0.5;       // kg
  double stiffness = 2.0;  // N m/rad
  double angle = 1.0;      // rad
  double e_n = 0.6;
  double frequency() const { return std::sqrt(stiffness / (mass * length * length / 3)); }  // rad/s
};

// A spring turns the flap to the angle 0, where it hits a stop.
picus::Model build(const Flap& p) {
  const double angle = p.angle;
  const picus::Vec3 centre(0.5 * p.length * std::cos(angle), 0.5 * p.length * std::sin(angle), 0);
  picus::Model model("flap");
  const auto node = model.add_frame("flap", {.position = centre, .rotation = picus::so3::exp({0, 0, angle})});
  const auto hinge_angle = model.add_scalar("angle", {.value = angle});
  model.add<picus::RigidBody>({.name = "body",
                               .node = node,
                               .mass = p.mass,
                               .inertia = picus::inertia::planar(p.mass * p.length * p.length / 12)});
  model.add<picus::Hinge>({.name = "hinge",
                           .a = picus::MaterialPoint::on_ground({0, 0, 0}),
                           .b = {node, {-0.5 * p.length, 0, 0}},
                           .axis = {0, 0, 1},
                           .angle = hinge_angle});
  model.add<picus::TorsionalSpringDamper>({.name = "spring", .node = hinge_angle, .stiffness = p.stiffness});
  picus::add_stops(model, {.name = "stop", .coordinate = hinge_angle, .lower = 0.0, .e_n = p.e_n});
  return model;
}

// Half an oscillation from stop to stop, each e_n times as wide as the one before.
picus::Signals signals(const picus::RunInfo& run, const Flap& p) {
  const auto exact = [p, w = p.frequency()](double t) {
    return p.angle * std::pow(p.e_n, std::floor(w * t / M_PI + 0.5)) * std::abs(std::cos(w * t));
  };
  return {picus::signals::scalar_value(run, "angle", "rad").against(exact)};
}

picus::Measures measures(const picus::RunInfo& run, const Flap& p) {
  picus::Measures measures;
  measures.add("L1 error of the angle", "", measures.l1_error(signals(run, p).front()), 0.0, "exact");
  const auto hit = [](const picus::Snapshot& at) { return picus::signals::is_any_closed(at.state); };
  measures.add("first impact at", "s", measures.first_time(hit), M_PI / 2 / p.frequency(), "exact");
  return measures;
}

int main(int argc, char** argv) {
  using picus::Range;
  return picus::run_main(
      argc, argv,
      {picus::ModelParts<Flap>{
          .info = {.name = "flap",
                   .summary = "A flap on a spring hits its stop again and again.",
                   .step = 1e-3,
                   .until = 2.0,
                   .convergence = {.steps = {4e-3, 2e-3, 1e-3, 5e-4}, .until = 0.5}},
          .parameters =
              picus::ParameterTable<Flap>()
                  .real("length", &Flap::length, Range::positive(), "m", "length of the flap")
                  .real("mass", &Flap::mass, Range::positive(), "kg", "mass of the flap")
                  .real("stiffness", &Flap::stiffness, Range::positive(), "N m/rad", "of the spring")
                  .real("angle", &Flap::angle, Range::between(0, 1.5), "rad", "angle at the start")
                  .real("e_n", &Flap::e_n, Range::between(0, 1), "", "restitution at the stop"),
          .build = build,
          .measures = measures,
          .signals = signals}});
}
