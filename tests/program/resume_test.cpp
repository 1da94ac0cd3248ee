/// `picus run --checkpoint` and `--resume`: runs that stop, are killed and are resumed, and files that do not match.

#include "process.hpp"
#include <picus/version.hpp>
#include <support/result_files.hpp>

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

namespace picus::test {
namespace {

using support::expect_equal_results;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Words = std::vector<std::string>;

/// A bird on a sleeve, two bodies with friction and impacts; 100 steps take some milliseconds.
const Words woodpecker = {
    "woodpecker", "--set",  "variant=body-points", "--set", "mu=0.35", "--every", "3", "--rho-inf", "0.7",
    "--omit",     "*/slip", "--checkpoint",        "100"};

class ResumeTest : public ProgramTest {
 protected:
  Words begin_words(const std::string& out, const std::string& until) const {
    Words words = woodpecker;
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--until", until, "--out", out});
    return words;
  }
  Outcome begin(const std::string& out, const std::string& until, ProcessOptions options = {}) const {
    return picus(begin_words(out, until), std::move(options));
  }
  Outcome resume(const std::string& file_name, Words more = {}, ProcessOptions options = {}) const {
    more.insert(more.begin(), {"run", "--resume", file_name});
    return picus(more, std::move(options));
  }
  void expect_refusal(const Outcome& outcome, const std::string& reason) const {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: "), HasSubstr(reason)));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
};

/// The output of a run without times and file names.
std::string findings_in(const std::string& text) {
  std::istringstream lines(text);
  std::string line, kept;
  while (std::getline(lines, line)) {
    if (line.find("microseconds a step") == std::string::npos && !line.starts_with("written"))
      kept += line + "\n";
  }
  return kept;
}

TEST_F(ResumeTest, GoesOnToAnotherFinalTime) {
  const Outcome whole = begin("whole.h5", "0.12");
  ASSERT_EQ(whole.status, 0) << whole.err;
  ASSERT_EQ(begin("parts.h5", "0.0355").status, 0);
  ASSERT_TRUE(std::filesystem::exists(file("parts.checkpoint")));
  ASSERT_EQ(resume("parts.h5", {"--until", "0.071", "--quiet"}).status, 0);
  const Outcome parts = resume("parts.checkpoint", {"--until", "0.12"});
  EXPECT_EQ(parts.status, 0) << parts.err;
  EXPECT_THAT(findings_in(parts.out), HasSubstr("frequency"));
  EXPECT_EQ(findings_in(parts.out), findings_in(whole.out));
  expect_equal_results(file("parts.h5"), file("whole.h5"));
  const support::ResultReader result(file("parts.h5"));
  EXPECT_THAT(result.text("/", "command_line"), HasSubstr("--until 0.0355"));
  EXPECT_EQ(result.text("/integrator", "rho_inf"), "0.7");
}

TEST_F(ResumeTest, GoesOnAfterTheFilesWereMoved) {
  ASSERT_EQ(begin("whole.h5", "0.04").status, 0);
  ASSERT_EQ(begin("parts.h5", "0.025").status, 0);
  std::filesystem::create_directory(file("elsewhere"));
  std::filesystem::rename(file("parts.h5"), file("elsewhere/other.h5"));
  std::filesystem::rename(file("parts.checkpoint"), file("elsewhere/other.checkpoint"));
  const Outcome outcome = resume("elsewhere/other.h5", {"--until", "0.04", "--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_equal_results(file("elsewhere/other.h5"), file("whole.h5"));
}

TEST_F(ResumeTest, GoesOnAfterItWasKilledAtAnyMoment) {
  constexpr const char* until = "0.3";
  ASSERT_EQ(begin("whole.h5", until).status, 0);
  Words words = begin_words("parts.h5", until);
  words.insert(words.end(), {"--force", "--quiet"});
  words.insert(words.begin(), PICUS_PROGRAM);
  std::mt19937 random(1);
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove(file("parts.checkpoint"));
    {
      Process process(words, {.directory = folder.path()});
      for (int wait = 0; wait < 30'000 && !std::filesystem::exists(file("parts.checkpoint")); ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
      process.send(SIGKILL);
      if (process.finish().status == -SIGKILL) ++killed;
    }
    const Outcome outcome = resume("parts.h5", {"--quiet"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    expect_equal_results(file("parts.h5"), file("whole.h5"));
  }
  EXPECT_GE(killed, 10);  // the others had ended earlier
}

TEST_F(ResumeTest, GoesOnAfterAFullDisk) {
  ASSERT_EQ(begin("whole.h5", "0.5").status, 0);
  // The records fill two chunks, of which the first fits.
  const auto room = std::filesystem::file_size(file("whole.h5")) * 3 / 4;
  const Outcome full = begin("parts.h5", "0.5", {.largest_file = room});
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, AllOf(HasSubstr("parts.h5"), HasSubstr("File too large")));
  const Outcome outcome = resume("parts.h5", {"--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_equal_results(file("parts.h5"), file("whole.h5"));
}

TEST_F(ResumeTest, SaysWhatIsWrongWithItsFiles) {
  expect_refusal(resume("parts.h5"), "checkpoint \"parts.checkpoint\": No such file or directory");
  ASSERT_EQ(begin("parts.h5", "0.025").status, 0);
  std::filesystem::rename(file("parts.h5"), file("kept.h5"));
  expect_refusal(resume("parts.h5"), "cannot go on with file \"parts.h5\": No such file or directory");
  std::filesystem::rename(file("kept.h5"), file("parts.h5"));
  std::filesystem::resize_file(file("parts.checkpoint"), 1000);
  expect_refusal(resume("parts.h5"), "it is damaged, its checksum is wrong");
  std::ofstream(file("parts.checkpoint")) << "not one";
  expect_refusal(resume("parts.h5"), "it is not a checkpoint of Picus");
}

TEST_F(ResumeTest, TakesEverythingElseFromTheCheckpoint) {
  ASSERT_EQ(begin("parts.h5", "0.025").status, 0);
  for (const Words& words : {Words{"--step", "1e-3"}, Words{"--set", "mu=0.3"}, Words{"woodpecker"},
                             Words{"--force"}, Words{"--checkpoint", "10"}, Words{"--out", "b.h5"}}) {
    const Outcome outcome = resume("parts.h5", words);
    EXPECT_EQ(outcome.status, 2) << words[0];
    EXPECT_EQ(outcome.err,
              "picus: " + words[0] +
                  " does not go with --resume: all but --until, --profile and --quiet is as it was\n");
  }
  const Outcome outcome = resume("parts.h5", {"--until", "0.01"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the final time is 0.01 s, the checkpoint already at 0.02 s"));
}

TEST_F(ResumeTest, DoesNotReplaceACheckpointUnasked) {
  std::ofstream(file("parts.checkpoint")) << "precious";
  expect_refusal(begin("parts.h5", "0.025"), "\"parts.checkpoint\" exists");
  EXPECT_FALSE(std::filesystem::exists(file("parts.h5")));
  const Outcome outcome = begin("a.checkpoint", "0.025");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--out is \"a.checkpoint\", which is the name of the checkpoint"));
}

}  // namespace
}  // namespace picus::test
