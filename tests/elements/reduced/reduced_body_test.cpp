#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/reduced.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <limits>

namespace picus::reduced_body_test {
namespace {

using support::message_of;

/// eta about as large as rotations of half a radian and displacements of 0.2 sizes, as in the random states.
const TangentCheckOptions states{.samples = 5, .length = 1.0, .angle = 3.0};

TEST(ReducedBody, DerivativesAreExactAndForcesBalanceTheChangeOfMass) {
  for (const Index modes : {1, 2, 7}) {
    Model model("m");
    const ReducedBodyMesh mesh =
        add_reduced_body(model, {.name = "part", .basis = support::random_basis(3, modes)});
    support::expect_exact_tangents(model, *mesh.body, states);
  }
}

TEST(ReducedBody, WithoutModesItIsTheRigidBody) {
  Model model("m");
  const auto basis = support::random_basis(4, 0);
  const ReducedBodyMesh mesh = add_reduced_body(model, {.name = "part", .basis = basis});
  const Vec3 c = basis->first_moment / basis->mass;
  const Mat3 about_centre = basis->inertia + basis->mass * (c * c.transpose() - c.dot(c) * Mat3::Identity());
  const auto rigid = model.add<RigidBody>({.name = "rigid",
                                           .node = mesh.frame,
                                           .mass = basis->mass,
                                           .inertia = 0.5 * (about_centre + about_centre.transpose()),
                                           .centre_of_mass = c});
  support::expect_exact_tangents(model, *mesh.body, states);
  support::Random random(5);
  Configuration q = model.initial_configuration();
  q.rotation(mesh.frame) = random.rotation();
  const Vector v = random.vector(6, 2.0);
  std::array<double, 36> M{}, M_rigid{};
  mesh.body->mass(q, M);
  rigid->mass(q, M_rigid);
  std::array<double, 6> f{}, f_rigid{};
  mesh.body->force({q, v, 0}, f);
  rigid->force({q, v, 0}, f_rigid);
  const double size = basis->inertia.norm() + basis->mass;
  for (std::size_t i = 0; i < 36; ++i) EXPECT_NEAR(M[i], M_rigid[i], 1e-14 * size);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(f[i], f_rigid[i], 1e-13 * size * v.squaredNorm());
}

/// The kinetic energy is that of the nodes of the full body, each with its velocity.
TEST(ReducedBody, KineticEnergyIsThatOfTheFullBody) {
  support::Random random(11);
  constexpr Index modes = 4;
  const support::RandomParts parts = support::random_parts(random, 6, 0, modes);
  ReducedBasis basis = make_reduced_basis(parts.shapes);
  basis.stiffness = Eigen::MatrixXd::Identity(modes, modes);
  Model model("m");
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = std::make_shared<const ReducedBasis>(basis)});
  for (int sample = 0; sample < 5; ++sample) {
    Configuration q = model.initial_configuration();
    const Mat3 R = random.rotation();
    q.rotation(mesh.frame) = R;
    const Vector eta = random.vector(modes), v = random.vector(6 + modes);
    for (Index k = 0; k < modes; ++k) q.value(mesh.coordinates[k]) = eta[k];
    double energy = 0;
    std::vector<Vec3> velocity;
    for (const ReducedPoint& node : parts.shapes.nodes) {
      const Vec3 y = node.position + node.translation * eta;
      velocity.push_back(v.head<3>() + R * (v.segment<3>(3).cross(y) + node.translation * v.tail(modes)));
    }
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      for (std::size_t j = 0; j < velocity.size(); ++j)
        energy += 0.5 * parts.point_mass(i, j) * velocity[i].dot(velocity[j]);
    }
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 + modes, 6 + modes);
    mesh.body->mass(q, {M.data(), static_cast<std::size_t>(M.size())});
    EXPECT_NEAR(0.5 * v.dot(M * v), energy, 1e-13 * energy);
  }
}

/// Frames: rotational inertia counts at eta = 0, where the energy is exact.
TEST(ReducedBody, RotationalInertiaOfFramesCounts) {
  support::Random random(12);
  constexpr Index modes = 3;
  const support::RandomParts parts = support::random_parts(random, 0, 4, modes);
  const ReducedBasis basis = make_reduced_basis(parts.shapes);
  const Vector v = random.vector(6 + modes);
  double energy = 0;
  std::vector<Vec3> velocity;
  for (std::size_t i = 0; i < parts.shapes.nodes.size(); ++i) {
    const ReducedPoint& node = parts.shapes.nodes[i];
    velocity.push_back(v.head<3>() + v.segment<3>(3).cross(node.position) + node.translation * v.tail(modes));
    const Vec3 spin = node.axes.transpose() * v.segment<3>(3) + node.rotation * v.tail(modes);
    energy += 0.5 * spin.dot(parts.inertia[i] * spin);
  }
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    for (std::size_t j = 0; j < velocity.size(); ++j)
      energy += 0.5 * parts.point_mass(i, j) * velocity[i].dot(velocity[j]);
  }
  Model model("m");
  ReducedBasis stiff = basis;
  stiff.stiffness = Eigen::MatrixXd::Identity(modes, modes);
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = std::make_shared<const ReducedBasis>(stiff)});
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 + modes, 6 + modes);
  mesh.body->mass(model.initial_configuration(), {M.data(), static_cast<std::size_t>(M.size())});
  EXPECT_NEAR(0.5 * v.dot(M * v), energy, 1e-13 * energy);
}

TEST(ReducedBody, PlacesItsPoints) {
  const auto basis = support::random_basis(6, 3);
  Model model("m");
  support::Random random(7);
  const Vec3 position = random.vec3();
  const Mat3 rotation = random.rotation();
  const Vector eta = random.vector(3);
  const ReducedBodyMesh mesh = add_reduced_body(
      model,
      {.name = "part", .basis = basis, .position = position, .rotation = rotation, .coordinates = eta});
  const ReducedPoint& end = basis->point("end");
  const Configuration& q = model.initial_configuration();
  Vec3 y = end.position + end.translation * eta, theta = end.rotation * eta;
  for (Index c = 0; c < 3; ++c) {
    y[c] -= 0.5 * eta.dot(end.stiffening[c] * eta);
    theta[c] -= 0.5 * eta.dot(end.stiffening[3 + c] * eta);
  }
  EXPECT_LT((mesh.body->position(end, q) - position - rotation * y).norm(), 1e-15);
  EXPECT_LT((mesh.body->rotation(end, q) - rotation * end.axes * so3::exp(theta)).norm(), 1e-15);
}

TEST(ReducedBody, BeyondItsSpinTheRunEnds) {
  ReducedBasis basis = *support::random_basis(6, 2);
  basis.largest_spin = 3.0;
  Model model("m");
  const ReducedBodyMesh mesh =
      add_reduced_body(model, {.name = "part", .basis = std::make_shared<const ReducedBasis>(basis)});
  Vector v = Vector::Zero(20);
  std::array<double, 8> f{};
  v[mesh.frame.v + 4] = 2.9;
  EXPECT_NO_THROW(mesh.body->force({model.initial_configuration(), v, 0}, f));
  v[mesh.frame.v + 4] = 3.1;
  EXPECT_EQ(message_of<SolverError>([&] {
              mesh.body->force({model.initial_configuration(), v, 0}, f);
            }),
            "reduced body \"part\" turns at 3.1 rad/s, its basis is for at most 3: beyond, centrifugal "
            "forces soften it "
            "without the stiffening that its basis leaves out");
}

TEST(ReducedBody, RefusesWhatDoesNotFit) {
  Model model("m");
  const FrameNode frame = model.add_frame("frame");
  const ScalarNode eta = model.add_scalar("eta");
  const auto refusal = [&](const ReducedBody::Parameters& p) {
    return message_of<ModelError>([&] { model.add<ReducedBody>(p); });
  };
  EXPECT_EQ(refusal({.name = "part", .frame = frame}), "reduced body \"part\": it has no basis");
  EXPECT_EQ(
      refusal({.name = "part", .basis = support::random_basis(1, 2), .frame = frame, .coordinates = {eta}}),
      "reduced body \"part\": it has 1 coordinates, its basis has 2 modes");
}

}  // namespace
}  // namespace picus::reduced_body_test
