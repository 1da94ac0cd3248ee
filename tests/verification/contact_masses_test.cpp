// Effective masses of contacts of large parts, computed from their neighbourhood only, compared with those from all
// unknowns.

#include <picus/models/flexible_cube.hpp>
#include <picus/picus.hpp>
#include <picus/solvers/subproblems/contact_masses.hpp>
#include <support/dense.hpp>
#include <support/dense_algebra.hpp>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace picus {
namespace {

using support::dense;

/// Normal rows of the contacts and rows of the constraints at the start, dense, all components free.
Eigen::MatrixXd rows_of(std::span<const GradientEntry> entries, const Gradients& G,
                        std::span<const Index> rows, Index columns) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(count_of(rows), columns);
  for (const GradientEntry& e : entries) {
    for (Index i = 0; i < count_of(rows); ++i) {
      if (rows[i] == e.row) result(i, e.dof) += G.values[e.source];
    }
  }
  return result;
}

/// 1 / (n (M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1) n^T) of each contact, from dense matrices.
Vector exact_masses(const System& system, const MassMatrix& mass) {
  const Configuration& q = system.model().initial_configuration();
  const Index size = system.velocity_count();
  Gradients G = system.make_constraint_gradients();
  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_gradients(q, 0.0, G);
  system.evaluate_contact_gradients(q, contact_G);
  std::vector<Index> normal, all;
  for (const auto& contact : system.contacts()) normal.push_back(contact.first_row);
  for (Index row = 0; row < system.row_count(); ++row) all.push_back(row);
  const Eigen::MatrixXd n = rows_of(system.contact_entries(), contact_G, normal, size);
  const Eigen::MatrixXd g = rows_of(system.constraint_entries(), G, all, size);
  const Eigen::LDLT<Eigen::MatrixXd> M(dense(mass.matrix()));
  const Eigen::MatrixXd x = M.solve(n.transpose());
  Eigen::MatrixXd compliance = n * x;
  if (g.rows() > 0) {
    const Eigen::MatrixXd gx = g * x;
    const Eigen::MatrixXd schur = g * M.solve(g.transpose());
    compliance -= gx.transpose() * schur.ldlt().solve(gx);
  }
  return compliance.diagonal().cwiseInverse();
}

/// Largest relative difference.
double error_of_masses(const Model& model) {
  const System system(model);
  const MassMatrix mass(system);
  const Scales scales(system, mass);
  const Vector masses = solvers::contact_masses(system, mass, scales, model.initial_configuration(), 0.0);
  const Vector exact = exact_masses(system, mass);
  return (masses.cwiseQuotient(exact).array() - 1.0).abs().maxCoeff();
}

// 729 unknowns in each direction, 100 of which are used: two rings of nodes around one.
TEST(ContactMasses, OfAMeshNeedThoseNextToTheContact) {
  const double error = error_of_masses(models::make_flexible_cube({.divisions = 8}));
  EXPECT_GT(error, 0.0) << "this is the exact way";
  EXPECT_LT(error, 1e-2);
}

/// A zigzag, so that its joints transmit forces in all directions, with a contact at the end of every tenth link.
Model make_chain(Index links) {
  Model model("chain");
  MaterialPoint end = MaterialPoint::on_ground(Vec3::Zero());
  Vec3 place = Vec3::Zero();
  for (Index i = 0; i < links; ++i) {
    const Vec3 direction = Vec3(1.0, i % 2 == 0 ? 0.5 : -0.5, i % 3 == 0 ? 0.3 : -0.2).normalized();
    const FrameNode node = model.add_frame(fmt::format("link[{}]", i),
                                           {.position = place + 0.5 * direction,
                                            .rotation = support::rotation_between(Vec3::UnitX(), direction)});
    model.add<RigidBody>({.name = fmt::format("body[{}]", i),
                          .node = node,
                          .mass = 1.0 + 0.3 * (i % 3),
                          .inertia = inertia::cylinder(1.0, 0.1, 1.0, 0)});
    model.add<SphericalJoint>({.name = fmt::format("joint[{}]", i), .a = end, .b = {node, Vec3(-0.5, 0, 0)}});
    place += direction;
    end = {node, Vec3(0.5, 0, 0)};
    if (i % 10 == 0) {
      model.add<NodeToFaceContact>({.name = fmt::format("floor[{}]", i),
                                    .slave = end,
                                    .face = {.point = Vec3(0, 0, -100), .normal = Vec3::UnitZ()}});
    }
  }
  return model;
}

TEST(ContactMasses, OfAChainNeedThoseNextToTheContact) {
  EXPECT_LT(error_of_masses(make_chain(80)), 1e-2);
}

// All unknowns are used: only rounding and the 1e-12 that keeps redundant rows solvable.
TEST(ContactMasses, OfSmallPartsAreExact) {
  EXPECT_LT(error_of_masses(make_chain(20)), 1e-9);
  EXPECT_LT(error_of_masses(models::make_flexible_cube({.divisions = 4})), 1e-9);
}

}  // namespace
}  // namespace picus
