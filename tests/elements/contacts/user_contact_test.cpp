#include "../joints/joint_models.hpp"
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/user_contact.hpp>
#include <picus/testing/tangent_check.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/user_functions.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace picus::user_contact_test {
namespace {

using support::expect_near;
using support::first_differences;
using support::message_of;
using support::second_differences;

class UserContactTest : public testing::Test {
 protected:
  std::string refusal(UserContact::Parameters parameters) {
    parameters.name = "C";
    return message_of<ModelError>([&] { model.add<UserContact>(std::move(parameters)); });
  }
  /// The tip of a frame on a plane of the other one, as NodeToFaceContact.
  UserContact::Parameters tip_on_plane(const NodeToFaceContact& like) const {
    const auto place = [tip = MaterialPoint{body, {0.2, 0.5, -0.3}},
                        master = master](const Configuration& q) {
      return Vec3(q.rotation(master).transpose() * (tip.position(q) - q.position(master)));
    };
    const Mat3 axes = like.directions();
    return {.name = "users",
            .nodes = {body, master},
            .gap = [=](const Configuration& q) { return axes.col(0).dot(place(q) - Vec3(0.1, 0.2, 0.3)); },
            .coordinates =
                [=](const Configuration& q, std::span<double> s) {
                  s[0] = axes.col(1).dot(place(q));
                  s[1] = axes.col(2).dot(place(q));
                },
            .mu = 0.3};
  }
  Handle<NodeToFaceContact> plane(double anisotropy = 1.0) {
    return model.add<NodeToFaceContact>(
        {.name = "library's",
         .slave = {body, {0.2, 0.5, -0.3}},
         .face = {.node = master, .point = {0.1, 0.2, 0.3}, .normal = {1, 2, 2}, .tangent = Vec3(1, 0, 0)},
         .mu = 0.3,
         .anisotropy = anisotropy});
  }

  support::Random random{7};
  Model model{"m"};
  FrameNode master = model.add_frame("master", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode body = model.add_frame("body", {.position = random.vec3(), .rotation = random.rotation()});
};

TEST_F(UserContactTest, DifferencesItsGap) {
  EXPECT_LT(check_tangents(model, *model.add<UserContact>(tip_on_plane(*plane()))).worst_error,
            second_differences);
}

TEST_F(UserContactTest, AgreesWithTheContactOfTheLibrary) {
  // With differently scaled coordinates a UserContact has anisotropic friction, too.
  const auto library = plane(2.5);
  const auto users = model.add<UserContact>(tip_on_plane(*library));
  const Configuration& q_n = model.initial_configuration();
  const Configuration q = support::moved(model, q_n, random.vector(model.velocity_count(), 0.3));
  const auto g = [&](const Contact& one) {
    return support::filled(3, 1, [&](auto out) { one.displacement(q_n, q, out); });
  };
  const std::array<double, 3> p = {2.0, -0.5, 0.4};
  const auto K = [&](const Contact& one) {
    return support::filled(12, 12, [&](auto out) { one.geometric_stiffness(q, p, out); });
  };
  // The order of the nodes is that of the library's contact.
  ASSERT_EQ(library->nodes()[0], users->nodes()[0]);
  expect_near(g(*users), g(*library), 1e-14, "displacement");
  expect_near(support::gradient(*users, q), support::gradient(*library, q), first_differences, "gradient");
  expect_near(K(*users), K(*library), second_differences, "geometric stiffness");
}

/// A particle that slides from the top of a smooth sphere leaves it two thirds of the radius above its centre, whatever
/// the radius and gravity are: m v^2/R = m g cos(theta), v^2 = 2 g R (1 - cos(theta)).
TEST(UserContact, AParticleLeavesASphereAtTwoThirdsOfItsHeight) {
  for (const auto& [radius, h] : {std::pair(1.5, 1e-3), {1.5, 5e-4}, {0.02, 2e-4}}) {
    Model model;
    const double theta = 0.1;
    const double speed = std::sqrt(2 * 9.81 * radius * (1 - std::cos(theta)));
    const auto bead =
        joint_models::add_mass(model, "bead", 0.3,
                               {.position = {radius * std::sin(theta), 0, radius * std::cos(theta)},
                                .velocity = {speed * std::cos(theta), 0, -speed * std::sin(theta)}});
    model.add<UserContact>(
        {.name = "sphere",
         .nodes = {bead},
         .gap = [bead, radius = radius](const Configuration& q) { return q.position(bead).norm() - radius; },
         .length = radius});
    double height = 0;
    double penetration = 0;
    joint_models::run(model, {.step = h}, std::sqrt(radius), [&, radius = radius](const State& state) {
      const Vec3 x = state.q.position(bead);
      if (state.contact_impulse.size() > 0 && state.contact_impulse[0] > 0) height = x.z() / radius;
      penetration = std::max(penetration, radius - x.norm());
    });
    // It moves by v h in a step, v^2 = 2 g R/3.
    EXPECT_NEAR(height, 2.0 / 3, 2 * h * std::sqrt(2 * 9.81 * radius / 3) / radius) << h;
    EXPECT_LT(penetration, 1e-10) << radius;
  }
}

/// A block with friction on a slope stops after v^2/(2 g (mu cos - sin)).
TEST(UserContact, FrictionStopsASlide) {
  constexpr double slope = 0.2;
  constexpr double mu = 0.5;
  const Vec3 down(std::cos(slope), 0, -std::sin(slope));
  const Vec3 normal(std::sin(slope), 0, std::cos(slope));
  Model model;
  const auto block = joint_models::add_mass(model, "block", 2.0, {.velocity = 1.2 * down});
  model.add<UserContact>({.name = "slope",
                          .nodes = {block},
                          .gap = [=](const Configuration& q) { return normal.dot(q.position(block)); },
                          .coordinates =
                              [=](const Configuration& q, std::span<double> s) {
                                s[0] = down.dot(q.position(block));
                                s[1] = q.position(block).y();
                              },
                          .mu = mu});
  const State end = joint_models::run(model, {.step = 1e-3}, 1.0).final_state;
  const double deceleration = 9.81 * (mu * std::cos(slope) - std::sin(slope));
  // What it slides in the step in which it stops.
  EXPECT_NEAR(down.dot(end.q.position(block)), 1.2 * 1.2 / (2 * deceleration), 1.2e-3);
  EXPECT_EQ(end.contact_state[0], ContactState::stick);
  EXPECT_LT(end.v.norm(), 2e-8 * 9.81 * 1e-3) << "the tolerance times the speed that gravity gives in a step";
}

TEST_F(UserContactTest, RefusesWhatItCannotEvaluate) {
  const auto open = [](const Configuration&) { return 1.0; };
  const auto lost = [](const Configuration&) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_EQ(refusal({.nodes = {body}}), "user contact \"C\": gap is not given");
  EXPECT_EQ(refusal({.nodes = {}, .gap = open}), "user contact \"C\": nodes is empty, nothing is acted on");
  EXPECT_EQ(refusal({.nodes = {body, body}, .gap = open}),
            "user contact \"C\": nodes[0] and nodes[1] are the same");
  EXPECT_EQ(refusal({.nodes = {body}, .gap = open, .mu = 0.3}),
            "user contact \"C\": mu is 0.3, but no coordinates are given");
  EXPECT_EQ(refusal({.nodes = {body}, .gap = open, .e_n = 1.5}),
            "user contact \"C\": e_n is 1.5, must lie in [0, 1]");
  EXPECT_EQ(refusal({.nodes = {body}, .gap = open, .length = 0}),
            "user contact \"C\": length is 0 m, must be positive");
  EXPECT_EQ(refusal({.nodes = {body}, .gap = lost}),
            "user contact \"C\": gap at the start is nan m, must be a finite number");
}

}  // namespace
}  // namespace picus::user_contact_test
