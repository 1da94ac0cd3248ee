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

}  // namespace
}  // namespace picus::models
