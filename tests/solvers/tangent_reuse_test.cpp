// Factors of earlier tangents: fewer factorisations, the same motion to the tolerance.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <support/mixed_model.hpp>

namespace picus::tangent_reuse_test {
namespace {

constexpr double h = 2e-3;

std::int64_t factorizations(const DecoupledNsga& integrator, int subproblem) {
  const LinearSolverStatistics& statistics = integrator.linear_statistics(subproblem);
  return statistics.factorizations + statistics.refactorizations;
}

TEST(TangentReuse, SavesFactorisationsInSmoothMotion) {
  support::Random random(1);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  DecoupledNsga exact({.step = h}, {.reuse = TangentReuse::never});
  DecoupledNsga thrifty({.step = h}, {.reuse = TangentReuse::always});
  const State a = run(system, exact, 200);
  const State b = run(system, thrifty, 200);
  EXPECT_GE(factorizations(exact, 0), 200);
  EXPECT_LE(factorizations(thrifty, 0), 100);
  // Both solve each step to 1e-8 of its motion, and 200 steps accumulate that.
  EXPECT_LE((a.v - b.v).norm(), 1e-5 * a.v.norm());
}

TEST(TangentReuse, TakesANewTangentWhenAContactChanges) {
  const BoxOnRod box;
  const System system(box.model);
  DecoupledNsga exact({.step = h}, {.reuse = TangentReuse::never});
  DecoupledNsga thrifty({.step = h}, {.reuse = TangentReuse::always});
  int worst = 0;
  const State a = run(system, exact, 300);
  const State b = run(system, thrifty, 300, [&](const State&, const StepReport& report) {
    for (const SubproblemReport& solved : report.subproblems) worst = std::max(worst, solved.iterations);
    for (const int count : report.fallbacks) EXPECT_EQ(count, 0);
  });
  EXPECT_EQ(a.contact_state, b.contact_state);
  EXPECT_LE((a.v - b.v).norm(), 1e-5 * std::max(1.0, a.v.norm()));
  EXPECT_LE(worst, 12);
}

TEST(TangentReuse, IsOffForSmallModels) {
  const BoxOnRod box;
  const System system(box.model);
  DecoupledNsga automatic({.step = h});
  DecoupledNsga never({.step = h}, {.reuse = TangentReuse::never});
  EXPECT_TRUE(identical(run(system, automatic, 100), run(system, never, 100)));
}

}  // namespace
}  // namespace picus::tangent_reuse_test
