/// The spinning top and the box that falls on its corners.

#include <picus/models/box_impact.hpp>
#include <picus/models/spinning_top.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models::rigid_models_test {
namespace {

TrialResult run_model(const RegisteredModel& model, const std::vector<std::string>& settings, double step,
                      double until, double tolerance = 1e-8) {
  Trial trial{.scenario = model.configure(settings), .until = until};
  trial.options.step = step;
  trial.options.tolerance = tolerance;
  return run(trial);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  return difference;
}

TEST(SpinningTop, FollowsEulersEquations) {
  const TrialResult top = run_model(registered_spinning_top(), {}, 1e-4, 0.2);
  for (const char* name : {"top.x", "top.y", "top.z", "pivot.x", "pivot.z"}) {
    const Series& series = top.find(name);
    // Of second order: the benchmark finds L1 errors of 2e-5 to 3e-5 at this step.
    double size = 0.0;
    for (const double value : series.exact) size = std::max(size, std::abs(value));
    EXPECT_LT(largest_difference(series.values, series.exact), 1e-4 * size) << name;
  }
}

TEST(SpinningTop, PrecessesSteadilyWhereTheMomentsBalance) {
  // J_a s w = m g l, see the test of the reference.
  const double w = 15.0 * 9.81 / (0.46875 * 150.0);
  double coarse = 0.0;
  for (const double h : {2e-4, 1e-4}) {
    const TrialResult top =
        run_model(registered_spinning_top(), {"precession=" + std::to_string(w)}, h, 0.3, 1e-10);
    const double z = std::ranges::max(top.find("top.z").values);
    EXPECT_NEAR(top.find("top.x").values.back(), -std::sin(0.3 * w), 1e-4);
    // The axis rises or sinks according to the energy error of the scheme, of second order or higher.
    EXPECT_LT(std::abs(z), 1e-4);
    if (coarse > 0.0) {
      EXPECT_LT(z, 0.3 * coarse);
    }
    coarse = z;
  }
}

TEST(BoxImpact, IsTheSameWithRigidLinksAndBodyPoints) {
  const TrialResult links = run_model(registered_box_impact(), {}, 1e-3, 0.6, 1e-12);
  const TrialResult points = run_model(registered_box_impact(), {"variant=body-points"}, 1e-3, 0.6, 1e-12);
  for (const char* name : {"box.x", "box.z", "box.wx", "p.z", "p.vz"}) {
    EXPECT_LT(largest_difference(links.find(name).values, points.find(name).values), 1e-9) << name;
  }
}

TEST(BoxImpact, LeavesWithRestitutionAtTheCornerThatHitsFirst) {
  // The law compares rates of the velocities at both ends of the step, for the corner at its end: until then it rotates
  // by 60 h about the centre, and as much again by the correction of positions.
  const double h = 1e-5;
  const TrialResult box = run_model(registered_box_impact(), {"variant=body-points"}, h, 0.42, 1e-10);
  EXPECT_EQ(*box.findings[0].value, 5.0);
  const auto hit = static_cast<std::size_t>(std::lround(*box.findings[1].value / h));
  const std::vector<double>& rate = box.find("floor[5].gap_rate").values;
  EXPECT_LT(rate[hit - 1], -10.0);
  EXPECT_NEAR(rate[hit] / rate[hit - 1], -0.8, 2 * 60 * h);
}

TEST(BoxImpact, LandsFlatOnFourCornersWithoutSpin) {
  const TrialResult box =
      run_model(registered_box_impact(), {"spin_x=0", "spin_y=0", "restitution=0", "height=0.2"}, 1e-3, 0.3);
  EXPECT_NEAR(box.find("box.z").values.back(), 0.15, 1e-9);
  EXPECT_NEAR(box.find("box.vx").values.back(), 3.0, 1e-9) << "no friction";
  EXPECT_NEAR(box.find("box.wx").values.back(), 0.0, 1e-9);
}

}  // namespace
}  // namespace picus::models::rigid_models_test
