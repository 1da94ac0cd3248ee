/// `picus plot` of several files: how they are distinguished, and distributions of the findings of sweeps.

#include "process.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace picus::test::compare_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

class CompareTest : public ProgramTest {
 protected:
  void simulate(const std::string& name, const Words& words) const {
    Words command = {"run"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--quiet", "--force", "--out", name});
    const Outcome outcome = picus(command);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  void sweep(const std::string& stem, const Words& words) const {
    Words command = {"sweep", "bouncing-ball", "--until", "0.1", "--no-figure", "--out", stem};
    command.insert(command.end(), words.begin(), words.end());
    const Outcome outcome = picus(command);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  /// The text of the figure, an SVG that contains text as such.
  std::string figure(Words words) const {
    words.insert(words.begin(), "plot");
    words.insert(words.end(), {"--out", "a.svg", "--force"});
    const Outcome outcome = picus(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return text_of("a.svg");
  }
  void expect_refusal(const Words& words, int status, const std::string& message) const {
    Words command = {"plot"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--out", "refused.png"});
    const Outcome outcome = picus(command);
    EXPECT_EQ(outcome.status, status) << message;
    EXPECT_EQ(outcome.err, "picus: " + message + '\n');
    EXPECT_FALSE(std::filesystem::exists(file("refused.png")));
  }
};

std::size_t count_of_text(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(CompareTest, TellsRunsApartByWhatDiffers) {
  simulate("a.h5", {"bouncing-ball", "--until", "0.1", "--set", "restitution=0.5"});
  simulate("b.h5", {"bouncing-ball", "--until", "0.3", "--set", "restitution=0.25", "--step", "2e-3"});
  const std::string drawn = figure({"a.h5", "b.h5", "*/gap"});
  EXPECT_THAT(
      drawn, AllOf(HasSubstr(">gap, m<"), HasSubstr(">restitution = 0.5<"), HasSubstr(">restitution = 0.25<"),
                   HasSubstr(">h = 0.002 s<"), HasSubstr(">time, s<"), HasSubstr(": 2 results<")));
  EXPECT_THAT(drawn, HasSubstr(">0.30<")) << "the axis holds the longer run";
  // Each component has a panel with a curve for each file; the legend appears once.
  const std::string place = figure({"b.h5", "nodes/ball/position", "a.h5"});
  EXPECT_THAT(place, AllOf(HasSubstr(">nodes/ball/position.x<"), HasSubstr(">nodes/ball/position.y<"),
                           HasSubstr(">position.y, m<")));
  EXPECT_EQ(count_of_text(place, ">restitution = 0.5<"), 1U);
}

TEST_F(CompareTest, NamesTheFilesWhereSettingsDoNotTell) {
  simulate("a.h5", {"bouncing-ball", "--until", "0.1"});
  std::filesystem::create_directory(file("later"));
  simulate("later/a.h5", {"bouncing-ball", "--until", "0.1"});
  const Outcome outcome = picus({"plot", "a.h5", "later/a.h5", "*/state"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "written: a-compared.png\n");
  EXPECT_THAT(figure({"a.h5", "later/a.h5", "*/state"}),
              AllOf(HasSubstr(">a<"), HasSubstr(">later/a<"), HasSubstr(">slips<")));
  // Different models have no common parameters by which they could be distinguished.
  simulate("top.h5", {"spinning-top", "--until", "0.01"});
  EXPECT_THAT(figure({"a.h5", "top.h5", "energy/kinetic"}),
              AllOf(HasSubstr(">a<"), HasSubstr(">top<"), HasSubstr(">kinetic, J<")));
}

TEST_F(CompareTest, NamesTheFileThatLacksAQuantity) {
  simulate("a.h5", {"bouncing-ball", "--until", "0.1"});
  simulate("top.h5", {"spinning-top", "--until", "0.01"});
  expect_refusal({"a.h5", "top.h5", "contacts/*/gap"}, 1, "top.h5 has no quantity contacts/*/gap");
  expect_refusal({"top.h5", "a.h5", "energy/kinetc"}, 1,
                 "top.h5 has no quantity energy/kinetc; did you mean energy/kinetic?");
  expect_refusal({"a.h5", "top.h5", "energy/kinetic", "--from", "0.05"}, 1,
                 "top.h5 has fewer than two records in the time that is asked for");
  expect_refusal({"a.h5", "top.h5", "a.h5", "*/gap"}, 2, "file \"a.h5\" is named twice");
  expect_refusal({"a.h5", "top.h5", "--overview"}, 1,
                 "an overview is of one run; name the quantities of several that are to be compared");
  const Outcome outcome = picus({"plot", "a.h5", "none.h5", "*/gap"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("\"none.h5\""));
}

/// The value below which so many of the numbers are, interpolated between neighbours in order.
double quantile(std::vector<double> numbers, double share) {
  std::sort(numbers.begin(), numbers.end());
  const double place = share * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  return numbers[below] + (place - static_cast<double>(below)) * (numbers[above] - numbers[below]);
}

std::string four_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

TEST_F(CompareTest, DrawsSweepsWithTheirQuantiles) {
  sweep("s", {"--set", "height=0.5:2", "--set", "restitution=0.3:0.8", "--samples", "60", "--seed", "3"});
  std::istringstream table(text_of("s.csv"));
  std::string line;
  std::getline(table, line);
  std::istringstream titles(line);
  Words names;
  for (std::string title; std::getline(titles, title, ',');) names.push_back(title);
  ASSERT_THAT(names[3], Not(HasSubstr("\""))) << "the first finding has a name without comma";
  const std::string finding = names[3].substr(0, names[3].find(" ("));
  std::vector<double> found;
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int i = 0; i <= 3; ++i) std::getline(cells, cell, ',');
    found.push_back(std::stod(cell));
  }
  ASSERT_EQ(found.size(), 60U);
  const std::string drawn = figure({"s.h5", finding});
  EXPECT_THAT(
      drawn, HasSubstr(">median " + four_digits(quantile(found, 0.5)) + ", 80 % in " +
                       four_digits(quantile(found, 0.1)) + " to " + four_digits(quantile(found, 0.9)) + "<"));
  // 60 points in three intervals along each parameter.
  EXPECT_THAT(drawn,
              AllOf(HasSubstr(">80 % of the points<"), HasSubstr(">height, m<"), HasSubstr(">restitution<")));
  sweep("few", {"--set", "height=0.5:2", "--set", "restitution=0.3:0.8", "--samples", "9"});
  EXPECT_THAT(figure({"few.h5", "--overview"}), AllOf(Not(HasSubstr("median")), HasSubstr(">height, m<")));
}

TEST_F(CompareTest, DrawsDistributionsOfSweepsBesideEachOther) {
  sweep("low", {"--set", "height=0.5:1", "--samples", "20"});
  sweep("high", {"--set", "height=1:2", "--samples", "30"});
  EXPECT_THAT(
      figure({"low.h5", "high.h5", "--overview"}),
      AllOf(HasSubstr(">share of the points<"), HasSubstr(">low, 20 points, median "),
            HasSubstr(">high, 30 points, median "), HasSubstr(">sweep of bouncing-ball, scheme ds<")));
  simulate("a.h5", {"bouncing-ball", "--until", "0.1"});
  expect_refusal({"low.h5", "a.h5", "*"}, 1, "low.h5 holds a sweep, a.h5 a run: they have no axis in common");
  expect_refusal({"low.h5", "--overview", "--to", "1"}, 1,
                 "low.h5 holds a sweep, which has no time to begin or end at");
  const Outcome outcome = picus({"plot", "low.h5", "height of the moon", "--out", "refused.png"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, StartsWith("picus: low.h5 has no finding height of the moon; it has "));
}

}  // namespace
}  // namespace picus::test::compare_test
