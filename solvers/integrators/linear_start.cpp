#include <picus/error.hpp>
#include <picus/solvers/integrators/linear_start.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::solvers {
namespace {

/// Steps of residual correction; the proximal term makes the first solution slightly inaccurate.
constexpr int linear_passes = 4;
constexpr double linear_regularization = 1e-10;

[[noreturn]] void refuse_singular() {
  throw SolverError(
      "the start has no unique solution: the constraints leave a part without mass free to move");
}

[[noreturn]] void refuse_overflow(const System& system, Index dof, double value) {
  throw SolverError(fmt::format(
      "the start cannot be computed: the momentum of, or the force on, {} is {}; masses, velocities or "
      "forces of the model are out of range",
      system.describe_dof(dof), std::abs(value)));
}

}  // namespace

LinearStart::LinearStart(const System& system, StepData& data)
    : system_(&system),
      data_(&data),
      kkt_(system, data.mass, KktAssembler::Rows::bilateral, &data.patterns),
      k_(system.row_count()) {
  for (Index row = 0; row < k_.size(); ++row) k_[row] = data.scales.row_mass(row);
}

void LinearStart::factorize() {
  kkt_.begin(data_->mass);
  kkt_.add_constraint_columns(data_->G, k_);
  kkt_.add_constraint_rows(data_->G, k_);
  kkt_.regularize(linear_regularization * k_);
  if (solver_ == nullptr) {
    solver_ = make_linear_solver(LinearSolverKind::automatic, kkt_.matrix(), kkt_.size() == kkt_.free_count(),
                                 0, system_->threads());
    solver_->analyze(kkt_.matrix());
  }
  if (!solver_->factorize(kkt_.matrix())) refuse_singular();
}

void LinearStart::solve(const Vector& f, const Vector& rate, Vector& x, Vector& lambda) {
  Vector momentum(x.size());
  Vector rows = Vector::Zero(system_->row_count());
  Vector b(kkt_.size());
  const auto free_dofs = system_->free_dofs();
  const auto active_row = system_->active_row();
  for (int pass = 0; pass < linear_passes; ++pass) {
    data_->mass.multiply(x, momentum);
    momentum -= f;
    System::add_transpose(system_->constraint_entries(), data_->G, lambda, -1.0, momentum);
    System::multiply(system_->constraint_entries(), data_->G, x, rows);
    for (std::size_t i = 0; i < free_dofs.size(); ++i) b[i] = -momentum[free_dofs[i]];
    for (Index j = 0; j < rows.size(); ++j) {
      const Index active = active_row[j];
      if (active >= 0) b[kkt_.free_count() + active] = k_[j] * (rows[j] - rate[j]);
    }
    for (std::size_t i = 0; i < free_dofs.size(); ++i) {
      const double value = b[i];
      if (!std::isfinite(value)) refuse_overflow(*system_, free_dofs[i], value);
    }
    solver_->solve(std::span(b.data(), b.size()));
    if (!b.allFinite()) refuse_singular();
    for (std::size_t i = 0; i < free_dofs.size(); ++i) x[free_dofs[i]] += b[i];
    for (Index j = 0; j < rows.size(); ++j) {
      const Index active = active_row[j];
      if (active >= 0) lambda[j] += k_[j] * b[kkt_.free_count() + active];
    }
  }
}

}  // namespace picus::solvers
