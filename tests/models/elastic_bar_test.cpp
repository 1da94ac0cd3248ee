/// The bar against a wall: linear, with the momentum imparted by the wall, and exact in the limit of the mesh.

#include <picus/models/elastic_bar.hpp>
#include <picus/models/references/impacting_bar_exact.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

TrialResult run_bar(const std::vector<std::string>& settings, double step, double until,
                    double tolerance = 1e-8) {
  Trial trial{.scenario = registered_elastic_bar().configure(settings), .until = until};
  trial.options.step = step;
  trial.options.tolerance = tolerance;
  return run(trial);
}

double error_of(const Series& series) {
  double sum = 0.0;
  for (std::size_t i = 0; i < series.values.size(); ++i) sum += std::abs(series.values[i] - series.exact[i]);
  return sum / static_cast<double>(series.values.size());
}

TEST(ElasticBar, IsLinear) {
  // The proximal term of the multipliers, 1e-8 of their effective mass, is below a tolerance of 1e-6: one iteration
  // in every solve, even when the contact opens or closes.
  for (const double h : {3e-2, 1e-2, 1e-3}) {
    const TrialResult result = run_bar({"elements=50"}, h, 1.5, 1e-6);
    ASSERT_TRUE(result.is_complete()) << result.failure;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(result.worst_iterations(i), 1) << "h = " << h;
  }
}

TEST(ElasticBar, MomentumIsThatOfTheImpulses) {
  for (const char* mass : {"mass=consistent", "mass=lumped"}) {
    const TrialResult result = run_bar({"elements=40", "restitution=0.5", mass}, 1e-3, 1.4);
    double impulse = 0.0;
    for (const double force : result.find("wall.force").values) impulse += 1e-3 * force;
    // The finding is the velocity of the centre of mass; the bar weighs 10 kg and arrives at 10 m/s.
    ASSERT_EQ(result.findings[3].unit, "m/s");
    EXPECT_NEAR(10.0 * (*result.findings[3].value + 10.0), impulse, 1e-9 * impulse) << mass;
  }
}

TEST(ElasticBar, ApproachesTheExactBarWithTheMesh) {
  double coarse = 0.0;
  for (const int elements : {25, 50, 100}) {
    const TrialResult result = run_bar({"elements=" + std::to_string(elements)}, 0.05 / elements, 1.5);
    const double error = error_of(result.find("tip.x"));
    // The smeared front makes the tip leave early by an amount that decreases at least with the root of the mesh
    // size.
    if (coarse > 0.0) {
      EXPECT_LT(error, coarse / std::sqrt(2.0)) << elements;
    }
    coarse = error;
  }
  EXPECT_LT(coarse, 0.05);
}

TEST(ElasticBar, MayStartOnTheWall) {
  // Ten nodes starting at the wall, as on Acary's slides: closed immediately for 2 L/c.
  const TrialResult result = run_bar({"elements=9", "gap=0", "speed=0.1", "restitution=1"}, 1e-4, 1.0);
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_EQ(*result.findings[0].value, 1e-4);
  EXPECT_NEAR(*result.findings[1].value, 2.0 / 3.0, 0.1);
}

TEST(ElasticBar, RefusesAProbeBesideTheBar) {
  try {
    make_elastic_bar({.length = 1.0, .probe = 1.5});
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "parameter probe is 1.5 m, must lie on the bar of 1 m");
  }
}

}  // namespace
}  // namespace picus::models
