#include <picus/elements/forces/scalar_law.hpp>
#include <picus/error.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace picus::scalar_law_test {
namespace {

using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

std::string refusal(const ScalarLaw& law, double start = 0.0) {
  return message_of<ModelError>([&] { law.require({"spring", "S"}, "law", start); });
}

/// dV/ds = F and dF/ds = slope at s.
void expect_consistent(const ScalarLaw& law, double s, double step = support::difference_step) {
  EXPECT_NEAR(support::derivative([&](double d) { return law.force(s + d); }, step), law.slope(s),
              support::difference_tolerance)
      << s;
  EXPECT_NEAR(support::derivative([&](double d) { return law.potential(s + d); }, step), law.force(s),
              support::difference_tolerance)
      << s;
}

TEST(ScalarLaw, OfConstantsIsALine) {
  const ScalarLaw law = ScalarLaw::linear(4.0, 3.0);
  EXPECT_EQ(law.force(0.5), 5.0);
  EXPECT_EQ(law.slope(0.5), 4.0);
  EXPECT_EQ(law.potential(0.5), 2.0);
  EXPECT_FALSE(law.is_proportional());
  EXPECT_TRUE(ScalarLaw::linear(4.0).is_proportional());
}

TEST(ScalarLaw, IntegratesAFunctionToItsPotential) {
  const ScalarLaw law =
      ScalarLaw::function([](double s) { return std::exp(s); }, [](double s) { return std::exp(s); });
  for (const double s : {-2.0, -1e-6, 0.0, 0.3, 3.0}) {
    EXPECT_NEAR(law.potential(s), std::expm1(s), rounding * std::exp(std::abs(s))) << s;
  }
  expect_consistent(law, 0.4);
}

TEST(ScalarLaw, IntegratesOverKinksAndJumps) {
  const ScalarLaw kink = ScalarLaw::function([](double s) { return s > 0.3 ? 5 * (s - 0.3) : 0.0; },
                                             [](double s) { return s > 0.3 ? 5.0 : 0.0; });
  EXPECT_NEAR(kink.potential(1.0), 2.5 * 0.7 * 0.7, rounding);
  // A jump remains in an interval of relative length 2^-40.
  const ScalarLaw jump =
      ScalarLaw::function([](double s) { return s > 0.3 ? 1.0 : -1.0; }, [](double) { return 0.0; });
  EXPECT_NEAR(jump.potential(1.0), 0.4, 1e-12);
}

TEST(ScalarLaw, TakesThePotentialThatIsGiven) {
  const ScalarLaw law = ScalarLaw::function([](double s) { return 2 * s; }, [](double) { return 2.0; },
                                            [](double s) { return s * s + 7; });
  EXPECT_EQ(law.potential(3.0), 16.0);
}

TEST(ScalarLaw, DifferencesAFunctionThatHasNoSlope) {
  const ScalarLaw law = ScalarLaw::differenced([](double s) { return std::sin(s); }, 1.0);
  // Truncation (1e-3)^4/30 = 3e-14 and rounding 1.5 eps/1e-3 = 3e-13.
  for (const double s : {-1.0, 0.0, 0.5, 2.0}) EXPECT_NEAR(law.slope(s), std::cos(s), 1e-12);
  EXPECT_NEAR(law.potential(1.0), 1 - std::cos(1.0), rounding);
}

TEST(ScalarLaw, LinearTableIsExact) {
  const ScalarLaw law = ScalarLaw::table({-1.0, 0.5, 2.0}, {-2.0, 1.0, 7.0}, Interpolation::linear);
  EXPECT_EQ(law.force(-1.0), -2.0);
  EXPECT_EQ(law.force(0.5), 1.0);
  EXPECT_EQ(law.force(2.0), 7.0);
  EXPECT_NEAR(law.force(1.25), 4.0, rounding);
  EXPECT_NEAR(law.slope(1.25), 4.0, rounding);
  EXPECT_NEAR(law.potential(0.0), 0.0, rounding);
  // F = 2 s on the first piece, 1 + 4 (s - 1/2) on the second.
  EXPECT_NEAR(law.potential(-1.0), 1.0, rounding);
  EXPECT_NEAR(law.potential(0.5), 0.25, rounding);
  EXPECT_NEAR(law.potential(1.5), 0.25 + 1.0 + 2.0, rounding);
  // Linear beyond the ends.
  EXPECT_NEAR(law.force(-3.0), -6.0, rounding);
  EXPECT_NEAR(law.potential(-3.0), 9.0, rounding);
  EXPECT_NEAR(law.force(3.0), 11.0, rounding);
  EXPECT_NEAR(law.potential(3.0), 0.25 + 1.5 + 4.5 + 9.0, 10 * rounding);
}

TEST(ScalarLaw, CubicTableIsSmoothAndMonotone) {
  const std::vector<double> s = {-1.0, -0.2, 0.1, 0.9, 1.0};
  const std::vector<double> F = {-3.0, -2.9, 0.0, 0.1, 5.0};
  const ScalarLaw law = ScalarLaw::table(s, F);
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_NEAR(law.force(s[i]), F[i], rounding);
    EXPECT_NEAR(law.slope(s[i] - 1e-13), law.slope(s[i] + 1e-13), 1e-9) << "the slope must not jump";
    EXPECT_NEAR(law.potential(s[i] - 1e-15), law.potential(s[i] + 1e-15), 10 * rounding);
  }
  double last = law.force(-1.5);
  for (double x = -1.5; x < 1.5; x += 1e-3) {
    EXPECT_GE(law.force(x), last - rounding) << "it has an extremum that the table does not have, at " << x;
    last = law.force(x);
  }
  // Differences must not extend across a table point, where the second slope jumps. The last piece is 0.1 long and
  // its fourth derivative, like that of all pieces, is zero.
  for (const double x : {-1.3, -0.6, -0.05, 0.5, 0.95, 1.2}) expect_consistent(law, x, 1e-2);
}

TEST(ScalarLaw, CubicTableConvergesToASmoothFunction) {
  const auto error = [](int pieces) {
    std::vector<double> s, F;
    for (int i = 0; i <= pieces; ++i) {
      s.push_back(static_cast<double>(i) / pieces);
      F.push_back(std::exp(s.back()));
    }
    const ScalarLaw law = ScalarLaw::table(s, F);
    double worst = 0;
    for (double x = 0.25; x < 0.75; x += 1e-3) worst = std::max(worst, std::abs(law.force(x) - std::exp(x)));
    return worst;
  };
  // Slopes from harmonic means are of second order, forces between the points of third.
  EXPECT_GT(std::log2(error(20) / error(40)), 2.8);
}

TEST(ScalarLaw, ATableOfTwoPointsIsALineInBothWays) {
  for (const Interpolation way : {Interpolation::linear, Interpolation::monotone_cubic}) {
    const ScalarLaw law = ScalarLaw::table({1.0, 2.0}, {3.0, 5.0}, way);
    EXPECT_NEAR(law.force(0.0), 1.0, rounding);
    EXPECT_NEAR(law.slope(1.3), 2.0, rounding);
    EXPECT_NEAR(law.potential(0.0), 0.0, rounding);
    EXPECT_NEAR(law.potential(3.0), 12.0, rounding);
  }
}

TEST(ScalarLaw, RefusesWhatIsNoLaw) {
  EXPECT_EQ(refusal({}), "spring \"S\": law is not given");
  EXPECT_EQ(refusal(ScalarLaw::linear(nan)), "spring \"S\": law has a stiffness of nan");
  EXPECT_EQ(refusal(ScalarLaw::linear(1.0, nan)), "spring \"S\": law has a preload of nan");
  const auto one = [](double) { return 1.0; };
  EXPECT_EQ(refusal(ScalarLaw::function(nullptr, one)), "spring \"S\": law is a function that is empty");
  EXPECT_EQ(refusal(ScalarLaw::function(one, nullptr)),
            "spring \"S\": law is a function whose slope is empty");
  EXPECT_EQ(refusal(ScalarLaw::differenced(nullptr, 1.0)), "spring \"S\": law is a function that is empty");
  EXPECT_EQ(refusal(ScalarLaw::differenced(one, 0.0)),
            "spring \"S\": law has a scale of 0, must be positive");
  EXPECT_EQ(refusal(ScalarLaw::function([](double s) { return 1 / s; }, one)),
            "spring \"S\": law is not finite at the start: force inf, slope 1 at 0");
  EXPECT_EQ(refusal(ScalarLaw::function([](double s) { return 1 / s; }, one), 0.5), "nothing was thrown");
  EXPECT_TRUE(std::isnan(ScalarLaw().force(0.0)));
}

TEST(ScalarLaw, RefusesWhatIsNoTable) {
  EXPECT_EQ(refusal(ScalarLaw::table({0.0, 1.0}, {0.0})),
            "spring \"S\": law is a table of 2 abscissae and 1 forces");
  EXPECT_EQ(refusal(ScalarLaw::table({0.0}, {0.0})),
            "spring \"S\": law is a table of 1 points, needs two or more");
  EXPECT_EQ(refusal(ScalarLaw::table({0.0, 2.0, 1.0}, {0.0, 1.0, 2.0})),
            "spring \"S\": law is a table whose abscissae do not ascend: 2 is followed by 1 at point 2");
  EXPECT_EQ(refusal(ScalarLaw::table({0.0, 1.0, 1.0}, {0.0, 1.0, 2.0})),
            "spring \"S\": law is a table whose abscissae do not ascend: 1 is followed by 1 at point 2");
  EXPECT_EQ(refusal(ScalarLaw::table({0.0, nan}, {0.0, 1.0})),
            "spring \"S\": law is a table whose point 1 is (nan, 1)");
  EXPECT_EQ(refusal(ScalarLaw::table({0.0, 1.0}, {nan, 1.0})),
            "spring \"S\": law is a table whose point 0 is (0, nan)");
}

}  // namespace
}  // namespace picus::scalar_law_test
