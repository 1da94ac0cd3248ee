/// Spheres whose contact normal takes every direction, and spheres with large rotations in a step.

#include "balls.hpp"
#include <picus/so3.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <gmock/gmock.h>

#include <numbers>

namespace picus::spinning_sphere_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Ball ball;

/// The pole of the friction directions of two spheres (sphere_to_sphere.hpp): they are singular at -pole.
const Vec3 pole = Vec3(2, 3, 6) / 7;

/// A ball pressed onto a fixed one of the same size that rolls around it at a constant rate: a spring towards the
/// centre presses it, nothing else acts. `start` is the direction of the normal, `axis` that of the motion.
struct Orbit {
  Orbit(const Vec3& start, const Vec3& axis, double rate, double spin_part) {
    const Vec3 D = 2 * ball.radius * start;
    const Vec3 v = rate * axis.cross(D);
    node = add_ball(model, "ball", ball, D, v, spin_part * 2 * rate * axis);
    model.add<SphereToSphereContact>({.name = "contact",
                                      .a = {MaterialPoint::on_ground(Vec3::Zero()), ball.radius},
                                      .b = {node, ball.radius},
                                      .mu = 0.5});
  }
  Model model;
  FrameNode node;
};

/// Pulls a body to the origin with a force of constant size.
class Attraction : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    FrameNode node;
    double force;
  };
  Attraction(const Parameters& p, const Model&) : Element(p.name, {p.node}), node_(p.node), force_(p.force) {}
  Traits traits() const override {
    return {.depends_on_velocity = false, .has_potential = true, .is_conservative = true};
  }
  void force(const Motion& motion, std::span<double> f) const override {
    Eigen::Map<Vec3>{f.data()} = -force_ * Vec3(motion.q.position(node_)).normalized();
  }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> /*C*/) const override {
    const Vec3 x = motion.q.position(node_);
    const Vec3 n = x.normalized();
    Eigen::Map<Eigen::Matrix<double, 6, 6>>{K.data()}.topLeftCorner<3, 3>() =
        force_ / x.norm() * (Mat3::Identity() - n * n.transpose());
  }
  double potential_energy(const Configuration& q, double /*t*/) const override {
    return force_ * q.position(node_).norm();
  }

 private:
  FrameNode node_;
  double force_;
};

constexpr double rate = 3.0;
const double revolution = 2 * std::numbers::pi / rate;

// Through the pole and the singular direction of the tangents, and through many others, the ball keeps rolling:
// nothing slows it, and the path stays in its plane.
TEST(SpinningSphere, RollsThroughEveryDirectionOfTheNormal) {
  support::Random random(5);
  double reference = 0.0;
  for (int i = 0; i < 8; ++i) {
    // The first two circles pass exactly through -pole, in and between steps.
    const Vec3 axis = i < 2 ? Vec3(pole.unitOrthogonal()) : random.direction();
    const Vec3 start =
        i < 2 ? Vec3(so3::exp((i == 0 ? 0.3 : 0.3015) * axis) * -pole) : Vec3(axis.unitOrthogonal());
    Orbit orbit(start, -axis, rate, 1.0);
    orbit.model.add<Attraction>({.name = "pull", .node = orbit.node, .force = 2.0});
    constexpr double h = 1e-3;
    int slips = 0;
    double largest_iterations = 0;
    const State end = run(orbit.model, h, revolution, [&](const State& state, const StepReport& report) {
      if (state.contact_state[0] != ContactState::stick) ++slips;
      for (const auto& problem : report.subproblems)
        largest_iterations = std::max(largest_iterations, static_cast<double>(problem.iterations));
    });
    EXPECT_EQ(slips, 0) << i;
    EXPECT_LE(largest_iterations, 6) << i;
    const double speed = 2 * ball.radius * rate;
    // The same in all directions. (Its error is that of a contact on a curved face.)
    if (i == 0) reference = velocity(end, orbit.node).norm();
    EXPECT_NEAR(velocity(end, orbit.node).norm(), reference, 1e-8 * speed) << i;
    EXPECT_NEAR(velocity(end, orbit.node).dot(axis), 0.0, 1e-6 * speed) << i;
    EXPECT_NEAR(end.q.position(orbit.node).norm(), 2 * ball.radius, 1e-10) << i;
  }
}

// The same for sliding: initially without spin. The final torque and speed do not depend on the orientation of the
// circle.
TEST(SpinningSphere, SlidesThroughEveryDirectionOfTheNormal) {
  support::Random random(6);
  const auto end_of = [&](const Vec3& start, const Vec3& axis) {
    Orbit orbit(start, axis, rate, -4.0);
    orbit.model.add<Attraction>({.name = "pull", .node = orbit.node, .force = 0.5});
    int slips = 0;
    const State end = run(orbit.model, 5e-4, 0.2, [&](const State& state, const StepReport&) {
      if (state.contact_state[0] == ContactState::slip) ++slips;
    });
    EXPECT_GT(slips, 20);
    return Vec3(velocity(end, orbit.node).norm(), angular_velocity(end, orbit.node).dot(axis),
                end.q.position(orbit.node).dot(start));
  };
  const Vec3 first_axis = Vec3::UnitX();
  const Vec3 reference = end_of(Vec3::UnitY(), first_axis);
  for (int i = 0; i < 6; ++i) {
    const Vec3 axis = i < 3 ? Vec3(pole.unitOrthogonal()) : random.direction();
    const Vec3 start = i < 3 ? Vec3(so3::exp(-0.1 * i * axis) * -pole) : Vec3(axis.unitOrthogonal());
    const Vec3 end = end_of(start, axis);
    EXPECT_NEAR((end - reference).norm() / reference.norm(), 0.0, 1e-6) << i;
  }
}

// A ball that spins by more than half a turn in a step while in contact: ds takes smaller steps, and agrees with a
// run with small steps; the others report an error. In the air it may spin at any rate.
TEST(SpinningSphere, ATurnOfMoreThanHalfInAStepIsNeverTakenForItsRest) {
  constexpr double h = 2e-2;
  constexpr double spin = 200.0;  // 4 rad a step, which looks like -2.3
  const auto table = [&](Model& model, double height) {
    const FrameNode node =
        add_ball(model, "ball", ball, (ball.radius + height) * Vec3::UnitZ(), Vec3::Zero(), {0, spin, 0});
    add_weight(model, {node}, ball, -g * Vec3::UnitZ());
    model.add<SphereToFaceContact>({.name = "table",
                                    .centre = node,
                                    .radius = ball.radius,
                                    .face = {.normal = Vec3::UnitZ()},
                                    .mu = 0.1});
    return node;
  };
  const auto end_velocity = [&](double step) {
    Model model;
    const FrameNode node = table(model, 0.0);
    const State end = run(model, step, 0.1);
    return velocity(end, node).x();
  };
  // Friction drives it forward: mu g t.
  EXPECT_NEAR(end_velocity(h), 0.1 * g * 0.1, 1e-6);
  EXPECT_NEAR(end_velocity(1e-3), 0.1 * g * 0.1, 1e-6);

  for (const std::string scheme : {"cs", "chen", "moreau-jean", "mixed"}) {
    Model model;
    table(model, 0.0);
    const System system(model);
    const auto integrator = make_integrator(scheme, {.step = h});
    State state = integrator->start(system);
    const std::string message = support::message_of<SolverError>([&] {
      for (int i = 0; i < 5; ++i) integrator->step(state);
    });
    EXPECT_THAT(message,
                AllOf(HasSubstr("contact \"table\" has lost how its bodies roll: node \"ball\" turns by "),
                      HasSubstr(" rad in the step, more than half a turn; take a smaller step")))
        << scheme;
  }
  Model model;
  table(model, 1.0);
  run(model, h, 0.4);  // lands at 0.45 s
}

}  // namespace
}  // namespace picus::spinning_sphere_test
