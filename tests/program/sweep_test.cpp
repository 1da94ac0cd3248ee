/// `sweep`: the points it runs, the handling of failed ones, and continuation after it was killed.

#include "process.hpp"
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/program.hpp>

#include <gmock/gmock.h>
#include <hdf5.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <thread>

namespace picus::test::sweep_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Row = std::vector<std::string>;

struct Flight {
  double speed = 1.0;
  Index count = 1;
  bool fails = false;
  bool crashes = false;
  double spin = 0.0;
};

/// A point mass in uniform motion: its position after 1 s is its speed.
RegisteredModel flight() {
  using P = Flight;
  return ModelParts<P>{
      .info = {.name = "flight", .summary = "A mass flies.", .step = 0.1, .until = 1.0},
      .parameters = ParameterTable<P>()
                        .real("speed", &P::speed, {}, "m/s", "at the start")
                        .integer("count", &P::count, Range::between(1, 9), "means nothing")
                        .flag("fails", &P::fails, "whether it cannot be built")
                        .flag("crashes", &P::crashes, "whether it ends its process")
                        .real("spin", &P::spin, {}, "rad/s", "of a top beside it"),
      .build =
          [](const P& p) {
            if (p.fails) throw std::runtime_error("told to");
            if (p.crashes) std::abort();
            Model model("flight");
            const auto node = model.add_point("mass", {.velocity = {p.speed, 0, 0}});
            model.add<PointMass>({.name = "body", .node = node, .mass = 1.0});
            if (p.spin > 0) {
              const auto top = model.add_frame("top", {.angular_velocity = {0, 0, p.spin}});
              model.add<RigidBody>({.name = "rotor", .node = top, .mass = 1.0, .inertia = Mat3::Identity()});
            }
            return model;
          },
      .measures =
          [](const RunInfo& run, const P& p) {
            const Node node = run.system.model().find_node("mass");
            Measures measures;
            measures.add("place, at the end", "m", measures.at_end([node](const Snapshot& at) {
              return at.state.q.position(node).x();
            }));
            if (p.spin > 0) {
              measures.add("drift", "m", measures.at_end([](const Snapshot&) {
                return std::numeric_limits<double>::quiet_NaN();
              }));
            }
            return measures;
          }};
}

struct Ended {
  int status;
  std::string out, errors;
};

class SweepTest : public ProgramTest {
 protected:
  Ended sweep(std::vector<std::string> words) const {
    words.insert(words.begin(), {"mine", "sweep", "flight", "--no-figure", "--out", file("s").string()});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_main(static_cast<int>(arguments.size()), arguments.data(), {flight()});
    std::string out = testing::internal::GetCapturedStdout();
    return {status, std::move(out), testing::internal::GetCapturedStderr()};
  }
  /// The lines of a CSV file in which only the header is quoted.
  std::vector<Row> rows(const std::string& name = "s.csv") const {
    std::vector<Row> rows;
    std::istringstream text(text_of(name));
    for (std::string line; std::getline(text, line);) {
      Row row;
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
      rows.push_back(std::move(row));
    }
    return rows;
  }
  std::vector<std::string> column(std::size_t i) const {
    std::vector<std::string> cells;
    for (const Row& row : rows()) cells.push_back(row[i]);
    cells.erase(cells.begin());
    return cells;
  }
};

TEST_F(SweepTest, RunsAllCombinationsOfRangesAndLists) {
  const Ended ended = sweep({"--set", "speed=1:2:3", "--set", "count=2,5", "--workers", "3"});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_THAT(ended.out, HasSubstr("flight: 6 of 6 points, 0 failed"));
  EXPECT_THAT(
      text_of("s.csv"),
      StartsWith("point,speed,count,\"place, at the end (m)\",steps,fallbacks,warnings,seconds,failure\n"
                 "0,1,2,"));
  EXPECT_THAT(column(1), ElementsAre("1", "1", "1.5", "1.5", "2", "2"));
  EXPECT_THAT(column(2), ElementsAre("2", "5", "2", "5", "2", "5"));
  const std::vector<std::string> places = column(3);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(std::stod(places[i]), std::stod(column(1)[i]), 1e-12);  // uniform motion: rounding only
  EXPECT_THAT(column(4), testing::Each("10"));
  EXPECT_FALSE(std::filesystem::exists(file("s.sweep"))) << "complete: nothing to go on with";

  const hid_t data = H5Fopen(file("s.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(data, 0);
  std::array<double, 6> found{};
  const hid_t set = H5Dopen2(data, "/findings/place, at the end", H5P_DEFAULT);
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
  EXPECT_NEAR(found[5], 2.0, 1e-12);
  H5Dclose(set);
  H5Fclose(data);
}

TEST_F(SweepTest, SpacesLogarithmicRangesEvenlyInPowers) {
  EXPECT_EQ(sweep({"--set", "speed=0.01:100:5:log", "--set", "count=4"}).status, 0);
  EXPECT_THAT(column(1), ElementsAre("0.01", "0.1", "1", "10", "100"));
}

TEST_F(SweepTest, GoesOnPastPointsThatFailOrCrash) {
  const Ended ended = sweep({"--set", "speed=1,2", "--set", "fails=no,yes", "--set", "crashes=no,yes"});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_THAT(ended.out, HasSubstr("8 of 8 points, 6 failed"));
  EXPECT_THAT(ended.out,
              HasSubstr("point 2 (speed=1, fails=yes, crashes=no) failed: model \"flight\": its builder "
                        "failed: told to\n"));
  EXPECT_THAT(text_of("s.csv"), HasSubstr("its process was ended by Aborted"));
  const Ended all = sweep({"--set", "fails=yes", "--set", "speed=1,2", "--force"});
  EXPECT_EQ(all.status, 1);
  EXPECT_EQ(all.errors,
            "mine: all 2 points failed; the first: model \"flight\": its builder failed: told to\n");
}

TEST_F(SweepTest, LeavesNoFilesWhereNoPointCanBeRun) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--until", "1e300"}, {"--set", "fails=yes"}, {"--step", "1e-30"}}) {
    std::vector<std::string> all = {"--set", "speed=1:2:2"};
    all.insert(all.end(), words.begin(), words.end());
    const Ended ended = sweep(all);
    EXPECT_EQ(ended.status, 1);
    EXPECT_THAT(ended.errors, StartsWith("mine: all 2 points failed; the first: "));
    EXPECT_THAT(ended.out, testing::AllOf(HasSubstr("point 1 ("), testing::Not(HasSubstr("written"))));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << words.back();
  }
  // A process that crashes has run.
  EXPECT_EQ(sweep({"--set", "speed=1:2:2", "--set", "crashes=yes"}).status, 1);
  EXPECT_TRUE(std::filesystem::exists(file("s.csv")));
}

TEST_F(SweepTest, TellsOfTheWarningsOfItsRuns) {
  const std::vector<std::string> words = {"--set", "speed=1", "--set", "spin=0,10,20"};
  const Ended ended = sweep(words);
  EXPECT_EQ(ended.status, 0) << ended.errors;
  // Only a top of 20 rad/s turns by more than a quarter in a step of 0.1 s.
  EXPECT_THAT(ended.out, HasSubstr("warning: 2 of 3 points have warnings, such as\n"
                                   "  point 1 (speed=1, spin=10): drift is nan: the run does not tell it\n"
                                   "  point 2 (speed=1, spin=20): node \"top\" turns by 2 rad in a step"));
  EXPECT_THAT(ended.out, HasSubstr(" (and 1 more)\n"));
  const std::vector<Row> table = rows();
  // The title of a finding holds a comma.
  const auto titles = static_cast<std::size_t>(std::ranges::find(table[0], "warnings") - table[0].begin());
  EXPECT_THAT(column(titles - 1), ElementsAre("0", "1", "2"));

  const hid_t data = H5Fopen(file("s.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(data, 0);
  std::array<std::int64_t, 3> counts{};
  const hid_t set = H5Dopen2(data, "/warnings", H5P_DEFAULT);
  EXPECT_GE(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data()), 0);
  EXPECT_THAT(counts, ElementsAre(0, 1, 2));
  const hid_t texts = H5Dopen2(data, "/warning_texts", H5P_DEFAULT);
  const hid_t space = H5Dget_space(texts);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space), 3);
  H5Sclose(space);
  H5Dclose(texts);
  H5Dclose(set);
  H5Fclose(data);

  std::vector<std::string> quiet = words;
  quiet.insert(quiet.end(), {"--quiet", "--force"});
  const Ended silent = sweep(quiet);
  EXPECT_EQ(silent.out, "");
  EXPECT_THAT(silent.errors, StartsWith("mine: warning: 2 of 3 points have warnings, such as\n"));
  EXPECT_THAT(sweep({"--set", "speed=1,2", "--force"}).out, testing::Not(HasSubstr("warning")));
}

TEST_F(SweepTest, DrawsALatinHypercube) {
  EXPECT_EQ(sweep({"--set", "speed=0:20", "--set", "count=1:4", "--samples", "20", "--seed", "7"}).status, 0);
  std::set<int> slices;
  for (const std::string& speed : column(1)) slices.insert(static_cast<int>(std::floor(std::stod(speed))));
  EXPECT_EQ(slices.size(), 20U) << "one point in each slice of the range";
  EXPECT_EQ(*slices.rbegin(), 19);
  std::map<std::string, int> counts;
  for (const std::string& count : column(2)) ++counts[count];
  EXPECT_THAT(counts, ElementsAre(testing::Pair("1", 5), testing::Pair("2", 5), testing::Pair("3", 5),
                                  testing::Pair("4", 5)));
  const std::vector<std::string> first = column(1);
  EXPECT_EQ(sweep({"--set", "speed=0:20", "--set", "count=1:4", "--samples", "20", "--seed", "7", "--force"})
                .status,
            0);
  EXPECT_EQ(column(1), first);
  EXPECT_EQ(sweep({"--set", "speed=0:20", "--set", "count=1:4", "--samples", "20", "--seed", "8", "--force"})
                .status,
            0);
  EXPECT_NE(column(1), first);
  EXPECT_EQ(sweep({"--set", "speed=0:20", "--samples", "50", "--sampling", "random", "--force"}).status, 0);
  EXPECT_THAT(column(1), testing::SizeIs(50));
}

TEST_F(SweepTest, RefusesWhatItCannotRun) {
  const auto refusal = [&](const std::vector<std::string>& words) {
    const Ended ended = sweep(words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing may be written";
    return ended.errors;
  };
  EXPECT_EQ(refusal({}),
            "mine: model \"flight\": nothing varies: --set NAME=FIRST:LAST:COUNT or --set NAME=VALUE,VALUE "
            "says what\n");
  EXPECT_EQ(
      refusal({"--set", "speed=1:2"}),
      "mine: model \"flight\": --set speed: a range is FIRST:LAST:COUNT, or FIRST:LAST with --samples\n");
  EXPECT_EQ(refusal({"--set", "speed=0:2:5:log"}),
            "mine: model \"flight\": --set speed: the ends of a logarithmic range must be positive\n");
  EXPECT_EQ(refusal({"--set", "count=1:2:3"}),
            "mine: model \"flight\": --set count is 1.5 in this range, must be an integer\n");
  EXPECT_EQ(refusal({"--set", "count=8:10:3"}),
            "mine: model \"flight\": parameter count is 10, must lie in [1, 9]\n");
  EXPECT_EQ(refusal({"--set", "sped=1,2"}),
            "mine: model \"flight\": there is no parameter \"sped\" (did you mean \"speed\"?)\n");
  EXPECT_EQ(refusal({"--set", "speed=1,2", "--seed", "3"}), "mine: --seed is for --samples alone\n");
  EXPECT_EQ(refusal({"--set", "speed=1:2:1000", "--set", "count=1:9:9", "--set", "fails=no,yes", "--set",
                     "crashes=no,yes", "--scheme", "dss"}),
            "mine: --scheme: there is no scheme \"dss\" (did you mean \"ds\"?)\n");
}

TEST_F(SweepTest, DrawsWhatItFound) {
  const auto is_drawn = [&](const std::string& stem) {
    return text_of(stem + ".png").starts_with("\x89PNG");
  };
  const auto run = [&](const std::string& stem, const std::vector<std::string>& more,
                       const std::string& model = "bouncing-ball") {
    std::vector<std::string> words = {"sweep", model, "--until", "0.1", "--out", stem};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = picus(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("drawn:   " + stem + ".png"));
  };
  run("curves", {"--set", "height=0.5:2:5:log", "--set", "restitution=0.3,0.8"});
  EXPECT_TRUE(is_drawn("curves"));
  run("cloud", {"--set", "height=0.5:2", "--set", "restitution=0.3:0.8", "--samples", "20"});
  EXPECT_TRUE(is_drawn("cloud"));
  run("choices", {"--set", "case=I,II"}, "woodpecker");  // no numeric parameter varies
  EXPECT_TRUE(is_drawn("choices"));
}

TEST_F(SweepTest, TakesTheNameOfOneOfItsFiles) {
  const Outcome outcome =
      picus({"sweep", "bouncing-ball", "--until", "0.1", "--set", "height=0.5,1", "--out", "mine.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("written: mine.csv, mine.h5\n"));
}

TEST_F(SweepTest, GoesOnAfterAKill) {
  // Some hundred points of 20 ms or so: the kill comes between.
  const std::vector<std::string> words = {"sweep", "inclined-plane", "--set", "mu=0.1:0.9:60", "--step",
                                          "1e-4",  "--workers",      "2",     "--out"};
  const auto with = [&](const std::string& stem) {
    std::vector<std::string> all = words;
    all.push_back(stem);
    return all;
  };
  {
    std::vector<std::string> all = with("killed");
    all.insert(all.begin(), PICUS_PROGRAM);
    Process process(all, {.directory = folder.path()});
    const auto lines = [&] {
      const std::string text = text_of("killed.sweep");
      return std::count(text.begin(), text.end(), '\n');
    };
    for (int i = 0; i < 3000 && lines() < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.send(SIGKILL);
    process.finish();
    ASSERT_GE(lines(), 5);
    ASSERT_FALSE(std::filesystem::exists(file("killed.csv"))) << "it was over before the kill";
  }
  std::ofstream(file("killed.sweep"), std::ios::app) << "17\t0.1\t200";  // a truncated line
  const Outcome other = picus({"sweep", "inclined-plane", "--set", "mu=0.1,0.2", "--out", "killed"});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.err, "picus: \"killed.sweep\" is of another sweep; --force replaces it\n");
  const std::string before = text_of("killed.sweep");
  const Outcome refused = picus(
      {"sweep", "inclined-plane", "--set", "mu=0.1,0.2", "--until", "1e300", "--out", "killed", "--force"});
  EXPECT_THAT(refused.err, StartsWith("picus: all 2 points failed; the first: "));
  EXPECT_EQ(text_of("killed.sweep"), before) << "replaced by a sweep that cannot begin";
  const Outcome resumed = picus(with("killed"));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.out, StartsWith("goes on: "));
  EXPECT_EQ(picus(with("whole")).status, 0);
  std::vector<Row> killed = rows("killed.csv");
  std::vector<Row> whole = rows("whole.csv");
  ASSERT_EQ(killed.size(), 61U);
  ASSERT_EQ(whole.size(), 61U);
  for (std::size_t i = 1; i < killed.size(); ++i) {
    killed[i].back() = whole[i].back() = "";  // seconds; there is no failure after them
    EXPECT_EQ(killed[i], whole[i]);
  }
  EXPECT_EQ(picus(with("whole")).status, 1) << "files are replaced by --force alone";
}

}  // namespace
}  // namespace picus::test::sweep_test
