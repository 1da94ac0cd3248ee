#include <picus/convergence.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace picus::models {
namespace {

TEST(L1Error, IsRelativeToTheSizeOfTheSolution) {
  L1Error error;
  error.add(1.1, 1.0);
  error.add(-2.3, -2.0);
  error.add(0.0, 0.0);
  EXPECT_NEAR(error.value(), 0.4 / 3.0, 1e-15);
}

TEST(ObservedOrder, FindsThePower) {
  std::vector<double> steps;
  std::vector<double> errors;
  for (double h = 0.1; h > 1e-5; h *= 0.37) {
    steps.push_back(h);
    errors.push_back(7.0 * std::pow(h, 1.5));
  }
  EXPECT_NEAR(observed_order(steps, errors), 1.5, 1e-12);
}

TEST(ObservedOrder, AveragesOverScatter) {
  const std::vector<double> steps = {1e-1, 1e-2, 1e-3, 1e-4};
  const std::vector<double> errors = {2e-1, 1e-2, 1e-3, 2e-4};
  EXPECT_NEAR(observed_order(steps, errors), 1.0, 1e-12);
}

TEST(FitOrder, HasTheStandardErrorOfTheSlope) {
  // Off the line by -d, 2d, -d at x = -1, 0, 1 (in ln 10): residuals that leave the slope as it is, sum of squares 6 d^2.
  const double d = 0.05;
  const std::vector<double> steps = {1e-1, 1.0, 1e1};
  const std::vector<double> errors = {std::exp(-d) * 1e-2, std::exp(2.0 * d), std::exp(-d) * 1e2};
  const OrderFit fit = fit_order(steps, errors);
  EXPECT_NEAR(fit.order, 2.0, 1e-12);
  EXPECT_NEAR(fit.standard_error, std::sqrt(6.0 * d * d / (2.0 * std::pow(std::log(10.0), 2))), 1e-12);
}

TEST(FitOrder, OfTwoErrorsKnowsNoScatter) {
  const OrderFit fit = fit_order(std::vector{1.0, 2.0}, std::vector{3.0, 12.0});
  EXPECT_NEAR(fit.order, 2.0, 1e-12);
  EXPECT_EQ(fit.standard_error, 0.0);
}

}  // namespace
}  // namespace picus::models
