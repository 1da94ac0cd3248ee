#include <picus/error.hpp>
#include <picus/models/benchmarks/drawing.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace picus::models::drawing_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

struct Points {
  std::vector<double> x, y;
};

template <class X, class Y>
Points sample(std::size_t count, X x, Y y) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(count - 1);
    points.x.push_back(x(s));
    points.y.push_back(y(s));
  }
  return points;
}

/// The largest distance of a point from the segment of the kept polyline that spans it.
double largest_distance(const Points& points, const std::vector<std::size_t>& kept) {
  double largest = 0.0;
  for (std::size_t k = 1; k < kept.size(); ++k) {
    const std::size_t a = kept[k - 1];
    const std::size_t b = kept[k];
    const double dx = points.x[b] - points.x[a];
    const double dy = points.y[b] - points.y[a];
    for (std::size_t i = a; i <= b; ++i) {
      const double along = dx * (points.x[i] - points.x[a]) + dy * (points.y[i] - points.y[a]);
      const double s = std::clamp(along / (dx * dx + dy * dy), 0.0, 1.0);
      largest = std::max(largest,
                         std::hypot(points.x[i] - points.x[a] - s * dx, points.y[i] - points.y[a] - s * dy));
    }
  }
  return largest;
}

TEST(Thinned, KeepsAnEllipseThatLooksTheSame) {
  const Points points = sample(
      20001, [](double s) { return 0.5 * std::cos(2 * std::numbers::pi * s); },
      [](double s) { return 0.5 * std::sin(2 * std::numbers::pi * s); });
  const auto kept = thinned(points.x, points.y, 1.0, 1.0);
  EXPECT_THAT(kept, SizeIs(Le(200U)));
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), 20000U);
  EXPECT_LE(largest_distance(points, kept), 1.0 / 3000);
}

TEST(Thinned, KeepsASinglePeak) {
  Points points = sample(
      100000, [](double s) { return s; }, [](double) { return 0.0; });
  points.y[61803] = 1.0;
  EXPECT_THAT(thinned(points.x, points.y, 1.0, 1.0), ElementsAre(0U, 61802U, 61803U, 61804U, 99999U));
}

TEST(Thinned, KeepsTheEnvelopeOfADenseOscillation) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-1.0, 1.0);
  Points points = sample(
      300000, [](double s) { return s; }, [&](double s) { return (1 + s) * noise(random); });
  points.y[12345] = 3.0;
  points.y[67891] = -3.0;
  const auto kept = thinned(points.x, points.y, 1.0, 6.0, 400);
  EXPECT_THAT(kept, SizeIs(Le(402U)));
  EXPECT_THAT(kept, Contains(12345U));
  EXPECT_THAT(kept, Contains(67891U));
  EXPECT_TRUE(std::ranges::is_sorted(kept));
  EXPECT_EQ(std::ranges::adjacent_find(kept), kept.end());
  // Each hundredth of the range keeps its largest value.
  for (std::size_t stretch = 0; stretch < 100; ++stretch) {
    const std::size_t begin = stretch * points.x.size() / 100;
    const std::size_t end = (stretch + 1) * points.x.size() / 100;
    double largest = -1e300;
    for (const std::size_t i : kept) {
      if (i >= begin && i < end) largest = std::max(largest, points.y[i]);
    }
    EXPECT_EQ(largest, *std::max_element(points.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                         points.y.begin() + static_cast<std::ptrdiff_t>(end)));
  }
}

TEST(Thinned, LeavesShortCurvesAndGapsAlone) {
  EXPECT_THAT(thinned({}, {}, 0.0, 0.0), IsEmpty());
  const std::vector<double> one = {1.0};
  EXPECT_THAT(thinned(one, one, 0.0, 0.0), ElementsAre(0U));
  const std::vector<double> x = {0.0, 1.0, 2.0};
  const std::vector<double> gap = {std::nan(""), 1.0, 1.0};
  EXPECT_THAT(thinned(x, gap, 2.0, 1.0), ElementsAre(0U, 1U, 2U));
  const std::vector<double> same(9, 4.0);
  EXPECT_THAT(thinned(same, same, 0.0, 0.0), ElementsAre(0U, 8U));
}

/// A run of five kept instants, every second step, and one step more that is not kept.
Experiments outcomes_of_run() {
  Experiments outcomes{.runs = {{.id = "run", .label = "the run", .model = "", .every = 2}}};
  TrialResult& result = outcomes.runs[0].result;
  result.times = {0.0, 0.2, 0.4, 0.6, 0.8};
  result.series = {{"x", "m", "place", {0.0, 1.0, 0.0, 1.0, 0.0}, {0.0, 2.0, 0.0, 2.0, 0.0}},
                   {"v", "m/s", "speed", {5.0, 6.0, 9.0, 8.0, 1.0}, {}}};
  result.iterations = {{1, 1, 0}, {2, 2, 2}, {1, 0, 0}, {1, 1, 1}, {3, 0, 0},
                       {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {9, 9, 9}};
  return outcomes;
}

std::vector<DrawnCurve> drawn(Panel panel, Experiments outcomes) {
  outcomes.figures = {{.id = "f", .title = "Title", .caption = "Caption", .panels = {std::move(panel)}}};
  return draw(outcomes).at(0).panels.at(0).curves;
}

TEST(Draw, TakesSignalsOverTimeAndOverEachOther) {
  const auto curves =
      drawn({.y_label = "y",
             .curves = {{.run = "run", .y = "x", .y_factor = 1000.0}, {.run = "run", .y = "v", .x = "x"}}},
            outcomes_of_run());
  EXPECT_THAT(curves[0].x, ElementsAre(0.0, 0.2, 0.4, 0.6, 0.8));
  EXPECT_THAT(curves[0].y, ElementsAre(0.0, 1000.0, 0.0, 1000.0, 0.0));
  EXPECT_EQ(curves[0].label, "place");  // several curves of one run are distinguished by their meaning
  EXPECT_EQ(curves[1].label, "speed");
  EXPECT_THAT(curves[1].x, ElementsAre(0.0, 1.0, 0.0, 1.0, 0.0));
  EXPECT_THAT(curves[1].y, ElementsAre(5.0, 6.0, 9.0, 8.0, 1.0));
}

TEST(Draw, TakesExactSolutionsWhereThereAreSome) {
  const auto curves = drawn({.y_label = "y",
                             .curves = {{.run = "run", .y = "x", .label = "exact", .exact = true},
                                        {.run = "run", .y = "v", .label = "exact", .exact = true}}},
                            outcomes_of_run());
  EXPECT_THAT(curves[0].y, ElementsAre(0.0, 2.0, 0.0, 2.0, 0.0));
  EXPECT_TRUE(curves[0].is_exact);
  EXPECT_THAT(curves[1].y, IsEmpty());
  EXPECT_EQ(curves[1].missing, "no exact solution of v is known");
}

TEST(Draw, TakesTheMostIterationsSinceTheInstantBefore) {
  const auto curves =
      drawn({.y_label = "y", .curves = {{.run = "run", .y = "iterations"}}}, outcomes_of_run());
  EXPECT_EQ(curves[0].label, "the run");
  EXPECT_TRUE(std::isnan(curves[0].y[0]));
  EXPECT_THAT(std::vector(curves[0].y.begin() + 1, curves[0].y.end()), ElementsAre(6.0, 3.0, 3.0, 1.0));
}

TEST(Draw, KeepsOnePointMoreOnEachSideOfARange) {
  const auto curves = drawn({.y_label = "y", .curves = {{.run = "run", .y = "x"}}, .x_range = {{0.35, 0.45}}},
                            outcomes_of_run());
  EXPECT_THAT(curves[0].x, ElementsAre(0.2, 0.4, 0.6));
}

TEST(Draw, SaysWhyACurveIsMissing) {
  Experiments outcomes = outcomes_of_run();
  outcomes.runs[0].result.failure = "t = 0.9 s: no";
  outcomes.runs.push_back({.id = "other", .label = "another", .model = ""});
  outcomes.runs[1].result.failure = "there is no scheme \"x\"";
  const auto curves = drawn({.y_label = "y",
                             .curves = {{.run = "run", .y = "x"},
                                        {.run = "other", .y = "x"},
                                        {.run = "third", .y = "x", .label = "third"},
                                        {.run = "run", .y = "z"}}},
                            outcomes);
  EXPECT_THAT(curves[0].y, SizeIs(5));  // up to the failure
  EXPECT_EQ(curves[0].missing, "t = 0.9 s: no");
  EXPECT_THAT(curves[1].y, IsEmpty());
  EXPECT_EQ(curves[1].label, "another");
  EXPECT_EQ(curves[1].missing, "there is no scheme \"x\"");
  EXPECT_EQ(curves[2].missing, "there is no run \"third\"");
  EXPECT_THAT(curves[3].missing, HasSubstr("no quantity is called \"z\""));
}

}  // namespace
}  // namespace picus::models::drawing_test
