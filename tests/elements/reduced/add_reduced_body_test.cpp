#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/reduced.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace picus::add_reduced_body_test {
namespace {

using support::message_of;

TEST(AddReducedBody, CreatesNodesAndElementsByName) {
  Model model("m");
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part",
                                                        .basis = support::random_basis(3, 2),
                                                        .gravity = Vec3(0, 0, -9.81),
                                                        .nodes = {"node2", "node7"}});
  for (const char* node : {"part", "part.eta[0]", "part.eta[1]", "part.end", "part.node2", "part.node7"})
    EXPECT_NO_THROW(model.find_node(node)) << node;
  for (const char* element : {"part", "part.damping", "part.gravity", "part.end", "part.node2", "part.node7"})
    EXPECT_NO_THROW(model.find_element(element)) << element;
  EXPECT_EQ(mesh.interface("end"), model.find_node("part.end"));
  EXPECT_EQ(mesh.point("node7").kind, NodeKind::point) << "of a frame node only the position";
}

/// Interfaces start with the velocity of the body there.
TEST(AddReducedBody, PointsMoveWithTheBody) {
  support::Random random(9);
  Model model("m");
  const auto basis = support::random_basis(3, 2);
  const Vec3 u = random.vec3(), Omega = random.vec3();
  const Mat3 R = random.rotation();
  const ReducedBodyMesh mesh = add_reduced_body(
      model, {.name = "part", .basis = basis, .rotation = R, .velocity = u, .angular_velocity = Omega});
  const auto v = model.initial_velocity();
  const Node end = mesh.interface("end");
  const ReducedPoint& point = basis->point("end");
  const Vec3 expected = u + R * Omega.cross(point.position);
  const Vec3 spin = point.axes.transpose() * Omega;
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(v[end.v + i], expected[i], 1e-15);
    EXPECT_NEAR(v[end.v + 3 + i], spin[i], 1e-15);
  }
}

TEST(AddReducedBody, SaysWhatIsMissing) {
  Model model("m");
  const auto refusal = [&](const ReducedBodyOptions& o) {
    return message_of<ModelError>([&] { add_reduced_body(model, o); });
  };
  EXPECT_EQ(refusal({.name = "part"}), "reduced body \"part\": it has no basis");
  const auto basis = support::random_basis(3, 2);
  EXPECT_EQ(refusal({.name = "part", .basis = basis, .coordinates = Vector::Zero(3)}),
            "reduced body \"part\": 3 initial coordinates are given for 2 modes");
  EXPECT_EQ(refusal({.name = "part", .basis = basis, .nodes = {"nod2"}}),
            "reduced basis \"random\": there is no interface or node \"nod2\" (did you mean \"node2\"?)");
  EXPECT_EQ(model.nodes().size(), 0U) << "nothing is added before everything is checked";
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part", .basis = basis, .nodes = {"node2"}});
  EXPECT_EQ(message_of<ModelError>([&] { mesh.interface("node2"); }),
            "reduced body \"part\" has no interface \"node2\"");
  EXPECT_EQ(message_of<ModelError>([&] { mesh.point("node3"); }),
            "reduced body \"part\" has no point node \"node3\" (did you mean \"node2\"?)");
}

TEST(AddReducedBody, ABasisIsCheckedBeforeItIsUsed) {
  const auto refusal = [](const auto& spoil) {
    ReducedBasis basis = *support::random_basis(3, 2);
    spoil(basis);
    return message_of<ModelError>([&] { basis.check(); });
  };
  const std::string who = "reduced basis \"random\": ";
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.mass = -1; }), who + "mass is -1 kg, must be positive");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.N.resize(3, 1); }), who + "N is 3 x 1, must be 3 x 2");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.damping(0, 1) = 0.0 / 0.0; }),
            who + "damping has entries that are not finite");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.stiffness(0, 1) += 1; }), who + "stiffness is not symmetric");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.L_1[1](0, 1) += 1; }), who + "L_1 is not antisymmetric");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.interfaces[0].rotation.resize(3, 0); }),
            who + "rotation of \"end\" is 3 x 0, must be 3 x 2");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.interfaces[0].axes.col(0) *= 2; }),
            who + "axes of \"end\" are not a rotation");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.interfaces[0].stiffening.pop_back(); }),
            who + "stiffening of \"end\" has 5 matrices, must have 6 or none");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.interfaces[0].stiffening[4](0, 1) += 1; }),
            who + "stiffening of \"end\" is not symmetric");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.largest_force = 0; }),
            who + "largest_force is 0 N, must be positive");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.largest_moment = -1; }),
            who + "largest_moment is -1 N m, must be positive");
  EXPECT_EQ(refusal([](ReducedBasis& b) { b.modal_mass.setZero(); }), who + "a component has no mass");
  EXPECT_EQ(
      refusal([](ReducedBasis& b) { b.modal_mass *= 1e-3; }),
      who + "its mass matrix is not positive definite: shapes depend on each other or contain rigid motions");
}

}  // namespace
}  // namespace picus::add_reduced_body_test
