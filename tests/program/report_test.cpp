/// `picus report`: page, numbers and table, refused input, and early ends. The appearance of the page in a browser is
/// checked by page_test.py.

#include "process.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ReportTest : public ProgramTest {
 protected:
  Outcome report(std::vector<std::string> words) const {
    words.insert(words.begin(), "report");
    return picus(words);
  }
};

TEST_F(ReportTest, WritesPageNumbersAndTable) {
  const Outcome outcome = report({"bouncing-ball", "--quick"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("benchmark"), HasSubstr("failed steps"),
                                 HasSubstr("bouncing-ball"), HasSubstr("picus-report/report.html")));
  EXPECT_THAT(text_of("picus-report/report.html"),
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("A ball that bounces until it rests"),
                    HasSubstr("data:image/svg+xml;base64,"), HasSubstr("</html>")));
  EXPECT_THAT(text_of("picus-report/report.json"),
              AllOf(HasSubstr("\"command_line\":\"picus report bouncing-ball --quick\""),
                    HasSubstr("\"effort\":\"quick\""), HasSubstr("\"id\":\"rest-height\"")));

  const Outcome again = report({"bouncing-ball", "--quick"});
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.err, "picus: folder \"picus-report\" holds a report; --force replaces it\n");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "picus-report")) {
    files.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(files, testing::UnorderedElementsAre("report.html", "report.json"));
}

/// The program without its companion, as ./run.sh builds it.
TEST_F(ReportTest, IsAProgramOfItsOwnThatMayBeMissing) {
  const std::filesystem::path alone = folder.path() / "picus";
  std::filesystem::copy_file(PICUS_PROGRAM, alone);
  const Outcome outcome = Process({alone.string(), "report", "--quick"}).finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(outcome.err,
            "picus: the program picus-report is missing; it belongs beside the program picus (build target "
            "picus_report)\n");

  const Outcome list = Process({alone.string(), "list"}).finish();
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(
      list.out,
      AllOf(HasSubstr("woodpecker"),
            HasSubstr("No benchmarks: the program picus-report, which has them, is not beside this one.")));
  EXPECT_THAT(list.err, IsEmpty());
}

TEST_F(ReportTest, SaysWhenItsProgramCannotBeRun) {
  const std::filesystem::path alone = folder.path() / "picus";
  std::filesystem::copy_file(PICUS_PROGRAM, alone);
  std::ofstream(folder.path() / "picus-report") << "no program";
  const Outcome outcome = Process({alone.string(), "report"}).finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "picus: " + (folder.path() / "picus-report").string() + " cannot be run: Permission denied\n");
}

TEST_F(ReportTest, NamesAnUnwritableFolderBeforeItComputes) {
  std::ofstream(folder.path() / "file") << "in the way";
  for (const char* out : {"file", "file/inside", "/proc/none/here"}) {
    const Outcome outcome = report({"--out", out});  // all benchmarks: computed first, it would take minutes
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, StartsWith("picus: cannot write \"" + std::string(out) + "/report.json\": "));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(ReportTest, EndsInGoodOrderWhenInterrupted) {
  // The full study takes a while. Its files replace those of the previous report.
  std::filesystem::create_directory(folder.path() / "r");
  std::ofstream(folder.path() / "r" / "report.html") << "old";
  Process process({PICUS_PROGRAM, "report", "bouncing-ball", "--out", "r", "--workers", "1", "--force"},
                  {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text(" simulations, ", std::chrono::seconds(30)));
  process.send(SIGINT);
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("[#"), HasSubstr("; at bouncing-ball: "),
                    HasSubstr("picus: interrupted; 1 of 1 benchmarks could not be run to the end: "
                              "bouncing-ball")));
  EXPECT_THAT(text_of("r/report.html"),
              AllOf(HasSubstr("Interrupted before all of its simulations were done"), HasSubstr("</html>")));
  EXPECT_THAT(text_of("r/report.json"), HasSubstr("\"ending\":\"interrupted\""));
}

class ReportPageTest : public ReportTest {
 protected:
  /// The script alone, which draws the page again from the numbers.
  Outcome draw(const std::vector<std::string>& words,
               const std::vector<std::string>& python_options = {}) const {
    std::vector<std::string> command = {"/usr/bin/python3"};
    command.insert(command.end(), python_options.begin(), python_options.end());
    command.push_back(PICUS_SCRIPTS "/report_page.py");
    command.insert(command.end(), words.begin(), words.end());
    return Process(command, {.directory = folder.path()}).finish();
  }
};

TEST_F(ReportPageTest, SaysWhatItCannotRead) {
  Outcome outcome = draw({"missing.json", "page.html"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("report_page: "), HasSubstr("missing.json")));
  std::ofstream(folder.path() / "broken.json") << "{\"benchmarks\": [";
  outcome = draw({"broken.json", "page.html"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, StartsWith("report_page: "));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "page.html"));
}

TEST_F(ReportPageTest, SaysWhichModuleIsMissing) {
  const Outcome outcome = draw({"--check"}, {"-I", "-S"});  // Python without its installed modules
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("report_page: the Python module jinja2 is missing"),
                                 HasSubstr("python3-jinja2")));
  EXPECT_EQ(draw({"--check"}).status, 0);
}

}  // namespace
}  // namespace picus::test
