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

/// The largest number of linear solves of a step since the previous kept instant; zero at the start.
std::vector<double> iterations_at_instants(const TrialResult& result, std::int64_t every) {
  std::vector<double> most(result.times.size(), 0.0);
  for (std::size_t step = 1; step <= result.iterations.size(); ++step) {
    const auto& taken = result.iterations[step - 1];
    // The last steps may lie after the last kept instant.
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

/// The points in the range and one more on each side; x is ascending.
void clip(Points& points, const std::pair<double, double>& range) {
  const auto low = std::ranges::lower_bound(points.x, range.first) - points.x.begin();
  const auto high = std::ranges::upper_bound(points.x, range.second) - points.x.begin();
  const auto begin = std::max<std::ptrdiff_t>(low - 1, 0);
  const auto end = std::min<std::ptrdiff_t>(high + 1, std::ssize(points.x));
  points.x = {points.x.begin() + begin, points.x.begin() + end};
  points.y = {points.y.begin() + begin, points.y.begin() + end};
}

std::string label_of(const Curve& curve, const Panel& panel, const Run& run) {
  const TrialResult& result = run.result;
  if (!curve.label.empty()) return curve.label;
  const auto of_run = std::ranges::count(panel.curves, curve.run, &Curve::run);
  const bool is_signal =
      std::ranges::any_of(result.series, [&](const Series& s) { return s.name == curve.y; });
  if (of_run > 1 && is_signal) return result.find(curve.y).meaning;
  return run.label.empty() ? run.id : run.label;
}

double extent(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto [low, high] = std::ranges::minmax(values);
  return high - low;
}

/// Values as coordinates on the axis.
std::vector<double> on_axis(std::vector<double> values, bool is_logarithmic) {
  if (!is_logarithmic) return values;
  for (double& value : values) value = value > 0.0 ? std::log10(value) : std::nan("");
  return values;
}

/// The points of a spectrum: few, all of them kept.
DrawnCurve draw_spectrum(const Curve& curve, const SpectrumRun& spectrum) {
  DrawnCurve drawn{.label = curve.label, .is_exact = curve.exact, .x = {}, .y = {}};
  if (drawn.label.empty()) drawn.label = spectrum.label.empty() ? spectrum.id : spectrum.label;
  drawn.missing = spectrum.failure;
  const Spectrum& found = spectrum.result;
  const bool is_radius = curve.y == "spectral-radius";
  if (!is_radius && curve.y != "period-error") throw Error(fmt::format("a spectrum has no \"{}\"", curve.y));
  const std::vector<double>& values =
      is_radius ? (curve.exact ? found.exact_spectral_radius : found.spectral_radius)
                : (curve.exact ? found.exact_period_error : found.period_error);
  if (values.empty()) return drawn;
  drawn.x = found.h_over_period;
  for (const double value : values) drawn.y.push_back(curve.y_factor * value);
  return drawn;
}

DrawnCurve draw(const Curve& curve, const Panel& panel, const Experiments& experiments) {
  const auto spectrum = std::ranges::find(experiments.spectra, curve.run, &SpectrumRun::id);
  if (spectrum != experiments.spectra.end()) return draw_spectrum(curve, *spectrum);
  const Run& run = experiments.find(curve.run);
  const TrialResult& result = run.result;
  DrawnCurve drawn{.label = label_of(curve, panel, run),
                   .is_exact = curve.exact,
                   .x = {},
                   .y = {},
                   .missing = result.failure};
  if (result.times.empty()) return drawn;

  Points points{.x = values_of(curve.x, result, run.every),
                .y = curve.exact ? exact_values_of(curve.y, result) : values_of(curve.y, result, run.every)};
  if (panel.x_range && curve.x == "time") clip(points, *panel.x_range);
  const std::vector<double> x = on_axis(points.x, panel.has_log_x);
  const std::vector<double> y = on_axis(points.y, panel.has_log_y);
  const bool has_x_extent = panel.x_range && !panel.has_log_x;
  const bool has_y_extent = panel.y_range && !panel.has_log_y;
  const double x_extent = has_x_extent ? panel.x_range->second - panel.x_range->first : extent(x);
  const double y_extent =
      has_y_extent ? (panel.y_range->second - panel.y_range->first) / std::abs(curve.y_factor) : extent(y);
  for (const std::size_t i : thinned(x, y, x_extent, y_extent)) {
    drawn.x.push_back(points.x[i]);
    drawn.y.push_back(curve.y_factor * points.y[i]);
  }
  return drawn;
}

std::vector<std::size_t> all_places(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// Splits each segment at the point farthest from its chord, until all points are close.
std::vector<std::size_t> nearly_the_same(std::span<const double> x, std::span<const double> y,
                                         double x_extent, double y_extent) {
  constexpr double visible = 1.0 / 3000;
  if (x.size() < 3) return all_places(x.size());
  const double x_scale = x_extent > 0.0 ? 1.0 / x_extent : 0.0;
  const double y_scale = y_extent > 0.0 ? 1.0 / y_extent : 0.0;
  const auto squared_distance = [&](std::size_t i, std::size_t a, std::size_t b) {
    const double along_x = x_scale * (x[b] - x[a]);
    const double along_y = y_scale * (y[b] - y[a]);
    const double to_x = x_scale * (x[i] - x[a]);
    const double to_y = y_scale * (y[i] - y[a]);
    const double square = along_x * along_x + along_y * along_y;
    const double part = square > 0.0 ? std::clamp((to_x * along_x + to_y * along_y) / square, 0.0, 1.0) : 0.0;
    const double off_x = to_x - part * along_x;
    const double off_y = to_y - part * along_y;
    return off_x * off_x + off_y * off_y;
  };

  std::vector<std::size_t> kept = {0};
  std::vector<std::size_t> ends = {x.size() - 1};  // of the remaining segments, the next one last
  while (!ends.empty()) {
    std::size_t farthest = kept.back();
    double largest = visible * visible;
    for (std::size_t i = kept.back() + 1; i < ends.back(); ++i) {
      const double far = squared_distance(i, kept.back(), ends.back());
      if (far <= largest) continue;
      largest = far;
      farthest = i;
    }
    if (farthest != kept.back()) {
      ends.push_back(farthest);
    } else {
      kept.push_back(ends.back());
      ends.pop_back();
    }
  }
  return kept;
}

std::vector<std::size_t> extremes_of_stretches(std::span<const double> x, std::span<const double> y,
                                               std::size_t most) {
  const std::size_t count = x.size();
  const std::size_t stretches = most / 4;
  std::vector<std::size_t> kept = {0};
  for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
    const std::size_t begin = stretch * count / stretches;
    const std::size_t end = (stretch + 1) * count / stretches;
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
      if (kept.back() != place) kept.push_back(place);
    }
  }
  if (kept.back() != count - 1) kept.push_back(count - 1);
  return kept;
}

}  // namespace

std::vector<std::size_t> thinned(std::span<const double> x, std::span<const double> y, double x_extent,
                                 double y_extent, std::size_t most) {
  const bool has_gaps = std::ranges::any_of(y, [](double value) { return !std::isfinite(value); }) ||
                        std::ranges::any_of(x, [](double value) { return !std::isfinite(value); });
  if (!has_gaps) {
    std::vector<std::size_t> kept = nearly_the_same(x, y, x_extent, y_extent);
    if (kept.size() <= most) return kept;
  }
  return x.size() <= most ? all_places(x.size()) : extremes_of_stretches(x, y, most);
}

std::vector<DrawnFigure> draw(const Experiments& experiments) {
  std::vector<DrawnFigure> figures;
  for (const Figure& figure : experiments.figures) {
    DrawnFigure drawn{figure.id, figure.title, figure.caption, {}};
    for (const Panel& panel : figure.panels) {
      DrawnPanel& axes = drawn.panels.emplace_back(DrawnPanel{panel, {}});
      axes.panel.curves.clear();
      for (const Curve& curve : panel.curves) {
        try {
          axes.curves.push_back(draw(curve, panel, experiments));
        } catch (const Error& error) {  // the run or the signal does not exist
          axes.curves.push_back({curve.label, curve.exact, {}, {}, error.what()});
        }
      }
    }
    figures.push_back(std::move(drawn));
  }
  return figures;
}

}  // namespace picus::models
