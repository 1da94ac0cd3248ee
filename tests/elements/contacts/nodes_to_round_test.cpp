#include <picus/elements/contacts/nodes_to_round.hpp>
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
#include <string>
#include <vector>

namespace picus::nodes_to_round_test {
namespace {

using support::expect_near;
using support::message_of;
using Curve = RoundFeature::Curve;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

class NodesToRoundContactTest : public ::testing::Test {
 protected:
  NodesToRoundContact::Parameters parameters(const std::string& points, const std::string& feature) const {
    NodesToRoundContact::Parameters result{
        .name = points + " and " + feature, .body = {body, features.at(feature)}, .law = {.mu = 0.3}};
    if (points == "rope") {
      result.points = {from, to};
      result.radius = 0.2;
    } else if (points == "edge") {
      result.points = {corners[0], corners[1]};
    } else {
      result.points = {corners[0], corners[1], corners[2]};
    }
    return result;
  }
  Handle<NodesToRoundContact> add(NodesToRoundContact::Parameters parameters) {
    parameters.name += " " + std::to_string(++count);
    return model.add<NodesToRoundContact>(parameters);
  }
  /// All pairs of features that touch at a point.
  template <class Visit>
  void for_each_pair(Visit&& visit) {
    for (const char* feature : {"ball", "capsule", "cone", "rim", "corner", "edge of a box"}) {
      SCOPED_TRACE(feature);
      visit(parameters("rope", feature));
      const bool is_corner = std::string(feature) == "corner";
      if (!is_corner && std::string(feature) != "edge of a box") visit(parameters("edge", feature));
      if (features.at(feature).curve == Curve::circle || is_corner) visit(parameters("triangle", feature));
    }
  }

  support::Random random{47};
  Model model{"m"};
  FrameNode from = model.add_frame("from", {.position = {-1.2, 1, 0.4}, .rotation = random.rotation()});
  FrameNode to = model.add_frame("to", {.position = {1.3, 1.2, -0.5}, .rotation = random.rotation()});
  std::vector<PointNode> corners = {model.add_point("A", {.position = {-1.3, 1.1, 0.2}}),
                                    model.add_point("B", {.position = {1.2, 1.4, -0.3}}),
                                    model.add_point("C", {.position = {0.1, 1.2, 1.6}})};
  FrameNode body = model.add_frame("body", {.position = {0.2, -0.6, 0.3}, .rotation = random.rotation()});
  Vec3 axis = model.initial_configuration().rotation(body).transpose() * Vec3(0.3, 0.2, 0.9).normalized();
  std::map<std::string, RoundFeature> features = {
      {"corner", {Curve::point, {0.2, 0.1, -0.3}}},
      {"ball", {Curve::point, {0.2, 0.1, -0.3}, Vec3::UnitZ(), 0.4}},
      {"edge of a box", {Curve::line, {0.2, 0.1, -0.3}, axis}},
      {"capsule", {Curve::line, {0.2, 0.1, -0.3}, axis, 0.3}},
      {"cone", {Curve::line, {0.1, -0.2, 0.3}, axis, 0.3, 0.25}},
      {"rim", {Curve::circle, {0.1, -0.2, 0.3}, axis, 0.4}},
  };
  const Configuration& start = model.initial_configuration();
  int count = 0;
};

TEST_F(NodesToRoundContactTest, DerivativesAreExact) {
  const TangentCheckOptions options = {.length = 0.1, .angle = 0.2};
  for_each_pair([&](NodesToRoundContact::Parameters one) {
    SCOPED_TRACE(one.name);
    support::expect_exact_tangents(model, *add(one), options);
    const RoundSide moving = one.body;
    one.body = {{}, moving.feature.placed(start.rotation(body), start.position(body))};
    support::expect_exact_tangents(model, *add(one), options);
    one.body = moving;
    one.grain = Grain{body, {0.4, -0.3, 0.9}, 2.0};
    support::expect_exact_tangents(model, *add(one), options);
    one.grain.reset();
    one.law.mu = 0.0;
    support::expect_exact_tangents(model, *add(one), options);
  });
}

TEST_F(NodesToRoundContactTest, DerivativesOfResistanceAreExact) {
  const TangentCheckOptions options = {.length = 0.1, .angle = 0.2};
  for (const char* feature : {"capsule", "cone", "rim"}) {
    SCOPED_TRACE(feature);
    auto one = parameters("rope", feature);
    one.drilling_radius = 0.1;
    one.rolling_arm = 0.05;
    support::expect_exact_tangents(model, *add(one), options);
  }
}

TEST_F(NodesToRoundContactTest, MotionOfBothTogetherIsNoSlip) {
  for_each_pair([&](const NodesToRoundContact::Parameters& one) {
    const auto contact = add(one);
    const Vector g_n = support::gap(*contact, start, start);
    const Vector g = support::gap(*contact, start, support::RigidMotion(random)(model, start));
    expect_near(g, g_n, 100 * rounding, one.name);
  });
}

// No contact force has a resultant force or moment, whatever the gap.
TEST_F(NodesToRoundContactTest, ForcesAndMomentsAreInBalance) {
  for_each_pair([&](NodesToRoundContact::Parameters one) {
    if (one.radius > 0) one.drilling_radius = one.body.feature.is_curved() ? 0.1 : 0.0;
    const auto contact = add(one);
    const Eigen::MatrixXd G = support::gradient(*contact, start);
    for (Index k = 0; k < G.rows(); ++k) {
      const Vector sum = support::resultant(*contact, start, G.row(k).transpose());
      expect_near(sum, Vector::Zero(6), 100 * rounding, one.name);
    }
  });
}

// A rope at distance d across the axis of a cylinder, and the lowest point of a tilted rim over a plane.
TEST_F(NodesToRoundContactTest, GapsAreThoseOfTheShapes) {
  Model other;
  const FrameNode left = other.add_frame("left", {.position = {-1, 0, 0.75}});
  const FrameNode right = other.add_frame("right", {.position = {1, 0, 0.75}});
  const FrameNode can = other.add_frame("can", {});
  const auto across =
      other.add<NodesToRoundContact>({.name = "across",
                                      .points = {left, right},
                                      .radius = 0.05,
                                      .body = {can, {Curve::line, Vec3::Zero(), Vec3::UnitY(), 0.5}}});
  EXPECT_NEAR(support::gap(*across, other.initial_configuration(), other.initial_configuration())[0], 0.2,
              rounding);
  const std::vector<PointNode> ground = {other.add_point("A", {.position = {-2, -2, -1}}),
                                         other.add_point("B", {.position = {2, -2, -1}}),
                                         other.add_point("C", {.position = {0, 2, -1}})};
  constexpr double tilt = 0.4;
  const Vec3 down(std::sin(tilt), 0, -std::cos(tilt));
  const auto above =
      other.add<NodesToRoundContact>({.name = "above",
                                      .points = {ground[0], ground[1], ground[2]},
                                      .body = {can, {Curve::circle, Vec3::Zero(), down, 0.5}}});
  EXPECT_NEAR(support::gap(*above, other.initial_configuration(), other.initial_configuration())[0],
              1 - 0.5 * std::sin(tilt), rounding);
}

TEST_F(NodesToRoundContactTest, RefusesWhatCannotTouch) {
  auto one = parameters("edge", "rim");
  one.name = "c";
  one.points.pop_back();
  EXPECT_EQ(message_of<ModelError>([&] { model.add<NodesToRoundContact>(one); }),
            "contact \"c\": it has 1 points, must have two or three");
  one = parameters("edge", "rim");
  one.name = "c";
  one.body.node = corners[2];
  EXPECT_EQ(message_of<ModelError>([&] { model.add<NodesToRoundContact>(one); }),
            "contact \"c\": the body is on a point node, which has no axes");
}

}  // namespace
}  // namespace picus::nodes_to_round_test
