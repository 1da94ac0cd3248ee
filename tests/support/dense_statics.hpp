#pragma once

/// Equilibria of small models without constraints, by Newton's method with dense matrices: f(q) = 0 with loads
/// (Force::Traits::is_load) times a factor. For tests of elements; nothing here is fast.

#include <picus/chart.hpp>
#include <picus/kkt_assembler.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/system.hpp>
#include <support/dense_algebra.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace picus::support {

class DenseStatics {
 public:
  explicit DenseStatics(const Model& model)
      : q(model.initial_configuration()),
        model_(&model),
        system_(model),
        mass_(system_),
        chart_(system_),
        kkt_(system_, mass_, KktAssembler::Rows::bilateral) {
    chart_.update(Vector::Zero(system_.velocity_count()));
  }

  Configuration q;
  double load = 0.0;
  /// Adds forces (natural layout) and their stiffness -df/dq (free components) at a configuration.
  std::function<void(const Configuration&, Vector&, Eigen::MatrixXd&)> extra = nullptr;

  Index size() const { return count_of(system_.free_dofs()); }

  /// Index of a component among the free ones.
  Index free(const Node& node, Component component) const {
    return system_.free_index()[node.v + place_of(component)];
  }

  Vector force() const { return force(load); }

  Eigen::MatrixXd stiffness() {
    kkt_.begin();
    const Vector rest = Vector::Zero(system_.velocity_count());
    kkt_.add_force_tangents({q, rest, 0.0}, 1.0, 0.0, chart_, load);
    Eigen::MatrixXd K = dense_of(kkt_.matrix());
    Vector f = Vector::Zero(system_.velocity_count());
    if (extra) extra(q, f, K);
    return K;
  }

  Eigen::MatrixXd mass() const {
    const Eigen::MatrixXd all = dense_of(mass_.matrix());
    const auto free = system_.free_dofs();
    Eigen::MatrixXd M(size(), size());
    for (Index i = 0; i < size(); ++i) {
      for (Index j = 0; j < size(); ++j) {
        M(i, j) = all(free[i], free[j]);
      }
    }
    return M;
  }

  /// Equilibrium at the load `target`, in increments that start with a fraction `first` of the total and are halved
  /// if Newton's method fails. Returns the number of increments.
  int solve(double target, double first = 1.0) {
    const double way = target - load;
    double increment = first * way;
    int count = 0;
    while (std::abs(target - load) > 1e-12 * std::abs(way)) {
      const Configuration last = q;
      const double from = load;
      load = std::abs(increment) < std::abs(target - from) ? from + increment : target;
      if (newton(-1, 0.0)) {
        ++count;
        increment *= 1.5;
        continue;
      }
      q = last;
      load = from;
      increment /= 2;
      if (std::abs(increment) < 1e-6 * std::abs(way)) {
        ADD_FAILURE() << "no equilibrium beyond load " << load;
        break;
      }
    }
    return count;
  }

  /// Equilibrium whose free component `dof` is moved by `increment` from the present state; finds the load.
  void move(Index dof, double increment) {
    EXPECT_TRUE(newton(dof, increment)) << "no equilibrium near load " << load;
  }

  /// Squares of the angular frequencies about the present state, ascending, and the modes as columns.
  Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes() {
    const Eigen::MatrixXd K = stiffness();
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>((K + K.transpose()) / 2, mass());
  }

  /// Number of negative eigenvalues of the symmetric part of the stiffness.
  Index negative_count() {
    const Eigen::MatrixXd K = stiffness();
    const Vector values = symmetric_eigenvalues((K + K.transpose()) / 2);
    return static_cast<Index>((values.array() < 0).count());
  }

  double potential_energy() const { return system_.potential_energy(q, 0.0); }

 private:
  static Eigen::MatrixXd dense_of(const SparseMatrix& matrix) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size, matrix.size);
    for (Index c = 0; c < matrix.size; ++c) {
      for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
        result(matrix.row[k], c) = matrix.values[k];
      }
    }
    return result;
  }

  Vector gathered(const Vector& natural) const {
    Vector result(size());
    Index i = 0;
    for (const Index dof : system_.free_dofs()) result[i++] = natural[dof];
    return result;
  }

  /// On the free components.
  Vector force(double factor) const {
    Vector f = Vector::Zero(system_.velocity_count());
    const Vector rest = f;
    system_.add_forces({q, rest, 0.0}, 1.0, f, factor);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size(), size());
    if (extra) extra(q, f, K);
    return gathered(f);
  }

  bool newton(Index controlled, double increment) {
    double last = 1e300;
    for (int i = 1; i <= 20; ++i) {
      Vector step;
      if (controlled < 0) {
        step = stiffness().lu().solve(force());
      } else {
        const Index n = size();
        Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(n + 1, n + 1);
        bordered.topLeftCorner(n, n) = stiffness();
        bordered.topRightCorner(n, 1) = force(0.0) - force(1.0);
        bordered(n, controlled) = 1;
        Vector r(n + 1);
        r << force(), increment;
        const Vector x = bordered.partialPivLu().solve(r);
        step = x.head(n);
        load += x[n];
        increment -= step[controlled];
      }
      Vector natural = Vector::Zero(system_.velocity_count());
      Index k = 0;
      for (const Index dof : system_.free_dofs()) natural[dof] = step[k++];
      retract(model_->nodes(), q, natural, q);
      // Quadratic convergence ends at rounding, where steps no longer decrease.
      const double size_of_step = step.norm();
      if (!std::isfinite(size_of_step)) return false;
      if (size_of_step < 1e-8 * system_.length_scale() && size_of_step >= 0.1 * last) return true;
      if (size_of_step < 1e-14 * system_.length_scale()) return true;
      last = size_of_step;
    }
    return false;
  }

  const Model* model_;
  System system_;
  MassMatrix mass_;
  Chart chart_;
  KktAssembler kkt_;
};

}  // namespace picus::support
