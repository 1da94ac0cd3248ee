#include <picus/elements/forces/scalar_law.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Gauss-Legendre with 10 points.
double gauss(const ScalarLaw::Function& f, double a, double b) {
  constexpr std::array<std::array<double, 2>, 5> rule = {{{0.1488743389816312, 0.2955242247147529},
                                                          {0.4333953941292472, 0.2692667193099964},
                                                          {0.6794095682990244, 0.2190863625159820},
                                                          {0.8650633666889845, 0.1494513491505806},
                                                          {0.9739065285171717, 0.0666713443086881}}};
  const double centre = 0.5 * (a + b);
  const double half = 0.5 * (b - a);
  double sum = 0;
  for (const auto& [x, weight] : rule) sum += weight * (f(centre - half * x) + f(centre + half * x));
  return half * sum;
}

/// Halves the interval until the result no longer changes. The depth bounds the work at a jump of f, which by then
/// contributes 2^-40 of the integral.
double adaptive(const ScalarLaw::Function& f, double a, double b, double whole, double tolerance, int depth) {
  const double middle = 0.5 * (a + b);
  const double left = gauss(f, a, middle);
  const double right = gauss(f, middle, b);
  if (depth == 0 || !(std::abs(left + right - whole) > tolerance)) return left + right;
  return adaptive(f, a, middle, left, tolerance, depth - 1) +
         adaptive(f, middle, b, right, tolerance, depth - 1);
}

double integral(const ScalarLaw::Function& f, double from, double to) {
  const double whole = gauss(f, from, to);
  const double size = gauss([&](double s) { return std::abs(f(s)); }, from, to);
  return adaptive(f, from, to, whole, 4 * std::numeric_limits<double>::epsilon() * std::abs(size), 40);
}

/// Slopes at the points of a table: harmonic means of those of the adjacent pieces, zero at extrema.
std::vector<double> monotone_slopes(const std::vector<double>& s, const std::vector<double>& force) {
  const std::size_t pieces = s.size() - 1;
  std::vector<double> secant(pieces);
  for (std::size_t i = 0; i < pieces; ++i) secant[i] = (force[i + 1] - force[i]) / (s[i + 1] - s[i]);
  std::vector<double> slope(s.size(), 0.0);
  slope.front() = secant.front();
  slope.back() = secant.back();
  for (std::size_t i = 1; i < pieces; ++i) {
    if (!(secant[i - 1] * secant[i] > 0)) continue;
    const double h_0 = s[i] - s[i - 1];
    const double h_1 = s[i + 1] - s[i];
    const double weight = (h_0 + 2 * h_1) / (3 * (h_0 + h_1));
    slope[i] = secant[i - 1] * secant[i] / (weight * secant[i] + (1 - weight) * secant[i - 1]);
  }
  return slope;
}

}  // namespace

ScalarLaw ScalarLaw::refused(std::string defect) {
  ScalarLaw result;
  result.defect_ = std::move(defect);
  return result;
}

ScalarLaw ScalarLaw::linear(double stiffness, double preload) {
  if (!std::isfinite(stiffness)) return refused(fmt::format("has a stiffness of {}", stiffness));
  if (!std::isfinite(preload)) return refused(fmt::format("has a preload of {}", preload));
  ScalarLaw result;
  result.law_ = Linear{stiffness, preload};
  return result;
}

ScalarLaw ScalarLaw::function(Function force, Function slope, Function potential) {
  if (!force) return refused("is a function that is empty");
  if (!slope) return refused("is a function whose slope is empty");
  ScalarLaw result;
  result.law_.emplace<Functions>(Functions{std::move(force), std::move(slope), std::move(potential)});
  return result;
}

ScalarLaw ScalarLaw::differenced(Function force, double scale) {
  if (!force) return refused("is a function that is empty");
  if (!(scale > 0) || !std::isfinite(scale)) {
    return refused(fmt::format("has a scale of {}, must be positive", scale));
  }
  ScalarLaw result;
  result.law_.emplace<Differenced>(Differenced{std::move(force), 1e-3 * scale});
  return result;
}

ScalarLaw ScalarLaw::table(std::vector<double> s, std::vector<double> force, Interpolation interpolation) {
  if (s.size() != force.size()) {
    return refused(fmt::format("is a table of {} abscissae and {} forces", s.size(), force.size()));
  }
  if (s.size() < 2) return refused(fmt::format("is a table of {} points, needs two or more", s.size()));
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!std::isfinite(s[i]) || !std::isfinite(force[i])) {
      return refused(fmt::format("is a table whose point {} is ({}, {})", i, s[i], force[i]));
    }
    if (i > 0 && s[i] <= s[i - 1]) {
      return refused(fmt::format("is a table whose abscissae do not ascend: {} is followed by {} at point {}",
                                 s[i - 1], s[i], i));
    }
  }
  ScalarLaw result;
  result.law_ = make_table(s, force, interpolation);
  return result;
}

ScalarLaw::Table ScalarLaw::make_table(const std::vector<double>& s, const std::vector<double>& force,
                                       Interpolation interpolation) {
  const bool is_cubic = interpolation == Interpolation::monotone_cubic;
  const std::vector<double> slope = monotone_slopes(s, force);
  const std::size_t pieces = s.size() - 1;
  Table table;
  for (std::size_t i = 0; i < pieces; ++i) {
    const double h = s[i + 1] - s[i];
    const double secant = (force[i + 1] - force[i]) / h;
    Piece piece{s[i], 0.0, force[i], secant, 0.0, 0.0};
    if (is_cubic) {
      piece.b = slope[i];
      piece.c = (3 * secant - 2 * slope[i] - slope[i + 1]) / h;
      piece.d = (slope[i] + slope[i + 1] - 2 * secant) / (h * h);
    }
    table.push_back(piece);
  }
  // Linear extrapolation beyond both ends; before the table, the first piece is traversed backwards.
  const double last = is_cubic ? slope.back() : table.back().b;
  table.push_back({s.back(), 0.0, force.back(), last, 0.0, 0.0});
  table.insert(table.begin(), {s.front(), 0.0, force.front(), table.front().b, 0.0, 0.0});
  for (std::size_t i = 2; i < table.size(); ++i) {
    const Piece& p = table[i - 1];
    const double x = table[i].start - p.start;
    table[i].V = p.V + x * (p.a + x * (p.b / 2 + x * (p.c / 3 + x * p.d / 4)));
  }
  ScalarLaw raw;
  raw.law_ = table;
  const double V_0 = raw.potential(0.0);
  for (Piece& piece : table) piece.V -= V_0;
  return table;
}

const ScalarLaw::Piece& ScalarLaw::piece_at(const Table& table, double s) {
  // table[0] and table[1] start at the same s, so that values before the table fall into table[0].
  const auto next = std::upper_bound(table.begin() + 1, table.end(), s,
                                     [](double x, const Piece& p) { return x < p.start; });
  return *(next - 1);
}

double ScalarLaw::force(double s) const {
  if (const auto* linear = std::get_if<Linear>(&law_)) return linear->stiffness * s + linear->preload;
  if (const auto* functions = std::get_if<Functions>(&law_)) return functions->force(s);
  if (const auto* differenced = std::get_if<Differenced>(&law_)) return differenced->force(s);
  if (const auto* table = std::get_if<Table>(&law_)) {
    const Piece& p = piece_at(*table, s);
    const double x = s - p.start;
    return p.a + x * (p.b + x * (p.c + x * p.d));
  }
  return nan;
}

double ScalarLaw::slope(double s) const {
  if (const auto* linear = std::get_if<Linear>(&law_)) return linear->stiffness;
  if (const auto* functions = std::get_if<Functions>(&law_)) return functions->slope(s);
  if (const auto* differenced = std::get_if<Differenced>(&law_)) {
    const auto& [f, step] = *differenced;
    return (8 * (f(s + step) - f(s - step)) - (f(s + 2 * step) - f(s - 2 * step))) / (12 * step);
  }
  if (const auto* table = std::get_if<Table>(&law_)) {
    const Piece& p = piece_at(*table, s);
    const double x = s - p.start;
    return p.b + x * (2 * p.c + x * 3 * p.d);
  }
  return nan;
}

double ScalarLaw::potential(double s) const {
  if (const auto* linear = std::get_if<Linear>(&law_)) {
    return s * (0.5 * linear->stiffness * s + linear->preload);
  }
  if (const auto* functions = std::get_if<Functions>(&law_)) {
    return functions->potential ? functions->potential(s) : integral(functions->force, 0.0, s);
  }
  if (const auto* differenced = std::get_if<Differenced>(&law_)) return integral(differenced->force, 0.0, s);
  if (const auto* table = std::get_if<Table>(&law_)) {
    const Piece& p = piece_at(*table, s);
    const double x = s - p.start;
    return p.V + x * (p.a + x * (p.b / 2 + x * (p.c / 3 + x * p.d / 4)));
  }
  return nan;
}

bool ScalarLaw::is_proportional() const {
  const auto* linear = std::get_if<Linear>(&law_);
  return linear != nullptr && linear->preload == 0;
}

void ScalarLaw::require(const Culprit& who, std::string_view what, double start) const {
  if (std::holds_alternative<std::monostate>(law_)) {
    throw ModelError(fmt::format("{}: {} {}", who.text(), what, defect_));
  }
  const double F = force(start);
  const double k = slope(start);
  if (!std::isfinite(F) || !std::isfinite(k)) {
    throw ModelError(fmt::format("{}: {} is not finite at the start: force {}, slope {} at {}", who.text(),
                                 what, F, k, start));
  }
}

}  // namespace picus
