#include <picus/checks.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::checks_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::denorm_min();
const Culprit bird{"rigid body", "bird"};

template <class Action>
std::string refusal(Action&& action) {
  return support::message_of<ModelError>(std::forward<Action>(action));
}

TEST(Checks, QuoteTheNameOfTheCulprit) {
  EXPECT_EQ(bird.text(), "rigid body \"bird\"");
}

TEST(Checks, FiniteRefusesNanAndInfinity) {
  EXPECT_NO_THROW(require_finite(bird, "mass", -1e308, "kg"));
  EXPECT_EQ(refusal([] { require_finite(bird, "mass", nan, "kg"); }),
            "rigid body \"bird\": mass is nan kg, must be a finite number");
  EXPECT_EQ(refusal([] { require_finite(bird, "count", -infinity, ""); }),
            "rigid body \"bird\": count is -inf, must be a finite number");
  EXPECT_NO_THROW(require_finite(bird, "axis", Vec3(1, 2, 3), "m"));
  EXPECT_EQ(refusal([] { require_finite(bird, "axis", Vec3(1, 2, nan), "m"); }),
            "rigid body \"bird\": axis[2] is nan m, must be a finite number");
}

TEST(Checks, PositiveRefusesZero) {
  EXPECT_NO_THROW(require_positive(bird, "mass", tiny, "kg"));
  EXPECT_EQ(refusal([] { require_positive(bird, "mass", 0, "kg"); }),
            "rigid body \"bird\": mass is 0 kg, must be positive");
  EXPECT_EQ(refusal([] { require_positive(bird, "mass", -1, "kg"); }),
            "rigid body \"bird\": mass is -1 kg, must be positive");
  EXPECT_EQ(refusal([] { require_positive(bird, "mass", nan, "kg"); }),
            "rigid body \"bird\": mass is nan kg, must be a finite number");
}

TEST(Checks, NotNegativeAcceptsZero) {
  EXPECT_NO_THROW(require_not_negative(bird, "mu", 0, ""));
  EXPECT_NO_THROW(require_not_negative(bird, "mu", -0.0, ""));
  EXPECT_EQ(refusal([] { require_not_negative(bird, "damping", -tiny, "N s/m"); }),
            "rigid body \"bird\": damping is -5e-324 N s/m, must not be negative");
  EXPECT_EQ(refusal([] { require_not_negative(bird, "mu", infinity, ""); }),
            "rigid body \"bird\": mu is inf, must be a finite number");
}

TEST(Checks, BetweenIncludesBothEnds) {
  EXPECT_NO_THROW(require_between(bird, "restitution", 0, 0, 1));
  EXPECT_NO_THROW(require_between(bird, "restitution", 1, 0, 1));
  EXPECT_EQ(refusal([] { require_between(bird, "restitution", 1.5, 0, 1); }),
            "rigid body \"bird\": restitution is 1.5, must lie in [0, 1]");
  EXPECT_EQ(refusal([] { require_between(bird, "restitution", -0.1, 0, 1); }),
            "rigid body \"bird\": restitution is -0.1, must lie in [0, 1]");
  EXPECT_EQ(refusal([] { require_between(bird, "restitution", nan, 0, 1); }),
            "rigid body \"bird\": restitution is nan, must be a finite number");
}

TEST(Checks, DirectionIsAUnitVectorOfAnyFiniteLength) {
  for (const double length : {1e-300, 1e-8, 1.0, 1e300}) {
    const Vec3 found = require_direction(bird, "axis", length * Vec3(0, 3, 4));
    EXPECT_LE((found - Vec3(0, 0.6, 0.8)).norm(), 1e-15) << length;
  }
  EXPECT_EQ(refusal([] { (void)require_direction(bird, "axis", Vec3::Zero()); }),
            "rigid body \"bird\": axis has zero length");
  EXPECT_EQ(refusal([] { (void)require_direction(bird, "axis", Vec3(infinity, 0, 0)); }),
            "rigid body \"bird\": axis[0] is inf, must be a finite number");
}

}  // namespace
}  // namespace picus::checks_test
