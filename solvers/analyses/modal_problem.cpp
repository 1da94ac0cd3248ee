#include <picus/component_units.hpp>
#include <picus/error.hpp>
#include <picus/solvers/analyses/constraint_rank.hpp>
#include <picus/solvers/analyses/modal_problem.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>
#include <picus/solvers/linear/sparse_rank.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace picus::solvers {
namespace {

/// Relative force residual up to which a state counts as an equilibrium.
constexpr double balanced = 1e-4;

/// Proximal term on multipliers in the factorised matrix, since redundant joints are allowed; one step of residual
/// correction removes its effect from the solutions.
constexpr double regularization = 1e-11;

/// The terms of a motion that hardly anything resists are compared with this share of those with the shift: solutions
/// with the shift leave rounding errors of these.
constexpr double share_of_shift = 1e-6;
/// Eigenvalues of M below this fraction of the largest are rounding errors.
constexpr double rounding = 1e-13;

}  // namespace

ModalProblem::ModalProblem(const System& system, const State& state, bool holds_contacts,
                           const std::optional<Vec3>& angular_velocity, LinearSolverKind solver)
    : system_(&system), load_factor_(state.load_factor), data_(system), problem_(data_, angular_velocity) {
  data_.q_n = &state.q;
  data_.t = state.time;
  data_.tolerance = balanced;
  solver_ = problem_.make_solver(solver);
  problem_.begin(state.constraint_force, state.contact_impulse, state.load_factor, 0.0);
  problem_.measure_stiffness(*solver_, 1.0, regularization);
  Vector r(problem_.size());
  const ResidualNorm norm = problem_.evaluate(r);
  if (!StaticProblem::is_balanced(norm)) {
    throw SolverError(
        fmt::format("vibration modes need an equilibrium: the residual of {} is {:.3g} of its forces",
                    problem_.describe(norm.where), norm.worst * balanced));
  }
  if (holds_contacts) {
    problem_.hold_contacts();
  } else {
    problem_.release_contacts();
  }
  problem_.evaluate(r);
  stiffness_ = problem_.stiffness();
  shifted_ = stiffness_;
  proximal_ = work_ = right_side_ = Vector::Zero(problem_.size());
  find_proximal_terms();
  symmetrize();

  data_.mass.assemble(state.q);
  const SparseMatrix& M = data_.mass.matrix();
  const auto free_index = system.free_index();
  for (Index c = 0; c < M.size; ++c) {
    for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k) {
      const Index row = free_index[M.row[k]];
      const Index column = free_index[c];
      if (row >= 0 && column >= 0 && M.values[k] != 0)
        mass_.push_back({row, column, stiffness_.find(row, column), M.values[k]});
    }
  }
}

/// The diagonal entry of a multiplier whose row constrains a motion is only its proximal term.
void ModalProblem::find_proximal_terms() {
  for (Index c = 0; c < size(); ++c) {
    for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
      const Index r = stiffness_.row[k];
      if (r >= size() && stiffness_.values[k] != 0) proximal_[r] = stiffness_.values[stiffness_.find(r, r)];
    }
  }
}

void ModalProblem::symmetrize() {
  double largest = 0;
  double difference = 0;
  SparseMatrix& A = stiffness_;
  for (Index c = 0; c < size(); ++c) {
    for (Index k = A.column_start[c]; k < A.column_start[c + 1]; ++k) {
      const Index r = A.row[k];
      if (r >= size()) continue;
      largest = std::max(largest, std::abs(A.values[k]));
      if (r <= c) continue;
      double& upper = A.values[A.find(c, r)];
      difference = std::max(difference, std::abs(A.values[k] - upper));
      A.values[k] = upper = 0.5 * (A.values[k] + upper);
    }
  }
  asymmetry_ = largest > 0 ? difference / largest : 0.0;
}

double ModalProblem::typical_eigenvalue() const {
  std::vector<double> ratios;
  for (const MassEntry& entry : mass_) {
    if (entry.row == entry.column && entry.value > 0)
      ratios.push_back(std::abs(stiffness_.values[entry.target]) / entry.value);
  }
  // Stiffnesses of motions that nothing resists are rounding errors of the others.
  const double rest =
      ratios.empty() ? 0.0 : std::numeric_limits<double>::epsilon() * std::ranges::max(ratios);
  double least = 0;
  for (const double ratio : ratios) {
    if (ratio > rest && (least == 0 || ratio < least)) least = ratio;
  }
  return least > 0 ? least : 1.0;
}

void ModalProblem::set_shift(double shift) {
  shift_ = shift;
  shifted_.values = stiffness_.values;
  for (const MassEntry& entry : mass_) shifted_.values[entry.target] -= shift * entry.value;
  if (!solver_->factorize(shifted_)) {
    throw SolverError(
        fmt::format("the matrix of the vibration modes is singular at the shift {:.6g} 1/s2: a part "
                    "without mass is free to move, or the shift is an eigenvalue",
                    shift));
  }
}

void ModalProblem::solve(const Vector& b, Vector& x) {
  const auto factors = [&](Vector& v) { solver_->solve(std::span(v.data(), v.size())); };
  work_.setZero();
  work_.head(size()) = b;
  factors(work_);
  if (work_.size() > size()) {
    right_side_.setZero();
    right_side_.head(size()) = b;
    for (Index c = 0; c < shifted_.size; ++c) {
      for (Index k = shifted_.column_start[c]; k < shifted_.column_start[c + 1]; ++k)
        right_side_[shifted_.row[k]] -= shifted_.values[k] * work_[c];
    }
    right_side_ += proximal_.cwiseProduct(work_);
    factors(right_side_);
    work_ += right_side_;
  }
  x = work_.head(size());
}

void ModalProblem::multiply_stiffness(const Vector& x, Vector& out) const {
  out.setZero(size());
  for (Index c = 0; c < size(); ++c) {
    for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
      if (stiffness_.row[k] < size()) out[stiffness_.row[k]] += stiffness_.values[k] * x[c];
    }
  }
}

double ModalProblem::stiffness_rounding(const Vector& x) const {
  // Entries are sums of terms of their size, each rounded; a hundred covers the number of terms and of operations.
  constexpr double margin = 100 * std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (Index c = 0; c < size(); ++c) {
    for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
      if (stiffness_.row[k] < size()) sum += std::abs(x[stiffness_.row[k]] * stiffness_.values[k] * x[c]);
    }
  }
  return margin * sum;
}

void ModalProblem::multiply_mass(const Vector& x, Vector& out) const {
  out.setZero(size());
  for (const MassEntry& entry : mass_) out[entry.row] += entry.value * x[entry.column];
}

double ModalProblem::residual(const Vector& x, double eigenvalue) {
  // [K - s M, -G^T] [x', mu'] = M x has x' = x/(w^2 - s) for an eigenvector, and mu = (w^2 - s) mu'.
  Vector Mx, unused;
  multiply_mass(x, Mx);
  solve(Mx, unused);
  const Index rows = problem_.size() - size();
  const Vector mu = (eigenvalue - shift_) * work_.tail(rows);
  Vector r = -eigenvalue * Mx;
  Vector terms = r.cwiseAbs();
  for (Index c = 0; c < stiffness_.size; ++c) {
    const double value = c < size() ? x[c] : mu[c - size()];
    for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
      const Index row = stiffness_.row[k];
      if (row >= size()) continue;
      r[row] += stiffness_.values[k] * value;
      terms[row] += std::abs(stiffness_.values[k] * value);
    }
  }
  const double least = share_of_shift * std::abs(shift_) * Mx.norm();
  const double size = std::max(terms.norm(), least);
  return size > 0 ? r.norm() / size : 0.0;
}

/// Rank of G, contacts included, in the chosen components.
Index ModalProblem::rank_of_rows(const std::vector<char>& components) const {
  const Vector unit = component_units(*system_);
  const auto free_dofs = system_->free_dofs();
  Vector length = Vector::Zero(problem_.size());
  const auto for_each_entry = [&](auto&& use) {
    for (Index c = 0; c < size(); ++c) {
      for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
        const Index row = stiffness_.row[k];
        if (row >= size() && stiffness_.values[k] != 0)
          use(row, c, stiffness_.values[k] * unit[free_dofs[c]]);
      }
    }
  };
  for_each_entry([&](Index row, Index, double value) { length[row] = std::hypot(length[row], value); });
  Vector chosen = Vector::Zero(problem_.size());
  for_each_entry([&](Index row, Index c, double value) {
    if (components[c] != 0) chosen[row] = std::hypot(chosen[row], value);
  });
  std::vector<Index> place(problem_.size(), -1);  // rows without entries in these components have none
  Index rows = 0;
  for (Index row = size(); row < problem_.size(); ++row) {
    if (chosen[row] > dependent * length[row]) place[row] = rows++;
  }
  std::vector<SparseEntry> entries;
  for_each_entry([&](Index row, Index c, double value) {
    if (place[row] >= 0 && components[c] != 0) entries.push_back({c, place[row], value / chosen[row]});
  });
  return SparseRank(size(), rows, entries, dependent).rank();
}

// Of the n - rank G motions x with G x = 0 those with M x = 0 move components without mass alone.
Index ModalProblem::mode_count() const {
  std::vector<char> all(size(), 1), massless(size(), 1);
  for (const MassEntry& entry : mass_) massless[entry.row] = 0;
  return mass_count() + rank_of_rows(massless) - rank_of_rows(all);
}

Index ModalProblem::mass_count() const {
  return static_cast<Index>(std::count_if(mass_.begin(), mass_.end(), [](const MassEntry& entry) {
    return entry.row == entry.column && entry.value != 0;
  }));
}

Eigen::MatrixXd ModalProblem::mass_root() const {
  std::vector<Index> place(size(), -1);
  std::vector<Index> dofs;
  for (const MassEntry& entry : mass_) {
    if (entry.row != entry.column) continue;
    place[entry.row] = count_of(dofs);
    dofs.push_back(entry.row);
  }
  const auto m = count_of(dofs);
  if (m == 0) return Eigen::MatrixXd(size(), 0);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(m, m);
  for (const MassEntry& entry : mass_) M(place[entry.row], place[entry.column]) += entry.value;
  const SymmetricEigenpairs spectrum = find_symmetric_eigenpairs(std::move(M));
  const double least = rounding * spectrum.values[m - 1];
  Index first = 0;
  while (first < m && !(spectrum.values[first] > least)) ++first;
  Eigen::MatrixXd root = Eigen::MatrixXd::Zero(size(), m - first);
  for (Index j = first; j < m; ++j) {
    const double factor = std::sqrt(spectrum.values[j]);
    for (Index i = 0; i < m; ++i) root(dofs[i], j - first) = factor * spectrum.vectors(i, j);
  }
  return root;
}

ModalProblem::Dense ModalProblem::make_dense() {
  Dense dense;
  const Index n = size();
  dense.K = dense.M = Eigen::MatrixXd::Zero(n, n);
  const Index rows = problem_.size() - n;
  dense.G = Eigen::MatrixXd::Zero(rows, n);
  for (Index c = 0; c < n; ++c) {
    for (Index k = stiffness_.column_start[c]; k < stiffness_.column_start[c + 1]; ++k) {
      const Index r = stiffness_.row[k];
      (r < n ? dense.K(r, c) : dense.G(r - n, c)) = stiffness_.values[k];
    }
  }
  for (const MassEntry& entry : mass_) dense.M(entry.row, entry.column) += entry.value;
  const Motion motion{data_.q, problem_.velocity(), data_.t};
  dense.gyroscopic = problem_.frame() != nullptr ? problem_.frame()->gyroscopic(motion, load_factor_)
                                                 : Eigen::MatrixXd::Zero(n, n);
  return dense;
}

}  // namespace picus::solvers
