// Scaling and regularisation affect the iteration, but must not affect the motion.

#include "runs.hpp"
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/rods.hpp>

namespace picus::nsga_scaling_test {
namespace {

constexpr double g = 9.81;

Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// Masses of a gram and a tonne: a tumbling slab that falls on its corners, a heavy and a light ball on a
/// rod, and a light ball on the slab.
Model unequal_masses() {
  Model model;
  const auto slab = model.add_frame("slab", {.position = {0, 0, 0.15},
                                             .rotation = so3::exp({0.2, 0.1, 0}),
                                             .velocity = {1, 0.3, -1},
                                             .angular_velocity = {0.5, -0.3, 1}});
  model.add<support::OffsetBody>({.name = "mass of slab",
                                  .node = slab,
                                  .mass = 1e3,
                                  .inertia = {30, 40, 60},
                                  .centre = {0, 0, 0},
                                  .gravity = {0, 0, -g}});
  const auto plane = [&](const std::string& name, const MaterialPoint& point) {
    model.add<support::PlaneContact>(
        {.name = name, .point = point, .axes = upwards(), .law = {.mu = 0.3, .e_n = 0.2}});
  };
  for (int i = 0; i < 4; ++i)
    plane("corner " + std::to_string(i), {slab, {i % 2 == 0 ? 0.3 : -0.3, i < 2 ? 0.2 : -0.2, -0.05}});

  const auto heavy = model.add_point("heavy", {.position = {2, 0, 0.1}, .velocity = {-0.5, 0.5, 0}});
  const auto light = model.add_point("light", {.position = {2.3, 0.4, 0.1}, .velocity = {-0.5, 0.5, 0}});
  model.add<support::PointMass>({.name = "mass of heavy", .node = heavy, .mass = 1e3, .gravity = {0, 0, -g}});
  model.add<support::PointMass>(
      {.name = "mass of light", .node = light, .mass = 1e-3, .gravity = {0, 0, -g}});
  model.add<support::Rod>({.name = "rod", .a = heavy, .b = light, .length = 0.5});
  plane("heavy on floor", heavy);
  plane("light on floor", light);

  const auto crumb = model.add_point("crumb", {.position = {0, 0, 0.3}, .velocity = {1, 0.3, -1}});
  model.add<support::PointMass>(
      {.name = "mass of crumb", .node = crumb, .mass = 1e-3, .gravity = {0, 0, -g}});
  model.add<support::FaceContact>({.name = "crumb on slab",
                                   .point = crumb,
                                   .face = slab,
                                   .height = 0.05,
                                   .axes = upwards(),
                                   .law = {.mu = 0.2, .e_n = 0.1}});
  return model;
}

struct Outcome {
  Configuration q;
  Vector v;
  int fallbacks = 0;
};

class NsgaScaling : public testing::Test {
 protected:
  Outcome outcome(double scaling, double regularization) {
    DecoupledNsga integrator(
        {.step = 1e-3, .tolerance = 1e-9, .scaling = scaling, .regularization = regularization});
    Outcome result;
    const State state = run(system, integrator, 400, [&](const State&, const StepReport& report) {
      for (const int count : report.fallbacks) result.fallbacks += count;
    });
    result.q = state.q;
    result.v = state.v;
    return result;
  }

  /// Each of 400 steps is solved to 1e-9 of its motion (speeds of a few m/s), and impacts amplify differences by a
  /// factor of about ten, e.g. in the times of later impacts.
  void expect_same_motion(const Outcome& a, const Outcome& b) {
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), a.q, b.q, apart);
    EXPECT_LE(apart.lpNorm<Eigen::Infinity>(), 1e-6);
    EXPECT_LE((a.v - b.v).lpNorm<Eigen::Infinity>(), 1e-5);
  }

  Model model = unequal_masses();
  System system{model};
};

TEST_F(NsgaScaling, TheMotionDoesNotDependOnTheScaling) {
  const Outcome reference = outcome(1.0, 1e-8);
  EXPECT_EQ(reference.fallbacks, 0);
  for (const double scaling : {1e-4, 1e-2, 1e2}) {
    SCOPED_TRACE(scaling);
    expect_same_motion(outcome(scaling, 1e-8), reference);
  }
}

TEST_F(NsgaScaling, TheMotionDoesNotDependOnTheRegularization) {
  const Outcome reference = outcome(1.0, 1e-8);
  for (const double regularization : {1e-12, 1e-10, 1e-6, 1e-4}) {
    SCOPED_TRACE(regularization);
    expect_same_motion(outcome(1.0, regularization), reference);
  }
}

}  // namespace
}  // namespace picus::nsga_scaling_test
