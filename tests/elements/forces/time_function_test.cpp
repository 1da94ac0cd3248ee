#include <picus/elements/forces/time_function.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus {
namespace {

TEST(TimeFunction, IsAConstant) {
  const TimeFunction<Vec3> vector = Vec3(1, 2, 3);
  EXPECT_EQ(vector(0.0), Vec3(1, 2, 3));
  EXPECT_EQ(vector(7.0), Vec3(1, 2, 3));
  const TimeFunction<Vec3> components = {1, 2, 3};
  EXPECT_EQ(components(7.0), Vec3(1, 2, 3));
  const TimeFunction<double> number = 4;
  EXPECT_EQ(number(7.0), 4.0);
}

TEST(TimeFunction, IsAnythingThatCanBeCalled) {
  const TimeFunction<Vec3> vector = [](double t) { return Vec3(t, 0, -t); };
  EXPECT_EQ(vector(2.0), Vec3(2, 0, -2));
  const TimeFunction<double> number = std::function<double(double)>([](double t) { return std::exp(t); });
  EXPECT_EQ(number(2.0), std::exp(2.0));
  const TimeFunction<double> whole = [](double) { return 3; };
  EXPECT_EQ(whole(2.0), 3.0);
}

TEST(TimeFunction, KnowsWhetherItWasGiven) {
  EXPECT_FALSE(TimeFunction<double>().is_given());
  EXPECT_FALSE(TimeFunction<Vec3>(std::function<Vec3(double)>()).is_given());
  EXPECT_TRUE(TimeFunction<double>(0.0).is_given());
}

TEST(TimeFunction, TakesNoExpressionOfVectorsThatAreGone) {
  const auto expression = [](double t) { return t * Vec3(1, 2, 3); };
  static_assert(!std::is_constructible_v<TimeFunction<Vec3>, decltype(expression)>);
}

}  // namespace
}  // namespace picus
