// Two masses on a spring and a damper, the lower one on the floor: at rest the spring carries the upper one.

#include <picus/picus.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace picus::rest_on_dampers_test {
namespace {

constexpr double m = 1.0, k = 1e5, g = 9.81;
constexpr double sag = m * g / k;

struct Rest {
  double sag_error;  ///< relative
  double speed;      ///< of the upper mass, m/s
};

Rest come_to_rest(const std::string& scheme, double damping, double h) {
  Model model("masses");
  const PointNode lower = model.add_point("lower"),
                  upper = model.add_point("upper", {.position = {0, 0, 0.1}});
  const auto on_floor = model.add<PointMass>({.name = "lower mass", .node = lower, .mass = m});
  const auto on_spring = model.add<PointMass>({.name = "upper mass", .node = upper, .mass = m});
  model.add<SpringDamper>({.name = "spring", .a = lower, .b = upper, .stiffness = k, .damping = damping});
  model.add<NodeToFaceContact>({.name = "floor", .slave = lower, .face = {.normal = Vec3::UnitZ()}});
  add_gravity(model, {.name = "gravity",
                      .acceleration = {0, 0, -g},
                      .bodies = {on_floor->mass_point(), on_spring->mass_point()}});
  for (const PointNode& node : {lower, upper}) model.fix(node, {Component::x, Component::y});
  const auto integrator = make_integrator(scheme, {.step = h});
  const RunSummary run = simulate(model, *integrator, {.until = 1.0});
  return {.sag_error = (0.1 - run.final_state.q.position(upper).z()) / sag - 1,
          .speed = std::abs(run.final_state.v[upper.v + 2])};
}

TEST(RestOnDampers, IsThatOfTheSpringWhereContactsCarryForcesOfTheStep) {
  for (const char* const scheme : {"ds-a", "cs", "mixed:base=bathe", "moreau-jean"}) {
    for (const double damping : {200.0, 2000.0}) {
      const Rest rest = come_to_rest(scheme, damping, 1e-3);
      EXPECT_NEAR(rest.sag_error, 0.0, 2e-5) << scheme;  // tolerances of gaps, 1e-9 m
      EXPECT_LT(rest.speed, 1e-8) << scheme;
    }
  }
}

// The smooth motion of a step is that without the contact, and its speed h g is what dampers see in f^p: the errors that
// docs/integrators/decoupled.md states, which fall with the square of the step.
TEST(RestOnDampers, OfCorrectionsIsOffByWhatDampersSeeOfTheFall) {
  for (const char* const scheme : {"ds", "ds-np"}) {
    const Rest rest = come_to_rest(scheme, 200.0, 1e-3), finer = come_to_rest(scheme, 200.0, 2.5e-4);
    EXPECT_NEAR(rest.sag_error, 0.019, 0.001);
    EXPECT_NEAR(rest.speed, 9.3e-4, 0.5e-4);
    EXPECT_LT(finer.sag_error, rest.sag_error / 8);
    EXPECT_LT(finer.speed, rest.speed / 8);
    EXPECT_NEAR(come_to_rest(scheme, 2000.0, 1e-3).sag_error, 0.70, 0.01);
  }
}

}  // namespace
}  // namespace picus::rest_on_dampers_test
