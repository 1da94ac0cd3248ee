#include <picus/error.hpp>
#include <picus/solvers/subproblems/impact_problem.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::solvers {
namespace {

/// Speed of approach up to which there is no impact, relative to the speed of the bodies, in tolerances: the residual
/// of the last step.
constexpr double residual_approach = 10.0;

void solve_unknowns(LinearSolver& solver, Vector& x) {
  solver.solve(std::span(x.data(), x.size()));
}

}  // namespace

ImpactProblem::ImpactProblem(StepData& data)
    : Stage(data, "impact", KktAssembler::Rows::bilateral_and_contacts),
      rates_after_(Vector::Zero(system_->contact_row_count())),
      impulse_(rates_after_),
      dx_(Vector::Zero(size())),
      response_(rates_after_) {}

const Contact* ImpactProblem::find_law(const System& system) {
  const Contact* found = nullptr;
  std::string_view name;
  for (const auto& block : system.contacts()) {
    const ImpactLaw& law = block.role->law().impact;
    if (law.kind == ImpactLaw::Kind::newton) continue;
    if (found == nullptr) {
      found = block.role;
      name = block.element->name();
      continue;
    }
    const ImpactLaw& first = found->law().impact;
    if (law.kind != first.kind)
      throw SolverError(fmt::format(
          "contacts \"{}\" and \"{}\" have different impact laws; of Poisson's and that of Liu, Zhao and "
          "Brogliato a model has one",
          name, block.element->name()));
    if (law.kind == ImpactLaw::Kind::lzb && law.exponent != first.exponent)
      throw SolverError(
          fmt::format("contacts \"{}\" and \"{}\" have impact laws with the exponents {} and {}, which must "
                      "be the same",
                      name, block.element->name(), first.exponent, law.exponent));
  }
  return found;
}

bool ImpactProblem::has_law(std::size_t contact) const {
  return system_->contacts()[contact].role->law().impact.kind != ImpactLaw::Kind::newton;
}

void ImpactProblem::choose_pivots(LinearSolver& solver) {
  Stage::begin({.mass = data_,
                .force_point = data_,
                .constraint_point = data_,
                .v = {.own = 1.0},
                .tolerances = {.momentum = 1, .row = 1}});
  solver.factorize(tangent_with(ContactRows::fixed));
}

bool ImpactProblem::takes_part(std::size_t contact, const Vector& gaps,
                               std::span<const ContactState> states) const {
  return states[contact] != ContactState::gap ||
         gaps[cones_[contact].first_row] <= data_->closing_distance(contact);
}

void ImpactProblem::find_groups(const Vector& rates, const Vector& gaps,
                                std::span<const ContactState> states) {
  groups_.clear();
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const double least = residual_approach * data_->tolerance * data_->speed_of_contact(c);
    if (!(rates[cones_[c].first_row] < -least) || !takes_part(c, gaps, states)) continue;
    const Index group = data_->groups.of_contact(c);
    if (std::ranges::find(groups_, group) == groups_.end()) groups_.push_back(group);
  }
}

ImpactProblem::Outcome ImpactProblem::solve(LinearSolver& solver, const Vector& rates, const Vector& gaps,
                                            std::span<const ContactState> position_states) {
  find_groups(rates, gaps, position_states);
  contact_P_.setZero();
  rates_after_.setZero();
  impulse_.setZero();
  bool is_factorized = false;
  for (const Index group : groups_) {
    members_.clear();
    for (std::size_t c = 0; c < cones_.size(); ++c) {
      if (data_->groups.of_contact(c) == group && takes_part(c, gaps, position_states)) members_.push_back(c);
    }
    if (std::ranges::none_of(members_, [&](std::size_t c) { return has_law(c); })) continue;
    if (!is_factorized) {
      data_->mass.assemble(data_->q);
      choose_pivots(solver);
      is_factorized = true;
    }
    assemble(solver, members_, rates);
    if (!apply_law()) {
      culprit_ = system_->contacts()[members_.front()].element->name();
      return Outcome::failed;
    }
    const Vector after = impact_.u_0 + impact_.W * P_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const ImpactContact& contact = impact_.contacts[i];
      const Index first = cones_[members_[i]].first_row;
      impulse_.segment(first, contact.rows) = P_.segment(contact.first_row, contact.rows);
      if (P_[contact.first_row] > 0 && has_law(members_[i])) rates_after_[first] = after[contact.first_row];
    }
  }
  if (!is_factorized) return Outcome::none;
  dx_.setZero();
  for (Index row = 0; row < impulse_.size(); ++row) {
    if (impulse_[row] != 0) dx_[contact_unknown(row)] = fixed_multiplier_row(row, impulse_[row]);
  }
  solve_unknowns(solver, dx_);
  if (!dx_.allFinite()) return Outcome::failed;
  advance(dx_, 1.0);
  evaluate_equations();
  return Outcome::solved;
}

void ImpactProblem::assemble(LinearSolver& solver, std::span<const std::size_t> contacts,
                             const Vector& rates) {
  impact_.contacts.clear();
  Index rows = 0;
  for (const std::size_t c : contacts) {
    const ContactLaw& law = system_->contacts()[c].role->law();
    impact_.contacts.push_back({.first_row = rows,
                                .rows = cones_[c].rows,
                                .rolling_rows = cones_[c].rolling_rows,
                                .mu = law.mu,
                                .e = has_law(c) ? law.e_n : 0.0,
                                .stiffness = law.impact.stiffness});
    rows += cones_[c].rows;
  }
  impact_.W.resize(rows, rows);
  impact_.u_0.resize(rows);
  const auto gather = [&](const Vector& all, auto&& part) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const ImpactContact& contact = impact_.contacts[i];
      part.segment(contact.first_row, contact.rows) =
          all.segment(cones_[contacts[i]].first_row, contact.rows);
    }
  };
  gather(rates, impact_.u_0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (Index k = 0; k < impact_.contacts[i].rows; ++k) {
      const Index row = cones_[contacts[i]].first_row + k;
      dx_.setZero();
      dx_[contact_unknown(row)] = fixed_multiplier_row(row, 1.0);
      solve_unknowns(solver, dx_);
      contact_response(dx_, response_);
      gather(response_, impact_.W.col(impact_.contacts[i].first_row + k));
    }
  }
  impact_.W = 0.5 * (impact_.W + impact_.W.transpose()).eval();
}

bool ImpactProblem::apply_law() {
  const auto is_rigid = [&](const ImpactContact& contact) {
    const Index n = contact.first_row;
    return !(impact_.W(n, n) > 0) && impact_.u_0[n] < 0;
  };
  if (!impact_.W.allFinite() || std::ranges::any_of(impact_.contacts, is_rigid)) return false;
  for (const std::size_t c : members_) {
    const ImpactLaw& law = system_->contacts()[c].role->law().impact;
    if (law.kind == ImpactLaw::Kind::poisson) return poisson_.solve(impact_, P_).converged;
    if (law.kind == ImpactLaw::Kind::lzb) return lzb_.solve(impact_, law.exponent, P_).ended;
  }
  return false;
}

}  // namespace picus::solvers
