// Contact forces treated by the smooth formulas, and contacts at position level: rebounds wrong by known factors.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>

namespace picus::inconsistent_contact_test {
namespace {

constexpr double h = 1e-2;
constexpr double e = 0.8;

/// A point without forces that approaches a plane at 1 m/s, which it reaches `share` of a step after the fifth one.
struct Flight {
  explicit Flight(double share) {
    Mat3 axes;
    axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    node = model.add_point("mass", {.position = {0, 0, (5 + share) * h}, .velocity = {0, 0, -1}});
    model.add<support::PointMass>({.name = "point mass", .node = node});
    model.add<support::PlaneContact>(
        {.name = "floor", .point = node, .axes = axes, .law = {.e_n = e, .friction_directions = 0}});
  }
  /// The velocity along z after this many steps.
  double velocity(const char* scheme, int steps) {
    const System system(model);
    const auto integrator = make_integrator(scheme, {.step = h});
    double velocity = 0;
    run(system, *integrator, steps,
        [&](const State& state, const StepReport&) { velocity = state.v[node.v + 2]; });
    return velocity;
  }
  Model model;
  PointNode node;
};

TEST(InconsistentContact, ImpulsesAsForcesReboundByGamma) {
  Flight flight(0.3);
  // The step of the impact obeys the law; the next one receives the share of the impulse carried by its a_n.
  EXPECT_NEAR(flight.velocity("newmark:smooth=yes", 6), e, 1e-7);
  EXPECT_NEAR(flight.velocity("newmark:smooth=yes", 8), e + (1 + e), 1e-7);
  EXPECT_NEAR(flight.velocity("newmark:gamma=0.6,smooth=yes", 8), e + 0.4 / 0.6 * (1 + e), 1e-7);
  EXPECT_NEAR(flight.velocity("newmark:gamma=1,smooth=yes", 8), e, 1e-7);
  // Split off, contacts rebound according to the law for any gamma.
  EXPECT_NEAR(flight.velocity("newmark", 8), e, 1e-7);
  EXPECT_NEAR(flight.velocity("newmark:gamma=0.6", 8), e, 1e-7);
}

TEST(InconsistentContact, PositionLevelReboundsByThePlaceInTheStep) {
  // gamma = 1, beta = 1/2: dq = h (v_n + v)/2 = -s h v_n ends on the plane, hence v = (1 - 2 s) v_n in size.
  for (const double share : {0.1, 0.3, 0.45}) {
    Flight flight(share);
    EXPECT_NEAR(flight.velocity("newmark:gamma=1,beta=0.5,smooth=yes,position=yes", 6), 1 - 2 * share, 1e-6);
    EXPECT_NEAR(flight.velocity("newmark:gamma=1,beta=0.5,smooth=yes,position=yes", 8), 1 - 2 * share, 1e-6);
  }
  // Split off, w_rate = h/2 plays the same role.
  Flight flight(0.3);
  EXPECT_NEAR(flight.velocity("newmark:position=yes", 8), 1 - 2 * 0.3, 1e-6);
}

TEST(InconsistentContact, PositionLevelHoldsTheGap) {
  Flight flight(0.7);
  const System system(flight.model);
  const auto integrator = make_integrator("newmark:gamma=0.6,position=yes", {.step = h});
  run(system, *integrator, 20,
      [&](const State& state, const StepReport&) { EXPECT_GE(state.q.position(flight.node).z(), -1e-9); });
}

}  // namespace
}  // namespace picus::inconsistent_contact_test
