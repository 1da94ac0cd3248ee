#include <picus/error.hpp>
#include <picus/models/benchmarks/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace picus::models {
namespace {

struct Points {
  std::vector<double> x, y;
};

/// The most linear solves of a step since the instant before; none at the start.
std::vector<double> iterations_at_instants(const TrialResult& result, std::int64_t every) {
  std::vector<double> most(result.times.size(), 0.0);
  for (std::size_t step = 1; step <= result.iterations.size(); ++step) {
    const auto& taken = result.iterations[step - 1];
    // The last steps may lie after the last instant that was kept.
    const std::size_t instant =
        (step + static_cast<std::size_t>(every) - 1) / static_cast<std::size_t>(every);
    if (instant >= most.size()) break;
    most[instant] = std::max(most[instant], std::accumulate(taken.begin(), taken.end(), 0.0));
  }
  if (!most.empty()) most[0] = std::nan("");
  return most;
}

std::vector<double> values_of(const std::string& name, const TrialResult& result, std::int64_t every) {
  if (name == "time") return result.times;
  if (name == "iterations") return iterations_at_instants(result, every);
  return result.find(name).values;
}

std::vector<double> exact_values_of(const std::string& name, const TrialResult& result) {
  const Series& series = result.find(name);
  if (series.exact.empty()) throw Error(fmt::format("no exact solution of {} is known", name));
  return series.exact;
}

/// What lies in the range, and one point more on each side; x rises.
void clip(Points& points, const std::pair<double, double>& range) {
  const auto low = std::ranges::lower_bound(points.x, range.first) - points.x.begin();
  const auto high = std::ranges::upper_bound(points.x, range.second) - points.x.begin();
  const auto begin = std::max<std::ptrdiff_t>(low - 1, 0);
  const auto end = std::min<std::ptrdiff_t>(high + 1, std::ssize(points.x));
  points.x = {points.x.begin() + begin, points.x.begin() + end};
  points.y = {points.y.begin() + begin, points.y.begin() + end};
}

std::string label_of(const Curve& curve, const Panel& panel, const PlannedRun& run,
                     const TrialResult& result) {
  if (!curve.label.empty()) return curve.label;
  const auto of_run = std::ranges::count(panel.curves, curve.run, &Curve::run);
  const bool is_signal =
      std::ranges::any_of(result.series, [&](const Series& s) { return s.name == curve.y; });
  if (of_run > 1 && is_signal) return result.find(curve.y).meaning;
  return run.label.empty() ? run.id : run.label;
}

/// What is to be said of a curve whose run did not come to its end.
std::string remark_on(const RunOutcome& outcome) {
  if (!outcome.is_available) return "this version does not have its scheme";
  return outcome.result.failure;
}

DrawnCurve draw(const Curve& curve, const Panel& panel, const Plan& plan, const Outcomes& outcomes) {
  DrawnCurve drawn{.label = curve.label, .is_exact = curve.exact, .x = {}, .y = {}};
  const auto run = std::ranges::find(plan.runs, curve.run, &PlannedRun::id);
  const auto outcome = outcomes.runs.find(curve.run);
  if (run == plan.runs.end() || outcome == outcomes.runs.end()) {
    drawn.missing = fmt::format("there is no run \"{}\"", curve.run);
    return drawn;
  }
  const TrialResult& result = outcome->second.result;
  drawn.label = label_of(curve, panel, *run, result);
  drawn.missing = remark_on(outcome->second);
  if (result.times.empty()) return drawn;

  Points points{.x = values_of(curve.x, result, run->every),
                .y = curve.exact ? exact_values_of(curve.y, result) : values_of(curve.y, result, run->every)};
  if (panel.x_range && curve.x == "time") clip(points, *panel.x_range);
  for (const std::size_t i : thinned(points.x, points.y)) {
    drawn.x.push_back(points.x[i]);
    drawn.y.push_back(curve.y_factor * points.y[i]);
  }
  return drawn;
}

/// Extremes of a stretch of the curve, by place.
struct Extremes {
  std::span<const double> x, y;
  std::vector<std::size_t>& kept;

  void keep(std::size_t begin, std::size_t end) const {
    const auto extreme = [&](std::span<const double> values, bool is_largest) {
      std::size_t best = begin;
      for (std::size_t i = begin + 1; i < end; ++i) {
        const bool is_better = is_largest ? values[i] > values[best] : values[i] < values[best];
        if (is_better || (std::isnan(values[best]) && !std::isnan(values[i]))) best = i;
      }
      return best;
    };
    std::array places = {extreme(x, false), extreme(x, true), extreme(y, false), extreme(y, true)};
    std::ranges::sort(places);
    for (const std::size_t place : places) {
      if (kept.empty() || kept.back() != place) kept.push_back(place);
    }
  }
};

}  // namespace

std::vector<std::size_t> thinned(std::span<const double> x, std::span<const double> y, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t count = x.size();
  if (count <= std::max<std::size_t>(most, 8)) {
    kept.resize(count);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  const std::size_t stretches = std::max<std::size_t>(most, 8) / 4;
  const Extremes extremes{x, y, kept};
  kept.push_back(0);
  for (std::size_t i = 0; i < stretches; ++i) {
    extremes.keep(i * count / stretches, (i + 1) * count / stretches);
  }
  if (kept.back() != count - 1) kept.push_back(count - 1);
  return kept;
}

std::vector<DrawnFigure> draw(const Plan& plan, const Outcomes& outcomes) {
  std::vector<DrawnFigure> figures;
  for (const Figure& figure : plan.figures) {
    DrawnFigure drawn{figure.id, figure.title, figure.caption, {}};
    for (const Panel& panel : figure.panels) {
      DrawnPanel& axes = drawn.panels.emplace_back(DrawnPanel{panel, {}});
      axes.panel.curves.clear();
      for (const Curve& curve : panel.curves) {
        try {
          axes.curves.push_back(draw(curve, panel, plan, outcomes));
        } catch (const Error& error) {  // a signal that the run does not have
          axes.curves.push_back({curve.label, curve.exact, {}, {}, error.what()});
        }
      }
    }
    figures.push_back(std::move(drawn));
  }
  return figures;
}

}  // namespace picus::models
