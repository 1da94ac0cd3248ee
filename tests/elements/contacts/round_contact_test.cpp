#include <picus/elements/contacts/round_contact.hpp>
#include <picus/elements/contacts/shapes/round_solid.hpp>
#include <picus/so3.hpp>
#include <support/contact_point.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

namespace picus::round_contact_test {
namespace {

using support::expect_near;
using support::message_of;
using Curve = RoundFeature::Curve;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

/// Two bodies and a point that carry round features.
struct Rounds {
  explicit Rounds(unsigned seed = 43) : random(seed) {}

  Handle<RoundContact> add(const std::string& name, const RoundSide& a, const RoundSide& b, double mu = 0.3,
                           int side = 0) {
    return model.add<RoundContact>({.name = name, .a = a, .b = b, .side = side, .law = {.mu = mu}});
  }
  RoundSide on(const FrameNode& node, const std::string& feature) const {
    return {node, features.at(feature)};
  }
  RoundSide ground(const std::string& feature) const {
    return {{}, features.at(feature).placed(start.rotation(two), start.position(two))};
  }

  support::Random random;
  Model model{"m"};
  FrameNode one = model.add_frame("one", {.position = {-1.5, 1, 0.5}, .rotation = random.rotation()});
  // Crossing each other, on average.
  FrameNode two = model.add_frame(
      "two", {.position = {1.5, -1, 1},
              .rotation = model.initial_configuration().rotation(one) * so3::exp(Vec3(1.2, 0.9, 0.0))});
  PointNode point = model.add_point("point", {.position = {1, 2, -1.5}});
  Vec3 direction = Vec3(0.3, -0.5, 0.8).normalized();
  std::map<std::string, RoundFeature> features = {
      {"corner", {Curve::point, {0.2, 0.1, -0.3}}},
      {"ball", {Curve::point, {0.2, 0.1, -0.3}, Vec3::UnitZ(), 0.4}},
      {"edge", {Curve::line, {0.2, 0.1, -0.3}, direction}},
      {"capsule", {Curve::line, {0.2, 0.1, -0.3}, direction, 0.3}},
      {"cone", {Curve::line, {0.1, -0.2, 0.3}, direction, 0.3, 0.25}},
      {"rim", {Curve::circle, {0.1, -0.2, 0.3}, direction, 0.4}},
      {"face", {Curve::plane, {0.1, -0.2, 0.3}, direction}},
  };
  const Configuration& start = model.initial_configuration();
};

class RoundContactTest : public ::testing::Test, protected Rounds {};

TEST_F(RoundContactTest, DerivativesAreExact) {
  // Lines stay away from being parallel, rims from having a tangent along a line: there is no normal then.
  const TangentCheckOptions options = {.length = 0.3, .angle = 0.3};
  const TangentCheckOptions large = {.length = 0.3, .angle = 3.0};
  for (const char* a : {"corner", "ball", "edge", "capsule", "cone", "rim"}) {
    for (const char* b : {"corner", "ball", "edge", "capsule", "cone", "rim", "face"}) {
      const bool is_line = features[a].curve == Curve::line;
      if (is_line && std::string(b) == "face") continue;
      if (features[a].curve == Curve::point && features[b].curve != Curve::plane &&
          features[a].rho() + features[b].rho() == 0)
        continue;
      if (features[b].curve == Curve::point && features[a].rho() + features[b].rho() == 0) continue;
      const std::string name = std::string(a) + " and " + b;
      SCOPED_TRACE(name);
      support::expect_exact_tangents(model, *add(name, on(one, a), on(two, b)), options);
      support::expect_exact_tangents(model, *add(name + " of the ground", on(one, a), ground(b)), options);
      support::expect_exact_tangents(model, *add(name + " without friction", on(one, a), on(two, b), 0.0),
                                     options);
      if (features[a].curve != Curve::point && features[b].curve != Curve::plane) continue;
      support::expect_exact_tangents(model, *add(name + ", turned far", on(one, a), on(two, b)), large);
    }
  }
  support::expect_exact_tangents(model, *add("ground", ground("rim"), on(two, "cone")), options);
  for (const char* b : {"capsule", "cone", "face"}) {
    RoundSide ball{point, {Curve::point, Vec3::Zero(), Vec3::UnitZ(), 0.4}};
    support::expect_exact_tangents(model, *add(std::string("point and ") + b, ball, on(two, b)), options);
  }
}

// In other places of the bodies, some of which have the tangent of a rim nearly along a line: features then touch smoothly
// over 1e-3 rad and less, and differences of smaller steps decide. Their rounding, 540 eps over a step of 1/16384 divided by
// 16, is 3e-8 of the values, which are of order one, as are the largest entries.
TEST(RoundContacts, HaveExactDerivativesAlsoWhereRimsAreNearlyAlongLines) {
  int near_singularities = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const char* a : {"edge", "capsule", "cone", "rim"}) {
      for (const char* b : {"edge", "capsule", "cone", "rim"}) {
        Rounds rounds(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + a + " and " + b);
        const auto contact = rounds.add("contact", rounds.on(rounds.one, a), rounds.on(rounds.two, b));
        TangentCheckOptions options = {.length = 0.3, .angle = 0.3};
        if (check_tangents(rounds.model, *contact, options).worst_error < tangent_tolerance) continue;
        ++near_singularities;
        options.step = 1.0 / 16384;
        const TangentReport report = check_tangents(rounds.model, *contact, options);
        EXPECT_LT(report.worst_error, 3e-8) << report.description;
      }
    }
  }
  EXPECT_GT(near_singularities, 5);  // otherwise these states test nothing new
}

TEST_F(RoundContactTest, DerivativesOfResistanceAreExact) {
  const TangentCheckOptions options = {.length = 0.3, .angle = 0.3};
  int count = 0;
  const auto with = [&](const RoundSide& a, const RoundSide& b, double drilling, double rolling,
                        Index directions = 2) {
    return model.add<RoundContact>({.name = "contact" + std::to_string(count++),
                                    .a = a,
                                    .b = b,
                                    .law = {.mu = 0.3, .friction_directions = directions},
                                    .drilling_radius = drilling,
                                    .rolling_arm = rolling});
  };
  for (const char* a : {"ball", "capsule", "cone", "rim"}) {
    for (const char* b : {"corner", "capsule", "rim", "face"}) {
      if (features[a].curve == Curve::line && std::string(b) == "face") continue;
      if (features[a].rho() == 0 && std::string(b) == "corner") continue;
      SCOPED_TRACE(std::string(a) + " and " + b);
      support::expect_exact_tangents(model, *with(on(one, a), on(two, b), 0.1, 0.05), options);
      support::expect_exact_tangents(model, *with(on(one, a), ground(b), 0.1, 0.05), options);
    }
  }
  support::expect_exact_tangents(model, *with(ground("ball"), on(two, "capsule"), 0.1, 0.05), options);
  support::expect_exact_tangents(model, *with(on(one, "ball"), on(two, "face"), 0.1, 0.0), options);
  support::expect_exact_tangents(model, *with(on(one, "ball"), on(two, "face"), 0.0, 0.05), options);
  support::expect_exact_tangents(model, *with(on(one, "ball"), on(two, "face"), 0.0, 0.05, 1), options);
}

TEST_F(RoundContactTest, DerivativesOfFrictionByDirectionAreExact) {
  const TangentCheckOptions options = {.length = 0.3, .angle = 0.3};
  int count = 0;
  const auto with = [&](const RoundSide& a, const RoundSide& b, const Node& body, double anisotropy) {
    return model.add<RoundContact>({.name = "contact" + std::to_string(count++),
                                    .a = a,
                                    .b = b,
                                    .law = {.mu = 0.3},
                                    .grain = Grain{body, {0.4, -0.3, 0.9}, anisotropy}});
  };
  for (const char* a : {"ball", "capsule", "cone", "rim"}) {
    for (const char* b : {"capsule", "rim", "face"}) {
      if (features[a].curve == Curve::line && std::string(b) == "face") continue;
      SCOPED_TRACE(std::string(a) + " and " + b);
      support::expect_exact_tangents(model, *with(on(one, a), on(two, b), one, 2.0), options);
      support::expect_exact_tangents(model, *with(on(one, a), on(two, b), two, 0.4), options);
      support::expect_exact_tangents(model, *with(on(one, a), ground(b), Node{}, 2.0), options);
      support::expect_exact_tangents(model, *with(on(one, a), ground(b), one, 0.4), options);
    }
  }
}

// Rates of the rows are those of the spin of a against b, times the lengths; a common motion has none.
TEST_F(RoundContactTest, RowsOfDrillingAndRollingAreTheSpinOfTheSides) {
  const auto contact = model.add<RoundContact>({.name = "contact",
                                                .a = on(one, "rim"),
                                                .b = on(two, "face"),
                                                .law = {.mu = 0.25},
                                                .drilling_radius = 0.1,
                                                .rolling_arm = 0.05});
  ASSERT_EQ(contact->row_count(), 6);
  const Vector v = random.vector(model.velocity_count());
  const Vec3 spin =
      start.rotation(one) * v.segment<3>(one.v + 3) - start.rotation(two) * v.segment<3>(two.v + 3);
  const Eigen::MatrixXd G = support::gradient(*contact, start);
  const Vector rates = G * support::local(*contact, v);
  const auto row = [&](Index k) -> Vec3 { return G.block<1, 3>(k, 0).transpose(); };
  EXPECT_NEAR(rates[3], 0.1 * row(0).dot(spin), 10 * rounding);
  for (const Index k : {1, 2})
    EXPECT_NEAR(rates[3 + k], 0.2 * row(0).cross(row(k)).dot(spin), 10 * rounding) << k;
  const Vector together = support::gap(*contact, start, support::RigidMotion(random)(model, start));
  EXPECT_LE(together.tail<3>().norm(), 100 * rounding);
}

TEST_F(RoundContactTest, MotionOfBothTogetherIsNoSlip) {
  for (const char* a : {"ball", "capsule", "cone", "rim"}) {
    for (const char* b : {"capsule", "cone", "rim"}) {
      const std::string name = std::string(a) + " and " + b;
      const auto contact = add(name, on(one, a), on(two, b));
      const Vector g_n = support::gap(*contact, start, start);
      const Vector g = support::gap(*contact, start, support::RigidMotion(random)(model, start));
      expect_near(g, g_n, 100 * rounding, name);
    }
  }
}

// The lowest point of a rolling wheel is at rest, however far the wheel rotates.
TEST_F(RoundContactTest, RollingOfAWheelIsNoSlip) {
  constexpr double r = 0.4;
  Model wheel;
  const auto node = wheel.add_frame("wheel", {.position = {0, 0, r}});
  const auto contact = wheel.add<RoundContact>({.name = "contact",
                                                .a = {node, {Curve::circle, {0, 0.1, 0}, Vec3::UnitY(), r}},
                                                .b = {{}, {Curve::plane, Vec3::Zero(), Vec3::UnitZ()}},
                                                .law = {.mu = 0.3}});
  const Configuration& q_n = wheel.initial_configuration();
  for (const double angle : {1e-3, 0.1, 1.0}) {
    Configuration q = q_n;
    q.position(node).x() += r * angle;
    q.rotation(node) = so3::exp({0, angle, 0});
    expect_near(support::gap(*contact, q_n, q), Vec3::Zero(), rounding, "gap and slip");
  }
}

TEST_F(RoundContactTest, RefusesWhatCannotTouch) {
  EXPECT_EQ(message_of<ModelError>([&] { add("c", ground("rim"), ground("face")); }),
            "contact \"c\": a and b are both on the ground");
  EXPECT_EQ(message_of<ModelError>([&] {
              add("c", on(one, "rim"), {point, {Curve::point, Vec3::Zero(), Vec3::UnitZ(), 0.1}});
            }),
            "contact \"c\": b is on a point node, which has no axes");
  const auto resisting = [&](const RoundSide& a, const RoundSide& b) {
    return message_of<ModelError>([&] {
      model.add<RoundContact>({.name = "c", .a = a, .b = b, .law = {.mu = 0.3}, .rolling_arm = 1e-3});
    });
  };
  EXPECT_EQ(
      resisting({point, {Curve::point, Vec3::Zero(), Vec3::UnitZ(), 0.1}}, on(two, "cone")),
      "contact \"c\": drilling_radius or rolling_arm is not 0, but a is on point nodes, which do not turn");
  EXPECT_EQ(
      resisting(on(one, "corner"), on(two, "face")),
      "contact \"c\": drilling_radius or rolling_arm is not 0, but a and b are sharp and touch without an "
      "area");
}

}  // namespace
}  // namespace picus::round_contact_test
