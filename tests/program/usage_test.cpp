/// The program's own help, and how it refuses wrong usage: status 2, the culprit, the closest valid name.

#include "process.hpp"

#include <gmock/gmock.h>

#include <ostream>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Usage, PrintsItsVersion) {
  const Outcome outcome = run_picus({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("picus [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Usage, PrintsHelp) {
  for (const std::string word : {"--help", "-h"}) {
    const Outcome outcome = run_picus({word});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("list"), HasSubstr("info"), HasSubstr("run"), HasSubstr("show")));
  }
  const Outcome outcome = run_picus({"run", "--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* option :
       {"--step", "--until", "--rho-inf", "--tol", "--out", "--every", "--set", "--force", "--quiet",
        "--max-iterations", "--scaling", "--regularization", "--linear-solver", "--contact-solver",
        "--checkpoint", "--resume", "--profile"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

TEST(Usage, ListsTheModels) {
  const Outcome outcome = run_picus({"list"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* name : {"woodpecker", "bouncing-ball", "inclined-plane"})
    EXPECT_THAT(outcome.out, HasSubstr(name));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("benchmark"), HasSubstr("A ball that bounces until it rests")));
}

TEST(Usage, DescribesAModel) {
  const Outcome outcome = run_picus({"info", "woodpecker"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* word : {"woodpecker", "thesis", "case", "I, II", "mu", "0.3", "variant",
                           "rigid-links, body-points", "step", "final time"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

/// The arguments, and the one-line message on standard error.
struct WrongUsage {
  std::vector<std::string> words;
  std::string message;
};

void PrintTo(const WrongUsage& usage, std::ostream* out) {
  *out << "picus";
  for (const std::string& word : usage.words) *out << ' ' << word;
}

/// A setting of a model that `picus run` refuses.
WrongUsage setting(const std::string& model, const std::string& assignment, const std::string& what) {
  return {{"run", model, "--set", assignment}, "model \"" + model + "\": " + what};
}

/// Arguments after `picus run woodpecker`.
WrongUsage option(std::vector<std::string> words, const std::string& message) {
  words.insert(words.begin(), {"run", "woodpecker"});
  return {std::move(words), message};
}

class WrongUsageTest : public testing::TestWithParam<WrongUsage> {};

TEST_P(WrongUsageTest, IsRefusedWithStatusTwo) {
  const TemporaryFolder folder;
  const Outcome outcome = run_picus(GetParam().words, {.directory = folder.path()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "picus: " + GetParam().message + '\n');
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing may be written";
}

INSTANTIATE_TEST_SUITE_P(
    Words, WrongUsageTest,
    testing::Values(
        WrongUsage{{}, "which command? See `picus --help`"},
        WrongUsage{{"lst"}, "there is no command \"lst\" (did you mean \"list\"?)"},
        WrongUsage{{"frobnicate"}, "there is no command \"frobnicate\"; see `picus --help`"},
        WrongUsage{{"--versoin"}, "picus has no option --versoin (did you mean \"--version\"?)"},
        WrongUsage{{"info", "woodpecker", "report"}, "picus info does not expect \"report\""},
        WrongUsage{{"list", "all"}, "picus list does not expect \"all\""},
        WrongUsage{{"info"}, "picus info needs the name of a model; `picus list` names them"},
        WrongUsage{{"info", "bouncing_ball"},
                   "there is no model \"bouncing_ball\" (did you mean \"bouncing-ball\"?)"},
        WrongUsage{{"run"}, "picus run needs the name of a model; `picus list` names them"},
        WrongUsage{{"run", "woodpeker"}, "there is no model \"woodpeker\" (did you mean \"woodpecker\"?)"},
        WrongUsage{{"run", "spaceship"}, "there is no model \"spaceship\"; `picus list` names them"},
        option({"--stpe", "1e-4"}, "picus run has no option --stpe (did you mean \"--step\"?)"),
        option({"--overwrite"}, "picus run has no option --overwrite (did you mean \"--force\"?)"),
        option({"bouncing-ball"}, "picus run does not expect \"bouncing-ball\""),
        WrongUsage{{"show"}, "picus show needs the name of a result file"}));

INSTANTIATE_TEST_SUITE_P(
    Report, WrongUsageTest,
    testing::Values(WrongUsage{{"report", "bouncing_ball"},
                               "there is no benchmark \"bouncing_ball\" (did you mean \"bouncing-ball\"?)"},
                    WrongUsage{{"report", "bouncing-ball", "bouncing-ball"},
                               "benchmark \"bouncing-ball\" is named twice"},
                    WrongUsage{{"report", "--workers", "0"}, "--workers is 0, must lie in [1, 1024]"},
                    WrongUsage{{"report", "--out", ""}, "--out is \"\", must be the name of a folder"},
                    WrongUsage{{"report", "--quik"},
                               "picus report has no option --quik (did you mean \"--quick\"?)"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, WrongUsageTest,
    testing::Values(
        setting("woodpecker", "muu=0.3", "there is no parameter \"muu\" (did you mean \"mu\"?)"),
        setting("woodpecker", "case=III",
                "parameter case is \"III\", must be one of I, II (did you mean \"II\"?)"),
        setting("woodpecker", "variant=body-point",
                "parameter variant is \"body-point\", must be one of rigid-links, body-points (did you mean "
                "\"body-points\"?)"),
        setting("woodpecker", "mu=-1", "parameter mu is -1, must not be negative"),
        setting("woodpecker", "mu=nan", "parameter mu is nan, must be a finite number"),
        setting("woodpecker", "mu=much", "parameter mu is \"much\", must be a number"),
        setting("woodpecker", "mu", "\"mu\" is not a setting; write NAME=VALUE"),
        option({"--set", "mu=0.1", "--set", "mu=0.2"}, "model \"woodpecker\": parameter mu is set twice"),
        setting("bouncing-ball", "restitution=1.5", "parameter restitution is 1.5, must lie in [0, 1]"),
        setting("bouncing-ball", "mass=0", "parameter mass is 0, must be positive")));

INSTANTIATE_TEST_SUITE_P(
    Options, WrongUsageTest,
    testing::Values(option({"--step"}, "--step needs a value"),
                    option({"--step", "1e-4", "--step", "1e-3"}, "--step is given more than once"),
                    option({"--force=maybe"}, "--force takes no value"),
                    option({"--step", "0"}, "--step is 0, must be positive"),
                    option({"--step", "-1e-4"}, "--step is -1e-4, must be positive"),
                    option({"--step=nan"}, "--step is nan, must be a finite number"),
                    option({"--step", "inf"}, "--step is inf, must be a finite number"),
                    option({"--step", "1ms"}, "--step is \"1ms\", must be a number"),
                    option({"--step", "1e-30"},
                           "1.5 s in steps of 1e-30 s are more steps than can be counted"),
                    option({"--until", "0"}, "--until is 0, must be positive"),
                    option({"--until", "soon"}, "--until is \"soon\", must be a number"),
                    option({"--rho-inf", "2"}, "--rho-inf is 2, must lie in [0, 1]"),
                    option({"--rho-inf", "-0.1"}, "--rho-inf is -0.1, must lie in [0, 1]"),
                    option({"--scheme", "hht", "--rho-inf", "0.5"},
                           "--rho-inf: scheme \"hht\": there is no option \"rho_inf\"; known to ds, dsn, "
                           "ds-np, ds-a, cs, chen and mixed"),
                    option({"--scheme", "mixed:base=bathe", "--rho-inf", "0.5"},
                           "--rho-inf: scheme \"mixed\": rho_inf has no meaning when the base is neither "
                           "generalized-alpha nor ed-alpha"),
                    option({"--scheme", "ds:rho_inf=0.5", "--rho-inf", "0.5"},
                           "--rho-inf: scheme \"ds\": option rho_inf is set twice"),
                    option({"--scheme", "cs:step_cuts=2"},
                           "--scheme: scheme \"cs\": there is no option \"step_cuts\"; known to ds, dsn, "
                           "ds-np and ds-a"),
                    option({"--scheme", "chen:projection"},
                           "--scheme: scheme \"chen\": \"projection\" is not a setting; write NAME=VALUE"),
                    option({"--tol", "0"}, "--tol is 0, must lie in (0, 0.01]"),
                    option({"--tol", "0.1"}, "--tol is 0.1, must lie in (0, 0.01]"),
                    option({"--every", "0"}, "--every is 0, must be at least 1"),
                    option({"--every", "2.5"}, "--every is \"2.5\", must be an integer"),
                    option({"--max-iterations", "0"}, "--max-iterations is 0, must lie in [1, 1000]"),
                    option({"--scaling", "0"}, "--scaling is 0, must be positive"),
                    option({"--regularization", "1"}, "--regularization is 1, must lie in [0, 0.0001]"),
                    option({"--linear-solver", "umfpak"},
                           "--linear-solver is \"umfpak\", must be one of auto, klu, umfpack, cholmod, cg, "
                           "gmres (did you mean \"umfpack\"?)"),
                    option({"--contact-solver", "newtn"},
                           "--contact-solver is \"newtn\", must be one of auto, newton, sweeps (did you mean "
                           "\"newton\"?)"),
                    option({"--out", ""}, "--out is \"\", must be the name of a file")));

INSTANTIATE_TEST_SUITE_P(
    Numbers, WrongUsageTest,
    testing::Values(
        option({"--step", "1e999"}, "--step is 1e999, too large for a number of 64 bits"),
        option({"--step", "1e-999"}, "--step is 1e-999, too close to zero for a number of 64 bits"),
        option({"--every", "99999999999999999999"},
               "--every is 99999999999999999999, too large: at most 2147483647"),
        option({"--every", "-99999999999999999999"}, "--every is -99999999999999999999, must be at least 1"),
        WrongUsage{{"report", "--workers", "99999999999999999999"},
                   "--workers is 99999999999999999999, too large: at most 1024"},
        WrongUsage{{"converge", "belt", "--workers", "0"}, "--workers is 0, must lie in [1, 1024]"},
        WrongUsage{{"run", "belt", "--threads", "0"}, "--threads is 0, must lie in [1, 256]"},
        WrongUsage{{"run", "belt", "--threads", "many"}, "--threads is \"many\", must be an integer"},
        WrongUsage{{"converge", "belt", "--threads", "257"}, "--threads is 257, must lie in [1, 256]"},
        WrongUsage{{"report", "--threads", "-1"}, "--threads is -1, must lie in [1, 256]"},
        WrongUsage{{"converge", "belt", "--until", "0"}, "--until is 0, must be positive"},
        setting("sliding-masses", "count=1e400", "parameter count is \"1e400\", must be an integer"),
        setting("woodpecker", "mu=1e400", "parameter mu is 1e400, too large for a number of 64 bits"),
        option({"--until", "-.5"}, "--until is -.5, must be positive"),
        option({"--until", "-1e-5"}, "--until is -1e-5, must be positive"),
        option({"--tol", "-inf"}, "--tol is -inf, must be a finite number"),
        option({"--every", "-.5"}, "--every is \"-.5\", must be an integer"),
        WrongUsage{{"converge", "belt", "--steps", "-1e-3,1e-4"}, "--steps is -1e-3, must be positive"}));

INSTANTIATE_TEST_SUITE_P(
    ControlCharacters, WrongUsageTest,
    testing::Values(WrongUsage{{"run", "a\x1b[2J"},
                               "there is no model \"a\\x1b[2J\"; `picus list` names them"},
                    WrongUsage{{"show", "--\a"}, "picus show has no option --\\x07"}));

TEST(Usage, ReportsAFullStandardOutput) {
  const Outcome outcome = run_picus({"list"}, {.output_to = "/dev/full"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: cannot write to standard output: No space left on device\n");
}

}  // namespace
}  // namespace picus::test
