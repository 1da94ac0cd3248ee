#pragma once

#include <picus/solvers/contact/lzb_impact.hpp>
#include <picus/solvers/contact/poisson_impact.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/stage.hpp>

#include <span>
#include <string>
#include <vector>

namespace picus::solvers {

/// The impacts of a step by laws other than Newton's (ImpactLaw), at the configuration at its end. The unknowns are
/// the jump z of the velocities and the impulses,
///
///     M z - G^T Lambda - G_c^T P = 0,   G z = 0
///
/// and P is given by the law as a function of the rates before the impact, separately for each group of
/// bodies that joints, springs and closed contacts connect. All contacts of the group take part that are closed at
/// position level or within the rounding of gaps; those with Newton's law as if their e were 0.
class ImpactProblem : public Stage {
 public:
  explicit ImpactProblem(StepData& data);

  /// The first contact with a law other than Newton's, or null. Throws SolverError if contacts of one model have
  /// Poisson's law and that of Liu, Zhao and Brogliato, or different exponents.
  static const Contact* find_law(const System& system);

  /// Chooses ordering and pivots of the factorisation.
  void choose_pivots(LinearSolver& solver);

  enum class Outcome : std::uint8_t {
    none,    ///< no impact
    solved,  ///< the jump is known
    failed,  ///< a law was not solved
  };
  /// Finds the impacts; `rates` are those before (StepData::find_rates_before_impact), `gaps` those at the end of the
  /// step. The solver has analysed the matrix.
  Outcome solve(LinearSolver& solver, const Vector& rates, const Vector& gaps,
                std::span<const ContactState> position_states);

  /// Rates after the impact in the normal rows of contacts with a law other than Newton's that carried an impulse,
  /// contact row layout; otherwise 0.
  const Vector& rates_after() const { return rates_after_; }
  /// Whether a contact carried an impulse.
  bool carried(std::size_t contact) const { return contact_P_[cones_[contact].first_row] > 0; }
  /// Name of a contact of an impact that was not solved.
  const std::string& culprit() const { return culprit_; }

 private:
  bool takes_part(std::size_t contact, const Vector& gaps, std::span<const ContactState> states) const;
  /// Sets groups_ to those with an approaching contact.
  void find_groups(const Vector& rates, const Vector& gaps, std::span<const ContactState> states);
  bool has_law(std::size_t contact) const;
  /// Computes the contacts and the compliance of an impact.
  void assemble(LinearSolver& solver, std::span<const std::size_t> contacts, const Vector& rates);
  bool apply_law();

  Impact impact_;
  PoissonImpact poisson_;
  LzbImpact lzb_;
  std::vector<Index> groups_;
  std::vector<std::size_t> members_;  ///< contacts of the impact
  std::string culprit_;
  Vector rates_after_, impulse_, dx_, response_, P_;
};

}  // namespace picus::solvers
