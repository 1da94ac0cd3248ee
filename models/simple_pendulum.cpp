#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/distance_joint.hpp>
#include <picus/models/references/swing_reference.hpp>
#include <picus/models/simple_pendulum.hpp>

#include <cmath>
#include <memory>
#include <numbers>

namespace picus::models {

Model make_simple_pendulum(const SimplePendulum& p) {
  Model model("simple-pendulum");
  const PointNode P = model.add_point("P", {.position = {-p.length, 0, 0}});
  model.restrict_to_plane(P);
  const auto body = model.add<PointMass>({.name = "P", .node = P, .mass = p.mass});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {body->mass_point()}});
  model.add<DistanceJoint>({.name = "rod", .a = MaterialPoint::on_ground(Vec3::Zero()), .b = P});
  return model;
}

Signals simple_pendulum_signals(const RunInfo& run, const SimplePendulum& p) {
  const auto exact = std::make_shared<SwingReference>(
      SwingParameters{.k = p.gravity / p.length, .angle = std::numbers::pi, .rate = 0.0}, run.stop_request);
  return {position(run, "P", Axis::x).against([exact, l = p.length](double t) {
            return l * std::cos(exact->at(t).angle);
          }),
          position(run, "P", Axis::y).against([exact, l = p.length](double t) {
            return l * std::sin(exact->at(t).angle);
          }),
          energy(run), violation(run)};
}

Measures simple_pendulum_measures(const RunInfo& /*run*/, const SimplePendulum& /*parameters*/) {
  Measures measures;
  const Energies& energies = measures.energies();
  measures.add(
      "change of energy", "J", [&energies] { return energies.balance; }, 0.0, "conserved");
  return measures;
}

RegisteredModel registered_simple_pendulum() {
  using P = SimplePendulum;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass")
                   .real("length", &P::length, Range::positive(), "m", "length of the rod")
                   .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "simple-pendulum",
               .summary = "A point mass on a massless rod falls from the horizontal and swings to the other "
                          "side and back. Energy and place show what a step costs.",
               .source = "IFToMM A01; Gonzalez and others 2006",
               .step = 1e-3,
               .until = 10.0,
               .convergence = {.quantities = {"P.*"}, .steps = {4e-3, 2e-3, 1e-3}}},
      .parameters = table,
      .build = make_simple_pendulum,
      .measures = simple_pendulum_measures,
      .signals = simple_pendulum_signals};
}

}  // namespace picus::models
