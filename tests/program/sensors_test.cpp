/// Sensors of ready-made models on the command line.

#include "process.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SensorsTest : public ProgramTest {};

TEST_F(SensorsTest, AreListedWithTheirModel) {
  EXPECT_THAT(picus({"info", "woodpecker"}).out,
              AllOf(HasSubstr("sensors, in the result as sensors/NAME/QUANTITY"), HasSubstr("beak_force"),
                    HasSubstr("force, moment"), HasSubstr("0.001 s"), HasSubstr("mean")));
  EXPECT_THAT(picus({"info", "spinning-top"}).out, Not(HasSubstr("sensors")));
}

TEST_F(SensorsTest, AreShownAndDrawnOverTheirOwnTime) {
  const Outcome run =
      picus({"run", "crank-slider", "--until", "0.01", "--every", "50", "--quiet", "--out", "a.h5"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(picus({"show", "a.h5"}).out, AllOf(HasSubstr("/sensors/bearing/force"), HasSubstr("21 x 3"),
                                                 HasSubstr("/sensors/slider/time")));
  Outcome outcome = picus({"plot", "a.h5", "sensors/bearing/*", "energy/kinetic", "--from", "0.002"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text_of("a.png"), StartsWith("\x89PNG"));
  outcome = picus({"plot", "a.h5", "sensors/bearing/force", "--from", "0.0093", "--force"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  outcome = picus({"export", "a.h5", "--html", "--plot", "sensors/*/position", "--plot", "energy/kinetic"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text_of("a.html"), HasSubstr("sensors/slider/position.x"));
}

TEST_F(SensorsTest, CanBeAllThatIsRecorded) {
  const Outcome run = picus({"run", "flexible-pendulum", "--until", "0.02", "--record", "sensors/*", "--set",
                             "elements=4", "--quiet", "--out", "a.h5"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(picus({"show", "a.h5"}).out,
              AllOf(HasSubstr("/sensors/middle/axial_strain"), HasSubstr("/sensors/pivot/force"),
                    HasSubstr("/sensors/tip/velocity"), Not(HasSubstr("/nodes/"))));
}

}  // namespace
}  // namespace picus::test
