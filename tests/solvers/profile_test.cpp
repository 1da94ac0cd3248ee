// Timings reported by schemes, and the contact solver they report.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/simulate.hpp>

#include <gmock/gmock.h>

#include <algorithm>

namespace picus::profile_test {
namespace {

constexpr double h = 2e-3;

std::int64_t count_of(const Profile& profile, std::string_view subproblem, ProfilePart part) {
  for (const Profile::Entry& entry : profile.entries()) {
    if (entry.subproblem == subproblem && entry.part == part) return entry.count;
  }
  return 0;
}

std::int64_t count_of(const Profile& profile, ProfilePart part) {
  std::int64_t count = 0;
  for (const Profile::Entry& entry : profile.entries()) count += entry.part == part ? entry.count : 0;
  return count;
}

TEST(SchemeProfile, CountsWhatTheStatisticsCount) {
  const BoxOnRod box;
  DecoupledNsga integrator({.step = h});
  Profile profile;
  const RunSummary summary = simulate(box.model, integrator, {.until = 100 * h, .profile = &profile});
  EXPECT_THAT(summary.fallbacks, testing::Each(0));
  for (const SubproblemStatistics& statistics : summary.subproblems) {
    const std::string& name = statistics.name;
    // One linear solve per iteration, each with its own tangent; residuals at the first guess and after each.
    EXPECT_EQ(count_of(profile, name, ProfilePart::solution), statistics.iterations) << name;
    EXPECT_EQ(count_of(profile, name, ProfilePart::factorization), statistics.iterations) << name;
    EXPECT_EQ(count_of(profile, name, ProfilePart::assembly), statistics.iterations) << name;
    EXPECT_GE(count_of(profile, name, ProfilePart::evaluation), statistics.iterations + 100) << name;
    EXPECT_EQ(count_of(profile, name, ProfilePart::rest), 100) << name;
  }
  // Of the three sub-problems, and of the velocities before impacts.
  EXPECT_EQ(count_of(profile, ProfilePart::analysis), 4);
  EXPECT_EQ(count_of(profile, ProfilePart::contact_solver), 0);
  // The clock of the summary is started after, and read before, that of the profile.
  EXPECT_GE(profile.seconds(), summary.wall_seconds);
}

class ProfileOfEachScheme : public testing::TestWithParam<std::string_view> {};

TEST_P(ProfileOfEachScheme, HasItsSubproblemsAndChangesNothing) {
  const BoxOnRod box(0.0);  // not all schemes have friction
  const auto integrator = make_integrator(GetParam(), {.step = h});
  Profile profile;
  const RunSummary told = simulate(box.model, *integrator, {.until = 50 * h, .profile = &profile});
  const RunSummary untold = simulate(box.model, *integrator, {.until = 50 * h});
  EXPECT_TRUE(identical(told.final_state, untold.final_state));
  const SubproblemNames names = integrator->subproblem_names();
  std::int64_t solutions = 0;
  for (const Profile::Entry& entry : profile.entries()) {
    EXPECT_TRUE(entry.subproblem.empty() || std::ranges::find(names, entry.subproblem) != names.end())
        << entry.subproblem;
    EXPECT_GE(entry.seconds, 0.0);
    if (!entry.subproblem.empty() && entry.part == ProfilePart::solution) solutions += entry.count;
  }
  std::int64_t iterations = 0;
  for (const SubproblemStatistics& statistics : told.subproblems) iterations += statistics.iterations;
  EXPECT_GE(solutions, iterations);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ProfileOfEachScheme,
                         testing::Values("ds", "cs", "chen", "chen:solver=lcp", "moreau-jean:projection=yes",
                                         "schatzman-paoli", "mixed", "mixed:base=bathe",
                                         "mixed:base=ed-alpha", "mixed:base=half-explicit"));

TEST(ContactSolverOption, IsObeyed) {
  const BoxOnRod box;
  const System system(box.model);
  const auto run_with = [&](ContactSolverKind kind, Profile& profile) {
    DecoupledNsga integrator({.step = h, .contact_solver = kind});
    return simulate(box.model, integrator, {.until = 150 * h, .profile = &profile}).final_state;
  };
  Profile automatic, newton, sweeps;
  const State by_default = run_with(ContactSolverKind::automatic, automatic);
  const State by_newton = run_with(ContactSolverKind::newton, newton);
  const State by_sweeps = run_with(ContactSolverKind::sweeps, sweeps);
  EXPECT_TRUE(identical(by_default, by_newton));  // four contacts are few
  EXPECT_EQ(count_of(newton, ProfilePart::contact_solver), 0);
  EXPECT_GT(count_of(sweeps, ProfilePart::contact_solver), 0);
  EXPECT_EQ(by_newton.contact_state, by_sweeps.contact_state);
  // Both solve each step to 1e-8 of its motion, and 150 steps with impacts accumulate that.
  EXPECT_LE((by_newton.v - by_sweeps.v).norm(), 1e-5 * std::max(1.0, by_newton.v.norm()));
}

}  // namespace
}  // namespace picus::profile_test
