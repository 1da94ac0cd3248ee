#include "runs.hpp"
#include <picus/error.hpp>
#include <support/bodies.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::nsga_options_test {
namespace {

using Own = DecoupledNsgaOptions;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const SchemeOptions& options, const Own& own = {}) {
  return support::message_of<OptionError>([&] { DecoupledNsga integrator(options, own); });
}
std::string own_refusal(const Own& own) {
  return refusal({}, own);
}
constexpr const char* accepted = "nothing was thrown";

TEST(NsgaOptions, DefaultsAreAccepted) {
  EXPECT_EQ(refusal({}), accepted);
}

TEST(NsgaOptions, TheStepIsPositiveAndFinite) {
  EXPECT_EQ(refusal({.step = 0}), "step is 0, must be positive");
  EXPECT_EQ(refusal({.step = -1e-3}), "step is -0.001, must be positive");
  EXPECT_EQ(refusal({.step = nan}), "step is nan, must be positive");
  EXPECT_EQ(refusal({.step = infinity}), "step is inf, must be positive");
}

TEST(NsgaOptions, TheSpectralRadiusLiesBetweenZeroAndOne) {
  for (const double rho : {0.0, 0.5, 1.0}) EXPECT_EQ(own_refusal({.rho_inf = rho}), accepted);
  EXPECT_EQ(own_refusal({.rho_inf = -0.1}), "rho_inf is -0.1, must lie in [0, 1]");
  EXPECT_EQ(own_refusal({.rho_inf = 1.5}), "rho_inf is 1.5, must lie in [0, 1]");
  EXPECT_EQ(own_refusal({.rho_inf = nan}), "rho_inf is nan, must lie in [0, 1]");
}

TEST(NsgaOptions, TheToleranceIsSmallAndPositive) {
  EXPECT_EQ(refusal({.tolerance = 1e-2}), accepted);
  EXPECT_EQ(refusal({.tolerance = 0}), "tolerance is 0, must lie in (0, 0.01]");
  EXPECT_EQ(refusal({.tolerance = 0.02}), "tolerance is 0.02, must lie in (0, 0.01]");
  EXPECT_EQ(refusal({.tolerance = nan}), "tolerance is nan, must lie in (0, 0.01]");
}

TEST(NsgaOptions, IterationsAreLimited) {
  EXPECT_EQ(refusal({.max_iterations = 1}), accepted);
  EXPECT_EQ(refusal({.max_iterations = 0}), "max_iterations is 0, must lie in [1, 1000]");
  EXPECT_EQ(refusal({.max_iterations = 1001}), "max_iterations is 1001, must lie in [1, 1000]");
}

TEST(NsgaOptions, TheScalingIsPositiveAndFinite) {
  EXPECT_EQ(refusal({.scaling = 0}), "scaling is 0, must be positive");
  EXPECT_EQ(refusal({.scaling = -2}), "scaling is -2, must be positive");
  EXPECT_EQ(refusal({.scaling = infinity}), "scaling is inf, must be positive");
  EXPECT_EQ(refusal({.scaling = nan}), "scaling is nan, must be positive");
}

TEST(NsgaOptions, TheRegularizationIsSmall) {
  EXPECT_EQ(refusal({.regularization = 0}), accepted);
  EXPECT_EQ(refusal({.regularization = -1e-9}), "regularization is -1e-09, must lie in [0, 0.0001]");
  EXPECT_EQ(refusal({.regularization = 0.1}), "regularization is 0.1, must lie in [0, 0.0001]");
  EXPECT_EQ(refusal({.regularization = nan}), "regularization is nan, must lie in [0, 0.0001]");
}

TEST(NsgaOptions, StepCutsAreLimited) {
  EXPECT_EQ(own_refusal({.step_cuts = 0}), accepted);
  EXPECT_EQ(own_refusal({.step_cuts = -1}), "step_cuts is -1, must lie in [0, 10]");
  EXPECT_EQ(own_refusal({.step_cuts = 11}), "step_cuts is 11, must lie in [0, 10]");
}

TEST(NsgaOptions, WhatIsAcceptedAboveToleranceIsLimited) {
  EXPECT_EQ(refusal({.fallbacks = {.accepted_residual = 1}}), accepted);
  EXPECT_EQ(refusal({.fallbacks = {.accepted_residual = 0.5}}),
            "accepted_residual is 0.5, must lie in [1, 1000000]");
  EXPECT_EQ(refusal({.fallbacks = {.accepted_residual = 2e6}}),
            "accepted_residual is 2000000, must lie in [1, 1000000]");
  EXPECT_EQ(refusal({.fallbacks = {.accepted_residual = nan}}),
            "accepted_residual is nan, must lie in [1, 1000000]");
}

TEST(NsgaOptions, AreListedAsText) {
  const DecoupledNsga integrator({.step = 2e-4, .regularization = 0, .fallbacks = {.interior_point = false}},
                                 {.rho_inf = 0.5, .reuse = TangentReuse::never, .step_cuts = 2});
  EXPECT_EQ(integrator.name(), "ds");
  EXPECT_EQ(integrator.step_size(), 2e-4);
  using testing::Contains;
  using testing::Pair;
  const TextEntries entries = integrator.options();
  EXPECT_THAT(entries, Contains(Pair("step", "0.0002")));
  EXPECT_THAT(entries, Contains(Pair("rho_inf", "0.5")));
  EXPECT_THAT(entries, Contains(Pair("tolerance", "1e-08")));
  EXPECT_THAT(entries, Contains(Pair("regularization", "0")));
  EXPECT_THAT(entries, Contains(Pair("fallback_smaller_scaling", "yes")));
  EXPECT_THAT(entries, Contains(Pair("fallback_interior_point", "no")));
  EXPECT_THAT(entries, Contains(Pair("fallback_no_restitution", "yes")));
  EXPECT_THAT(entries, Contains(Pair("fallback_least_violation", "yes")));
  EXPECT_THAT(entries, Contains(Pair("reuse", "never")));
  EXPECT_THAT(entries, Contains(Pair("step_cuts", "2")));
  EXPECT_THAT(entries, Contains(Pair("accepted_residual", "1000")));
}

TEST(NsgaOptions, StepsAndStatisticsNeedAStart) {
  DecoupledNsga integrator;
  State state;
  EXPECT_EQ(support::message_of<SolverError>([&] { integrator.step(state); }), "step() before start()");
  EXPECT_EQ(support::message_of<OptionError>([&] { (void)integrator.linear_statistics(0); }),
            "there are no statistics before start()");
}

TEST(NsgaOptions, ChooseTheLinearSolverAndWrapIt) {
  Model model;
  const auto node = model.add_point("p");
  model.add<support::PointMass>({.name = "mass", .node = node, .gravity = {0, 0, -9.81}});
  const System system(model);
  for (const auto kind : {LinearSolverKind::klu, LinearSolverKind::umfpack}) {
    std::vector<std::string> wrapped;
    SchemeOptions options{.step = 1e-2, .linear_solver = kind};
    options.wrap_linear_solver = [&](std::unique_ptr<LinearSolver> solver) {
      wrapped.emplace_back(solver->name());
      return solver;
    };
    DecoupledNsga integrator(options);
    State state = integrator.start(system);
    integrator.step(state);
    EXPECT_EQ(wrapped, std::vector<std::string>(3, kind == LinearSolverKind::klu ? "KLU" : "UMFPACK"));
    EXPECT_GE(integrator.linear_statistics(0).solves + integrator.linear_statistics(1).solves, 0);
    EXPECT_EQ(support::message_of<OptionError>([&] { (void)integrator.linear_statistics(3); }),
              "there is no sub-problem 3");
  }
}

}  // namespace
}  // namespace picus::nsga_options_test
