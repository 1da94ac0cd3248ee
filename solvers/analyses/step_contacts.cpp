#include <picus/error.hpp>
#include <picus/kkt_assembler.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/analyses/step_contacts.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/scales.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

/// Regularisation of redundant constraints, relative to their effective masses.
constexpr double redundancy_share = 1e-12;

/// A body that is hit by another one may become faster than both were, at most by this factor.
constexpr double gain_of_speed = 2.0;

/// The velocity change due to impulses, with bilateral constraints.
class FreeMotion {
 public:
  FreeMotion(const System& system, const MassMatrix& mass, const Scales& scales, const Configuration& q,
             double t)
      : system_(system),
        kkt_(system, mass, KktAssembler::Rows::bilateral),
        G_(system.make_constraint_gradients()),
        k_(system.row_count()) {
    for (Index row = 0; row < k_.size(); ++row) k_[row] = scales.row_mass(row);
    system.evaluate_gradients(q, t, G_);
    kkt_.begin(mass);
    kkt_.add_constraint_columns(G_, k_);
    kkt_.add_constraint_rows(G_, k_);
    kkt_.regularize(redundancy_share * k_);
    solver_ = make_linear_solver(LinearSolverKind::automatic, kkt_.matrix());
    solver_->analyze(kkt_.matrix());
    if (!solver_->factorize(kkt_.matrix()))
      throw SolverError(
          fmt::format("masses and constraints at t = {} s do not determine how contacts move", t));
  }

  const Gradients& gradients() const { return G_; }
  /// Change of velocity due to `impulse` (natural layout), with `rates` the required change of the constraint rates
  /// (row layout).
  void solve(const Vector& impulse, const Vector& rates, Vector& change) {
    x_.setZero(kkt_.size());
    const auto free_dofs = system_.free_dofs();
    for (Index i = 0; i < count_of(free_dofs); ++i) x_[i] = impulse[free_dofs[i]];
    for (Index row = 0; row < rates.size(); ++row) {
      const Index active = system_.active_row()[row];
      if (active >= 0) x_[kkt_.free_count() + active] = -k_[row] * rates[row];
    }
    solver_->solve(std::span(x_.data(), x_.size()));
    change.setZero(system_.velocity_count());
    for (Index i = 0; i < count_of(free_dofs); ++i) change[free_dofs[i]] = x_[i];
  }

 private:
  const System& system_;
  KktAssembler kkt_;
  Gradients G_;
  Vector k_, x_;
  std::unique_ptr<LinearSolver> solver_;
};

/// v' without contact forces.
Vector velocity_without_contacts(const System& system, const State& state, double h, const MassMatrix& mass,
                                 FreeMotion& motion) {
  // Prescribed components have their velocities at the end of the step; the others follow from these.
  Vector v = state.v;
  Vector increment = Vector::Zero(v.size()), acceleration = increment;
  system.prescribe(state.time, h, increment, v, acceleration);
  Vector impulse(v.size());
  mass.multiply(state.v - v, impulse);
  system.add_forces({state.q, state.v, state.time}, h, impulse, state.load_factor);
  Vector rates = Vector::Zero(system.row_count());
  System::multiply(system.constraint_entries(), motion.gradients(), v, rates);
  if (system.is_rheonomic()) {
    Vector partial = Vector::Zero(system.row_count());
    system.evaluate_partial_rates(state.q, state.time + h, partial);
    rates += partial;
  }
  Vector change;
  motion.solve(impulse, -rates, change);
  return v + change;
}

void require_known_laws(const System& system) {
  for (const auto& contact : system.contacts()) {
    const ContactLaw& law = contact.role->law();
    if (law.impact.kind != ImpactLaw::Kind::newton)
      throw ModelError(fmt::format(
          "contact \"{}\" has another impact law than Newton's, which a friction problem does not know",
          contact.element->name()));
    if (law.has_drilling || law.rolling_directions > 0)
      throw ModelError(
          fmt::format("contact \"{}\" resists drilling or rolling, which a friction problem does not know",
                      contact.element->name()));
  }
}

}  // namespace

StepContacts find_step_contacts(const System& system, const State& state, double h) {
  system.require_state(state);
  require_known_laws(system);
  StepContacts result;
  FrictionProblem& problem = result.problem;
  problem.title = system.model().name();
  problem.description = fmt::format("step of {} s from t = {} s", h, state.time);
  std::vector<Index> starts{0}, rows;

  MassMatrix mass(system);
  const Scales scales(system, mass);
  mass.assemble(state.q);
  FreeMotion motion(system, mass, scales, state.q, state.time);
  const Vector v = velocity_without_contacts(system, state, h, mass, motion);
  Gradients G = system.make_contact_gradients();
  system.evaluate_contact_gradients(state.q, G);
  const Index all_rows = system.contact_row_count();
  Vector gap = Vector::Zero(all_rows), rate = gap, before = gap;
  system.evaluate_gaps(state.q, state.q, gap);
  System::multiply(system.contact_entries(), G, v, rate);
  System::multiply(system.contact_entries(), G, state.v, before);

  const auto contacts = system.contacts();
  problem.dimension = 2;
  double approach = 0.0;
  for (const auto& contact : contacts) approach = std::max(approach, -rate[contact.first_row]);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Index row = contacts[c].first_row;
    if (!(gap[row] <= gain_of_speed * h * approach)) continue;
    result.indices.push_back(c);
    problem.dimension = std::max(problem.dimension, contacts[c].rows);
  }
  const Index d = problem.dimension;
  const Index size = d * count_of(result.indices);
  problem.W.size = size;
  problem.q = Vector::Zero(size);
  problem.mu = Vector::Zero(count_of(result.indices));
  std::vector<Index> row_in_problem(all_rows, -1);
  for (Index i = 0; i < count_of(result.indices); ++i) {
    const auto& contact = contacts[result.indices[i]];
    const ContactLaw& law = contact.role->law();
    const Index first = d * i;
    const auto sliding = before.segment(contact.first_row + 1, law.friction_directions);
    problem.mu[i] = contact.rows > 1 ? law.mu_at(sliding.norm()) : 0.0;
    const double open = std::max(gap[contact.first_row], 0.0);
    const bool closes = open + h * rate[contact.first_row] <= 0;
    for (Index k = 0; k < contact.rows; ++k) {
      const Index row = contact.first_row + k;
      row_in_problem[row] = first + k;
      problem.q[first + k] = rate[row];
      if (closes) problem.q[first + k] += (k == 0 ? law.e_n : law.e_t) * before[row];
    }
    if (!closes || law.e_n == 0) problem.q[first] += open / h;
  }
  Vector unit = Vector::Zero(all_rows), impulse, change;
  const Vector no_rates = Vector::Zero(system.row_count());
  for (Index i = 0; i < count_of(result.indices); ++i) {
    const auto& contact = contacts[result.indices[i]];
    double own = 1.0;
    for (Index k = 0; k < d; ++k) {
      const Index column = d * i + k;
      if (k < contact.rows) {
        unit[contact.first_row + k] = 1.0;
        impulse.setZero(system.velocity_count());
        System::add_transpose(system.contact_entries(), G, unit, 1.0, impulse);
        unit[contact.first_row + k] = 0.0;
        motion.solve(impulse, no_rates, change);
        System::multiply(system.contact_entries(), G, change, rate);
        if (k == 0) own = rate[contact.first_row];
        for (Index row = 0; row < all_rows; ++row) {
          if (row_in_problem[row] < 0 || rate[row] == 0) continue;
          rows.push_back(row_in_problem[row]);
          problem.W.values.push_back(rate[row]);
        }
      } else {
        rows.push_back(column);
        problem.W.values.push_back(own);
      }
      starts.push_back(count_of(rows));
    }
  }
  problem.W.column_start = std::move(starts);
  problem.W.row = std::move(rows);
  return result;
}

}  // namespace picus
