/// Bounded features in motion and at rest, against exact solutions: a ball over the edge of a table, crossing beams.

#include "balls.hpp"
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>

#include <numbers>
#include <vector>

namespace picus::feature_motion_test {
namespace {

MaterialPoint ground(double x, double y, double z) {
  return MaterialPoint::on_ground({x, y, z});
}

/// What is seen of a ball that rolls over the edge x = 0 of a table.
struct Departure {
  double cosine;  ///< of the angle of the centre about the edge when the ball leaves it
  double energy_gain;
  double penetration;
};

Departure roll_over_edge(double speed, double h) {
  const Ball ball{.mass = 0.5, .radius = 0.1};
  Model model;
  const FrameNode node =
      add_ball(model, "ball", ball, {-0.02, ball.radius, 0.01}, {speed, 0, 0}, {0, 0, -speed / ball.radius});
  add_weight(model, {node}, ball, {0, -g, 0});
  model.add<FeatureContact>({.name = "table",
                             .a = Feature::point(node, ball.radius),
                             .b = Feature::triangle(ground(-2, 0, 0), ground(0, 0, 1), ground(0, 0, -1)),
                             .mu = 30.0});
  const System system(model);
  Vector gaps(system.contact_row_count());
  Departure result{.cosine = 0, .energy_gain = 0, .penetration = 0};
  const double J = 0.4 * ball.mass * ball.radius * ball.radius;
  const auto energy = [&](const State& state) {
    return 0.5 * ball.mass * velocity(state, node).squaredNorm() +
           0.5 * J * angular_velocity(state, node).squaredNorm() + ball.mass * g * state.q.position(node).y();
  };
  const double start = 0.7 * ball.mass * speed * speed + ball.mass * g * ball.radius;
  run(model, h, 1.0, [&](const State& state, const StepReport&) {
    system.evaluate_gaps(state.q, state.q, gaps);
    result.penetration = std::max(result.penetration, -gaps[0]);
    if (state.contact_state[0] != ContactState::gap) result.cosine = state.q.position(node).y() / ball.radius;
    result.energy_gain = std::max(result.energy_gain, energy(state) - start);
  });
  return result;
}

// It rolls on about the edge, m g cos = m v^2/r when it leaves: cos = 10/17 + 7/17 v_0^2/(g r).
TEST(FeatureMotion, ABallRollsOverTheEdgeOfATableAndLeavesIt) {
  const double r = 0.1;
  for (const double speed : {0.1, 0.3, 0.6}) {
    const double exact = 10.0 / 17 + 7.0 / 17 * speed * speed / (g * r);
    // Until the step in which it leaves is over the centre goes on by v h, v = sqrt(g r cos).
    const auto bound = [&](double h) { return 2 * h * std::sqrt(g * r * exact) / r; };
    for (const double h : {2e-3, 5e-4}) {
      const Departure found = roll_over_edge(speed, h);
      EXPECT_NEAR(found.cosine, exact, bound(h)) << speed << " m/s, h = " << h;
      EXPECT_LE(found.penetration, 1e-9 * r);
      // Rolling conserves it; the scheme is of second order in the angle of a step. Just before it leaves, where the normal
      // force is a 30th of the friction, it slips, and loses.
      const double angle = h * std::sqrt(g / r);
      EXPECT_LE(found.energy_gain, angle * angle * 0.5 * g * r) << speed << " m/s, h = " << h;
    }
  }
}

/// Two cantilevers of round section that cross at the middle of elements. The upper one is loaded at its tip.
struct Crossing {
  double force;       ///< between them, N
  double deflection;  ///< of the lower one's tip, m
  double gap;
};

constexpr double length = 1.0;
constexpr double radius = 0.01;
const BeamMaterial steel{.E = 2e11, .nu = 0.3, .density = 7800};
constexpr double apart = 1e-4;
constexpr double load = 2.0;

Crossing press(int elements) {
  Model model;
  const Section section = Section::circle(radius, steel);
  const double a = length * (elements - 0.5) / elements;  // the middle of the last element
  const BeamMesh lower = make_beam(model, {.name = "lower",
                                           .section = section,
                                           .from = Vec3(0, 0, 0),
                                           .to = Vec3(length, 0, 0),
                                           .elements = elements});
  const double height = 2 * radius + apart;
  const BeamMesh upper = make_beam(model, {.name = "upper",
                                           .section = section,
                                           .from = Vec3(a, height, -a),
                                           .to = Vec3(a, height, length - a),
                                           .elements = elements});
  model.fix(lower.first());
  model.fix(upper.first());
  model.add<NodalForce>({.name = "load", .point = upper.last(), .force = Vec3(0, -load, 0)});
  const auto piece = [](const BeamMesh& beam, int i) {
    return Feature::edge(beam.nodes[i], beam.nodes[i + 1], radius);
  };
  const auto contact = model.add<FeatureContact>(
      {.name = "crossing", .a = piece(upper, elements - 1), .b = piece(lower, elements - 1)});
  const System system(model);
  StaticEquilibrium statics({.increments = 5});
  State state = statics.start(system);
  for (int i = 0; i < 5; ++i) statics.step(state);
  Vector gaps(system.contact_row_count());
  system.evaluate_gaps(state.q, state.q, gaps);
  EXPECT_EQ(contact->row_count(), 1);
  return {
      .force = state.contact_impulse[0], .deflection = -state.q.position(lower.last()).y(), .gap = gaps[0]};
}

// With w(x, c), the deflection of a cantilever at x under a unit force at c, the contact force is
// P = (F w(a, L) - apart)/(2 w(a, a)).
TEST(FeatureMotion, CrossingCantileversShareTheLoadAsStaticsSays) {
  const double I = std::numbers::pi / 4 * std::pow(radius, 4);
  const double EI = steel.E * I;
  const double GA = Section::circle(radius, steel).stiffness(1, 1);
  const auto w = [&](double x, double c) { return x * x * (3 * c - x) / (6 * EI) + x / GA; };
  std::vector<double> error;
  for (const int elements : {8, 16, 32}) {
    const double a = length * (elements - 0.5) / elements;
    const double P = (load * w(a, length) - apart) / (2 * w(a, a));
    const Crossing found = press(elements);
    EXPECT_LE(std::abs(found.gap), 1e-9 * radius);
    error.push_back(std::abs(found.force / P - 1));
    const double tip = P * (a * a * (3 * length - a) / (6 * EI) + a / GA);
    EXPECT_NEAR(found.deflection, tip, 2 * tip / (elements * elements));
  }
  // Forces between nodes act on elements that are straight: of second order in their length, until the sections' turn of the
  // contact point, (w'/2)^2, is seen.
  EXPECT_LE(error[2], 2e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.3);
}

}  // namespace
}  // namespace picus::feature_motion_test
