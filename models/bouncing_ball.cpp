#include <picus/convergence.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/bouncing_ball.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>

namespace picus::models {
namespace {}  // namespace

Model make_bouncing_ball(const BouncingBall& parameters) {
  Model model("bouncing-ball");
  const PointNode node = model.add_point("ball", {.position = {0.0, parameters.height, 0.0}});
  const auto ball = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {ball->mass_point()}});
  model.add<NodeToFaceContact>(
      {.name = "floor", .slave = node, .face = {.normal = Vec3::UnitY()}, .e_n = parameters.restitution});
  return model;
}

Signals bouncing_ball_signals(const RunInfo& run, const BouncingBall& parameters) {
  const BouncingBallExact exact(parameters.height, parameters.restitution, parameters.gravity);
  return {position(run, "ball", Axis::y).against([exact](double t) { return exact.position(t); }),
          velocity(run, "ball", Axis::y).against([exact](double t) { return exact.velocity(t); }),
          normal_impulse(run, "floor"), energy(run)};
}

Measures bouncing_ball_measures(const RunInfo& run, const BouncingBall& parameters) {
  const BouncingBallExact exact(parameters.height, parameters.restitution, parameters.gravity);
  const Signal height =
      position(run, "ball", Axis::y).against([exact](double t) { return exact.position(t); });
  const Signal rate = velocity(run, "ball", Axis::y).against([exact](double t) { return exact.velocity(t); });
  const std::string source = "exact, Chen 2013, appendix A";
  Measures measures;
  measures.add("L1 error of the height", "", measures.l1_error(height), 0.0, source);
  measures.add("L1 error of the velocity", "", measures.l1_error(rate), 0.0, source);
  measures.add("at rest from", "s",
               measures.last_time([](const Snapshot& at) { return !is_any_closed(at.state); }),
               exact.accumulation_time(), source);
  const auto& resting = measures.accumulate(std::optional<double>(), [=](const Snapshot& at, auto& last) {
    if (at.state.time >= exact.accumulation_time()) last = height.value(at);
  });
  measures.add(
      "height at the end", "m", [&resting] { return resting; }, 0.0, source);
  return measures;
}

RegisteredModel registered_bouncing_ball() {
  using P = BouncingBall;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the ball")
                   .real("height", &P::height, Range::positive(), "m",
                         "height of the ball over the floor at the start")
                   .real("restitution", &P::restitution, Range::between(0, 1), "",
                         "velocity after an impact over that before")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "bouncing-ball",
           .summary =
               "A ball falls on a rigid floor and bounces until it rests. Infinitely many impacts happen in "
               "a "
               "finite time, 3.64 s with the default parameters, so that no scheme can stop at each of them. "
               "The exact solution is known, through that point and beyond.",
           .source = "thesis 2.4; Chen 2013, appendix A",
           .step = 1e-3,
           .until = 4.0,
           .convergence = {.quantities = {"ball.y", "ball.vy"},
                           .steps = {1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_bouncing_ball,
      .measures = bouncing_ball_measures,
      .signals = bouncing_ball_signals};
}

}  // namespace picus::models
