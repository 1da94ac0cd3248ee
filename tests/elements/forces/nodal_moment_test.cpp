#include <picus/elements/forces/nodal_moment.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using support::message_of;

class NodalMomentTest : public ::testing::Test {
 protected:
  support::Random random{17};
  Model model{"m"};
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  TimeFunction<Vec3> swell = [](double t) { return Vec3(1 + t, 2 * t * t, -1); };
};

TEST_F(NodalMomentTest, DerivativesAreExact) {
  support::expect_exact_tangents(model,
                                 *model.add<NodalMoment>({.name = "a", .node = frame, .moment = swell}));
  support::expect_exact_tangents(
      model, *model.add<NodalMoment>({.name = "b", .node = frame, .moment = swell, .follower = true}));
}

TEST_F(NodalMomentTest, IsInInertialOrInBodyAxes) {
  const auto inertial = model.add<NodalMoment>({.name = "a", .node = frame, .moment = {1, 2, 3}});
  const auto follower =
      model.add<NodalMoment>({.name = "b", .node = frame, .moment = {1, 2, 3}, .follower = true});
  const Configuration& q = model.initial_configuration();
  const Vector v = random.vector(6);
  Vector expected = Vector::Zero(6);
  expected.tail<3>() = q.rotation(frame).transpose() * Vec3(1, 2, 3);
  // Nine products of numbers of order one.
  support::expect_near(support::force(*inertial, q, v), expected, 1e-15 * 9, "inertial axes");
  expected.tail<3>() = Vec3(1, 2, 3);
  EXPECT_EQ(support::force(*follower, q, v), expected);
}

TEST_F(NodalMomentTest, RefusesWhatIsMissing) {
  EXPECT_EQ(
      message_of<ModelError>([&] { model.add<NodalMoment>({.name = "M", .node = frame, .moment = {}}); }),
      "nodal moment \"M\": moment is not given");
  EXPECT_EQ(message_of<ModelError>([&] {
              model.add<NodalMoment>({.name = "M", .node = {}, .moment = {1, 2, 3}});
            }),
            "nodal moment \"M\": node is not a node of model \"m\"");
}

}  // namespace
}  // namespace picus
