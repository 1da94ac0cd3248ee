#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace picus::configuration_test {
namespace {

constexpr double pi = std::numbers::pi;

class ConfigurationTest : public testing::Test {
 protected:
  ConfigurationTest() {
    point = model.add_point("point", {.position = random.vec3()});
    frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
    scalar = model.add_scalar("scalar", {.value = random.uniform(-1, 1)});
    q_0 = model.initial_configuration();
  }

  support::Random random{5};
  Model model;
  PointNode point;
  FrameNode frame;
  ScalarNode scalar;
  Configuration q_0;
};

TEST_F(ConfigurationTest, RetractAddsTranslationsAndTurnsInTheBodyFrame) {
  const Vector increment = random.vector(model.velocity_count(), 2.0);
  Configuration q = q_0;
  retract(model.nodes(), q_0, increment, q);
  EXPECT_EQ(q.position(point), q_0.position(point) + increment.segment<3>(point.v));
  EXPECT_EQ(q.position(frame), q_0.position(frame) + increment.segment<3>(frame.v));
  EXPECT_EQ(q.value(scalar), q_0.value(scalar) + increment[scalar.v]);
  const Mat3 expected = q_0.rotation(frame) * so3::exp(increment.segment<3>(frame.v + 3));
  EXPECT_LE((q.rotation(frame) - expected).norm(), 1e-15);
}

TEST_F(ConfigurationTest, DifferenceUndoesRetractUpToHalfATurn) {
  for (const double angle : {0.0, 1e-12, 1e-8, 1e-3, 1.0, 3.0, pi - 1e-3, pi - 1e-8}) {
    Vector increment = random.vector(model.velocity_count(), 10.0);
    increment.segment<3>(frame.v + 3) = angle * random.direction();
    Configuration q = q_0;
    retract(model.nodes(), q_0, increment, q);
    Vector found = Vector::Zero(model.velocity_count());
    difference(model.nodes(), q_0, q, found);
    // A few roundings of entries of size 10.
    EXPECT_LE((found - increment).lpNorm<Eigen::Infinity>(), 2e-14) << angle;
  }
}

TEST_F(ConfigurationTest, RetractUndoesDifferenceForAnyTurn) {
  for (int sample = 0; sample < 100; ++sample) {
    Vector large = random.vector(model.velocity_count(), 20.0);
    Configuration q = q_0;
    retract(model.nodes(), q_0, large, q);
    Vector increment = Vector::Zero(model.velocity_count());
    difference(model.nodes(), q_0, q, increment);
    EXPECT_LE(increment.segment<3>(frame.v + 3).norm(), pi + 1e-15);
    Configuration again = q_0;
    retract(model.nodes(), q_0, increment, again);
    EXPECT_LE((again.rotation(frame) - q.rotation(frame)).norm(), 1e-14);
    EXPECT_LE((again.position(point) - q.position(point)).norm(), 1e-14);
  }
}

TEST_F(ConfigurationTest, RetractMayWriteOntoItsOrigin) {
  const Vector increment = random.vector(model.velocity_count());
  Configuration q = q_0;
  retract(model.nodes(), q_0, increment, q);
  Configuration in_place = q_0;
  retract(model.nodes(), in_place, increment, in_place);
  EXPECT_EQ(in_place, q);
}

TEST_F(ConfigurationTest, OrthonormalizeRemovesWhatManyTurnsGather) {
  Configuration q = q_0;
  const Vector increment = random.vector(model.velocity_count(), 1.0);
  const auto defect = [&] {
    const Mat3 R = q.rotation(frame);
    return (R.transpose() * R - Mat3::Identity()).norm();
  };
  for (int i = 0; i < 100000; ++i) retract(model.nodes(), q, increment, q);
  EXPECT_GT(defect(), 1e-14) << "nothing to remove";
  const Mat3 before = q.rotation(frame);
  const Vec3 position = q.position(point);
  orthonormalize(model.nodes(), q);
  EXPECT_LE(defect(), 1e-15);
  EXPECT_LE((q.rotation(frame) - before).norm(), 1e-10);
  EXPECT_EQ(q.position(point), position);
}

}  // namespace
}  // namespace picus::configuration_test
