/// `picus run` and `picus show`: what a run prints, writes and refuses to overwrite.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class RunTest : public ProgramTest {
 protected:
  Outcome run(std::vector<std::string> words, ProcessOptions options = {}) const {
    words.insert(words.begin(), "run");
    return picus(words, std::move(options));
  }
  Outcome show(const std::string& name) const { return picus({"show", name}); }
};

TEST_F(RunTest, SummarisesAndWritesItsResult) {
  const Outcome outcome = run({"bouncing-ball", "--until", "0.5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  for (const char* words : {"500 steps", "smooth", "position", "velocity", "fallbacks",
                            "largest constraint violation", "largest penetration", "kinetic", "balance",
                            "microseconds a step", "bouncing-ball.h5", "L1 error", "reference"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
  EXPECT_TRUE(std::filesystem::exists(file("bouncing-ball.h5")));
}

TEST_F(RunTest, TellsWhereTheTimeWentWhenAsked) {
  Outcome outcome =
      run({"bouncing-ball", "--until", "0.5", "--checkpoint", "100", "--profile", "--out", "a.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("sub-problem +time went to +count +s +%\n"
                                                  "  smooth +evaluation +[0-9]+ +[0-9.]+ +[0-9.]+\n"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\n  position +rest +500 +"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\n  - +recording +[0-9]+ .*\n  - +rest +[0-9.]+ +[0-9.]+\n"
                                                  "  - +total +[0-9.]+ +100\\.0\n"));
  EXPECT_EQ(show("a.h5").status, 0);
  outcome = picus({"run", "--resume", "a.h5", "--until", "0.6", "--profile"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\n  position +rest +100 +"));
  outcome = run({"bouncing-ball", "--until", "0.5", "--out", "b.h5"});
  EXPECT_THAT(outcome.out, Not(HasSubstr("time went to")));
}

TEST_F(RunTest, TellsWhatWasAcceptedAboveTolerance) {
  // Two iterations leave a residual of about ten times the tolerance.
  const Outcome outcome = run({"spinning-top", "--scheme", "newmark", "--step", "5e-3", "--max-iterations",
                               "2", "--until", "0.05", "--out", "a.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex(
                               "fallbacks +accepted above tolerance [0-9]+ \\(at most [0-9.]+ times\\)\n"));
  EXPECT_THAT(show("a.h5").out,
              testing::ContainsRegex("largest residual accepted +[0-9.]+ times the tolerance\n"));
}

TEST_F(RunTest, WritesContactProblemsForOtherSolvers) {
  // The ball falls from 0.8 m and hits the floor after 0.4 s: until then no contact can close within a step.
  const std::vector<std::string> words = {
      "bouncing-ball",      "--until",      "0.5", "--every", "20", "--quiet", "--out", "a.h5",
      "--contact-problems", "problems/ball"};
  Outcome outcome = run(words);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(file("problems/ball/step_000380.hdf5")));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(file("problems/ball"))) {
    EXPECT_TRUE(entry.path().filename().string().starts_with("step_000"));
    ++files;
  }
  EXPECT_LE(files, 6U);
  outcome = run({"inclined-plane", "--until", "0.01", "--every", "5", "--quiet", "--out", "b.h5",
                 "--contact-problems", "plane"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(file("plane/step_000000.hdf5")));
  EXPECT_TRUE(std::filesystem::exists(file("plane/step_000010.hdf5")));
  EXPECT_FALSE(std::filesystem::exists(file("plane/step_000001.hdf5")));
  outcome =
      run({"inclined-plane", "--until", "0.01", "--quiet", "--out", "c.h5", "--contact-problems", "plane"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("step_000000.hdf5\" exists; allow overwriting (--force) to replace it"));
  outcome = run({"inclined-plane", "--quiet", "--out", "d.h5", "--contact-problems", ""});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--contact-problems is \"\", must be the name of a folder"));
}

TEST_F(RunTest, PrintsWarningsAlsoWhenQuiet) {
  // With steps of 0.3 s the ball is far below the floor when the contact is detected.
  const Outcome outcome = run({"bouncing-ball", "--step", "0.3", "--quiet", "--out", "result.h5"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, StartsWith("picus: warning: the energies do not balance: at t = "));
  EXPECT_THAT(outcome.err, HasSubstr("\npicus: warning: impacts have added energy: "));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2);
}

TEST_F(RunTest, PrintsNothingWhenQuiet) {
  const Outcome outcome = run({"inclined-plane", "--until", "0.01", "--quiet", "--out", "result.h5"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(file("result.h5")));
}

TEST_F(RunTest, TakesSettingsInAnyOrder) {
  const Outcome outcome =
      run({"--set", "case=I", "mu=0.35", "woodpecker", "--until", "1e-3", "--out", "a.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Outcome shown = show("a.h5");
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.out, testing::ContainsRegex("case +I\n"));
  EXPECT_THAT(shown.out, testing::ContainsRegex("mu +0.35\n"));
}

TEST_F(RunTest, ShowsWhatAResultHolds) {
  ASSERT_EQ(run({"woodpecker", "--until", "0.01", "--every", "10", "--out", "a.h5"}).status, 0);
  const Outcome outcome = show("a.h5");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  for (const char* words : {"woodpecker", "complete", "rho_inf", "variant", "rigid-links", "/time",
                            "/nodes/bird/rotation", "11 x 4", "/contacts/beak/gap", "/energy/kinetic", "J"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
}

TEST_F(RunTest, ShowsModesWithoutStepsAndTimes) {
  ASSERT_EQ(picus({"modes", "elastic-bar", "--free-motions", "--set", "elements=10", "--count", "4", "--out",
                   "a.h5"})
                .status,
            0);
  const Outcome outcome = show("a.h5");
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\n +modes found +4\n"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex(" frequencies of the pictures; "));
  for (const char* words : {"final time", "steps taken", "record every", "\n    step "})
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr(words)));
}

TEST_F(RunTest, FindsModesOfAModelWhoseContactsAreFound) {
  const Outcome outcome = picus({"modes", "crossed-cantilevers", "--count", "2", "--out", "a.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(show("a.h5").out, testing::ContainsRegex("\n +modes found +2\n"));
}

TEST_F(RunTest, RefusesAnExistingFileUnlessForced) {
  ASSERT_EQ(run({"bouncing-ball", "--until", "0.01", "--out", "a.h5"}).status, 0);
  const auto size = std::filesystem::file_size(file("a.h5"));
  const Outcome refused = run({"bouncing-ball", "--until", "2", "--out", "a.h5"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, AllOf(StartsWith("picus: "), HasSubstr("a.h5"), HasSubstr("--force")));
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_EQ(std::filesystem::file_size(file("a.h5")), size);
  EXPECT_EQ(run({"bouncing-ball", "--until", "0.02", "--out", "a.h5", "--force"}).status, 0);
}

TEST_F(RunTest, RefusesAPathThatCannotBeWrittenBeforeItComputes) {
  std::ofstream(file("plain")) << "not a folder";
  std::filesystem::create_directory(file("folder"));
  for (const std::string path : {"missing/a.h5", "plain/a.h5", "folder"}) {
    // Such a long run would not end: the path is checked first.
    const Outcome outcome = run({"bouncing-ball", "--until", "1e6", "--force", "--out", path});
    EXPECT_EQ(outcome.status, 1) << path;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr(path))) << path;
  }
}

TEST_F(RunTest, ReportsAFullDisk) {
  const Outcome outcome = run({"woodpecker", "--until", "10", "--out", "a.h5"}, {.largest_file = 400000});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr("a.h5")));
  EXPECT_LE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 2);
}

TEST_F(RunTest, ShowRefusesWhatIsNoResult) {
  std::ofstream(file("text.h5")) << "hello";
  for (const std::string name : {"missing.h5", "text.h5"}) {
    const Outcome outcome = show(name);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr(name)));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  }
}

class LongRunTest : public RunTest {
 protected:
  /// A run that would take a long time.
  static std::vector<std::string> long_run(const std::string& out) {
    return {PICUS_PROGRAM, "run", "woodpecker", "--until", "1e4", "--every", "100", "--out", out};
  }
};

class InterruptTest : public LongRunTest, public testing::WithParamInterface<int> {};

TEST_P(InterruptTest, LeavesAClosedReadableFile) {
  Process process(long_run("a.h5"), {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", std::chrono::seconds(20)));
  process.send(GetParam());
  process.send(GetParam());
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("picus: interrupted at t = "), HasSubstr("a.h5")));
  const Outcome shown = show("a.h5");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("interrupted at t = "));
}

TEST_F(LongRunTest, CanBeShownAfterItWasKilled) {
  Process process(long_run("a.h5"), {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", std::chrono::seconds(20)));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // until the first records are on disk
  process.send(SIGKILL);
  EXPECT_EQ(process.finish().status, -SIGKILL);
  const Outcome shown = show("a.h5");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("still running, or killed"), HasSubstr("from t = 0 to ")));
}

TEST_F(LongRunTest, OutlivesItsTerminalUnderNohup) {
  Process process(long_run("a.h5"),
                  {.directory = folder.path(), .errors_on_terminal = true, .ignores_hangup = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", std::chrono::seconds(20)));
  process.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // a run that receives it ends after a step
  process.send(SIGKILL);
  EXPECT_EQ(process.finish().status, -SIGKILL);
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGXCPU));

TEST_F(LongRunTest, DrawsABarOnATerminal) {
  Process process(long_run("a.h5"), {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("closed", std::chrono::seconds(20)));
  process.send(SIGINT);
  const std::string err = process.finish().err;
  for (const char* words : {"\r[", "] ", "/1e+04 s", "steps/s", " left", "it ", " open"})
    EXPECT_THAT(err, HasSubstr(words));
}

TEST_F(LongRunTest, PrintsPlainLinesElsewhere) {
  Process process(long_run("a.h5"), {.directory = folder.path()});
  ASSERT_TRUE(process.wait_for_error_text("\n", std::chrono::seconds(30)));
  process.send(SIGINT);
  const std::string err = process.finish().err;
  EXPECT_THAT(err, AllOf(StartsWith("picus: woodpecker: t = "), HasSubstr("steps/s"), HasSubstr("closed"),
                         Not(HasSubstr("\r")), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace picus::test
