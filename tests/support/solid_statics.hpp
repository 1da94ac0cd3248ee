#pragma once

/// Small static problems of models without constraints: assembled matrices and a load-stepped Newton method.

#include <picus/local_dofs.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/system.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace picus::support {

/// Adds a local matrix of an element to the free part.
class FreeMatrix {
 public:
  explicit FreeMatrix(const System& system) : system_(system) {}

  void add(const Element& element, std::span<const double> local, double factor) {
    const std::size_t n = element.dof_count();
    std::vector<Index> places;
    for_each_dof(element, [&](Index, Index dof) { places.push_back(system_.free_index()[dof]); });
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < n; ++r) {
        if (places[r] >= 0 && places[c] >= 0)
          entries_.push_back({places[r], places[c], factor * local[c * n + r]});
      }
    }
  }
  Eigen::SparseMatrix<double> sparse() const {
    const auto size = count_of(system_.free_dofs());
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    return matrix;
  }

 private:
  const System& system_;
  std::vector<Eigen::Triplet<double>> entries_;
};

/// K = -df/dq of the free components, loads times load_factor.
inline Eigen::SparseMatrix<double> free_stiffness(const System& system, const Configuration& q,
                                                  double load_factor = 1.0) {
  FreeMatrix matrix(system);
  const Vector v = Vector::Zero(system.velocity_count());
  for (const auto& [element, role] : system.model().forces()) {
    if (!role->traits().depends_on_configuration) continue;
    const std::size_t n = element->dof_count();
    std::vector<double> K(n * n, 0.0);
    std::vector<double> C(n * n, 0.0);
    role->tangents({q, v, 0.0}, K, C);
    matrix.add(*element, K, role->traits().is_load ? load_factor : 1.0);
  }
  return matrix.sparse();
}

/// M of the free components.
inline Eigen::SparseMatrix<double> free_mass(const System& system, const Configuration& q) {
  FreeMatrix matrix(system);
  for (const auto& [element, role] : system.model().inertias()) {
    const std::size_t n = element->dof_count();
    std::vector<double> M(n * n, 0.0);
    role->mass(q, M);
    matrix.add(*element, M, 1.0);
  }
  return matrix.sparse();
}

/// f of the free components, at rest.
inline Vector free_force(const System& system, const Configuration& q, double load_factor = 1.0) {
  Vector f = Vector::Zero(system.velocity_count());
  const Vector v = f;
  system.add_forces({q, v, 0.0}, 1.0, f, load_factor);
  Vector result(count_of(system.free_dofs()));
  for (Index i = 0; i < result.size(); ++i) result[i] = f[system.free_dofs()[i]];
  return result;
}

/// An increment of the free components in natural layout.
inline Vector natural(const System& system, const Vector& free) {
  Vector result = Vector::Zero(system.velocity_count());
  for (Index i = 0; i < free.size(); ++i) result[system.free_dofs()[i]] = free[i];
  return result;
}

/// The displacement according to linear theory: K u = f at the start. K must be symmetric.
inline Vector solve_linear_statics(const Model& model) {
  const System system(model);
  const Configuration& q = model.initial_configuration();
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(free_stiffness(system, q));
  EXPECT_EQ(factor.info(), Eigen::Success);
  return natural(system, factor.solve(free_force(system, q)));
}

/// Equilibrium at rest, the loads applied in equal steps.
inline Configuration solve_statics(const Model& model, int load_steps = 1) {
  const System system(model);
  Configuration q = model.initial_configuration();
  for (int step = 1; step <= load_steps; ++step) {
    const double factor = static_cast<double>(step) / load_steps;
    double change = 1;
    for (int i = 0; i < 40 && change > 1e-10 * system.length_scale(); ++i) {
      const Vector f = free_force(system, q, factor);
      if (!f.allFinite()) break;
      const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(free_stiffness(system, q, factor));
      const Vector u = natural(system, solver.solve(f));
      change = u.cwiseAbs().maxCoeff();
      retract(model.nodes(), q, u, q);
    }
    EXPECT_LE(change, 1e-10 * system.length_scale()) << "load step " << step << " did not converge";
  }
  return q;
}

}  // namespace picus::support
