/// Bounded features in motion and at rest, against exact solutions: a ball over the edge of a table, crossing beams.

#include "balls.hpp"
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>

#include <numbers>
#include <vector>

namespace picus::feature_motion_test {
namespace {

/// Position and orientation of a table with a ball on it. Its edge is z, the ball rolls along x, up is y.
struct Table {
  Mat3 turn = Mat3::Identity();
  Vec3 place = Vec3::Zero();
  Ball ball{.mass = 0.5, .radius = 0.1};
};

/// Observations of a ball that rolls over the edge x = 0 of a table.
struct Departure {
  double cosine;  ///< of the angle of the centre about the edge when the ball leaves it
  double energy_gain;
  double penetration;
};

Departure roll_over_edge(const Table& table, double speed, double h) {
  const auto& [turn, place, ball] = table;
  const double r = ball.radius;
  Model model;
  const FrameNode node = add_ball(model, "ball", ball, place + turn * Vec3(-0.2 * r, r, 0.1 * r),
                                  turn * Vec3(speed, 0, 0), turn * Vec3(0, 0, -speed / r));
  const Vec3 up = turn.col(1);
  add_weight(model, {node}, ball, -g * up);
  const auto corner = [&, &at = place, &Q = turn](double x, double z) {
    return MaterialPoint::on_ground(at + Q * Vec3(x * r, 0, z * r));
  };
  model.add<FeatureContact>({.name = "table",
                             .a = Feature::point(node, r),
                             .b = Feature::triangle(corner(-20, 0), corner(0, 10), corner(0, -10)),
                             .mu = 30.0});
  const System system(model);
  Vector gaps(system.contact_row_count());
  Departure result{.cosine = 0, .energy_gain = 0, .penetration = 0};
  const double J = 0.4 * ball.mass * r * r;
  const auto height = [&, &at = place](const State& state) { return up.dot(state.q.position(node) - at); };
  const auto energy = [&, &m = ball.mass](const State& state) {
    return 0.5 * m * velocity(state, node).squaredNorm() +
           0.5 * J * angular_velocity(state, node).squaredNorm() + m * g * height(state);
  };
  const double start = 0.7 * ball.mass * speed * speed + ball.mass * g * r;
  run(model, h, 10 * std::sqrt(r / g), [&](const State& state, const StepReport&) {
    system.evaluate_gaps(state.q, state.q, gaps);
    result.penetration = std::max(result.penetration, -gaps[0]);
    if (state.contact_state[0] != ContactState::gap) result.cosine = height(state) / r;
    result.energy_gain = std::max(result.energy_gain, energy(state) - start);
  });
  return result;
}

// It rolls on about the edge, m g cos = m v^2/r when it leaves: cos = 10/17 + 7/17 v_0^2/(g r).
TEST(FeatureMotion, ABallRollsOverTheEdgeOfATableAndLeavesIt) {
  const Table far_away{
      .turn = so3::exp({0.3, -1.1, 0.7}), .place = {5, -30, 20}, .ball = {.mass = 20, .radius = 1.5}};
  for (const Table& table : {Table{}, far_away}) {
    const auto& [mass, r] = table.ball;
    const double rate = std::sqrt(g / r);
    for (const double froude : {0.1, 0.3, 0.6}) {
      const double speed = froude * std::sqrt(g * r);
      const double exact = 10.0 / 17 + 7.0 / 17 * froude * froude;
      for (const double angle : {0.02, 0.005}) {  // of a step
        const double h = angle / rate;
        const Departure found = roll_over_edge(table, speed, h);
        SCOPED_TRACE(testing::Message() << "r = " << r << " m, " << speed << " m/s, h = " << h << " s");
        // The last step with contact is the one before lift-off or the one in which it occurs: the cosine decreases
        // by at most v h/r in each, v = sqrt(g r cos).
        EXPECT_NEAR(found.cosine, exact, 2 * angle * std::sqrt(exact));
        EXPECT_LE(found.penetration, 1e-9 * r);
        // Rolling conserves it; the scheme is of second order in the angle of a step. Just before lift-off the ball
        // slips, when friction would have to exceed 30 times the normal force, and loses energy.
        EXPECT_LE(found.energy_gain, angle * angle * mass * g * r);
      }
    }
  }
}

/// Two cantilevers of circular section that cross at the middle of elements. The upper one is loaded at its tip.
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
  // Between its nodes an element is straight, and the force acts on both: an error of second order in its length,
  // 6.5e-5 with 32.
  EXPECT_LE(error[2], 1e-4);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2.0, 0.1);
}

}  // namespace
}  // namespace picus::feature_motion_test
