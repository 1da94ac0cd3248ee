#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/user_force.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

namespace picus::user_force_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class UserForceTest : public ::testing::Test {
 protected:
  std::string refusal(UserForce::Parameters parameters) {
    parameters.name = "F";
    return message_of<ModelError>([&] { model.add<UserForce>(std::move(parameters)); });
  }
  /// A force that mixes all components: a drag in body axes, and a coupling with the angle.
  UserForce::ForceFunction drag() const {
    return [frame = frame, angle = angle](const Motion& motion, std::span<double> f) {
      auto vector = vector_view<7>(f);
      const Mat3 R = motion.q.rotation(frame);
      const Vec3 wind = R.transpose() * Vec3(motion.v.segment<3>(frame.v)) + Vec3(motion.q.position(frame));
      vector.head<3>() = -R * Vec3(wind.x(), wind.y() * wind.y(), std::sin(motion.t) * wind.z());
      vector.segment<3>(3) = wind.cross(Vec3(1, 2, 3)) * motion.q.value(angle);
      vector[6] = std::cos(motion.q.value(angle)) * motion.v[angle.v] + R(0, 1);
    };
  }
  static void nothing(const Motion&, std::span<double>) {}

  support::Random random{5};
  Model model{"m"};
  PointNode bystander = model.add_point("bystander", {.position = {1, 2, 3}});
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
};

TEST_F(UserForceTest, DifferencesItsOwnTangents) {
  support::expect_exact_tangents(
      model, *model.add<UserForce>({.name = "drag", .nodes = {frame, angle}, .force = drag()}));
}

TEST_F(UserForceTest, TakesTheTangentsThatAreGiven) {
  // The library's own force at an offset, wrapped.
  const auto push =
      model.add<NodalForce>({.name = "push", .point = {frame, {0.2, 0.5, -0.3}}, .force = {1, 2, 3}});
  const auto wrapped = model.add<UserForce>(
      {.name = "wrapped",
       .nodes = {frame},
       .force = [&push](const Motion& motion, std::span<double> f) { push->force(motion, f); },
       .tangents = [&push](const Motion& motion, std::span<double> K,
                           std::span<double> C) { push->tangents(motion, K, C); },
       .traits = push->traits()});
  support::expect_exact_tangents(model, *wrapped);
  EXPECT_TRUE(wrapped->traits().is_load);
  const auto differenced = model.add<UserForce>(
      {.name = "differenced",
       .nodes = {frame},
       .force = [&push](const Motion& motion, std::span<double> f) { push->force(motion, f); },
       .traits = push->traits()});
  const Vector v = random.vector(model.velocity_count());
  const auto K_of = [&](const Force& force) {
    return support::filled(6, 6, [&](auto K) {
      std::array<double, 36> C{};
      force.tangents({model.initial_configuration(), v, 0.0}, K, C);
    });
  };
  // Truncation and rounding as stated in the header.
  expect_near(K_of(*differenced), K_of(*wrapped), 1e-11, "stiffness");
}

TEST_F(UserForceTest, SeesTheSameWhoeverWasDifferencedBefore) {
  const auto one = model.add<UserForce>({.name = "one", .nodes = {frame, angle}, .force = drag()});
  const Vector v = random.vector(model.velocity_count());
  const auto K = [&] {
    return support::filled(7, 7, [&](auto storage) {
      std::array<double, 49> C{};
      one->tangents({model.initial_configuration(), v, 0.3}, storage, C);
    });
  };
  const Eigen::MatrixXd before = K();
  Model larger;
  const auto p = larger.add_point("p");
  for (int i = 0; i < 10; ++i) larger.add_frame(fmt::format("frame {}", i));
  const auto other = larger.add<UserForce>(
      {.name = "other", .nodes = {p}, .force = [p](const Motion& motion, std::span<double> f) {
         f[0] = motion.q.position(p).x();
       }});
  support::expect_exact_tangents(larger, *other);
  EXPECT_EQ(K(), before);
}

TEST_F(UserForceTest, DifferencesAsBeforeAfterItThrew) {
  const auto fails = std::make_shared<bool>(false);
  const auto force = model.add<UserForce>(
      {.name = "F", .nodes = {bystander}, .force = [fails, node = bystander](const Motion& motion, auto f) {
         const Vec3 x = motion.q.position(node);
         // In a step of the last component.
         if (*fails && x.z() != 3) throw std::runtime_error("no force");
         vector_view<3>(f) = Vec3(x.y() * x.z(), x.z() * x.x(), x.x() * x.y());
       }});
  const Vector v = Vector::Zero(model.velocity_count());
  const auto tangent = [&] {
    std::array<double, 9> K{}, C{};
    force->tangents({model.initial_configuration(), v, 0.0}, K, C);
    return K;
  };
  const auto before = tangent();
  *fails = true;
  EXPECT_THROW(tangent(), std::runtime_error);
  *fails = false;
  EXPECT_EQ(tangent(), before);
}

TEST_F(UserForceTest, MayNotReadNodesThatItDoesNotName) {
  const auto cheat = model.add<UserForce>(
      {.name = "cheat", .nodes = {angle}, .force = [this](const Motion& motion, std::span<double> f) {
         f[0] = motion.q.position(bystander).x();
       }});
  const Vector v = Vector::Zero(model.velocity_count());
  std::array<double, 1> K{}, C{};
  cheat->tangents({model.initial_configuration(), v, 0.0}, K, C);
  EXPECT_TRUE(std::isnan(K[0]));
}

TEST_F(UserForceTest, MayHaveAPotential) {
  // V = 1/2 |x|^2 plus drag.
  const auto gradient = [this](const Configuration& q, double, std::span<double> f) {
    vector_view<6>(f).head<3>() = -q.position(frame);
  };
  const auto force = [this, gradient](const Motion& motion, std::span<double> f) {
    gradient(motion.q, motion.t, f);
    vector_view<6>(f).head<3>() -= 0.3 * motion.v.segment<3>(frame.v);
  };
  const auto potential = [this](const Configuration& q, double) {
    return 0.5 * q.position(frame).squaredNorm();
  };
  support::expect_exact_tangents(model, *model.add<UserForce>({.name = "well",
                                                               .nodes = {frame},
                                                               .force = force,
                                                               .potential = potential,
                                                               .conservative_force = gradient,
                                                               .traits = {.has_potential = true}}));
  EXPECT_EQ(refusal({.nodes = {frame}, .force = force, .potential = potential}),
            "user force \"F\": a potential is given, but denied by its traits");
  EXPECT_EQ(refusal({.nodes = {frame}, .force = force, .traits = {.has_potential = true}}),
            "user force \"F\": has a potential by its traits, but none is given");
  EXPECT_EQ(
      refusal({.nodes = {frame}, .force = force, .potential = potential, .traits = {.has_potential = true}}),
      "user force \"F\": conservative_force is not given, which a potential needs unless the traits say "
      "is_conservative");
}

TEST_F(UserForceTest, RefusesWhatItCannotEvaluate) {
  EXPECT_EQ(refusal({.nodes = {frame}}), "user force \"F\": force is not given");
  EXPECT_EQ(refusal({.nodes = {}, .force = nothing}),
            "user force \"F\": nodes is empty, nothing is acted on");
  EXPECT_EQ(refusal({.nodes = {frame, angle, frame}, .force = nothing}),
            "user force \"F\": nodes[0] and nodes[2] are the same");
  EXPECT_EQ(refusal({.nodes = {frame, Node{}}, .force = nothing}),
            "user force \"F\": nodes[1] is not a node of model \"m\"");
  EXPECT_EQ(refusal({.nodes = {frame}, .force = nothing, .length = 0.0}),
            "user force \"F\": length is 0 m, must be positive");
  EXPECT_EQ(refusal({.nodes = {angle}, .force = [](const Motion&, std::span<double> f) { f[0] = nan; }}),
            "user force \"F\": entry 0 of the force at the start is nan, must be a finite number");
  std::vector<Node> many;
  for (int i = 0; i < 17; ++i) many.push_back(model.add_frame(fmt::format("frame {}", i)));
  EXPECT_EQ(refusal({.nodes = many, .force = nothing}),
            "user force \"F\": its nodes have 102 velocity components, more than the 96 of one element");
}

}  // namespace
}  // namespace picus::user_force_test
