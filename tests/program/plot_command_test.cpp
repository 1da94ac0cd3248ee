/// `picus plot`: figures of quantities over time, the overview, and refused input.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PlotCommand : public ProgramTest {
 protected:
  void simulate(const std::vector<std::string>& words) const {
    std::vector<std::string> command = {"run"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--quiet", "--force", "--out", "a.h5"});
    const Outcome outcome = picus(command);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  /// The text of the figure, an SVG that contains text as such.
  std::string figure(std::vector<std::string> words) const {
    words.insert(words.begin(), {"plot", "a.h5"});
    words.insert(words.end(), {"--out", "a.svg", "--force"});
    const Outcome outcome = picus(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "written: a.svg\n");
    return text_of("a.svg");
  }
};

TEST_F(PlotCommand, LabelsWhatItDraws) {
  simulate({"woodpecker", "--until", "0.02"});
  EXPECT_THAT(figure({"contacts/*/gap"}),
              AllOf(HasSubstr(">gap, m<"), HasSubstr(">beak<"), HasSubstr(">lower left<"),
                    HasSubstr(">time, s<"), HasSubstr(">woodpecker, "), HasSubstr("h = 0.0001 s<")));
  // The name of the model may precede those of its quantities.
  EXPECT_THAT(figure({"woodpecker/*/gap"}), AllOf(HasSubstr(">gap, m<"), HasSubstr(">beak<")));
  EXPECT_THAT(figure({"energy/kinetic", "nodes/bird/position"}),
              AllOf(HasSubstr(">energy, J<"), HasSubstr(">position, m<"), Not(HasSubstr(">gap, m<"))));
}

TEST_F(PlotCommand, ShowsStickAndSlipAsBands) {
  simulate({"woodpecker", "--until", "0.02"});
  EXPECT_THAT(figure({"contacts/*/state"}),
              AllOf(HasSubstr(">sticks<"), HasSubstr(">slips<"), HasSubstr(">lower_right<")));
}

TEST_F(PlotCommand, HasAnOverviewOfEveryRun) {
  simulate({"woodpecker", "--until", "0.02"});
  EXPECT_THAT(figure({"--overview"}),
              AllOf(HasSubstr(" of what moves most, m<"), HasSubstr(">gap, m<"), HasSubstr(">sticks<"),
                    HasSubstr(">energy, J<"), HasSubstr(">iterations of the worst step<")));
  simulate({"spinning-top", "--until", "0.01"});  // without contacts
  EXPECT_THAT(figure({"--overview"}), AllOf(HasSubstr(">energy, J<"), Not(HasSubstr(">gap, m<"))));
}

TEST_F(PlotCommand, WritesPicturesByTheirEndings) {
  simulate({"bouncing-ball", "--until", "0.05"});
  for (const auto& [name, start] :
       {std::pair("a.png", "\x89PNG\r\n"), {"a.pdf", "%PDF-"}, {"b.svg", "<?xml"}}) {
    const Outcome outcome = picus({"plot", "a.h5", "*/gap", "--out", name});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(text_of(name), StartsWith(start));
  }
}

TEST_F(PlotCommand, CutsTheTimeAsAsked) {
  simulate({"bouncing-ball", "--until", "0.1"});
  const Outcome outcome = picus({"plot", "a.h5", "*/gap", "--from", "0.2"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: a.h5 has fewer than two records in the time that is asked for\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.png"));
  const std::string whole = figure({"*/gap"});
  const std::string part = figure({"*/gap", "--from", "0.02", "--to", "0.04"});
  EXPECT_THAT(whole, HasSubstr(">0.10<"));
  EXPECT_THAT(part, AllOf(HasSubstr(">0.0200<"), Not(HasSubstr(">0.10<"))));
}

TEST_F(PlotCommand, SaysInOneLineWhatIsWrong) {
  simulate({"bouncing-ball", "--until", "0.01"});
  std::ofstream(folder.path() / "text.h5") << "no result";
  std::ofstream(folder.path() / "kept.png") << "mine";
  struct Case {
    std::vector<std::string> words;
    int status;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"plot"}, 2, "picus plot needs the name of a result file"},
      {{"plot", "a.h5"}, 2, "picus plot needs the names of quantities"},
      {{"plot", "a.h5", "--overview", "*/gap"}, 2, "picus plot needs the names of quantities"},
      {{"plot", "a.h5", "*/gap", "--out", "a.jpg"}, 2, "--out: \"a.jpg\" must end in .png, .svg or .pdf"},
      {{"plot", "a.h5", "*/gap", "--from", "soon"}, 2, "--from"},
      {{"plot", "a.h5", "*/gap", "--out", "kept.png"}, 1, "file \"kept.png\" exists; --force replaces it"},
      {{"plot", "none.h5", "*/gap"}, 1, "none.h5"},
      {{"plot", "text.h5", "*/gap"}, 1, "text.h5"},
      {{"plot", "a.h5", "contacts/*/gpa"}, 1, "contacts/*/gpa"},
      {{"plot", "a.h5", "*/gap", "--out", "nowhere/a.png"}, 1, "nowhere/a.png"},
  };
  for (const Case& one : cases) {
    const Outcome outcome = picus(one.words);
    EXPECT_EQ(outcome.status, one.status) << one.message;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr(one.message)));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_EQ(text_of("kept.png"), "mine");
}

}  // namespace
}  // namespace picus::test
