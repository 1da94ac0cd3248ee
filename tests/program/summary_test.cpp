// What a run prints when it is over.

#include "../../src/program/summary.hpp"

#include <support/bouncing_balls.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::program {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Summary, TellsOfTheContactsThatWereFound) {
  const Model model = support::make_bouncing_model();
  RunSummary summary;
  summary.steps = 100;
  EXPECT_THAT(
      summary_text(model, 0.01, summary),
      HasSubstr("\n  contacts found                changed in 0 steps, 0 steps repeated, none missed\n"));
  summary.search = {.changes = 37, .repeats = 1, .misses = 2, .worst_depth = 1.5e-4};
  EXPECT_THAT(
      summary_text(model, 0.01, summary),
      HasSubstr("changed in 37 steps, 1 step repeated, some missed in 2 steps, at most 1.50e-04 m deep\n"));
  EXPECT_THAT(summary_text(Model("plain"), 0.01, summary), Not(HasSubstr("contacts found")));
}

}  // namespace
}  // namespace picus::program
