/// scripts/plot_woodpecker.py on a result of the program.

#include "process.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class PlotTest : public testing::Test {
 protected:
  /// Debian's own Python, which has the modules that the project's setup installs.
  Outcome plot(const std::vector<std::string>& words,
               const std::vector<std::string>& python_options = {}) const {
    std::vector<std::string> command = {"/usr/bin/python3"};
    command.insert(command.end(), python_options.begin(), python_options.end());
    command.push_back(PICUS_SCRIPTS "/plot_woodpecker.py");
    command.insert(command.end(), words.begin(), words.end());
    return Process(command, {.directory = folder.path()}).finish();
  }
  void run(std::vector<std::string> words) const {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--quiet", "--out", "a.h5"});
    ASSERT_EQ(run_picus(words, {.directory = folder.path()}).status, 0);
  }

  TemporaryFolder folder;
};

TEST_F(PlotTest, DrawsBothCases) {
  for (const char* which : {"case=I", "case=II"}) {
    run({"woodpecker", "--set", which, "--until", "0.15", "--force"});
    const Outcome outcome = plot({"a.h5", "a.png"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    std::ifstream picture(folder.path() / "a.png", std::ios::binary);
    std::string start(8, '\0');
    picture.read(start.data(), 8);
    EXPECT_EQ(start, "\x89PNG\r\n\x1a\n");
    EXPECT_GT(std::filesystem::file_size(folder.path() / "a.png"), 30000U);
  }
}

TEST_F(PlotTest, SaysWhatItCannotRead) {
  run({"bouncing-ball", "--until", "0.01"});
  Outcome outcome = plot({"a.h5", "a.png"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(
      outcome.err,
      "plot_woodpecker: cannot plot a.h5: it has no data set /nodes/bird/rotation; is it a result of the "
      "woodpecker?\n");
  outcome = plot({"missing.h5", "a.png"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, StartsWith("plot_woodpecker: cannot plot missing.h5: "));
}

TEST_F(PlotTest, SaysWhichModuleIsMissing) {
  const Outcome outcome = plot({"a.h5", "a.png"}, {"-I", "-S"});  // Python without its installed modules
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("plot_woodpecker: the Python module "), HasSubstr(" is missing"),
                                 HasSubstr("python3-h5py")));
}

}  // namespace
}  // namespace picus::test
