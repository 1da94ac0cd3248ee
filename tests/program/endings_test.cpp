/// Commands that end early: signals, full disks, files changed by others, child processes.

#include "process.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

namespace picus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::chrono::seconds patience(30);

class EndingsTest : public ProgramTest {
 protected:
  std::string first_line_of(const std::string& name) const {
    std::string text;
    std::getline(std::ifstream(file(name)), text);
    return text;
  }
  /// Whether it becomes true before the timeout.
  template <class Condition>
  static bool comes(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
  }
};

/// Runs whose reference would take minutes to compute to the end.
class LongReferenceTest : public EndingsTest, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(LongReferenceTest, HearsCtrlC) {
  std::vector<std::string> words = {PICUS_PROGRAM, "run", "--out", "a.h5", "--every", "1000"};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  Process process(words, {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", patience));
  process.send(SIGINT);
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("picus: interrupted at t = "));
  EXPECT_THAT(picus({"show", "a.h5"}).out, HasSubstr("interrupted at t = "));
}

INSTANTIATE_TEST_SUITE_P(Models, LongReferenceTest,
                         testing::Values(std::vector<std::string>{"belt", "--until", "1e6"},
                                         std::vector<std::string>{"crank-slider", "--until", "100"},
                                         std::vector<std::string>{"sliding-masses", "--until", "1e6"},
                                         std::vector<std::string>{"bouncing-oscillator", "--until", "1e6"}));

/// Solids so large that a step takes far longer than a user waits for the end of a program.
class LargeModelTest : public EndingsTest {
 protected:
  /// How the command ends after Ctrl-C, sent a second after this has become true. A busy machine may take a few seconds.
  template <class Condition>
  Outcome interrupted(std::vector<std::string> words, const Condition& is_underway) const {
    words.insert(words.begin(), PICUS_PROGRAM);
    Process process(words, {.directory = folder.path()});
    EXPECT_TRUE(comes(is_underway));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    process.send(SIGINT);
    const auto sent = std::chrono::steady_clock::now();
    Outcome outcome = process.finish();
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(10));
    return outcome;
  }
};

TEST_F(LargeModelTest, ALongIncrementIsNotWaitedFor) {
  // The cube hangs in the air: to find out that it falls takes seven seconds or more.
  const Outcome outcome = interrupted({"static", "flexible-cube", "--set", "divisions=14", "--out", "a.h5"},
                                      [&] { return std::filesystem::exists(file("a.h5")); });
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: interrupted within a step; what was computed before is in a.h5\n");
  const Outcome shown = picus({"show", "a.h5"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("1, from load factor 0 to 0\n"));
}

TEST_F(LargeModelTest, StudiesOfTheStepEndAtOnce) {
  const Outcome outcome = interrupted(
      {"converge", "flexible-cube", "--set", "divisions=30", "--steps", "3e-4,1.5e-4", "--until", "0.3"},
      [] { return true; });
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: interrupted\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(EndingsTest, AFullDiskIsReportedWithWhatThereIs) {
  // Enough for the start and its checkpoint.
  const Outcome outcome =
      picus({"run", "woodpecker", "--until", "10", "--out", "a.h5", "--checkpoint", "1000", "--quiet"},
            {.largest_file = 8'000'000});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("picus: cannot write file \"a.h5\": File too large"),
                                 HasSubstr("what was computed is in a.h5"),
                                 HasSubstr("picus run --resume a.h5 goes on from its checkpoint")));
  EXPECT_TRUE(std::filesystem::exists(file("a.checkpoint")));
  EXPECT_EQ(picus({"show", "a.h5"}).status, 0);
}

TEST_F(EndingsTest, AFullDiskNamesNoCheckpointThatIsNotThere) {
  const Outcome without = picus({"run", "woodpecker", "--out", "a.h5"}, {.largest_file = 400000});
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, Not(HasSubstr("--resume")));
  // The checkpoint of another run does not belong to this one.
  std::ofstream(file("b.checkpoint")) << "of another run";
  std::filesystem::create_directory(file("b.checkpoint.d"));
  const Outcome nothing =
      picus({"run", "woodpecker", "--out", "b.h5", "--checkpoint", "10", "--force"}, {.largest_file = 3000});
  EXPECT_EQ(nothing.status, 1);
  EXPECT_THAT(nothing.err, AllOf(StartsWith("picus: cannot write file \"b.h5\": File too large"),
                                 Not(HasSubstr("what was computed")), Not(HasSubstr("--resume"))));
  EXPECT_FALSE(std::filesystem::exists(file("b.h5")));
  EXPECT_FALSE(std::filesystem::exists(file("b.xdmf")));
}

TEST_F(EndingsTest, AllFilesThatAreWrittenAreNamed) {
  const Outcome outcome = picus({"run", "bouncing-ball", "--until", "0.01", "--out", "b.h5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("written: b.h5 ("), HasSubstr("for ParaView b.xdmf")));
  EXPECT_TRUE(std::filesystem::exists(file("b.xdmf")));
}

TEST_F(EndingsTest, AFileThatIsShortenedDuringTheRunFailsIt) {
  Process process(
      {PICUS_PROGRAM, "run", "woodpecker", "--until", "1e4", "--every", "100000", "--out", "a.h5"},
      {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", patience));
  std::filesystem::resize_file(file("a.h5"), 500);
  process.send(SIGTERM);
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  // It was to stop anyway; the broken file is reported by `show`.
  EXPECT_THAT(outcome.err, HasSubstr("picus: "));
  EXPECT_EQ(picus({"show", "a.h5"}).status, 1);
}

TEST_F(EndingsTest, AFileThatIsShortenedDuringTheRunFailsItAtItsEnd) {
  Process process({PICUS_PROGRAM, "run", "woodpecker", "--until", "2", "--every", "100000", "--out", "a.h5"},
                  {.directory = folder.path(), .errors_on_terminal = true});
  ASSERT_TRUE(process.wait_for_error_text("steps/s", patience));
  std::filesystem::resize_file(file("a.h5"), 500);
  const Outcome outcome = process.finish();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("picus: cannot write file \"a.h5\": another program has shortened it"));
}

TEST_F(EndingsTest, AFileThatIsReplacedDuringTheRunFailsItAtItsEnd) {
  ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.01", "--out", "other.h5", "--quiet"}).status, 0);
  const std::string content = text_of("other.h5");
  const auto meddle = [&](const std::function<void()>& change, const std::string& reason) {
    Process process(
        {PICUS_PROGRAM, "run", "woodpecker", "--until", "2", "--every", "100000", "--out", "a.h5", "--force"},
        {.directory = folder.path(), .errors_on_terminal = true});
    ASSERT_TRUE(process.wait_for_error_text("steps/s", patience));
    change();
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("picus: cannot write file \"a.h5\": " + reason),
                                   Not(HasSubstr("what was computed"))));
  };
  meddle([&] { std::ofstream(file("a.h5")) << content << std::string(1'000'000, 'x'); },
         "another program has written to it");
  meddle([&] { std::filesystem::rename(file("a.h5"), file("moved.h5")); },
         "it was removed, moved or replaced");
  meddle([&] { std::filesystem::rename(file("other.h5"), file("a.h5")); },
         "it was removed, moved or replaced");
  EXPECT_EQ(text_of("a.h5"), content);
}

TEST_F(EndingsTest, AFolderThatCannotBeMadeLeavesTheResultAsItIs) {
  ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.01", "--out", "a.h5", "--quiet"}).status, 0);
  std::ofstream(file("problems")) << "precious";
  const std::string content = text_of("a.h5");
  for (const std::string folder_name : {"problems", "problems/ball"}) {
    const Outcome outcome = picus({"run", "bouncing-ball", "--until", "0.01", "--out", "a.h5", "--force",
                                   "--contact-problems", folder_name});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "picus: cannot write to folder \"" + folder_name + "\": Not a directory\n");
    EXPECT_EQ(text_of("a.h5"), content);
    EXPECT_EQ(text_of("problems"), "precious");
  }
  const Outcome outcome = picus({"run", "bouncing-ball", "--out", "b.h5", "--contact-problems", "./b.h5"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "picus: --contact-problems is \"./b.h5\", which is the result file\n");
  EXPECT_FALSE(std::filesystem::exists(file("b.h5")));
}

TEST_F(EndingsTest, DevicesAndPipesAreNoResultFiles) {
  std::filesystem::create_symlink("/dev/null", file("null.h5"));
  for (const std::string name : {"/dev/null", "null.h5"}) {
    const Outcome outcome = picus({"run", "bouncing-ball", "--until", "0.01", "--out", name, "--force"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "picus: cannot write file \"" + name + "\": it is not a regular file\n");
  }
  EXPECT_FALSE(std::filesystem::exists("/dev/null.xdmf"));
  EXPECT_FALSE(std::filesystem::exists(file("null.xdmf")));
}

TEST_F(EndingsTest, NamesOfWrittenFilesCommandNoTerminal) {
  const auto last_line = [&](const std::vector<std::string>& words) {
    const Outcome outcome = picus(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
    return outcome.out.substr(outcome.out.rfind('\n', outcome.out.size() - 2) + 1);
  };
  EXPECT_THAT(last_line({"run", "bouncing-ball", "--until", "0.01", "--out", "a\x1b[2J.h5"}),
              AllOf(StartsWith("written: a\\x1b[2J.h5 ("), HasSubstr("for ParaView a\\x1b[2J.xdmf")));
  EXPECT_EQ(last_line({"plot", "a\x1b[2J.h5", "energy/kinetic"}), "written: a\\x1b[2J.png\n");
  EXPECT_EQ(last_line({"export", "a\x1b[2J.h5", "--html"}), "written: a\\x1b[2J.html\n");
  EXPECT_EQ(last_line({"converge", "bouncing-ball", "--steps", "1e-2,5e-3", "--out", "c\x1b"}),
            "written: c\\x1b.csv, c\\x1b.png\n");
  EXPECT_EQ(last_line({"sweep", "bouncing-ball", "--set", "height=1,2", "--until", "0.01", "--out", "s\x1b"}),
            "drawn:   s\\x1b.png\n");
  EXPECT_THAT(last_line({"static", "flexible-pendulum", "--increments", "1", "--out", "p\x1b.h5"}),
              StartsWith("written: p\\x1b.h5, for ParaView p\\x1b.xdmf"));
}

TEST_F(EndingsTest, WrongUsageLeavesFilesAsTheyAre) {
  ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.01", "--out", "a.h5"}).status, 0);
  std::ofstream(file("a.csv")) << "precious";
  std::ofstream(file("a.png")) << "precious";
  const auto written = std::filesystem::last_write_time(file("a.h5"));
  const std::vector<std::vector<std::string>> wrong = {
      {"run", "bouncing-ball", "--out", "a.h5", "--record", "nothing"},
      {"run", "bouncing-ball", "--out", "a.h5", "--until", "1e300"},
      {"run", "rigid-pendulum", "--out", "a.h5", "--set", "wall=9"},
      {"converge", "bouncing-ball", "--out", "a", "--quantity", "nothing"},
      {"converge", "rigid-pendulum", "--out", "a", "--set", "wall=9"},
      {"plot", "a.h5", "--out", "a.gif", "--overview"},
      {"plot", "a.h5", "--out", "a.png", "--overview", "--from", "x"},
      {"export", "a.h5", "--html", "--out", "a.txt"},
      {"export", "a.h5", "--html", "--frames", "1"},
      {"report", "nothing"},
      {"report", "bouncing-ball", "--workers", "0"},
  };
  for (std::vector<std::string> words : wrong) {
    words.emplace_back("--force");
    const Outcome outcome = picus(words);
    const std::string command = testing::PrintToString(words);
    EXPECT_EQ(outcome.status, 2) << command << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty()) << command;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 4) << command;
    EXPECT_EQ(std::filesystem::last_write_time(file("a.h5")), written) << command;
    EXPECT_EQ(first_line_of("a.csv"), "precious") << command;
    EXPECT_EQ(first_line_of("a.png"), "precious") << command;
  }
}

/// `picus plot` with a Python that does not finish.
class SlowScriptTest : public EndingsTest {
 protected:
  SlowScriptTest() {
    std::ofstream(file("sitecustomize.py")) << "import os, time\n"
                                               "with open('started', 'w') as file:\n"
                                               "    print(os.getpid(), file=file)\n"
                                               "os.rename('started', 'running')\n"
                                               "time.sleep(600)\n";
    EXPECT_EQ(run_picus({"run", "bouncing-ball", "--until", "0.01", "--quiet"}, {.directory = folder.path()})
                  .status,
              0);
    setenv("PYTHONPATH", folder.path().c_str(), 1);
  }
  ~SlowScriptTest() override { unsetenv("PYTHONPATH"); }

  /// Its process id once it runs.
  int wait_for_script() const {
    EXPECT_TRUE(comes([&] { return std::filesystem::exists(file("running")); }));
    return std::stoi("0" + first_line_of("running"));
  }
  static bool is_alive(int process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(status >> number >> name >> state) && state != "Z" && state != "X";
  }
};

TEST_F(SlowScriptTest, EndsWithItsParentHoweverThatEnds) {
  for (const int signal : {SIGKILL, SIGTERM, SIGHUP}) {
    std::filesystem::remove(file("running"));
    Process process({PICUS_PROGRAM, "plot", "bouncing-ball.h5", "--overview"}, {.directory = folder.path()});
    const int script = wait_for_script();
    ASSERT_TRUE(is_alive(script));
    process.send(signal);
    const Outcome outcome = process.finish();
    if (signal == SIGKILL) {
      EXPECT_EQ(outcome.status, -SIGKILL);
    } else {
      EXPECT_EQ(outcome.status, 1);
      EXPECT_EQ(outcome.err, "picus: interrupted\n");
    }
    EXPECT_TRUE(comes([&] { return !is_alive(script); })) << signal;
    EXPECT_FALSE(std::filesystem::exists(file("bouncing-ball.png")));
  }
}

/// Python's own messages are not shown to the user.
TEST_F(EndingsTest, AScriptThatBreaksIsSaidToInOneLine) {
  ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.01", "--quiet"}).status, 0);
  std::ofstream(file("numpy.py")) << "raise RuntimeError('basic_string')\n";
  setenv("PYTHONPATH", folder.path().c_str(), 1);
  const Outcome outcome = picus({"plot", "bouncing-ball.h5", "--overview"});
  unsetenv("PYTHONPATH");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "picus: the script plot_results.py has failed\n");
}

TEST_F(EndingsTest, TimesMayBeNegativeInAnyNotation) {
  ASSERT_EQ(picus({"run", "bouncing-ball", "--until", "0.05", "--quiet"}).status, 0);
  for (const char* begin : {"-1e-5", "-.5", "-1"}) {
    const Outcome plot = picus({"plot", "bouncing-ball.h5", "--overview", "--from", begin, "--force"});
    EXPECT_EQ(plot.status, 0) << plot.err;
    const Outcome page = picus({"export", "bouncing-ball.h5", "--html", "--from", begin, "--force"});
    EXPECT_EQ(page.status, 0) << page.err;
  }
  EXPECT_EQ(picus({"plot", "bouncing-ball.h5", "--overview", "--force", "--to", "-inf"}).err,
            "picus: --to is -inf, must be a finite number\n");
}

}  // namespace
}  // namespace picus::test
