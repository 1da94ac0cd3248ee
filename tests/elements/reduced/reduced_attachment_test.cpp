#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/reduced.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace picus::reduced_attachment_test {
namespace {

using support::message_of;

TEST(ReducedAttachment, DerivativesAreExact) {
  for (const Index modes : {1, 6}) {
    Model model("m");
    const ReducedBodyMesh mesh = add_reduced_body(
        model, {.name = "part", .basis = support::random_basis(3, modes), .nodes = {"node1", "node6"}});
    for (const char* name : {"part.end", "part.node1", "part.node6"}) {
      SCOPED_TRACE(name);
      support::expect_exact_tangents(model, model.find_element(name), {.samples = 5, .angle = 1.5});
    }
  }
}

/// The residual is the distance in the inertial frame, and half the sine of a rotation about any axis times two.
TEST(ReducedAttachment, ResidualIsDistanceAndSineOfTheAngle) {
  support::Random random(8);
  Model model("m");
  const auto basis = support::random_basis(5, 3);
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part",
                                                        .basis = basis,
                                                        .position = random.vec3(),
                                                        .rotation = random.rotation(),
                                                        .coordinates = random.vector(3)});
  const auto& tie = dynamic_cast<const ReducedAttachment&>(model.find_element("part.end"));
  Configuration q = model.initial_configuration();
  std::array<double, 6> g{};
  tie.residual(q, 0, g);
  EXPECT_LT(Eigen::Map<const Vector>(g.data(), 6).norm(), 1e-15) << "they are created where the body is";
  const Vec3 shift = random.vec3(), axis = random.direction();
  const FrameNode end = mesh.interface("end");
  q.position(end) += shift;
  q.rotation(end) = q.rotation(end) * so3::exp(0.3 * axis);
  g = {};
  tie.residual(q, 0, g);
  EXPECT_LT((Eigen::Map<const Vec3>(g.data()) - shift).norm(), 1e-15);
  EXPECT_LT((Eigen::Map<const Vec3>(g.data() + 3) - std::sin(0.3) * axis).norm(), 1e-15);
}

/// The force on the modal coordinates of a reaction F, M is Phi^T F + Psi^T M - K_G eta at small eta.
TEST(ReducedAttachment, ReactionsStiffenTheBody) {
  Model model("m");
  const auto basis = support::random_basis(5, 3);
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part", .basis = basis});
  const auto& tie = dynamic_cast<const ReducedAttachment&>(model.find_element("part.end"));
  const ReducedPoint& end = basis->point("end");
  support::Random random(2);
  const Vector lambda = random.vector(6);
  // The force on the body is opposite to that on the node, here in the axes of the body.
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(tie.dof_count(), tie.dof_count());
  tie.geometric_stiffness(model.initial_configuration(), 0, {lambda.data(), 6},
                          {K.data(), static_cast<std::size_t>(K.size())});
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3, 3);
  for (Index c = 0; c < 6; ++c) expected += lambda[c] * end.stiffening[c];
  // The contribution of the chart of rotations is antisymmetric.
  const Eigen::MatrixXd found = K.block(6, 6, 3, 3);
  EXPECT_LT((0.5 * (found + found.transpose()) - expected).norm(), 1e-13 * expected.norm());
}

TEST(ReducedAttachment, WithoutStiffeningItsReactionIsLimited) {
  ReducedBasis basis = *support::random_basis(5, 3);
  basis.interfaces[0].stiffening.clear();
  basis.largest_force = 10;
  basis.largest_moment = 2;
  Model model("m");
  add_reduced_body(model, {.name = "part", .basis = std::make_shared<const ReducedBasis>(basis)});
  const auto& tie = dynamic_cast<const ReducedAttachment&>(model.find_element("part.end"));
  const auto overload = [&](double force, double moment) {
    const std::array<double, 6> lambda = {0, force, 0, moment, 0, 0};
    return tie.overload(lambda);
  };
  EXPECT_EQ(overload(9.9, 0), "");
  EXPECT_EQ(overload(0, -1.9), "");
  EXPECT_EQ(overload(4.9, 1.0), "");
  EXPECT_EQ(
      overload(5.1, -1.0),
      "carries 5.1 N and 1 N m, its basis is for at most 10 N or 2 N m: beyond, forces stiffen or soften the "
      "body in a way that its basis leaves out");
  EXPECT_NE(overload(-10.1, 0), "");
  basis.interfaces[0].stiffening.assign(6, Eigen::MatrixXd::Zero(3, 3));
  Model stiffened("m");
  add_reduced_body(stiffened, {.name = "part", .basis = std::make_shared<const ReducedBasis>(basis)});
  const std::array<double, 6> large = {1e3, 0, 0, 0, 0, 0};
  EXPECT_EQ(dynamic_cast<const ReducedAttachment&>(stiffened.find_element("part.end")).overload(large), "");
}

TEST(ReducedAttachment, RefusesWhatCannotBeTied) {
  Model model("m");
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = support::random_basis(3, 2)});
  const FrameNode frame = model.add_frame("frame");
  const ScalarNode scalar = model.add_scalar("scalar");
  const auto refusal = [&](const ReducedAttachment::Parameters& p) {
    return message_of<ModelError>([&] { model.add<ReducedAttachment>(p); });
  };
  EXPECT_EQ(refusal({.name = "tie", .point = "end", .node = frame}),
            "reduced attachment \"tie\": it has no body");
  EXPECT_EQ(refusal({.name = "tie", .body = &*mesh.body, .point = "ende", .node = frame}),
            "reduced basis \"random\": there is no interface or node \"ende\" (did you mean \"end\"?)");
  EXPECT_EQ(
      refusal({.name = "tie", .body = &*mesh.body, .point = "node1", .node = frame}),
      "reduced attachment \"tie\": node is a frame, but \"node1\" of its body is a point without a rotation");
  EXPECT_EQ(refusal({.name = "tie", .body = &*mesh.body, .point = "end", .node = scalar}),
            "reduced attachment \"tie\": node is a scalar node, must be a frame or a point");
}

}  // namespace
}  // namespace picus::reduced_attachment_test
