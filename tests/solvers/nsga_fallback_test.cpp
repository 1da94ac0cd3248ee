// Steps in which Newton's method stalls. Stalls are provoked by few iterations or by an absurd scaling.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/error.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace picus::nsga_fallback_test {
namespace {

constexpr double h = 2e-3;
constexpr int steps = 500;
constexpr FallbackPolicy none = {.smaller_scaling = false,
                                 .other_first_guess = false,
                                 .interior_point = false,
                                 .no_restitution = false,
                                 .smallest_feasible_shift = false,
                                 .accepted_residual = 1};

struct Outcome {
  State state;
  std::array<int, max_fallbacks> fallbacks{};
  double worst_reaction_error = 0;  ///< force in the rod compared with the reaction of the pivot
};

class NsgaFallback : public testing::Test {
 protected:
  Outcome run_with(const SchemeOptions& options) {
    Outcome result;
    const Configuration& start = box.model.initial_configuration();
    Vec3 last_direction = (start.position(box.pivot) - box.hook.position(start)).normalized();
    std::vector<ContactState> last_states(system.contacts().size(), ContactState::gap);
    DecoupledNsga integrator(options, {.step_cuts = 0});
    result.state = run(system, integrator, steps, [&](const State& state, const StepReport& report) {
      for (std::size_t i = 0; i < max_fallbacks; ++i) result.fallbacks[i] += report.fallbacks[i];
      const bool was_hard = std::ranges::any_of(report.fallbacks, [](int count) { return count > 0; });
      EXPECT_EQ(!report.culprit.empty(), was_hard) << report.culprit;
      const Vec3 direction = (state.q.position(box.pivot) - box.hook.position(state.q)).normalized();
      const double force = -state.constraint_force[0];
      const double impulse = -state.constraint_impulse[0] / h;
      const Vec3 held = state.reaction.segment<3>(box.pivot.v);
      // While contacts stay closed, and none closes, impulses act along the mean of the directions at both ends.
      bool stays = false, closes = false;
      for (std::size_t c = 0; c < last_states.size(); ++c) {
        if (state.position_multiplier[system.contacts()[c].first_row] == 0) continue;
        (last_states[c] == ContactState::gap ? closes : stays) = true;
      }
      const Vec3 of_impulse = stays && !closes ? Vec3(0.5 * (direction + last_direction)) : direction;
      result.worst_reaction_error =
          std::max(result.worst_reaction_error, (held - force * direction - impulse * of_impulse).norm() /
                                                    (1 + std::abs(force + impulse)));
      last_states = state.contact_state;
      last_direction = direction;
    });
    return result;
  }
  int used(const Outcome& result, Fallback fallback) const { return result.fallbacks[place_of(fallback)]; }
  /// The same motion up to the error that 500 steps of relative tolerance 1e-8 accumulate: the impacts of a tumbling
  /// box amplify differences about a thousandfold (measured 4e-5 and 1.4e-4). A different motion would differ by 0.1.
  void expect_same_motion(const Outcome& a, const Outcome& b) {
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), a.state.q, b.state.q, apart);
    EXPECT_LE(apart.norm(), 1e-3);
    EXPECT_LE((a.state.v - b.state.v).norm(), 1e-2);
  }

  BoxOnRod box;
  System system{box.model};
};

TEST_F(NsgaFallback, NoneIsNeededByDefault) {
  const Outcome result = run_with({.step = h, .fallbacks = none});
  EXPECT_EQ(result.fallbacks, (std::array<int, max_fallbacks>{}));
  EXPECT_LE(result.worst_reaction_error, 1e-9);
}

TEST_F(NsgaFallback, SmallerScalingHealsATooLargeOne) {
  FallbackPolicy policy = none;
  policy.smaller_scaling = true;
  const Outcome healed = run_with({.step = h, .scaling = 1e5, .fallbacks = policy});
  EXPECT_GT(used(healed, Fallback::smaller_scaling), 0);
  expect_same_motion(healed, run_with({.step = h}));
  // Multipliers are physical, whatever the scaling.
  EXPECT_LE(healed.worst_reaction_error, 1e-9);
  EXPECT_THROW(run_with({.step = h, .scaling = 1e5, .fallbacks = none}), SolverError);
}

TEST_F(NsgaFallback, TheInteriorPointHealsWhatNewtonHasNoIterationsFor) {
  FallbackPolicy policy = none;
  policy.interior_point = true;
  const Outcome healed = run_with({.step = h, .max_iterations = 3, .fallbacks = policy});
  EXPECT_GT(used(healed, Fallback::interior_point), 0);
  expect_same_motion(healed, run_with({.step = h}));
  EXPECT_LE(healed.worst_reaction_error, 1e-9);
}

TEST_F(NsgaFallback, TheLastActiveSetHealsWhatIsAlreadyNearlySolved) {
  // A lever rests on the floor, and its overhanging end presses the other end against a ceiling. From zero
  // multipliers it falls away from the ceiling, which takes two iterations to correct; with the multipliers of the
  // last step it is known that both contacts are closed.
  Model model;
  const auto lever = model.add_frame("lever", {.position = {1, 0, 0}});
  model.restrict_to_plane(lever);
  model.add<support::OffsetBody>({.name = "mass", .node = lever, .gravity = {0, -9.81, 0}});
  Mat3 upwards = Mat3::Zero();
  upwards.col(0) = Vec3::UnitY();
  Mat3 downwards = -upwards;
  model.add<support::PlaneContact>(
      {.name = "floor", .point = {lever, {-1, 0, 0}}, .axes = upwards, .law = {.friction_directions = 0}});
  model.add<support::PlaneContact>({.name = "ceiling",
                                    .point = {lever, {-1.5, 0, 0}},
                                    .axes = downwards,
                                    .law = {.friction_directions = 0}});
  const System resting(model);
  DecoupledNsga careful({.step = h});
  State state = run(resting, careful, 5);
  EXPECT_GT(state.contact_impulse.minCoeff(), 0.0) << "both press";
  FallbackPolicy policy = none;
  policy.other_first_guess = true;
  DecoupledNsga hasty({.step = h, .max_iterations = 1, .fallbacks = policy}, {.step_cuts = 0});
  hasty.start(resting);
  for (int i = 0; i < 5; ++i) EXPECT_GT(count_of(hasty.step(state), Fallback::other_first_guess), 0);
  EXPECT_LE(state.v.norm(), 1e-8);
}

/// A pendulum whose swing over 0.1 s is not solved by two iterations.
struct Pendulum {
  Pendulum() {
    const auto pivot = model.add_point("pivot");
    model.fix(pivot);
    bob = model.add_point("bob", {.position = {1, 0, 0}, .velocity = {0, 2, 1}});
    model.add<support::PointMass>({.name = "mass", .node = bob, .gravity = {0, 0, -9.81}});
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob});
  }
  Model model;
  PointNode bob;
};

TEST_F(NsgaFallback, CutStepsArriveAtTheSameTime) {
  const Pendulum model;
  const PointNode bob = model.bob;
  const System pendulum(model.model);
  DecoupledNsga integrator({.step = 0.1, .max_iterations = 2, .fallbacks = none}, {.step_cuts = 6});
  int cuts = 0;
  int step = 0;
  const State cut = run(pendulum, integrator, 10, [&](const State& state, const StepReport& report) {
    cuts += count_of(report, Fallback::step_cut);
    EXPECT_EQ(state.step, ++step) << "a step that was cut is one step";
    EXPECT_NEAR(state.time, 0.1 * step, 1e-14);
  });
  EXPECT_GT(cuts, 0);
  const State exact = run(pendulum, {.step = 1e-4}, 1.0);
  const State uncut = run(pendulum, {.step = 0.1}, 1.0);
  const double error = (cut.q.position(bob) - exact.q.position(bob)).norm();
  EXPECT_LE(error, 1.1 * (uncut.q.position(bob) - exact.q.position(bob)).norm());
}

TEST_F(NsgaFallback, WhatIsNotSolvedIsAcceptedNearItsToleranceAndTold) {
  const Pendulum model;
  const System pendulum(model.model);
  FallbackPolicy policy = none;
  policy.accepted_residual = 1e6;
  DecoupledNsga hasty({.step = 0.1, .max_iterations = 2, .fallbacks = policy}, {.step_cuts = 0});
  double worst = 0;
  const State state = run(pendulum, hasty, 10, [&](const State&, const StepReport& report) {
    EXPECT_EQ(count_of(report, Fallback::accepted) > 0, report.accepted_residual > 0);
    worst = std::max(worst, report.accepted_residual);
  });
  EXPECT_GT(worst, 1.0);
  EXPECT_LE(worst, policy.accepted_residual);
  // Each step has an error of at most that times 1e-8 of its motion, and passes it on; ten of them, of 0.5 m at most.
  const State exact = run(pendulum, {.step = 0.1}, 1.0);
  EXPECT_LE((state.q.position(model.bob) - exact.q.position(model.bob)).norm(), 10 * 10 * 0.5 * 1e-8 * worst);

  // A smaller factor is not sufficient.
  policy.accepted_residual = std::max(1.0, worst / 10);
  DecoupledNsga strict({.step = 0.1, .max_iterations = 2, .fallbacks = policy}, {.step_cuts = 0});
  EXPECT_THROW(run(pendulum, strict, 10), SolverError);

  // Steps are cut first.
  policy.accepted_residual = 1e6;
  DecoupledNsga cutting({.step = 0.1, .max_iterations = 2, .fallbacks = policy}, {.step_cuts = 6});
  int cuts = 0;
  run(pendulum, cutting, 10, [&](const State&, const StepReport& report) {
    cuts += count_of(report, Fallback::step_cut);
    EXPECT_EQ(count_of(report, Fallback::accepted), 0);
  });
  EXPECT_GT(cuts, 0);
}

TEST_F(NsgaFallback, ACutStepIsTwoHalfStepsAndTheirImpulsesAddUp) {
  // A single iteration is too few for the swing over this step, which involves no contact.
  constexpr double long_h = 2 * h;
  DecoupledNsga hasty(
      {.step = long_h,
       .max_iterations = 1,
       .fallbacks = {.no_restitution = false, .smallest_feasible_shift = false, .accepted_residual = 1}},
      {.rho_inf = 0.0});  // accelerations are not taken to the time of a part
  DecoupledNsga halves({.step = long_h / 2}, {.rho_inf = 0.0});
  State state = hasty.start(system);
  halves.start(system);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    State first = state;
    if (count_of(hasty.step(state), Fallback::step_cut) != 1) continue;  // none, or halves cut again
    ++compared;
    halves.step(first);
    State second = first;
    halves.step(second);
    const auto expect_near = [](const Vector& cut, const Vector& sum) {
      EXPECT_LE((cut - sum).norm(), 1e-6 * (1 + sum.norm()));
    };
    expect_near(state.v, second.v);
    expect_near(state.contact_impulse, first.contact_impulse + second.contact_impulse);
    expect_near(state.contact_slip, second.contact_slip);
    expect_near(state.reaction, (first.reaction + second.reaction) / 2);
    expect_near(long_h * state.constraint_force + state.constraint_impulse,
                long_h / 2 * (first.constraint_force + second.constraint_force) + first.constraint_impulse +
                    second.constraint_impulse);
  }
  EXPECT_GT(compared, 0);
}

TEST_F(NsgaFallback, AFailureLeavesTheStateAndNamesItsPlace) {
  FallbackPolicy policy = none;
  policy.smaller_scaling = policy.other_first_guess = true;
  DecoupledNsga integrator({.step = h, .max_iterations = 1, .fallbacks = policy}, {.step_cuts = 2});
  State state = integrator.start(system);
  State before = state;
  const std::string message = support::message_of<SolverError>([&] {
    for (int i = 0; i < steps; ++i) {
      before = state;
      integrator.step(state);
    }
  });
  EXPECT_TRUE(identical(state, before));
  EXPECT_GT(before.step, 0);
  using testing::HasSubstr;
  EXPECT_THAT(message, testing::StartsWith("step from t = 0."));
  EXPECT_THAT(message, HasSubstr("with h = 0.0005 s: the position sub-problem was not solved"))
      << "two cuts make a quarter of the step";
  EXPECT_THAT(message, HasSubstr("after 1 iterations the residual of "));
  EXPECT_THAT(message, testing::AnyOf(HasSubstr("node \"box\""), HasSubstr("constraint \"rod\""),
                                      HasSubstr("contact \"corner ")));
  EXPECT_THAT(message, HasSubstr("times its tolerance"));

  // The same step succeeds with sufficient iterations.
  DecoupledNsga patient({.step = h});
  patient.start(system);
  EXPECT_NO_THROW(patient.step(state));
}

/// A force that becomes NaN after a while.
class Lost : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    double when = 0;
  };
  Lost(const Parameters& p, const Model&) : Element(p.name, {p.node}), when_(p.when) {}
  Traits traits() const override { return {}; }
  void force(const Motion& motion, std::span<double> f) const override {
    f[1] = motion.t > when_ ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  }
  void tangents(const Motion&, std::span<double>, std::span<double>) const override {}

 private:
  double when_;
};

TEST_F(NsgaFallback, ANanInTheModelIsReportedNotCarriedAlong) {
  Model model;
  const auto first = model.add_point("first");
  const auto second = model.add_point("second");
  const auto third = model.add_point("third");
  for (const auto& node : {first, second, third})
    model.add<support::PointMass>({.name = "mass of " + model.node_name(node), .node = node});
  model.add<Lost>({.name = "lost", .node = second, .when = 0.0105});
  const System lost(model);
  DecoupledNsga integrator({.step = 1e-3});
  State state = integrator.start(lost);
  State before = state;
  const std::string message = support::message_of<SolverError>([&] {
    for (int i = 0; i < 100; ++i) {
      before = state;
      integrator.step(state);
    }
  });
  EXPECT_TRUE(identical(state, before));
  EXPECT_TRUE(state.v.allFinite());
  EXPECT_THAT(message, testing::HasSubstr("the smooth sub-problem was not solved"));
  EXPECT_THAT(message, testing::HasSubstr("the residual of y of node \"second\" is not a number"));
}

}  // namespace
}  // namespace picus::nsga_fallback_test
