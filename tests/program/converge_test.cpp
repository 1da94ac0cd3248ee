/// `picus converge`: table, file and figure, and refused input.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ConvergeTest : public ProgramTest {
 protected:
  Outcome converge(std::vector<std::string> words) const {
    words.insert(words.begin(), "converge");
    return picus(words);
  }
};

TEST_F(ConvergeTest, WritesTableFileAndFigure) {
  const Outcome outcome = converge({"bouncing-ball", "--steps", "1e-2,4e-3", "--set", "restitution=0.5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("bouncing-ball, scheme ds, until 4 s"), HasSubstr("the exact solution"),
                    HasSubstr("ball.vy"), HasSubstr("order"), HasSubstr("0.004")));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("h = 0.01 s done"), HasSubstr("h = 0.004 s done")));
  const std::string table = text_of("bouncing-ball-convergence.csv");
  EXPECT_THAT(table, AllOf(StartsWith("# model: bouncing-ball\n"), HasSubstr("# restitution = 0.5\n"),
                           HasSubstr("\nh,error:ball.y,error:ball.vy,mean:smooth,worst:smooth,"),
                           HasSubstr("\n0.01,")));
  EXPECT_THAT(text_of("bouncing-ball-convergence.png"), StartsWith("\x89PNG\r\n\x1a\n"));
}

TEST_F(ConvergeTest, StudiesEveryModelByDefault) {
  const Outcome outcome = converge({"inclined-plane", "--quiet", "--out", "study"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(text_of("study.csv"), HasSubstr("error:block.s"));
}

TEST_F(ConvergeTest, SaysWhatItIsComparedWith) {
  const Outcome outcome = converge({"woodpecker", "--steps", "4e-4,2e-4", "--reference", "1e-4", "--until",
                                    "0.01", "--quantity", "sleeve.*", "--workers", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a run of ds with h = 0.0001 s"), HasSubstr("sleeve.vy")));
}

TEST_F(ConvergeTest, SaysWhenAllRunsFail) {
  const Outcome outcome = converge({"spinning-top", "--steps", "1e8,1e7", "--until", "1e9", "--quiet"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(
      outcome.err,
      AllOf(StartsWith("picus: all 2 runs failed; the first, with h = 100000000 s: step from t = 0 s"),
            testing::Not(HasSubstr("plot"))));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(ConvergeTest, KeepsFilesThatExist) {
  std::ofstream(folder.path() / "a.csv") << "mine";
  const Outcome outcome = converge({"bouncing-ball", "--out", "a"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: file \"a.csv\" exists; --force replaces it\n");
  EXPECT_EQ(text_of("a.csv"), "mine");
  EXPECT_EQ(converge({"bouncing-ball", "--steps", "1e-2,5e-3", "--out", "a", "--force"}).status, 0);
}

TEST_F(ConvergeTest, RefusesWithTheCulprit) {
  const auto refused = [&](std::vector<std::string> words, const std::string& message) {
    const Outcome outcome = converge(std::move(words));
    EXPECT_EQ(outcome.status, 2) << message;
    EXPECT_EQ(outcome.err, "picus: " + message + '\n');
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  refused({}, "picus converge needs the name of a model; `picus list` names them");
  refused({"bouncing-ball", "--steps", "1e-2"}, "a convergence study needs at least two step sizes");
  refused({"bouncing-ball", "--steps", "1e-2,,1e-3"}, "--steps is \"\", must be a number");
  refused({"bouncing-ball", "--steps", "1e-2,-1e-3"}, "--steps is -1e-3, must be positive");
  refused({"woodpecker", "--steps", "1e-3,1e-4", "--reference", "3e-5"},
          "step 0.001 s is no multiple of the reference step 3e-05 s");
  refused({"bouncing-ball", "--quantity", "bal.y"},
          "no quantity is called \"bal.y\" (did you mean \"ball.y\"?)");
  refused({"bouncing-ball", "--scheme", "dd"}, "--scheme: there is no scheme \"dd\" (did you mean \"ds\"?)");
}

TEST_F(ConvergeTest, NamesAPlaceThatCannotBeWritten) {
  const Outcome outcome = converge({"bouncing-ball", "--steps", "1e-2,5e-3", "--out", "missing/a"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: cannot write \"missing/a.csv\": No such file or directory\n");
}

}  // namespace
}  // namespace picus::test
