#include <picus/local_dofs.hpp>
#include <picus/mass_matrix.hpp>
#include <support/bodies.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using support::dense;
using support::OffsetBody;
using support::PointMass;
using support::Random;

/// The sum over all elements, as a dense matrix.
Eigen::MatrixXd dense_mass(const Model& model, const Configuration& q) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(model.velocity_count(), model.velocity_count());
  for (const auto& [element, role] : model.inertias()) {
    const Index n = element->dof_count();
    std::vector<double> local(n * n, 0.0);
    role->mass(q, local);
    for_each_dof(*element, [&, &element = element](Index c, Index column) {
      for_each_dof(*element, [&](Index r, Index row) { M(row, column) += local[c * n + r]; });
    });
  }
  return M;
}

TEST(MassMatrix, SumsAllElementsAtAnyConfiguration) {
  Random random(2);
  const Model model = make_mixed_model(random);
  const System system(model);
  MassMatrix mass(system);
  EXPECT_FALSE(mass.is_constant());
  support::expect_near(dense(mass.matrix()), dense_mass(model, model.initial_configuration()), 1e-15,
                       "at the start");
  for (int sample = 0; sample < 5; ++sample) {
    const Configuration q = moved_freely(system, model.initial_configuration(), random, 3.0);
    mass.assemble(q);
    support::expect_near(dense(mass.matrix()), dense_mass(model, q), 1e-15, "elsewhere");
  }
}

TEST(MassMatrix, IsAssembledOnceWhenConstant) {
  Model model;
  const auto a = model.add_point("a");
  const auto b = model.add_frame("b");
  model.add<PointMass>({.name = "mass of a", .node = a, .mass = 2});
  model.add<OffsetBody>({.name = "mass of b", .node = b, .mass = 3, .inertia = {4, 5, 6}});
  const System system(model);
  MassMatrix mass(system);
  EXPECT_TRUE(mass.is_constant());
  const std::vector<double> values = mass.matrix().values;
  Random random(1);
  mass.assemble(moved_freely(system, model.initial_configuration(), random, 1.0));
  EXPECT_EQ(mass.matrix().values, values);
  // Entries that are always zero are not stored.
  EXPECT_EQ(values, (std::vector<double>{2, 2, 2, 3, 3, 3, 4, 5, 6}));
}

TEST(MassMatrix, KeepsTheConstantPartWhileTheRestVaries) {
  Model model;
  const auto frame = model.add_frame("frame");
  model.add<OffsetBody>({.name = "core", .node = frame, .mass = 3});
  model.add<OffsetBody>({.name = "satellite", .node = frame, .mass = 1, .centre = {2, 0, 0}});
  const System system(model);
  MassMatrix mass(system);
  const Configuration start = model.initial_configuration();
  Configuration turned = start;
  retract(model.nodes(), start, Vector::Unit(6, 5), turned);
  mass.assemble(turned);
  support::expect_near(dense(mass.matrix()), dense_mass(model, turned), 1e-15, "turned");
  mass.assemble(start);
  support::expect_near(dense(mass.matrix()), dense_mass(model, start), 1e-15, "back");
}

TEST(MassMatrix, MultipliesLikeTheDenseMatrix) {
  Random random(4);
  const Model model = make_mixed_model(random);
  const System system(model);
  const MassMatrix mass(system);
  const Eigen::MatrixXd M = dense_mass(model, model.initial_configuration());
  const Vector w = random.vector(system.velocity_count());
  Vector product;
  mass.multiply(w, product);
  support::expect_near(product, M * w, 1e-15, "M w");
  EXPECT_NEAR(mass.quadratic(w), w.dot(M * w), 1e-14);
  for (Index dof = 0; dof < M.rows(); ++dof) EXPECT_NEAR(mass.diagonal(dof), M(dof, dof), 1e-15);
}

TEST(MassMatrix, GivesMasslessNodesAZeroDiagonal) {
  Model model;
  model.add_point("knot");
  const MassMatrix mass{System(model)};
  EXPECT_EQ(mass.diagonal(1), 0.0);
}

}  // namespace
}  // namespace picus
