// Against integrals of the density over the body, by a sum over a fine grid.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <string>

namespace picus {
namespace {

constexpr int cells = 100;

/// Sum of m (|x|^2 I - x x^T) over the cell centres in the box of the given edges that are inside the body.
template <class Inside>
Mat3 summed_inertia(double mass, const Vec3& edges, const Inside& inside) {
  Mat3 sum = Mat3::Zero();
  int count = 0;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const Vec3 x = edges.cwiseProduct(((Vec3(i, j, k).array() + 0.5) / cells - 0.5).matrix());
        if (!inside(x)) continue;
        sum += x.squaredNorm() * Mat3::Identity() - x * x.transpose();
        ++count;
      }
    }
  }
  return mass / count * sum;
}

/// Cells cut by a curved surface are counted as a whole or not at all: errors of the order of 1 / cells, of either
/// sign, hence far less in the sum.
constexpr double cut_cells = 2e-3;

TEST(InertiaTensors, BoxHasTheIntegralOverItsVolume) {
  const Vec3 edges(1.0, 2.0, 0.5);
  const Mat3 expected = summed_inertia(3.0, edges, [](const Vec3&) { return true; });
  // The midpoint rule errs by 1 / (cells^2) of the second moments.
  EXPECT_LT((inertia::box(3.0, edges) - expected).norm(), 2e-4 * expected.norm());
}

TEST(InertiaTensors, SphereHasTheIntegralOverItsVolume) {
  const Mat3 expected =
      summed_inertia(3.0, Vec3::Constant(1.4), [](const Vec3& x) { return x.norm() <= 0.7; });
  EXPECT_LT((inertia::sphere(3.0, 0.7) - expected).norm(), cut_cells * expected.norm());
}

TEST(InertiaTensors, CylinderHasTheIntegralOverItsVolumeAboutEachAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 edges = Vec3::Constant(0.8);
    edges[axis] = 1.5;
    const Mat3 expected = summed_inertia(
        3.0, edges, [&](const Vec3& x) { return x.squaredNorm() - x[axis] * x[axis] <= 0.4 * 0.4; });
    EXPECT_LT((inertia::cylinder(3.0, 0.4, 1.5, axis) - expected).norm(), cut_cells * expected.norm());
  }
}

TEST(InertiaTensors, RodAndDiscAreLimitsOfTheCylinder) {
  EXPECT_EQ(inertia::cylinder(12.0, 0.0, 2.0), inertia::diagonal(4.0, 4.0, 0.0));
  EXPECT_EQ(inertia::cylinder(4.0, 1.0, 0.0), inertia::diagonal(1.0, 1.0, 2.0));
}

TEST(InertiaTensors, ACylinderHasOneOfThreeAxes) {
  for (const int axis : {-1, 3, 100000000})
    EXPECT_EQ(support::message_of<ModelError>([&] { inertia::cylinder(1.0, 1.0, 1.0, axis); }),
              "the axis of a cylinder is " + std::to_string(axis) + ", must be 0, 1 or 2");
}

TEST(InertiaTensors, AllAreInertiasThatABodyCanHave) {
  Model model;
  const auto node = model.add_frame("node");
  const auto accept = [&](const std::string& name, const Mat3& inertia) {
    EXPECT_NO_THROW(model.add<RigidBody>({.name = name, .node = node, .mass = 1.0, .inertia = inertia}));
  };
  accept("plate", inertia::box(1.0, {1.0, 2.0, 0.0}));
  accept("sphere", inertia::sphere(1.0, 1.0));
  accept("rod", inertia::cylinder(1.0, 0.0, 1.0, 1));
  accept("disc", inertia::cylinder(1.0, 1.0, 0.0, 0));
  accept("planar", inertia::planar(0.3));
  accept("planar without inertia", inertia::planar(0.0));
  EXPECT_EQ(inertia::planar(0.3)(2, 2), 0.3);
}

}  // namespace
}  // namespace picus
