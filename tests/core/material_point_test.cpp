#include <picus/material_point.hpp>
#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

TEST(MaterialPoint, OfAPointNodeIsTheNode) {
  Model model;
  const auto node = model.add_point("p", {.position = {1, 2, 3}, .velocity = {4, 5, 6}});
  const MaterialPoint point = node;
  EXPECT_FALSE(point.on_frame());
  EXPECT_EQ(point.dof_count(), 3);
  EXPECT_EQ(point.position(model.initial_configuration()), Vec3(1, 2, 3));
  EXPECT_EQ(point.velocity(model.initial_configuration(), Vector::LinSpaced(3, 4, 6)), Vec3(4, 5, 6));
}

TEST(MaterialPoint, OfAFrameTurnsItsOffsetWithIt) {
  Model model;
  const auto frame =
      model.add_frame("f", {.position = {1, 0, 0}, .rotation = so3::exp({0, 0, std::numbers::pi / 2})});
  const MaterialPoint point(frame, {2, 0, 0});
  EXPECT_EQ(point.dof_count(), 6);
  EXPECT_LE((point.position(model.initial_configuration()) - Vec3(1, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(MaterialPoint(frame).position(model.initial_configuration()), Vec3(1, 0, 0));
}

TEST(MaterialPoint, VelocityIsTheDerivativeOfThePositionAlongTheMotion) {
  support::Random random(3);
  for (int sample = 0; sample < 20; ++sample) {
    Model model;
    model.add_scalar("before");
    const auto frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
    const MaterialPoint point(frame, random.vec3());
    const Configuration& q = model.initial_configuration();
    const Vector v = random.vector(model.velocity_count());
    const Vec3 by_differences = support::derivative([&](double t) -> Vec3 {
      Configuration moved = q;
      retract(model.nodes(), q, t * v, moved);
      return point.position(moved);
    });
    support::expect_near(point.velocity(q, v), by_differences, support::difference_tolerance, "velocity");
  }
}

TEST(MaterialPoint, TellsTheGroundFromNoPlace) {
  EXPECT_TRUE(MaterialPoint::on_ground({1, 2, 3}).is_ground());
  EXPECT_TRUE(MaterialPoint::on_ground({1, 2, 3}).is_given());
  EXPECT_EQ(MaterialPoint::on_ground({1, 2, 3}).dof_count(), 0);
  EXPECT_FALSE(MaterialPoint().is_given());
  EXPECT_FALSE(MaterialPoint(FrameNode{}, {1, 2, 3}).is_given());
  EXPECT_FALSE(MaterialPoint(PointNode{}).is_given());
  Model model;
  EXPECT_TRUE(MaterialPoint(model.add_frame("frame")).is_given());
}

}  // namespace
}  // namespace picus
