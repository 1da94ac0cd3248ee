// The tangents of the three sub-problems against differences of their residuals, with respect to all
// unknowns, at random iterates with large rotations.

#include "random_step.hpp"
#include <picus/solvers/integrators/nsga_problems.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

class SubproblemTangents : public RandomStep {
 protected:
  SubproblemTangents() {
    for (Subproblem* problem : {static_cast<Subproblem*>(&smooth), static_cast<Subproblem*>(&position),
                                static_cast<Subproblem*>(&velocity)}) {
      problem->set_scaling(1.0, 0.0);
    }
    const Vector acceleration = random.vector(system.velocity_count());
    const Vector auxiliary = random.vector(system.velocity_count());
    smooth.begin(GeneralizedAlpha::with_spectral_radius(0.7), acceleration, auxiliary,
                 random.vector(system.row_count()));
    advance_randomly(smooth);
  }

  void advance_randomly(Subproblem& problem) {
    Vector r(problem.size());
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    problem.evaluate(r);
  }
  /// Proceeds to the position problem at a random iterate.
  void go_to_position() {
    Vector auxiliary;
    smooth.finish(auxiliary);
    position.set_contact_multipliers(pressing_multipliers());
    position.begin();
    advance_randomly(position);
  }
  void go_to_velocity() {
    std::vector<ContactState> states;
    for (std::size_t c = 0; c < system.contacts().size(); ++c)
      states.push_back(random.uniform(0, 1) < 0.2 ? ContactState::gap : ContactState::stick);
    velocity.set_contact_multipliers(pressing_multipliers());
    velocity.begin({.v = &v_n, .contact_rate_n = &rate_n}, states);
    advance_randomly(velocity);
  }

  /// Compares at the current iterate. Returns false when a difference step crossed a kink of the contact
  /// conditions, where no derivative exists.
  bool agrees(Subproblem& problem) {
    return tangent_agrees(problem, {&problem}, std::string(problem.name()), seen);
  }

  SmoothProblem smooth{data};
  PositionProblem position{data};
  VelocityProblem velocity{data};
};

TEST_P(SubproblemTangents, Smooth) {
  EXPECT_TRUE(agrees(smooth));
}

TEST_P(SubproblemTangents, SmoothWithHeldContactsInEveryState) {
  HeldContacts held(system);
  SmoothProblem problem(data, &held);
  problem.set_scaling(1.0, 0.0);
  State state;
  int compared = 0;
  int known = 0;
  for (int sample = 0; sample < 200 && compared < 20; ++sample) {
    state.contact_state.clear();
    for (std::size_t c = 0; c < system.contacts().size(); ++c)
      state.contact_state.push_back(static_cast<ContactState>(random.uniform(0, 3)));
    // Contacts slide at t_n or not, without a normal rate.
    state.contact_rate = random.uniform(0, 1) < 0.5 ? random.vector(system.contact_row_count())
                                                    : Vector::Zero(system.contact_row_count());
    for (const auto& block : system.contacts()) state.contact_rate[block.first_row] = 0.0;
    state.position_multiplier = Vector::Zero(system.contact_row_count());
    held.choose(data, state);
    problem.begin(GeneralizedAlpha::with_spectral_radius(0.7), random.vector(system.velocity_count()),
                  random.vector(system.velocity_count()), random.vector(system.row_count()));
    problem.set_contact_multipliers(pressing_multipliers());
    advance_randomly(problem);
    if (!agrees(problem)) continue;
    ++compared;
    if (!held.directions().isZero(0.0)) ++known;
  }
  EXPECT_GE(compared, 20);
  EXPECT_GE(known, 5);
  for (const int count : seen) EXPECT_GE(count, 5);
}

TEST_P(SubproblemTangents, PositionInEveryContactState) {
  int compared = 0;
  for (int sample = 0; sample < 200 && compared < 30; ++sample) {
    go_to_position();
    if (agrees(position)) ++compared;
  }
  EXPECT_GE(compared, 30);
  for (const int count : seen) EXPECT_GE(count, 5);
}

TEST_P(SubproblemTangents, VelocityInEveryContactState) {
  go_to_position();
  int compared = 0;
  for (int sample = 0; sample < 200 && compared < 30; ++sample) {
    go_to_velocity();
    if (agrees(velocity)) ++compared;
  }
  EXPECT_GE(compared, 30);
  for (const int count : seen) EXPECT_GE(count, 5);
}

TEST_P(SubproblemTangents, RowsOfContactsAreRenewedAlone) {
  go_to_position();
  for (int sample = 0; sample < 10; ++sample) {
    position.tangent();
    const std::uint64_t family = position.tangent_family();
    const std::uint64_t kind = position.tangent_kind();
    // Other states at the same iterate.
    Vector r(position.size());
    position.set_contact_multipliers(random.vector(system.contact_row_count(), 5.0));
    position.evaluate(r);
    EXPECT_EQ(position.tangent_family(), family);
    if (position.tangent_kind() == kind) continue;
    const Eigen::MatrixXd renewed = support::dense(position.tangent_with_updated_contacts());
    const Eigen::MatrixXd whole = support::dense(position.tangent());
    const Index contacts = position.size() - position.first_contact_unknown();
    EXPECT_EQ(renewed.bottomRows(contacts), whole.bottomRows(contacts));
    EXPECT_EQ(renewed.rightCols(contacts), whole.rightCols(contacts));
  }
  const std::uint64_t family = position.tangent_family();
  position.begin_projection(ProjectionUnit::length, 1e-3);
  EXPECT_NE(position.tangent_family(), family) << "another setting";
}

TEST_P(SubproblemTangents, ProjectionOfAStart) {
  position.set_contact_multipliers(random.vector(system.contact_row_count()));
  position.begin_projection(ProjectionUnit::length, 1e-3);
  int compared = 0;
  for (int sample = 0; sample < 50 && compared < 5; ++sample) {
    advance_randomly(position);
    if (agrees(position)) ++compared;
  }
  EXPECT_GE(compared, 5);
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, SubproblemTangents, testing::Values(101u, 102u, 103u));

}  // namespace
}  // namespace picus
