#include <picus/elements/reduced/matrix_coupling.hpp>
#include <picus/error.hpp>
#include <picus/system.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::matrix_coupling_test {
namespace {

using support::message_of;

TEST(MatrixCoupling, DerivativesAreExact) {
  support::Random random(1);
  Model model("m");
  const FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  const FrameNode b = model.add_frame("b", {.position = random.vec3()});
  const PointNode p = model.add_point("p", {.position = random.vec3()});
  const auto full = [&](Index n) {
    const Eigen::MatrixXd block = random.matrix(n, n);
    return Eigen::MatrixXd(block + block.transpose());
  };
  const std::vector<MatrixCoupling::Parameters> all = {
      {.name = "aa", .a = a, .b = a, .mass = full(6), .stiffness = full(6), .damping = full(6)},
      {.name = "pp", .a = p, .b = p, .mass = full(3), .stiffness = full(3), .damping = full(3)},
      {.name = "ab",
       .a = a,
       .b = b,
       .mass = random.matrix(6, 6),
       .stiffness = random.matrix(6, 6),
       .damping = random.matrix(6, 6)},
      {.name = "ap", .a = a, .b = p, .mass = random.matrix(6, 3), .stiffness = random.matrix(6, 3)},
      {.name = "pa", .a = p, .b = a, .stiffness = random.matrix(3, 6), .damping = random.matrix(3, 6)}};
  for (const auto& parameters : all) {
    const auto element = model.add<MatrixCoupling>(parameters);
    support::expect_exact_tangents(model, *element, {.samples = 5});
  }
  EXPECT_TRUE(model.add<MatrixCoupling>({.name = "k", .a = a, .b = p, .stiffness = random.matrix(6, 3)})
                  ->traits()
                  .is_conservative);
}

/// Small displacements give f = -K d, in the order of both nodes.
TEST(MatrixCoupling, IsTheMatrixForSmallDisplacements) {
  support::Random random(2);
  Model model("m");
  const FrameNode a = model.add_frame("a", {.position = random.vec3()});
  const PointNode p = model.add_point("p", {.position = random.vec3()});
  const Eigen::MatrixXd K = random.matrix(6, 3), M = random.matrix(6, 3);
  const auto element = model.add<MatrixCoupling>({.name = "k", .a = a, .b = p, .mass = M, .stiffness = K});
  const System system(model);
  const Vector d = 1e-6 * random.vector(9);
  Configuration q = model.initial_configuration();
  retract(system.nodes(), model.initial_configuration(), d, q);
  Vector f = Vector::Zero(9);
  const Vector rest = Vector::Zero(9);
  element->force({q, rest, 0.0}, {f.data(), 9});
  // Rotations of 1e-6 rad: next order 1e-12.
  EXPECT_LT((f.head(6) + K * d.tail(3)).norm(), 1e-11);
  EXPECT_LT((f.tail(3) + K.transpose() * d.head(6)).norm(), 1e-11);
  EXPECT_NEAR(element->potential_energy(q, 0.0), d.head(6).dot(K * d.tail(3)), 1e-18);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(9, 9);
  element->mass(q, {mass.data(), 81});
  EXPECT_EQ(mass.topRightCorner(6, 3), M);
  EXPECT_EQ(mass.bottomLeftCorner(3, 6), M.transpose());
}

TEST(MatrixCoupling, RefusesWrongBlocks) {
  Model model("m");
  const FrameNode a = model.add_frame("a");
  const PointNode p = model.add_point("p");
  const ScalarNode s = model.add_scalar("s");
  const auto message = [&](const MatrixCoupling::Parameters& parameters) {
    return message_of<ModelError>([&] { model.add<MatrixCoupling>(parameters); });
  };
  EXPECT_EQ(message({.name = "k", .a = a, .b = p, .stiffness = Eigen::MatrixXd::Ones(3, 6)}),
            "matrix coupling \"k\": stiffness is 3 x 6, must be 6 x 3");
  EXPECT_EQ(message({.name = "k", .a = a, .b = s}),
            "matrix coupling \"k\": \"s\" is a scalar node, must be a frame or a point");
  Eigen::MatrixXd K = Eigen::MatrixXd::Identity(3, 3);
  K(0, 1) = 0.5;
  EXPECT_EQ(message({.name = "k", .a = p, .b = p, .damping = K}),
            "matrix coupling \"k\": damping is not symmetric");
  K(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message({.name = "k", .a = p, .b = p, .mass = K}),
            "matrix coupling \"k\": mass(0, 1) is nan, must be a finite number");
}

}  // namespace
}  // namespace picus::matrix_coupling_test
