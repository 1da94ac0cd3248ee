/// `picus compare`: its table and file, runs that fail or take too long, and refused input.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>

namespace picus::test::compare_command_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Words = std::vector<std::string>;

class CompareCommandTest : public ProgramTest {
 protected:
  Outcome compare(Words words) const {
    words.insert(words.begin(), "compare");
    return picus(words);
  }
};

TEST_F(CompareCommandTest, PrintsATableAndWritesIt) {
  const Outcome outcome = compare({"rod-on-floor", "spinning-top", "--until", "0.05", "--scheme", "ds",
                                   "--scheme", "ds-a:rho_inf=1", "--out", "a.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("1 of 2 done: rod-on-floor"), HasSubstr("2 of 2 done")));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("linear solves"), ContainsRegex("rod-on-floor +0.05 +ds "),
                                 ContainsRegex("\n +ds-a:rho_inf=1 "), HasSubstr("spinning-top"),
                                 HasSubstr("written: a.csv")));
  const std::string table = text_of("a.csv");
  EXPECT_THAT(table, AllOf(StartsWith("model,scheme,h,until,reached,steps,seconds,ratio,"),
                           HasSubstr("\nrod-on-floor,\"ds\",0.001,0.05,0.05,50,"),
                           HasSubstr("\nspinning-top,\"ds-a:rho_inf=1\",")));
  EXPECT_EQ(std::ranges::count(table, '\n'), 5);
}

TEST_F(CompareCommandTest, FailuresAreRows) {
  const Outcome outcome =
      compare({"kane-pendulum", "--set", "law=lzb", "--scheme", "ds", "--scheme", "ds-a"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("scheme \"ds-a\" knows Newton's law of impact only"));
  const Outcome none = compare(
      {"spinning-top", "--step", "1e8", "--until", "1e9", "--scheme", "ds", "--scheme", "ds-a", "--quiet"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out, HasSubstr("step from t = 0 s"));
  EXPECT_EQ(none.err, "picus: all runs failed\n");
}

TEST_F(CompareCommandTest, EndsRunsThatTakeTooLong) {
  const Outcome outcome = compare({"bouncing-ball", "--step", "1e-6", "--limit", "0.05", "--scheme", "ds",
                                   "--scheme", "ds-a", "--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("the run took longer than its limit"));
}

TEST_F(CompareCommandTest, ShowsOnAnInterruptionWhatIsDone) {
  // The tower takes minutes with ds-a, so that the signal comes in time on any machine.
  Process process({PICUS_PROGRAM, "compare", "inclined-plane", "box-tower", "--limit", "600", "--scheme",
                   "ds", "--scheme", "ds-a"},
                  {.directory = folder.path()});
  ASSERT_TRUE(process.wait_for_error_text("1 of 2 done", std::chrono::seconds(60)));
  process.send(SIGINT);
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("inclined-plane"));
  EXPECT_THAT(outcome.err, HasSubstr("interrupted at t ="));
}

TEST_F(CompareCommandTest, KeepsFilesThatExist) {
  std::ofstream(folder.path() / "a.csv") << "mine";
  const Words words = {"bouncing-ball", "--until", "0.1",   "--scheme", "ds",
                       "--scheme",      "cs",      "--out", "a.csv"};
  const Outcome outcome = compare(words);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: file \"a.csv\" exists; --force replaces it\n");
  EXPECT_EQ(text_of("a.csv"), "mine");
}

TEST_F(CompareCommandTest, RefusesWithTheCulprit) {
  const auto refused = [&](Words words, const std::string& message) {
    const Outcome outcome = compare(std::move(words));
    EXPECT_EQ(outcome.status, 2) << message;
    EXPECT_EQ(outcome.err, "picus: " + message + '\n');
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  const auto with_schemes = [](Words words) {
    words.insert(words.end(), {"--scheme", "ds", "--scheme", "cs"});
    return words;
  };
  refused(
      {"belt", "--scheme", "ds"},
      "picus compare needs at least two schemes, as --scheme ds --scheme ds-a; `picus list --schemes` names "
      "them");
  refused({"belt", "--scheme", "ds", "--scheme", "dd"},
          "--scheme: there is no scheme \"dd\" (did you mean \"ds\"?)");
  refused(with_schemes({"bell"}), "there is no model \"bell\" (did you mean \"belt\"?)");
  refused(with_schemes({"belt", "belt"}), "model \"belt\" is named twice");
  refused(with_schemes({"belt", "arch", "--step", "1e-3"}), "--step is for one model, not for 2");
  refused(with_schemes({"belt", "arch", "--set", "mu=0.3"}), "--set is for one model, not for 2");
  refused(with_schemes({"belt", "--limit", "0"}), "--limit is 0, must be positive");
  refused(with_schemes({"belt", "--workers", "0"}), "--workers is 0, must lie in [1, 1024]");
  refused(with_schemes({"belt", "--out", ""}), "--out is \"\", must be the name of a file");
}

}  // namespace
}  // namespace picus::test::compare_command_test
