#pragma once

/// Data shared by the sub-problems of one step.

#include <picus/chart.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/solvers/subproblems/mean_force_directions.hpp>
#include <picus/solvers/subproblems/scales.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/system.hpp>

#include <algorithm>
#include <vector>

namespace picus {

/// A configuration q_n o exp(dq) at which terms of a sub-problem are evaluated, with these terms.
struct StagePoint {
  explicit StagePoint(const System& system);
  /// Evaluates M, G and the gradients of contacts at q.
  void evaluate(const System& system);

  double t = 0.0;
  Vector dq;
  Configuration q;
  Chart chart;  ///< at dq
  MassMatrix mass;
  Gradients G, contact_G;
};

/// The data of a step, by which each sub-problem passes its results to the next. Its own point is that of t_{n+1}.
struct StepData : StagePoint {
  explicit StepData(const System& system);

  /// Sets the characteristic speed of each group to the largest of the velocities before, those predicted and their
  /// change in the step.
  void set_speeds(const Vector& before, const Vector& predicted, const Vector& velocity_increment);
  /// Largest speed of the two bodies of a contact, m/s.
  double speed_of_contact(std::size_t contact) const {
    return std::max(speed[groups.of_contact(contact)][0], speed[groups.of_other_side(contact)][0]);
  }
  /// Gap up to which a contact counts as closed, m: rounding, and the gap that the tolerance of its rate permits in a
  /// step.
  double closing_distance(std::size_t contact) const {
    return groups.closing_distance(contact) + tolerance * h * speed_of_contact(contact);
  }

  /// Rate up to which a closed contact counts as at rest, m/s: ten times the tolerance of the velocity problem, which is
  /// also relative to the changes of velocity by contacts, and the closing distance over the step.
  double resting_rate(std::size_t contact) const {
    const double change = impulse_n[groups.of_contact(contact)] / contact_mass[contact];
    return 10 * tolerance * (speed_of_contact(contact) + change) + closing_distance(contact) / h;
  }

  /// Rates before an impact at q, contact row layout: G_c(q) v of contacts that were open at t_n, whose impulses act
  /// along these directions and with e_n = 1 conserve the energy of v; `rates_n`, those at t_n, of the others, which do
  /// not approach.
  void find_rates_before_impact(const Vector& v, const Vector& rates_n, Vector& rates) const;

  const System* system;
  PatternPool patterns;  ///< of the matrices of sub-problems
  const Configuration* q_n = nullptr;
  const Vector* v_n = nullptr;
  double h = 0.0;
  double tolerance = 1e-8;
  const std::vector<ContactState>* contact_state_n = nullptr;
  const Vector* contact_rate_n = nullptr;  ///< rates of contacts at t_n; null in analyses without motion
  std::vector<double> impulse_n;  ///< largest impulse of a contact row of each group in the last step, N s

  Vector dq_smooth;                      ///< q~ = q_n o exp(dq_smooth)
  Vector v_smooth;                       ///< v~
  Vector acceleration;                   ///< dv~/dt at t_{n+1}
  Vector lambda;                         ///< physical smooth multipliers, row layout
  StagePoint smooth;                     ///< point at q~
  MeanForceDirections force_directions;  ///< of contacts

  Scales scales;
  BodyGroups groups;
  std::vector<PerKind> speed;            ///< characteristic speeds of each group in the step
  Vector contact_mass;                   ///< effective mass of each contact
  std::vector<Redundancy> redundancies;  ///< redundancies of constraints at the start
};

}  // namespace picus
