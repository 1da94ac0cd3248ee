/// Collisions of two balls and of a chain of three.

#include "balls.hpp"
#include <picus/elements/bodies/point_mass.hpp>

namespace picus::collision_test {
namespace {

const Ball ball;
constexpr double r = 0.03;

TEST(Collision, HeadOnObeysRestitution) {
  const Ball heavy{.mass = 0.5, .radius = 0.05};
  for (const double e : {0.0, 0.4, 1.0}) {
    Model model;
    const FrameNode a = add_ball(model, "a", ball, {0, 0, 0}, {2, 0, 0});
    const FrameNode b = add_ball(model, "b", heavy, {0.1, 0, 0}, {-1, 0, 0});
    model.add<SphereToSphereContact>(
        {.name = "contact", .a = {a, r}, .b = {b, heavy.radius}, .mu = 0.3, .e_n = e});
    const State end = run(model, 1e-4, 0.02);
    const double mean = (ball.mass * 2 - heavy.mass) / (ball.mass + heavy.mass);
    const double relative = e * 3 / (ball.mass + heavy.mass);
    EXPECT_LT((velocity(end, a) - Vec3(mean - heavy.mass * relative, 0, 0)).norm(), 1e-8) << e;
    EXPECT_LT((velocity(end, b) - Vec3(mean + ball.mass * relative, 0, 0)).norm(), 1e-8) << e;
    EXPECT_LT(angular_velocity(end, a).norm() + angular_velocity(end, b).norm(), 1e-8);
  }
}

/// A ball that hits an equal one at rest, off its centre.
struct Oblique {
  explicit Oblique(double mu_, double e_, double angle = 0.6) : mu(mu_), e(e_) {
    // In contact at t = impact with the line of centres at the angle to the velocity, in a plane that is not a
    // coordinate plane.
    n = std::cos(angle) * Vec3(1, 0, 0) + std::sin(angle) * Vec3(0, 0.8, 0.6);
    a = add_ball(model, "a", ball, -2 * r * n - impact * v_0, v_0);
    b = add_ball(model, "b", ball, Vec3::Zero());
    model.add<SphereToSphereContact>({.name = "contact", .a = {a, r}, .b = {b, r}, .mu = mu, .e_n = e});
  }
  /// Velocity of b after the impact along n. P_N = (1 + e) m v_N/2 and |P_T| = min(mu P_N, m v_T/7).
  Vec3 exact_velocity_of_b() const {
    const double v_N = v_0.dot(n);
    const Vec3 v_T = v_0 - v_N * n;
    const double P_N = 0.5 * (1 + e) * v_N;
    return P_N * n + std::min(mu * P_N, v_T.norm() / 7) * v_T.normalized();
  }
  double mu, e;
  double impact = 0.01037;
  Vec3 v_0{2, 0, 0};
  Vec3 n;
  Model model;
  FrameNode a, b;
};

TEST(Collision, ObliqueObeysCoulombsLaw) {
  for (const double mu : {0.05, 0.5}) {
    const Oblique oblique(mu, 0.7);
    Vec3 impulse = Vec3::Zero();
    Vec3 n = oblique.n;  // line of centres at the end of the step of the impact
    const State end = run(oblique.model, 1e-5, 0.02, [&](const State& state, const StepReport&) {
      if (!impulse.isZero(0.0)) return;
      n = (state.q.position(oblique.b) - state.q.position(oblique.a)).normalized();
      impulse = state.contact_impulse;
    });
    // Restitution uses the velocities at the start of the step, along the impulse.
    const double P_N = 0.5 * ball.mass * 1.7 * oblique.v_0.dot(n);
    const double v_T = (oblique.v_0 - oblique.v_0.dot(n) * n).norm();
    EXPECT_NEAR(impulse[0], P_N, 1e-8);
    // The weaker friction slips, the stronger one sticks.
    EXPECT_NEAR(impulse.tail<2>().norm(), mu == 0.05 ? mu * P_N : ball.mass * v_T / 7, 1e-8);
    EXPECT_LT((n - oblique.n).norm(), 1e-3) << "to within the motion of a step over the radius";
    EXPECT_LT((velocity(end, oblique.b) - oblique.exact_velocity_of_b()).norm(), 3e-3);
    // Momentum and angular momentum about the origin, where b was.
    EXPECT_LT((velocity(end, oblique.a) + velocity(end, oblique.b) - oblique.v_0).norm(), 1e-8);
    const double J = 0.4 * r * r;
    const auto spin = [&](const FrameNode& node) -> Vec3 {
      return J * angular_velocity(end, node) + end.q.position(node).cross(velocity(end, node));
    };
    const Vec3 spin_0 = Vec3(-2 * r * oblique.n).cross(oblique.v_0);
    EXPECT_LT((spin(oblique.a) + spin(oblique.b) - spin_0).norm(), 1e-3 * spin_0.norm())
        << "impulses act up to a step away from touch";
  }
}

TEST(Collision, ObliqueIsOfFirstOrderInTheStep) {
  // The position of the impact within a step changes the error; many runs average that out.
  double small = 0;
  double large = 0;
  constexpr int runs = 10;
  for (int i = 0; i < runs; ++i) {
    const auto error = [&](double h) {
      Oblique oblique(0.05, 0.7);
      const State end = run(oblique.model, h, 0.02);
      const Vec3 exact = oblique.exact_velocity_of_b() * (end.time - oblique.impact);
      return (end.q.position(oblique.b) - exact).norm();
    };
    const double h = 4e-5 * (1 + 0.037 * i);
    small += error(h);
    large += error(8 * h);
  }
  EXPECT_GT(std::log2(large / small) / 3, 0.85);
  EXPECT_LT(small / runs, 1e-4);
}

/// Three equal balls in a row without friction, the first of which moves.
struct Chain {
  explicit Chain(double distance) {
    for (Index i = 0; i < 3; ++i) {
      const double x = i == 0 ? -0.005 - 2 * r : (i - 1) * (2 * r + distance);
      nodes.push_back(model.add_point("ball[" + std::to_string(i) + "]",
                                      {.position = {x, 0, 0}, .velocity = {i == 0 ? 1.0 : 0.0, 0, 0}}));
      model.add<PointMass>({.name = "mass[" + std::to_string(i) + "]", .node = nodes.back(), .mass = 0.2});
    }
    for (std::size_t i = 0; i < 2; ++i) {
      model.add<SphereToSphereContact>({.name = "contact[" + std::to_string(i) + "]",
                                        .a = {nodes[i], r},
                                        .b = {nodes[i + 1], r},
                                        .e_n = 1.0});
    }
  }
  Vec3 final_speeds() {
    const State end = run(model, 1e-4, 0.05);
    return {velocity(end, nodes[0]).x(), velocity(end, nodes[1]).x(), velocity(end, nodes[2]).x()};
  }
  Model model;
  std::vector<PointNode> nodes;
};

// Successive impacts: the last ball flies off with all momentum and energy, as in Newton's cradle.
TEST(Collision, AChainWithGapsPassesOnItsMomentum) {
  EXPECT_LT((Chain(1e-3).final_speeds() - Vec3(0, 0, 1)).norm(), 1e-8);
}

// Newton's law at both contacts at once: v_2 - v_1 = 1 and v_3 = v_2, which also conserves momentum and energy but is
// not the behaviour of a cradle (Moreau; the known limitation of Newton's law in multiple impacts).
TEST(Collision, AChainInTouchIsHitAllAtOnce) {
  EXPECT_LT((Chain(0.0).final_speeds() - Vec3(-1, 2, 2) / 3).norm(), 1e-8);
}

}  // namespace
}  // namespace picus::collision_test
