#include <picus/elements/beams/section.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace picus::section_test {
namespace {

using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
/// Relative rounding of a few products.
constexpr double rounding = 1e-14;

const BeamMaterial steel = {.E = 2.1e11, .nu = 0.3, .density = 7850, .relaxation_time = 1e-4};

void expect_diagonal(const Section& section, const Vec6& expected) {
  EXPECT_TRUE(section.stiffness.isDiagonal());
  for (Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(section.stiffness(i, i), expected[i], rounding * expected[i]) << i;
  }
}

TEST(Section, EquivalentRadiusIsThatOfACircle) {
  EXPECT_NEAR(equivalent_radius(Section::circle(0.03, steel).stiffness), 0.03, rounding);
  EXPECT_NEAR(equivalent_radius(5 * Section::circle(0.03, steel).stiffness), 0.03, rounding);
  // 2 sqrt(i_1 i_2) with the radii of gyration b/sqrt 12 and h/sqrt 12.
  EXPECT_NEAR(equivalent_radius(Section::rectangle(0.01, 0.02, steel).stiffness),
              2 * std::sqrt(0.01 * 0.02 / 12), rounding);
}

TEST(Section, RectangleBendsMostStifflyAcrossItsHeight) {
  const double b = 0.01, h = 0.02;
  const Section section = Section::rectangle(b, h, steel);
  const double G = 2.1e11 / 2.6;
  Vec6 expected;
  expected << 2.1e11 * b * h, 5.0 / 6 * G * b * h, 5.0 / 6 * G * b * h,
      G * torsion_constant_of_rectangle(b, h), 2.1e11 * h * b * b * b / 12, 2.1e11 * b * h * h * h / 12;
  expect_diagonal(section, expected);
  EXPECT_EQ(section.damping, 1e-4 * section.stiffness);
  EXPECT_NEAR(section.mass, 7850 * b * h, rounding);
  // The inertia of a plate of unit thickness: rho b h/12 (b^2 + h^2, b^2, h^2).
  EXPECT_NEAR(section.inertia(0, 0), 7850 * b * h * (b * b + h * h) / 12, rounding);
  EXPECT_NEAR(section.inertia(1, 1), 7850 * b * h * b * b / 12, rounding);
  EXPECT_NEAR(section.inertia(2, 2), 7850 * b * h * h * h / 12, rounding);
}

TEST(Section, TorsionOfARectangleIsThatOfTheTables) {
  // Timoshenko and Goodier, table of section 109: J/(a b^3) to three digits; the square to more (Saint-Venant
  // 1855: 0.1406 a^4; 0.140577 by summing the series in other work).
  EXPECT_NEAR(torsion_constant_of_rectangle(1, 1), 0.140577, 5e-7);
  EXPECT_NEAR(torsion_constant_of_rectangle(1.5, 1), 1.5 * 0.196, 1.5 * 5e-4);
  EXPECT_NEAR(torsion_constant_of_rectangle(1, 2), 2 * 0.229, 2 * 5e-4);
  EXPECT_NEAR(torsion_constant_of_rectangle(1, 10), 10 * 0.312,
              10 * 1e-3);  // the table has 0.312, the series 0.3123
  // A thin strip: a b^3/3 (1 - 0.630 b/a).
  EXPECT_NEAR(torsion_constant_of_rectangle(1, 1e-3), 1e-9 / 3 * (1 - 0.63025e-3), 1e-16);
}

TEST(Section, TorsionOfARectangleIsItsSeries) {
  for (const double a : {1.0, 1.1, 3.0, 20.0}) {
    double sum = 0;
    for (int n = 2001; n > 0; n -= 2) sum += std::tanh(n * pi * a / 2) / std::pow(n, 5);
    const double expected = a * (1.0 / 3 - 64 / (std::pow(pi, 5) * a) * sum);
    // The omitted terms: 1/(8 2000^4) times 64/pi^5.
    EXPECT_NEAR(torsion_constant_of_rectangle(a, 1), expected, 1e-14 + 1e-14 * expected) << a;
  }
}

TEST(Section, CircleHasCowpersShearCorrection) {
  const double r = 0.02;
  const double A = pi * r * r;
  const double I = pi * std::pow(r, 4) / 4;
  const double G = 2.1e11 / 2.6;
  Vec6 expected;
  expected << 2.1e11 * A, G * A * 7.8 / 8.8, G * A * 7.8 / 8.8, 2 * G * I, 2.1e11 * I, 2.1e11 * I;
  expect_diagonal(Section::circle(r, steel), expected);
}

TEST(Section, TubeLiesBetweenTheCircleAndAThinRing) {
  const double r = 0.02;
  const Section solid = Section::circle(r, steel);
  const Section almost = Section::tube(r, 1e-9 * r, steel);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(almost.stiffness(i, i) / solid.stiffness(i, i), 1, rounding);
  // A thin ring of mean radius R: A = 2 pi R s, I = A R^2/2, J = 2 I, shear correction 2 (1 + nu)/(4 + 3 nu).
  const double s = 1e-7 * r;
  const Section ring = Section::tube(r + s / 2, r - s / 2, steel);
  const double A = 2 * pi * r * s;
  const double G = 2.1e11 / 2.6;
  const double thin = 1e-7;  // of second order in s/R, but the difference of the radii is rounded
  EXPECT_NEAR(ring.stiffness(0, 0) / (2.1e11 * A), 1, thin);
  EXPECT_NEAR(ring.stiffness(1, 1) / (G * A * 2.6 / 4.9), 1, thin);
  EXPECT_NEAR(ring.stiffness(3, 3) / (G * A * r * r), 1, thin);
  EXPECT_NEAR(ring.stiffness(4, 4) / (2.1e11 * A * r * r / 2), 1, thin);
}

TEST(Section, TakesTheShearModulusThatIsGiven) {
  const Section section = Section::rectangle(1, 1, {.E = 2, .nu = 0.3, .G = 5});
  EXPECT_NEAR(section.stiffness(1, 1), 25.0 / 6, rounding);
}

TEST(Section, RefusesNegativeInertiaHoweverThinTheBeam) {
  const Culprit who{"beam", "wire"};
  Section wire = Section::circle(1e-5, steel);
  EXPECT_NO_THROW(require_section(who, wire));
  wire.inertia(1, 1) = -1e-17;
  EXPECT_EQ(message_of<ModelError>([&] { require_section(who, wire); }),
            "beam \"wire\": section inertia(1, 1) is -1e-17 kg m, must not be negative");
  wire = Section::circle(1e-5, steel);
  wire.damping(3, 3) = -1e-14;
  EXPECT_EQ(message_of<ModelError>([&] { require_section(who, wire); }),
            "beam \"wire\": section damping(3, 3) is -1e-14, must not be negative");
}

TEST(Section, RefusesWhatNoSectionHas) {
  const auto refusal = [](auto make) { return message_of<ModelError>(make); };
  EXPECT_EQ(refusal([] { Section::rectangle(0, 1, steel); }),
            "section \"rectangle\": width is 0 m, must be positive");
  EXPECT_EQ(refusal([] { Section::rectangle(1, -1, steel); }),
            "section \"rectangle\": height is -1 m, must be positive");
  EXPECT_EQ(refusal([] { Section::circle(nan, steel); }),
            "section \"circle\": radius is nan m, must be a finite number");
  EXPECT_EQ(refusal([] { Section::tube(1, 0, steel); }),
            "section \"tube\": inner_radius is 0 m, must be positive");
  EXPECT_EQ(refusal([] { Section::tube(1, 1, steel); }),
            "section \"tube\": inner_radius is 1 m, must be smaller than outer_radius, 1 m");
  EXPECT_EQ(refusal([] { Section::circle(1, {}); }), "section \"circle\": E is 0 N/m2, must be positive");
  EXPECT_EQ(refusal([] { Section::circle(1, {.E = 1, .nu = 0.6}); }),
            "section \"circle\": nu is 0.6, must lie in (-1, 0.5]");
  EXPECT_EQ(refusal([] { Section::circle(1, {.E = 1, .G = 0}); }),
            "section \"circle\": G is 0 N/m2, must be positive");
  EXPECT_EQ(refusal([] { Section::circle(1, {.E = 1, .density = -1}); }),
            "section \"circle\": density is -1 kg/m3, must not be negative");
  EXPECT_EQ(refusal([] { Section::circle(1, {.E = 1, .relaxation_time = -1}); }),
            "section \"circle\": relaxation_time is -1 s, must not be negative");
  EXPECT_EQ(refusal([] { Section::constants({.EA = 1, .GA1 = 1, .GA2 = 1, .GJ = 1, .EI1 = 0, .EI2 = 1}); }),
            "section \"constants\": EI1 is 0 N m2, must be positive");
}

}  // namespace
}  // namespace picus::section_test
