#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/sphere_chain.hpp>

#include <fmt/format.h>

#include <memory>

namespace picus::models {
namespace {

/// Initial position of ball i.
double ball_start(const SphereChain& p, Index i) {
  const double in_row = 2 * p.radius * static_cast<double>(i);
  return i == 0 ? -p.distance : in_row;
}

}  // namespace

SphereChainExact sphere_chain_exact(const SphereChain& p) {
  return SphereChainExact({.balls = p.balls,
                           .speed = p.speed,
                           .distance = p.distance,
                           .mu = p.mu,
                           .gravity = p.gravity,
                           .elastic = p.elastic});
}

Model make_sphere_chain(const SphereChain& p) {
  Model model("sphere-chain");
  std::vector<PlanarBody> balls;
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < p.balls; ++i) {
    const double speed = i == 0 ? p.speed : 0.0;
    balls.push_back(add_planar_body(model, {.name = fmt::format("ball[{}]", i),
                                            .position = {ball_start(p, i), p.radius, 0},
                                            .velocity = {speed, 0, 0},
                                            .angular_velocity = -speed / p.radius,
                                            .mass = p.mass,
                                            .inertia = 0.4 * p.mass * p.radius * p.radius}));
    bodies.push_back(balls.back().body->mass_point());
    model.add<SphereToFaceContact>({.name = fmt::format("floor[{}]", i),
                                    .centre = balls.back().node,
                                    .radius = p.radius,
                                    .face = {.normal = Vec3::UnitY(), .tangent = Vec3::UnitX()},
                                    .mu = p.mu,
                                    .friction_directions = 1});
  }
  for (Index i = 0; i + 1 < p.balls; ++i) {
    const std::size_t left = i;
    model.add<SphereToSphereContact>({.name = fmt::format("pair[{}]", i),
                                      .a = {.centre = balls[left].node, .radius = p.radius},
                                      .b = {.centre = balls[left + 1].node, .radius = p.radius},
                                      .mu = p.mu_between,
                                      .e_n = p.elastic ? 1.0 : 0.0,
                                      .friction_directions = 1});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  return model;
}

Signals sphere_chain_signals(const RunInfo& run, const SphereChain& p) {
  const bool is_known = p.mu_between == 0;
  const auto exact = std::make_shared<SphereChainExact>(sphere_chain_exact(p));
  Signals signals;
  const auto add = [&](const std::string& name, Index i) {
    const std::string node = fmt::format("ball[{}]", i);
    const auto of_ball = [exact, i](double t) { return i == 0 ? exact->first(t) : exact->row(t); };
    const auto push = [&](const Signal& signal, const std::string& quantity,
                          const std::function<double(double)>& solution) {
      const Signal named = signal.named(name + quantity);
      signals.push_back(is_known ? named.against(solution) : named);
    };
    const double start = ball_start(p, i);
    push(position(run, node, Axis::x), ".x", [of_ball, start](double t) { return start + of_ball(t).x; });
    push(velocity(run, node, Axis::x), ".vx", [of_ball](double t) { return of_ball(t).v; });
    const Node ball = run.system.model().find_node(node);
    push({"", "rad/s", "angular velocity of " + node + ", positive as it rolls along x",
          [ball](const Snapshot& at) { return -at.state.v[ball.v + 5]; }},
         ".spin", [of_ball, r = p.radius](double t) { return of_ball(t).rim / r; });
  };
  add("first", 0);
  add("last", p.balls - 1);
  signals.push_back(energy(run));
  return signals;
}

Measures sphere_chain_measures(const RunInfo& run, const SphereChain& p) {
  Measures measures;
  for (const Signal& signal : sphere_chain_signals(run, p)) {
    if (signal.exact && signal.name.ends_with(".x"))
      measures.add("L1 error of " + signal.name, "", measures.l1_error(signal), 0.0, "exact");
  }
  return measures;
}

RegisteredModel registered_sphere_chain() {
  using P = SphereChain;
  auto table =
      ParameterTable<P>()
          .integer("balls", &P::balls, {.low = 2, .high = 1000}, "number of balls, the first one included")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of each ball")
          .real("radius", &P::radius, Range::positive(), "m", "radius of each ball")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of the floor")
          .real("mu_between", &P::mu_between, Range::not_negative(), "",
                "coefficient of friction between balls")
          .flag("elastic", &P::elastic, "whether impacts between balls conserve energy (e = 1)")
          .real("distance", &P::distance, Range::not_negative(), "m",
                "between the first ball and the row at the start")
          .real("speed", &P::speed, Range::positive(), "m/s", "velocity of the first ball at the start")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "sphere-chain",
               .summary = "A ball rolls on a rough floor into a row of balls at rest. Its contact closes "
                          "while all others are closed and stick; then the balls slide, push each other and "
                          "come to roll.",
               .source = "momentum and Newton's law of impact, closed form",
               .step = 1e-3,
               .until = 0.6,
               .convergence = {.quantities = {"first.*", "last.*"}, .steps = {4e-3, 2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_sphere_chain,
      .measures = sphere_chain_measures,
      .signals = sphere_chain_signals};
}

}  // namespace picus::models
