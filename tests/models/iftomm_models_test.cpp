// The mechanisms A01 to A05 of the IFToMM library, and their references.

#include <picus/models/andrews_squeezer.hpp>
#include <picus/models/bricard.hpp>
#include <picus/models/flyball_governor.hpp>
#include <picus/models/four_bar_chain.hpp>
#include <picus/models/references/bricard_reference.hpp>
#include <picus/models/simple_pendulum.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models::iftomm_models_test {
namespace {

constexpr BricardParameters bricard = {.length = 1.0, .width = 0.1, .mass = 1.0, .gravity = 9.81};

TEST(BricardReference, KeepsTheChainClosed) {
  BricardReference reference(bricard);
  for (const double t : {0.0, 0.5, 1.234, 3.0, 10.0}) {
    const auto corners = reference.corners(t);
    for (Index i = 0; i < 6; ++i) {
      const Vec3 rod = corners[(i + 1) % 6] - corners[i];
      EXPECT_NEAR(rod.norm(), 1.0, 1e-14) << t;
    }
    EXPECT_LT((corners[5] - BricardReference::start_of(5)).norm(), 1e-14) << t;
  }
}

// If derivatives with respect to u have a wrong sign or factor, energy is not conserved.
TEST(BricardReference, ConservesEnergyThroughTurningPoints) {
  BricardReference reference(bricard);
  const double start = reference.energy(0.0);
  double farthest = 0.0;
  for (double t = 0.0; t <= 10.0; t += 0.05) {
    EXPECT_NEAR(reference.energy(t), start, 1e-11) << t;
    farthest = std::max(farthest, std::abs(reference.at(t).u));
  }
  EXPECT_GT(farthest, 1.6) << "passes where one set of hinges is straight, u = pi/2";
}

TEST(GovernorReference, IsOfFourthOrderWithASmallError) {
  const auto slider = [](double step) {
    // Soft and undamped couplers: the step of the method needs to be small for accuracy only.
    const GovernorParameters p{.arm_mass = 0.3,
                               .arm_length = 1.0,
                               .arm_width = 0.01,
                               .ball_mass = 5.0,
                               .slider_mass = 3.0,
                               .fixed_inertia = 0.005,
                               .half_width = 0.05,
                               .height = 1.0,
                               .stiffness = 8e3,
                               .damping = 0.0,
                               .free_length = 0.5,
                               .gravity = 9.81,
                               .angle = 0.5,
                               .slider = 0.5,
                               .speed = 6.0,
                               .step = step};
    return GovernorReference(p).at(0.5).slider;
  };
  const double exact = slider(1e-5);
  const double coarse = std::abs(slider(1e-3) - exact);
  const double half = std::abs(slider(5e-4) - exact);
  EXPECT_NEAR(std::log2(coarse / half), 4.0, 0.3);
  EXPECT_LT(half / std::pow(50.0, 4), 1e-12) << "what is left at 10 us";
}

TEST(GovernorReference, AgreesWithTheModelWhereEnergyStays) {
  const FlyballGovernor soft{.stiffness = 8e3, .damping = 0.0};
  GovernorReference reference = flyball_governor_reference(soft);
  const std::vector<std::string> settings = {"stiffness=8000", "damping=0"};
  const TrialResult result = run({.scenario = registered_flyball_governor().configure(settings),
                                  .options = {.step = 1e-4},
                                  .until = 0.5});
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_NEAR(result.find("s").values.back(), reference.at(0.5).slider, 1e-5);
  const std::vector<double>& energy = result.find("energy").values;
  EXPECT_NEAR(energy.back(), energy.front(), 1e-4) << "of 70 J, of second order in h";
}

// Mazzia and Magherini, Test set for initial value problem solvers: Andrews' squeezing mechanism, at 0.03 s. The
// reference of Picus has converged to 1e-12 there, with steps of 2, 1 and 0.1 us; the published solution, computed with
// tolerances of 1e-14 at index 3, differs from it by 1.5e-9.
TEST(SqueezerReference, GivesThePublishedAngles) {
  SqueezerReference squeezer = andrews_squeezer_reference({});
  const auto [beta, rate] = squeezer.at(0.03);
  EXPECT_NEAR(beta, 15.81077119629904, 2e-9);
  EXPECT_NEAR(rate, 1139.920302151208, 2e-7);
  const SqueezerReference::Angles a = squeezer.angles(beta);
  EXPECT_NEAR(a[1] - beta, -15.75637105984298, 2e-9);
  EXPECT_NEAR(a[2], 0.04082224013073101, 2e-9);
  EXPECT_NEAR(a[3] - a[4], -0.5347301163226948, 2e-9);
  EXPECT_NEAR(a[4], 0.5244099658805304, 2e-9);
  EXPECT_NEAR(a[5] - a[6], 0.5347301163226948, 2e-9);
  EXPECT_NEAR(a[6], 1.048080741042263, 2e-9);
}

TEST(SqueezerReference, IsOfFourthOrder) {
  const double exact = SqueezerReference({}).at(0.02).beta;
  const auto error = [&](double step) {
    return std::abs(SqueezerReference({}, nullptr, step).at(0.02).beta - exact);
  };
  EXPECT_GT(std::log2(error(4e-5) / error(2e-5)), 3.6);
}

// In a line of rods there are N + 1 free directions instead of one. What is left of these rows' errors there must not
// divert the motion: a proximal term of 1e-8 of the masses is too large for that.
TEST(FourBarChain, PassesItsDeadPointsWithoutCuts) {
  struct Case {
    const char* scheme;
    Index windows;
    double length, step;
  };
  for (const auto& [scheme, windows, length, step] :
       {Case{"ds", 1, 1.0, 1e-3}, Case{"ds", 7, 0.05, 2.3e-4}, Case{"ds", 40, 1.0, 1e-3},
        Case{"ds", 12, 30.0, 5e-3}, Case{"dsn", 25, 0.05, 2.3e-4}, Case{"ds-a", 25, 0.05, 2.3e-4},
        Case{"cs", 5, 0.05, 2.3e-4}, Case{"mixed", 25, 0.05, 2.3e-4}}) {
    SCOPED_TRACE(testing::Message() << scheme << ", " << windows << " windows of " << length << " m");
    const std::vector<std::string> settings = {"windows=" + std::to_string(windows),
                                               "length=" + std::to_string(length)};
    const TrialResult result = run({.scenario = registered_four_bar_chain().configure(settings),
                                    .scheme = scheme,
                                    .options = {.step = step},
                                    .until = 3 * std::sqrt(length)});
    ASSERT_TRUE(result.is_complete()) << result.failure;
    EXPECT_EQ(result.fallback_count(), 0);
    EXPECT_LE(result.worst_iterations(), 6) << "two for each sub-problem";
    for (const char* name : {"B0.x", "B0.y"})
      EXPECT_NEAR(result.find(name).values.back(), result.find(name).exact.back(), 1e-3 * length) << name;
  }
}

TEST(IftommModels, FollowTheirReferences) {
  struct Case {
    RegisteredModel model;
    double step, until, tolerance;
  };
  // Of second order with a small constant: (rate h)^2/12 of angles of a few radians.
  const std::vector<Case> cases = {{registered_simple_pendulum(), 1e-3, 2.0, 2e-5},
                                   {registered_bricard(), 1e-3, 2.0, 1e-4},
                                   {registered_flyball_governor(), 1e-3, 2.0, 1e-3},
                                   {registered_andrews_squeezer(), 1e-5, 0.01, 2e-3}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.model.info().name);
    const TrialResult result =
        run({.scenario = one.model.configure(), .options = {.step = one.step}, .until = one.until});
    ASSERT_TRUE(result.is_complete()) << result.failure;
    EXPECT_EQ(result.fallback_count(), 0);
    for (const Series& series : result.series) {
      if (series.exact.empty()) continue;
      EXPECT_NEAR(series.values.back(), series.exact.back(),
                  one.tolerance * std::max(1.0, std::abs(series.exact.back())))
          << series.name;
    }
  }
}

}  // namespace
}  // namespace picus::models::iftomm_models_test
