#include <picus/elements/beams/beam.hpp>
#include <support/evaluate.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

class BeamTest : public ::testing::Test {
 protected:
  support::Random random{5};
};

TEST_F(BeamTest, DerivativesAreExact) {
  for (int i = 0; i < 5; ++i) {
    Model model{"m"};
    const Vec3 x = random.vec3();
    const Vec3 y = x + random.direction();
    const auto a = model.add_frame("a", {.position = x, .rotation = random.rotation()});
    const auto b = model.add_frame("b", {.position = y, .rotation = random.rotation()});
    const Eigen::MatrixXd X = random.matrix(6, 6);
    const Eigen::MatrixXd Y = random.matrix(6, 6);
    Section section;
    section.stiffness = X * X.transpose() + Mat6::Identity();
    if (i > 1) section.damping = Y * Y.transpose();
    section.mass = 2;
    const Mat3 J = random.matrix(3, 3);
    section.inertia = J * J.transpose();
    const Mat3 A = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), y - x).toRotationMatrix();
    const Mat3 B = A * so3::exp(random.vec3(0.5));
    const auto beam =
        model.add<Beam>({.name = "beam", .a = a, .b = b, .section = section, .axes_a = A, .axes_b = B});
    support::expect_exact_tangents(model, *beam, {.length = 0.5, .angle = 1.0});
  }
}

}  // namespace
}  // namespace picus
