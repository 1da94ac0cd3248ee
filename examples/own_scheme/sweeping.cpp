#include "sweeping.hpp"

#include <picus/error.hpp>
#include <picus/kkt_assembler.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/start_state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace {

using namespace picus;

class Sweeping : public TimeIntegrator {
 public:
  Sweeping(double h, const SweepingOptions& options) : h_(h), options_(options) {}

  std::string_view name() const override { return "sweeping"; }
  double step_size() const override { return h_; }
  TextEntries options() const override { return SweepingOptions::table().write(options_); }
  SubproblemNames subproblem_names() const override { return {"sweeps"}; }

  State start(const System& system) override {
    const ExclusiveUse use = begin_start(system);
    mass_.emplace(system);
    kkt_.emplace(system, *mass_, KktAssembler::Rows::bilateral);
    G_ = system.make_constraint_gradients();
    G_c_ = system.make_contact_gradients();
    State state = start_state(system);
    assemble(system, state.q, 0.0);
    solver_ = make_linear_solver(LinearSolverKind::automatic, kkt_->matrix());
    solver_->analyze(kkt_->matrix());
    return state;
  }

  StepReport step(State& state) override {
    const ExclusiveUse use = begin_step(state);
    const System& s = system();
    const double t_m = state.time + h_ / 2;
    Vector dq = h_ / 2 * state.v, v = state.v, unused = state.acceleration;
    s.prescribe(state.time, h_ / 2, dq, v, unused);
    Configuration q_m = state.q;
    retract(s.nodes(), state.q, dq, q_m);
    s.prescribe(state.time, h_, dq, v, unused);  // v: that of t_{n+1} where it is known, else v_n
    assemble(s, q_m, t_m);
    if (!solver_->factorize(kkt_->matrix()))
      throw SolverError("scheme \"sweeping\": the mass matrix is singular at t = " + std::to_string(t_m) +
                        " s");

    // Without contacts: K [dv; mu] = [h f - M (v - v_n); G v + g_t], rows of joints with the sign of -G.
    Vector r = Vector::Zero(s.velocity_count()), rates, g_t;
    mass_->multiply(state.v - v, r);
    s.add_forces({q_m, state.v, t_m}, h_, r);
    System::multiply(s.constraint_entries(), G_, v, rates = Vector::Zero(s.row_count()));
    s.evaluate_partial_rates(q_m, t_m, g_t = Vector::Zero(s.row_count()));
    const Vector free = solve(s, r, rates + g_t);
    StepReport report;
    const Vector P = find_impulses(s, state, q_m, v + motion(s, free), report);

    // With them.
    System::add_transpose(s.contact_entries(), G_c_, P, 1.0, r);
    const Vector solved = solve(s, r, rates + g_t);
    v += motion(s, solved);
    commit(state, v, P, solved);
    return report;
  }

 private:
  void assemble(const System& s, const Configuration& q, double t) {
    mass_->assemble(q);
    s.evaluate_gradients(q, t, G_);
    s.evaluate_contact_gradients(q, G_c_);
    const Vector ones = Vector::Ones(s.row_count());
    kkt_->begin(*mass_);
    kkt_->add_constraint_columns(G_, ones);
    kkt_->add_constraint_rows(G_, ones);
    kkt_->regularize(1e-12 * ones);  // redundant joints
  }

  /// Increments of free components and impulses of joints for the momentum r (natural layout) and the rates of rows.
  Vector solve(const System& s, const Vector& r, const Vector& rates) const {
    Vector b = Vector::Zero(kkt_->size());
    for (Index i = 0; i < kkt_->free_count(); ++i) b[i] = r[s.free_dofs()[i]];
    for (Index row = 0; row < s.row_count(); ++row)
      if (s.active_row()[row] >= 0) b[kkt_->free_count() + s.active_row()[row]] = rates[row];
    solver_->solve({b.data(), static_cast<std::size_t>(b.size())});
    return b;
  }
  Vector motion(const System& s, const Vector& solved) const {
    Vector w = Vector::Zero(s.velocity_count());
    for (Index i = 0; i < kkt_->free_count(); ++i) w[s.free_dofs()[i]] = solved[i];
    return w;
  }

  /// Projected Gauss-Seidel: u = W P + u_free + e u_n, the normal impulse of each contact and then those in its cone of friction.
  Vector find_impulses(const System& s, const State& state, const Configuration& q_m, const Vector& v_free,
                       StepReport& report) {
    const Index rows = s.contact_row_count();
    Vector gaps = Vector::Zero(rows), u = gaps, u_n = gaps, P = gaps, response = gaps;
    s.evaluate_gaps(q_m, q_m, gaps);
    System::multiply(s.contact_entries(), G_c_, v_free, u);
    System::multiply(s.contact_entries(), G_c_, state.v, u_n);
    std::vector<const RowBlock<Contact>*> closed;
    for (const auto& contact : s.contacts())
      if (gaps[contact.first_row] <= 1e-10 * s.length_scale()) closed.push_back(&contact);
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(rows, rows);
    for (const auto* contact : closed) {
      for (Index j = contact->first_row; j < contact->first_row + contact->rows; ++j) {
        const double e = j == contact->first_row ? contact->role->law().e_n : contact->role->law().e_t;
        u[j] += e * u_n[j];
        P[j] = state.contact_impulse[j];  // a first guess
        Vector r = Vector::Zero(s.velocity_count());
        System::add_transpose(s.contact_entries(), G_c_, Vector::Unit(rows, j), 1.0, r);
        System::multiply(s.contact_entries(), G_c_, motion(s, solve(s, r, Vector::Zero(s.row_count()))),
                         response);
        W.col(j) = response;
      }
    }
    report.subproblems[0].name = "sweeps";
    double change = closed.empty() ? 0.0 : 1.0;
    while (change > options_.change) {
      if (++report.subproblems[0].iterations > options_.sweeps)
        throw SolverError("scheme \"sweeping\": no impulses after " + std::to_string(options_.sweeps) +
                          " sweeps from t = " + std::to_string(state.time) + " s");
      const Vector before = P;
      for (const auto* contact : closed) {
        const Index n = contact->first_row, m = contact->rows - 1;
        P[n] = std::max(0.0, P[n] - (W.row(n).dot(P) + u[n]) / W(n, n));
        if (m == 0) continue;
        const double largest = W.diagonal().segment(n + 1, m).maxCoeff();
        auto P_T = P.segment(n + 1, m);
        P_T -= (W.middleRows(n + 1, m) * P + u.segment(n + 1, m)) / largest;
        const double bound = contact->role->law().mu * P[n];
        if (P_T.norm() > bound) P_T *= bound / P_T.norm();
      }
      change = (P - before).norm() / std::max(P.norm(), 1e-300);
    }
    return P;
  }

  void commit(State& state, const Vector& v, const Vector& P, const Vector& solved) const {
    const System& s = system();
    Vector dq = h_ / 2 * (state.v + v), unused_v = v, unused_a = v, slip = P;
    s.prescribe(state.time, h_, dq, unused_v, unused_a);
    Configuration q = state.q;
    retract(s.nodes(), state.q, dq, q);
    s.evaluate_gaps(state.q, q, slip);
    for (std::size_t c = 0; c < s.contacts().size(); ++c) {
      const auto& contact = s.contacts()[c];
      const Index n = contact.first_row, m = contact.rows - 1;
      const bool is_closed = P[n] > 0;
      const bool sticks = m > 0 && P.segment(n + 1, m).norm() < contact.role->law().mu * P[n] * (1 - 1e-9);
      state.contact_state[c] = !is_closed ? ContactState::gap
                               : sticks   ? ContactState::stick
                                          : ContactState::slip;
      if (is_closed) state.contact_slip.segment(n + 1, m) += slip.segment(n + 1, m);
    }
    System::multiply(s.contact_entries(), G_c_, v, state.contact_rate);
    for (Index row = 0; row < s.row_count(); ++row)
      state.constraint_impulse[row] =
          s.active_row()[row] < 0 ? 0.0 : solved[kkt_->free_count() + s.active_row()[row]];
    state.acceleration = (v - state.v) / h_;
    state.contact_impulse = P;
    state.v = v;
    state.q = q;
    orthonormalize(s.nodes(), state.q);
    state.time += h_;
    ++state.step;
  }

  double h_;
  SweepingOptions options_;
  std::optional<MassMatrix> mass_;
  std::optional<KktAssembler> kkt_;
  std::unique_ptr<LinearSolver> solver_;
  Gradients G_, G_c_;
};

}  // namespace

ParameterTable<SweepingOptions> SweepingOptions::table() {
  using P = SweepingOptions;
  return ParameterTable<P>()
      .integer("sweeps", &P::sweeps, Range::between(1, 1e6), "Sweeps over the contacts, at most")
      .real("change", &P::change, Range::between(1e-15, 1e-3), "",
            "Relative change of impulses at which they are found");
}

std::unique_ptr<TimeIntegrator> make_sweeping(double h, const SweepingOptions& options) {
  return std::make_unique<Sweeping>(h, options);
}
