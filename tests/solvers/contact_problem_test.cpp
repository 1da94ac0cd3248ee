// What sub-problems provide to solvers that condense them to their contacts, compared with differences: the response
// of gaps and rates to the unknowns, and the tangent with fixed multipliers; at random iterates with large rotations.

#include "random_step.hpp"
#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/subproblems/contact_condensation.hpp>
#include <picus/solvers/subproblems/explicit_stage.hpp>
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>
#include <picus/solvers/subproblems/two_stage_problem.hpp>
#include <picus/solvers/subproblems/velocity_level_problem.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace picus::contact_problem_test {

using solvers::ExplicitStage;
using solvers::SchatzmanPaoliProblem;
using solvers::TwoStageProblem;

namespace {

/// For central differences of functions of size 1 with steps of 1e-5, as for other tangents.
constexpr double tolerance = 1e-8;

class ContactProblems : public RandomStep {
 protected:
  ContactProblems() { set_up(other_data); }

  Vector random_velocities(double size = 1.0) { return random.vector(system.velocity_count(), size); }
  Vector random_multipliers() { return random.vector(system.contact_row_count(), 2.0); }
  StageFormulas random_formulas(double v_own, double v_other) {
    return {.time = 0.7,
            .force_rate = 0.6,
            .v_own = v_own,
            .v_other = v_other,
            .dq_own = 0.3,
            .dq_other = -0.2,
            .v_0 = random_velocities(),
            .dq_0 = random_velocities(0.5)};
  }
  /// Solves for the smooth motion, from which the position problem starts.
  void move_smoothly() {
    SmoothProblem smooth(data);
    smooth.set_scaling(1.0, 0.0);
    smooth.begin(GeneralizedAlpha::with_spectral_radius(0.7), random_velocities(), random_velocities(),
                 random.vector(system.row_count()));
    Vector r(smooth.size());
    smooth.evaluate(r);
    Vector auxiliary;
    smooth.finish(auxiliary);
  }

  /// Rows of motion contain -k times the response, and the condensation to the contacts solves all others.
  template <class Clear>
  void check_condensation(ContactProblem& problem, const Clear& clear_contacts) {
    Vector r(problem.size());
    problem.evaluate(r);
    const Eigen::MatrixXd matrix = support::dense(problem.tangent_with(ContactRows::motion));
    const Vector dx = random.vector(problem.size());
    const auto rows = count_of(problem.contact_multipliers());
    Vector response(rows);
    problem.contact_response(dx, response);
    const Vector along = matrix * dx;
    for (const ContactCone& cone : problem.cones()) {
      for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
        EXPECT_NEAR(along[problem.contact_unknown(i)], -cone.k * response[i], tolerance * cone.k) << i;
    }
    solvers::ContactCondensation condensation;
    ASSERT_TRUE(condensation.factorize(problem));
    Vector dP = Vector::Zero(rows);
    for (const ContactCone& cone : condensation.contacts())
      dP.segment(cone.first_row, cone.rows) = random.vector(cone.rows);
    Vector change(problem.size());
    condensation.solve(r, dP, change);
    support::expect_near(clear_contacts(matrix * change), clear_contacts(-r), tolerance, "condensed rows");
    Vector motion = Vector::Zero(rows), expected(rows);
    condensation.add_motion(change, motion);
    problem.contact_response(change, expected);
    for (const ContactCone& cone : condensation.contacts()) {
      for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
        EXPECT_NEAR(motion[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
    }
    // W is the response to unit multipliers.
    std::vector<Index> all(condensation.contacts().size());
    std::iota(all.begin(), all.end(), 0);
    const solvers::DelassusOperator& W = condensation.make_operator(all);
    const Vector none = Vector::Zero(problem.size());
    const Eigen::MatrixXd dense = W.dense();
    for (Index c = 0; c < count_of(all); ++c) {
      const ContactCone& cone = condensation.contacts()[c];
      const Vector unit = Vector::Unit(rows, cone.first_row);
      condensation.solve(none, unit, change);
      motion.setZero();
      condensation.add_motion(change, motion);
      for (Index d = 0; d < count_of(all); ++d) {
        const ContactCone& other = condensation.contacts()[d];
        for (Index i = 0; i < other.rows; ++i)
          EXPECT_NEAR(dense(W.first_row(d) + i, W.first_row(c)), motion[other.first_row + i],
                      tolerance * (1 + std::abs(motion[other.first_row + i])));
      }
    }
  }

  /// Checks the problem at a random iterate near its current one.
  void check(ContactProblem& problem) {
    problem.set_scaling(0.7, 0.0);
    const auto rows = count_of(problem.contact_multipliers());
    problem.set_contact_multipliers(random.vector(rows, 2.0));
    problem.advance(random.vector(problem.size(), 0.5), 1.0);
    Vector r(problem.size());
    problem.evaluate(r);
    const Eigen::MatrixXd fixed = support::dense(problem.tangent_with(ContactRows::fixed));

    const Vector dx = random.vector(problem.size());
    Vector response(rows);
    problem.contact_response(dx, response);
    const Vector motion_along = support::derivative([&](double s) -> Vector {
      problem.advance(dx, s);
      problem.evaluate(r);
      const Vector motion = problem.contact_motion();
      problem.advance(dx, -s);
      return motion;
    });
    support::expect_near(response, motion_along, tolerance, "response of contacts");

    // All rows except those of the contacts agree with the residual.
    std::vector<char> is_of_contact(problem.size(), 0);
    for (Index row = 0; row < rows; ++row) is_of_contact[problem.contact_unknown(row)] = 1;
    const auto clear_contacts = [&](Vector values) {
      for (Index i = 0; i < values.size(); ++i) {
        if (is_of_contact[i] != 0) values[i] = 0.0;
      }
      return values;
    };
    const Vector residual_along = support::derivative([&](double s) -> Vector {
      problem.advance(dx, s);
      problem.evaluate(r);
      problem.advance(dx, -s);
      return r;
    });
    support::expect_near(clear_contacts(fixed * dx), clear_contacts(residual_along), tolerance,
                         "rows without contacts");

    check_condensation(problem, clear_contacts);

    // A row of a contact contains its own multiplier and nothing else.
    problem.evaluate(r);
    const Vector P = problem.contact_multipliers();
    for (Index row = 0; row < rows; ++row) {
      const Index unknown = problem.contact_unknown(row);
      Vector others = fixed.row(unknown);
      const double diagonal = std::exchange(others[unknown], 0.0);
      EXPECT_TRUE(others.isZero(0.0)) << row;
      const Vector step =
          problem.fixed_multiplier_row(row, 0.3) / diagonal * Vector::Unit(problem.size(), unknown);
      problem.advance(step, 1.0);
      const Vector change = problem.contact_multipliers() - P;
      problem.advance(step, -1.0);
      support::expect_near(change, 0.3 * Vector::Unit(rows, row), 1e-12, "one multiplier moves");
    }
  }

  StepData other_data{system};
};

TEST_P(ContactProblems, Position) {
  move_smoothly();
  PositionProblem problem(data);
  problem.begin();
  check(problem);
  problem.begin_projection(ProjectionUnit::length, 1e-3);
  check(problem);
}

TEST_P(ContactProblems, Velocity) {
  move_smoothly();
  PositionProblem position(data);
  position.begin();
  Vector r(position.size());
  position.evaluate(r);
  VelocityProblem problem(data);
  const std::vector<ContactState> closed(system.contacts().size(), ContactState::stick);
  const Vector rates = random_multipliers();
  problem.begin({.v = &v_n, .contact_rate_n = &rates}, closed);
  check(problem);
}

TEST_P(ContactProblems, VelocityLevel) {
  VelocityLevelProblem problem(data);
  for (const bool closes_gaps : {false, true}) {
    for (const double w_rate : {0.5, 0.25}) {  // the theta-method, and W in the velocity
      problem.begin({.smooth = {.time = 1.0,
                                .force_rate = 0.6,
                                .dq_own = 0.5,
                                .v_0 = random_velocities(),
                                .dq_0 = random_velocities(0.5)},
                     .w_rate = w_rate,
                     .closes_gaps = closes_gaps},
                    random_velocities(), random.vector(system.row_count()), random_multipliers());
      check(problem);
    }
  }
}

TEST_P(ContactProblems, Stage) {
  ImplicitStage problem(data);
  problem.begin(random_formulas(1, 0), random_velocities(), random.vector(system.row_count()));
  check(problem);
}

TEST_P(ContactProblems, TwoStages) {
  ImplicitStage first(other_data);
  ImplicitStage second(data);
  TwoStageProblem problem(first, second);
  first.begin(random_formulas(0.2, -0.4), random_velocities(), random.vector(system.row_count()));
  second.begin(random_formulas(1, 1), random_velocities(), random.vector(system.row_count()));
  check(problem);
  EXPECT_EQ(problem.cones().size(), 2 * system.contacts().size());
  EXPECT_EQ(problem.cones().back().first_row, system.contact_row_count() + second.cones().back().first_row);
}

TEST_P(ContactProblems, ExplicitStage) {
  ExplicitStage problem(data);
  StagePoint forces(system);
  retract(system.nodes(), q_n, random_velocities(0.5), forces.q);
  retract(system.nodes(), q_n, random_velocities(0.5), data.q);
  forces.t = 1.0;
  forces.evaluate(system);
  data.evaluate(system);
  const Vector v_forces = random_velocities();
  const Vector v_0 = random_velocities();
  problem.begin(
      {.force_rate = 0.6, .forces = &forces, .v_forces = &v_forces, .v_0 = &v_0, .has_impact_law = true});
  check(problem);
}

TEST_P(ContactProblems, SchatzmanPaoli) {
  for (const double theta : {0.0, 0.5}) {
    SchatzmanPaoliProblem problem(data, theta);
    Vector increment_n = random_velocities(0.8);
    system.clear_prescribed(increment_n);
    problem.begin(increment_n, random_velocities(), random.vector(system.row_count()));
    check(problem);
  }
}

/// Rates at t_n are multiplied by e as long as restitution is kept: for contacts that were open, then for none.
TEST_P(ContactProblems, RestitutionIsLeftOutOfOldContactsThenOfAll) {
  move_smoothly();
  for (std::size_t c = 0; c < state_n.size(); c += 2) state_n[c] = ContactState::slip;
  VelocityProblem velocity(data);
  VelocityLevelProblem velocity_level(data);
  const std::vector<ContactState> closed(system.contacts().size(), ContactState::stick);
  const Vector rate_n = random_multipliers();
  const DifferenceFormulas formulas{.smooth = {.time = 1.0,
                                               .force_rate = 0.6,
                                               .dq_own = 0.5,
                                               .v_0 = random_velocities(),
                                               .dq_0 = random_velocities(0.5)},
                                    .w_rate = 0.5};
  const Vector acceleration = random_velocities();
  const Vector mu = Vector::Zero(system.row_count());
  const auto restitution_of = [&](auto& problem, Restitution kept, const auto& begin) -> Vector {
    problem.set_scaling(1.0, 0.0);
    problem.set_restitution(kept);
    begin();
    Vector r(problem.size());
    problem.evaluate(r);
    Vector rates = problem.contact_motion() - problem.contact_rate();
    EXPECT_EQ(problem.has_restitution(), !rates.isZero(1e-14));
    return rates;
  };
  // Rates of open contacts are not those of t_n, but along the directions of the impulses.
  Vector before = rate_n;
  System::multiply(system.contact_entries(), data.contact_G, v_n, before);
  for (std::size_t c = 0; c < state_n.size(); c += 2) {
    const auto& block = system.contacts()[c];
    before.segment(block.first_row, block.rows) = rate_n.segment(block.first_row, block.rows);
  }
  const auto has_impact_beside = [&](std::size_t contact) {
    const auto [one, other] = data.groups.sides(contact);
    for (std::size_t c = 0; c < state_n.size(); ++c) {
      const auto& block = system.contacts()[c];
      const auto [a, b] = data.groups.sides(c);
      const bool is_beside = a == one || a == other || b == one || b == other;
      if (is_beside && state_n[c] == ContactState::gap && before[block.first_row] < 0 &&
          block.role->law().e_n > 0)
        return true;
    }
    return false;
  };
  // Separating contacts have none at position level, unless others of their bodies meet.
  const auto check_rates = [&](auto& problem, const Vector& rates, bool of_closing, const auto& begin) {
    const Vector complete = restitution_of(problem, Restitution::complete, begin);
    const Vector of_new = restitution_of(problem, Restitution::of_new_contacts, begin);
    const Vector none = restitution_of(problem, Restitution::none, begin);
    for (std::size_t c = 0; c < state_n.size(); ++c) {
      const auto& block = system.contacts()[c];
      const Index n = block.first_row;
      const bool counts = !of_closing || rates[n] < 0 || has_impact_beside(c);
      EXPECT_NEAR(complete[n], counts ? block.role->law().e_n * rates[n] : 0.0, 1e-14);
      EXPECT_NEAR(of_new[n], state_n[c] == ContactState::gap ? complete[n] : 0.0, 1e-14);
    }
    EXPECT_TRUE(none.isZero(1e-14));
  };
  check_rates(velocity, before, true,
              [&] { velocity.begin({.v = &v_n, .contact_rate_n = &rate_n}, closed); });
  check_rates(velocity_level, rate_n, false,
              [&] { velocity_level.begin(formulas, acceleration, mu, rate_n); });
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, ContactProblems, testing::Values(401u, 402u, 403u));

}  // namespace
}  // namespace picus::contact_problem_test
