/// A ball that rolls and slides: on an incline, a billiard table and a turntable.

#include "balls.hpp"
#include <picus/so3.hpp>

#include <array>

namespace picus::rolling_test {
namespace {

const Ball ball;
const Vec3 up = Vec3::UnitY();

/// A ball at rest on a slope that falls along x, in the axes of the slope.
struct Incline {
  Incline(double slope, double mu) {
    node = add_ball(model, "ball", ball, ball.radius * up);
    add_weight(model, {node}, ball, g * Vec3(std::sin(slope), -std::cos(slope), 0));
    model.add<SphereToFaceContact>(
        {.name = "slope", .centre = node, .radius = ball.radius, .face = {.normal = up}, .mu = mu});
  }
  Model model;
  FrameNode node;
};

// Rolling: a = 5/7 g sin(slope), if mu >= 2/7 tan(slope). Otherwise a = g (sin - mu cos) and
// domega/dt = 5 mu g cos/(2 r).
TEST(Rolling, DownAnInclineItRollsOrSlidesAsTheFrictionSays) {
  constexpr double slope = 0.5;
  const double limit = 2.0 / 7 * std::tan(slope);
  for (const double part : {0.3, 0.99, 1.01, 3.0}) {
    const double mu = part * limit;
    const bool rolls = part > 1;
    const Incline incline(slope, mu);
    const State end = run(incline.model, 1e-3, 0.5);
    const double a = rolls ? 5.0 / 7 * g * std::sin(slope) : g * (std::sin(slope) - mu * std::cos(slope));
    const double spin = rolls ? a / ball.radius : 2.5 * mu * g * std::cos(slope) / ball.radius;
    // Forces are constant, and so the velocities are exact up to the tolerance of the solver.
    EXPECT_NEAR(velocity(end, incline.node).x(), 0.5 * a, 1e-8) << part;
    EXPECT_NEAR(angular_velocity(end, incline.node).z(), -0.5 * spin, 1e-6) << part;
    EXPECT_NEAR(end.q.position(incline.node).x(), a / 8, 2e-3 * a / 8) << "first order in the step";
    EXPECT_EQ(end.contact_state[0], rolls ? ContactState::stick : ContactState::slip) << part;
  }
}

TEST(Rolling, WithoutFrictionItDoesNotTurn) {
  const Incline ice(0.5, 0.0);
  const State end = run(ice.model, 1e-3, 0.2);
  EXPECT_LT(angular_velocity(end, ice.node).norm(), 1e-12);
  EXPECT_NEAR(velocity(end, ice.node).x(), 0.2 * g * std::sin(0.5), 1e-8);
}

// Sliding without spin becomes rolling at t = 2 v_0/(7 mu g) with 5/7 v_0.
TEST(Rolling, ABilliardBallThatIsPushedEndsUpRolling) {
  constexpr double v_0 = 1.3;
  constexpr double mu = 0.2;
  const double transition = 2 * v_0 / (7 * mu * g);
  for (const double h : {4e-3, 1e-3, 2.5e-4}) {
    Model model;
    const FrameNode node = add_ball(model, "ball", ball, ball.radius * up, {v_0, 0, 0});
    add_weight(model, {node}, ball, -g * up);
    model.add<SphereToFaceContact>(
        {.name = "table", .centre = node, .radius = ball.radius, .face = {.normal = up}, .mu = mu});
    double rolls_from = 0;
    double worst_gap = 0;
    const State end = run(model, h, 0.3, [&](const State& state, const StepReport&) {
      if (state.contact_state[0] == ContactState::slip) rolls_from = state.time;
      worst_gap = std::max(worst_gap, std::abs(state.q.position(node).y() - ball.radius));
    });
    EXPECT_NEAR(rolls_from, transition, h);
    // Friction passes through the contact, about which the angular momentum m v + 2/5 m r omega is conserved.
    EXPECT_NEAR(velocity(end, node).x(), 5.0 / 7 * v_0, 1e-8);
    EXPECT_NEAR(angular_velocity(end, node).z(), -5.0 / 7 * v_0 / ball.radius, 1e-6);
    const double distance =
        v_0 * transition - 0.5 * mu * g * transition * transition + 5.0 / 7 * v_0 * (0.3 - transition);
    EXPECT_NEAR(end.q.position(node).x(), distance, v_0 * h) << "to within the motion of a step";
    EXPECT_LT(worst_gap, 1e-10);
  }
}

// With side spin (a masse shot) the slip keeps its direction, the path is a parabola until the ball rolls with (5
// v_0 + 2 r omega_0 x n)/7, and spin about the vertical is unchanged. The axis of rotation changes, which a scheme in
// body axes follows to first order under a contact force.
TEST(Rolling, ASideSpinBendsThePathToAParabola) {
  constexpr double mu = 0.2;
  const Vec3 v_0(1.0, 0, 0.2);
  const Vec3 omega_0(30, 25, 10);
  const Vec3 slip_0 = v_0 - ball.radius * Vec3(omega_0.cross(up));
  const double transition = 2 * slip_0.norm() / (7 * mu * g);
  const Vec3 v_1 = (5 * v_0 + 2 * ball.radius * omega_0.cross(up)) / 7;
  const auto errors = [&](double h) {
    Model model;
    const FrameNode node = add_ball(model, "ball", ball, ball.radius * up, v_0, omega_0);
    add_weight(model, {node}, ball, -g * up);
    model.add<SphereToFaceContact>(
        {.name = "table", .centre = node, .radius = ball.radius, .face = {.normal = up}, .mu = mu});
    double worst = 0;
    const State end = run(model, h, 0.5, [&](const State& state, const StepReport&) {
      const double t = std::min(state.time, transition);
      const Vec3 exact =
          ball.radius * up + v_0 * t - 0.5 * mu * g * t * t * slip_0.normalized() + v_1 * (state.time - t);
      worst = std::max(worst, (state.q.position(node) - exact).norm());
    });
    EXPECT_EQ(end.contact_state[0], ContactState::stick);
    return Vec3(worst, (velocity(end, node) - v_1).norm(), std::abs(angular_velocity(end, node).y() - 25));
  };
  const Vec3 coarse = errors(1e-3);
  const Vec3 fine = errors(1.25e-4);
  EXPECT_LT(fine[0], 2e-4);
  EXPECT_LT(fine[1], 6e-4);
  EXPECT_LT(fine[2], 6e-2);
  for (Index i = 0; i < 3; ++i) EXPECT_GT(std::log2(coarse[i] / fine[i]) / 3, 0.9) << i;
}

// A ball that rolls on a turntable moves in a circle at 2/7 of its rate, at rest in the inertial frame.
struct Turntable {
  explicit Turntable(double W) {
    table = model.add_frame("table");
    using enum Component;
    model.fix(table, {x, y, z, rx, rz});
    model.drive(table, ry, PrescribedMotion::constant_speed(W));
    velocity_0 = 2.0 / 7 * W * up.cross(x_0 - centre);
    const Vec3 relative = velocity_0 - W * up.cross(x_0);
    ball_node =
        add_ball(model, "ball", ball, x_0 + ball.radius * up, velocity_0, up.cross(relative) / ball.radius);
    add_weight(model, {ball_node}, ball, -g * up);
    model.add<SphereToFaceContact>({.name = "contact",
                                    .centre = ball_node,
                                    .radius = ball.radius,
                                    .face = {.node = table, .normal = up},
                                    .mu = 1.0});
  }
  Model model;
  Vec3 x_0{0.3, 0, 0};
  Vec3 centre{0.15, 0, 0.05};
  Vec3 velocity_0;
  FrameNode table, ball_node;
};

TEST(Rolling, OnATurntableItGoesInACircle) {
  constexpr double W = 6.0;
  constexpr double until = 0.8;
  std::array<double, 2> error{};
  int worst_iterations = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double h = i == 0 ? 2e-3 : 1e-3;
    const Turntable turntable(W);
    double worst = 0;
    run(turntable.model, h, until, [&](const State& state, const StepReport& report) {
      const Vec3 exact = turntable.centre + ball.radius * up +
                         so3::exp(2.0 / 7 * W * state.time * up) * (turntable.x_0 - turntable.centre);
      worst = std::max(worst, (state.q.position(turntable.ball_node) - exact).norm());
      worst_iterations = std::max(worst_iterations, report.subproblems[1].iterations);
    });
    error[i] = worst;
  }
  RecordProperty("error_at_2ms", std::to_string(error[0]));
  RecordProperty("error_at_1ms", std::to_string(error[1]));
  RecordProperty("worst_position_iterations", worst_iterations);
  EXPECT_LT(error[1], 1e-4);
  EXPECT_GT(std::log2(error[0] / error[1]), 0.9);
  EXPECT_LE(worst_iterations, 6);
}

// A ball dropped with e_n = e_t = 1 onto a sticking floor reverses the velocity of its contact point and conserves
// its energy (Garwin 1969). Exactly so if it rotates about one axis.
TEST(Rolling, ASuperballReversesTheMotionOfItsContactPoint) {
  const auto errors = [](const Vec3& v_0, const Vec3& omega_0, double h) {
    Model model;
    const FrameNode node = add_ball(model, "ball", ball, (ball.radius + 0.0105) * up, v_0, omega_0);
    model.add<SphereToFaceContact>({.name = "floor",
                                    .centre = node,
                                    .radius = ball.radius,
                                    .face = {.normal = up},
                                    .mu = 10.0,
                                    .e_n = 1.0,
                                    .e_t = 1.0});
    const State end = run(model, h, 0.02);
    const Vec3 slip_0 = v_0 - ball.radius * omega_0.cross(up);
    const Vec3 tangential(slip_0.x(), 0, slip_0.z());
    // The impulse that reverses it: 2 slip m/(1 + 5/2).
    const Vec3 v_1 = Vec3(v_0.x(), -v_0.y(), v_0.z()) - 4.0 / 7 * tangential;
    const Vec3 omega_1 = omega_0 + 2.5 / ball.radius * up.cross(4.0 / 7 * tangential);
    const auto energy = [](const Vec3& v, const Vec3& omega) {
      return 0.5 * v.squaredNorm() + 0.2 * ball.radius * ball.radius * omega.squaredNorm();
    };
    return Vec3((velocity(end, node) - v_1).norm(),
                ball.radius * (angular_velocity(end, node) - omega_1).norm(),
                std::abs(energy(velocity(end, node), angular_velocity(end, node)) - energy(v_0, omega_0)));
  };
  EXPECT_LT(errors({1.0, -2.0, 0}, {0, 0, -40}, 1e-3).maxCoeff(), 1e-7);
  EXPECT_LT(errors({1.0, -2.0, 0}, {0, 0, 90}, 1e-3).maxCoeff(), 1e-7);
  const Vec3 coarse = errors({1.0, -2.0, 0.3}, {20, 5, -40}, 1e-3);
  const Vec3 fine = errors({1.0, -2.0, 0.3}, {20, 5, -40}, 1e-5);
  EXPECT_LT(coarse.maxCoeff(), 1e-2);
  EXPECT_LT(fine.maxCoeff(), 1e-4) << "first order in the step";
}

}  // namespace
}  // namespace picus::rolling_test
