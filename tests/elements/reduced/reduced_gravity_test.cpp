#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/reduced/reduced_gravity.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/reduced.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <limits>

namespace picus::reduced_gravity_test {
namespace {

using support::message_of;

TEST(ReducedGravity, DerivativesAreExact) {
  for (const Index modes : {0, 4}) {
    Model model("m");
    add_reduced_body(
        model, {.name = "part", .basis = support::random_basis(3, modes), .gravity = Vec3(1.0, -9.0, 3.0)});
    support::expect_exact_tangents(model, model.find_element("part.gravity"), {.samples = 5});
  }
}

/// The potential is that of all nodes, with the masses between them.
TEST(ReducedGravity, PotentialIsThatOfTheFullBody) {
  support::Random random(4);
  const support::RandomParts parts = support::random_parts(random, 5, 0, 3);
  ReducedBasis basis = make_reduced_basis(parts.shapes);
  basis.stiffness = Eigen::Matrix3d::Identity();
  const Vec3 a(1.0, -9.0, 3.0);
  const Vec3 position = random.vec3();
  const Mat3 R = random.rotation();
  const Vector eta = random.vector(3);
  Model model("m");
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part",
                                                        .basis = std::make_shared<const ReducedBasis>(basis),
                                                        .position = position,
                                                        .rotation = R,
                                                        .coordinates = eta,
                                                        .gravity = a});
  double expected = 0;
  for (Index i = 0; i < 5; ++i) {
    const ReducedPoint& node = parts.shapes.nodes[i];
    const double share = parts.point_mass.row(i).sum();
    expected -= share * a.dot(position + R * (node.position + node.translation * eta));
  }
  const auto& gravity = dynamic_cast<const ReducedGravity&>(model.find_element("part.gravity"));
  EXPECT_NEAR(gravity.potential_energy(model.initial_configuration(), 0), expected, 1e-13 * basis.mass * 10);
  EXPECT_TRUE(gravity.traits().is_load);
}

TEST(ReducedGravity, RefusesWhatIsNotThere) {
  Model model("m");
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = support::random_basis(3, 2)});
  EXPECT_EQ(message_of<ModelError>([&] { model.add<ReducedGravity>({.name = "g"}); }),
            "reduced gravity \"g\": it has no body");
  EXPECT_EQ(
      message_of<ModelError>([&] {
        model.add<ReducedGravity>({.name = "g",
                                   .acceleration = Vec3::Constant(std::numeric_limits<double>::infinity()),
                                   .body = &*mesh.body});
      }),
      "reduced gravity \"g\": acceleration[0] is inf m/s2, must be a finite number");
}

}  // namespace
}  // namespace picus::reduced_gravity_test
