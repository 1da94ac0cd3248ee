/// Elastic fingers that lift a crate by friction.

#include <picus/models/gripper.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/step_callback.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace picus::gripper_test {
namespace {

using models::Gripper;

/// The motion of the crate from 0.25 s, when the fingers accelerate with a, to 0.35 s.
struct Lifted {
  double slide_begin = 0, slide_end = 0;  ///< down along the fingers, m
  double acceleration = 0;                ///< mean, m/s2
};

Lifted lift(const Gripper& p) {
  const Model model = models::make_gripper(p);
  const Node crate = model.find_node("crate");
  DecoupledNsga integrator({.step = 1e-3});
  double begin_rate = 0;
  double end_rate = 0;
  Lifted result;
  const auto slide = [&](const Snapshot& at) {  // relative to the displacement of the fingers after the jerk
    const double t = at.state.time - p.squeeze - p.jerk;
    const double way = p.acceleration * (0.15 * p.jerk * p.jerk + 0.5 * p.jerk * t + 0.5 * t * t);
    return p.size / 2 + way - at.state.q.position(crate).z();
  };
  StepCallback watch([&](const Snapshot& at) {
    const double rate = at.state.v[crate.v + 2];
    if (at.state.step == 250) {
      result.slide_begin = slide(at);
      begin_rate = rate;
    }
    result.slide_end = slide(at);
    end_rate = rate;
  });
  const RunSummary summary = simulate(model, integrator, {.until = 0.35}, {&watch});
  EXPECT_LT(summary.worst_penetration, 1e-9 * p.size);
  EXPECT_EQ(summary.search.misses, 0);
  result.acceleration = (end_rate - begin_rate) / 0.1;
  return result;
}

// Two percent below the minimum force, one percent above.
TEST(Gripper, HoldsTheCrateIffFrictionCarriesIt) {
  for (const auto& [mu, acceleration] : {std::pair(0.5, 5.0), std::pair(0.2, 2.0)}) {
    Gripper p{.mu = mu, .acceleration = acceleration, .cells = 4};
    const double least = models::gripper_least_force(p);
    for (const double part : {0.98, 1.01}) {
      SCOPED_TRACE(fmt::format("mu = {}, a = {}, {} of the least force", mu, acceleration, part));
      p.force = part * least;
      const Lifted crate = lift(p);
      if (part > 1) {
        EXPECT_LT(crate.slide_end, 1e-3 * p.size);
        EXPECT_NEAR(crate.slide_end, crate.slide_begin, 1e-6 * p.size);
        EXPECT_NEAR(crate.acceleration, acceleration, 1e-3 * acceleration);
      } else {
        EXPECT_NEAR(crate.acceleration, 2 * mu * p.force / p.mass - p.gravity, 1e-3 * acceleration);
        EXPECT_GT(crate.slide_end, crate.slide_begin + 5e-3 * p.size);
      }
    }
  }
}

}  // namespace
}  // namespace picus::gripper_test
