#include <picus/elements/forces/nodal_force.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::nodal_force_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

class NodalForceTest : public ::testing::Test {
 protected:
  std::string refusal(NodalForce::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<NodalForce>(std::move(parameters)); });
  }

  support::Random random{13};
  Model model{"m"};
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  Vec3 offset{0.2, 0.5, -0.3};
  TimeFunction<Vec3> swell = [](double t) { return Vec3(1 + t, 2 * t * t, -1); };
};

TEST_F(NodalForceTest, DerivativesAreExact) {
  support::expect_exact_tangents(model,
                                 *model.add<NodalForce>({.name = "a", .point = point, .force = swell}));
  support::expect_exact_tangents(model,
                                 *model.add<NodalForce>({.name = "b", .point = frame, .force = swell}));
  support::expect_exact_tangents(
      model, *model.add<NodalForce>({.name = "c", .point = {frame, offset}, .force = swell}));
  support::expect_exact_tangents(
      model, *model.add<NodalForce>({.name = "d", .point = frame, .force = swell, .follower = true}));
  support::expect_exact_tangents(
      model,
      *model.add<NodalForce>({.name = "e", .point = {frame, offset}, .force = swell, .follower = true}));
}

TEST_F(NodalForceTest, PowerIsForceTimesVelocityOfThePoint) {
  const auto load = model.add<NodalForce>({.name = "load", .point = {frame, offset}, .force = swell});
  const Configuration& q = model.initial_configuration();
  const Vector v = random.vector(model.velocity_count());
  const double power = support::local(*load, v).dot(support::force(*load, q, v, 0.7));
  EXPECT_NEAR(power, swell(0.7).dot(MaterialPoint(frame, offset).velocity(q, v)), rounding * 10);
}

TEST_F(NodalForceTest, AFollowerTurnsWithItsBody) {
  const auto load =
      model.add<NodalForce>({.name = "load", .point = {frame, offset}, .force = {1, 2, 3}, .follower = true});
  const Configuration& q = model.initial_configuration();
  const Vector v = Vector::Zero(model.velocity_count());
  const support::RigidMotion motion(random);
  expect_near(support::force(*load, motion(model, q), v), motion.turn(*load) * support::force(*load, q, v),
              rounding, "force");
  expect_near(support::force(*load, q, v).head<3>(), q.rotation(frame) * Vec3(1, 2, 3), rounding, "force");
}

TEST_F(NodalForceTest, AnInertialForceKeepsItsDirection) {
  const auto load = model.add<NodalForce>({.name = "load", .point = {frame, offset}, .force = {1, 2, 3}});
  const Configuration q =
      support::moved(model, model.initial_configuration(), random.vector(model.velocity_count()));
  const Vector f = support::force(*load, q, Vector::Zero(model.velocity_count()));
  EXPECT_EQ(f.head<3>(), Vec3(1, 2, 3));
  const Vec3 moment = (q.rotation(frame) * offset).cross(Vec3(1, 2, 3));
  expect_near(q.rotation(frame) * f.tail<3>(), moment, rounding, "moment");
}

TEST_F(NodalForceTest, CountsAsALoad) {
  const auto load = model.add<NodalForce>({.name = "load", .point = point, .force = {1, 2, 3}});
  EXPECT_FALSE(load->traits().is_conservative);
  EXPECT_FALSE(load->traits().has_potential);
}

TEST_F(NodalForceTest, RefusesWhatIsMissingOrWrong) {
  EXPECT_EQ(refusal({.name = "F", .point = point, .force = {}}), "nodal force \"F\": force is not given");
  EXPECT_EQ(refusal({.name = "F", .point = point, .force = std::function<Vec3(double)>()}),
            "nodal force \"F\": force is not given");
  const auto undefined_at_0 = [](double t) { return Vec3(0, t > 0 ? 1 : nan, 0); };
  EXPECT_EQ(refusal({.name = "F", .point = point, .force = undefined_at_0}),
            "nodal force \"F\": force(0)[1] is nan N, must be a finite number");
  EXPECT_EQ(refusal({.name = "F", .point = point, .force = {1, 2, 3}, .follower = true}),
            "nodal force \"F\": a follower force needs a frame node to follow");
  EXPECT_EQ(refusal({.name = "F", .point = PointNode{}, .force = {1, 2, 3}}),
            "nodal force \"F\": point is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "F", .point = {frame, {nan, 0, 0}}, .force = {1, 2, 3}}),
            "nodal force \"F\": offset of point[0] is nan m, must be a finite number");
}

}  // namespace
}  // namespace picus::nodal_force_test
