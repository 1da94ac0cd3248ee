#include <picus/models/benchmarks/benchmark.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models::rezaei_spectral_properties_benchmark {
namespace {

const std::string rezaei = "Rezaei and Schindler, section 2";

/// h / T from 0.01 to 1000, with this many values per decade.
std::vector<double> steps_over_period(int per_decade) {
  std::vector<double> ratios;
  for (int i = 0; i <= 5 * per_decade; ++i) ratios.push_back(0.01 * std::pow(10.0, 1.0 * i / per_decade));
  return ratios;
}

struct Group {
  std::string id, title, caption;
  std::vector<SpectrumRun> spectra;
};

std::string rho_text(double rho) {
  return fmt::format("ρ∞ = {:g}", rho);
}

SpectrumRun with_rho(std::string_view id, std::string_view name, std::string_view scheme, double rho) {
  return {.id = fmt::format("{}-{:g}", id, rho),
          .label = fmt::format("{}{}", name, rho_text(rho)),
          .scheme = with_option(scheme, "rho_inf", number_text(rho))};
}

std::vector<Group> groups() {
  std::vector<Group> all = {
      {.id = "generalized-alpha",
       .title = "Generalized-alpha, scheme ds (Rezaei and Schindler, figure 8)",
       .caption = "From conserving (ρ∞ = 1) to annihilating (ρ∞ = 0), without a cusp.",
       .spectra = {}},
      {.id = "newmark-family",
       .title = "Newmark, HHT, the theta-method, Schatzman and Paoli (Rezaei and Schindler, figures 6 and 7)",
       .caption =
           "Damping by γ > 1/2 and by θ > 1/2 takes low frequencies along, which is first order; HHT and "
           "generalized-alpha spare them.",
       .spectra = {{.id = "trapezoidal", .label = "Newmark, γ = 1/2", .scheme = "newmark"},
                   {.id = "newmark-0.6", .label = "Newmark, γ = 0.6", .scheme = "newmark:gamma=0.6"},
                   {.id = "newmark-implicit", .label = "newmark-implicit", .scheme = "newmark-implicit"},
                   {.id = "hht-0.05", .label = "HHT, α = 0.05", .scheme = "hht:alpha=0.05"},
                   {.id = "hht-0.3", .label = "HHT, α = 0.3", .scheme = "hht:alpha=0.3"},
                   {.id = "implicit-euler", .label = "moreau-jean, θ = 1", .scheme = "moreau-jean"},
                   {.id = "theta-0.6", .label = "moreau-jean, θ = 0.6", .scheme = "moreau-jean:theta=0.6"},
                   {.id = "dissipating",
                    .label = "moreau-jean, θ = 0.6, dissipates",
                    .scheme = "moreau-jean:theta=0.6,dissipates=yes"},
                   {.id = "schatzman-paoli",
                    .label = "schatzman-paoli, θ = 1/2",
                    .scheme = "schatzman-paoli"}}},
      {.id = "bathe",
       .title = "Bathe's method (Rezaei and Schindler, figure 10)",
       .caption = "It annihilates high frequencies as generalized-alpha with ρ∞ = 0 does, and keeps low ones "
                  "better.",
       .spectra = {{.id = "bathe", .label = "Bathe", .scheme = "mixed:base=bathe"}}},
      {.id = "ed-alpha",
       .title = "ED-alpha, ρ∞ = 0.5 (Rezaei and Schindler, figure 11)",
       .caption = "α moves the frequency at which damping begins; α = 1/3 is of third order.",
       .spectra = {}},
      {.id = "ed-alpha-rho",
       .title = "ED-alpha, α = 1/3 (Rezaei and Schindler, figure 12)",
       .caption = "The asymptotic spectral radius is ρ∞.",
       .spectra = {}},
      {.id = "explicit",
       .title = "The explicit bases",
       .caption =
           "Moreau's midpoint rule is stable up to h/T = 1/π, the half-explicit one grows at any step.",
       .spectra = {
           {.id = "moreau-midpoint", .label = "moreau-midpoint", .scheme = "mixed:base=moreau-midpoint"},
           {.id = "half-explicit", .label = "half-explicit", .scheme = "mixed:base=half-explicit"}}}};
  for (const double rho : {1.0, 0.8, 0.5, 0.2, 0.0}) all[0].spectra.push_back(with_rho("ds", "", "ds", rho));
  all[2].spectra.push_back(with_rho("chen", "chen, ", "chen", 0.0));
  all[2].spectra.push_back(with_rho("chen", "chen, ", "chen", 0.8));
  for (const char* alpha : {"0.1", "0.3333333333333333", "0.6", "1"}) {
    const std::string number = fmt::format("{:.3g}", std::stod(alpha));
    all[3].spectra.push_back({.id = "ed-alpha-alpha-" + number,
                              .label = "α = " + number,
                              .scheme = fmt::format("mixed:base=ed-alpha,rho_inf=0.5,alpha={}", alpha)});
  }
  for (const double rho : {1.0, 0.8, 0.5, 0.2, 0.0}) {
    all[4].spectra.push_back(with_rho("ed", "", "mixed:base=ed-alpha", rho));
  }
  return all;
}

/// One scheme of each kind, without the exact curves.
Figure overview() {
  Figure figure{
      .id = "overview",
      .title = "Spectral radius and period error",
      .caption =
          "High frequencies decay where the spectral radius is small, low ones live where it stays near 1.",
      .panels = {{.y_label = "spectral radius",
                  .curves = {},
                  .x_label = "h / T",
                  .x_range = std::pair(0.01, 1000.0),
                  .y_range = std::pair(0.0, 1.05),
                  .has_log_x = true},
                 {.y_label = "period error",
                  .curves = {},
                  .x_label = "h / T",
                  .x_range = std::pair(0.0, 0.4),
                  .y_range = std::pair(-0.1, 0.5)}}};
  const std::vector<std::pair<std::string, std::string>> shown = {{"ds-0.8", "ds, chen, ρ∞ = 0.8"},
                                                                  {"ds-0", "ds, chen, ρ∞ = 0"},
                                                                  {"trapezoidal", "newmark"},
                                                                  {"hht-0.05", "hht"},
                                                                  {"implicit-euler", "moreau-jean"},
                                                                  {"newmark-implicit", "newmark-implicit"},
                                                                  {"bathe", "Bathe"},
                                                                  {"ed-0.8", "ED-alpha, ρ∞ = 0.8"}};
  for (const auto& [id, label] : shown) {
    figure.panels[0].curves.push_back({.run = id, .y = "spectral-radius", .label = label});
    figure.panels[1].curves.push_back({.run = id, .y = "period-error", .label = label});
  }
  return figure;
}

Experiments plan(Effort effort) {
  Experiments plan;
  plan.figures = {overview()};
  const std::vector<double> ratios = steps_over_period(effort == Effort::full ? 60 : 20);
  for (Group& group : groups()) {
    Figure figure{.id = group.id, .title = group.title, .caption = group.caption, .panels = {}};
    Panel radius{.y_label = "spectral radius",
                 .curves = {},
                 .x_label = "h / T",
                 .x_range = std::pair(0.01, 1000.0),
                 .y_range = std::pair(0.0, 1.05),
                 .has_log_x = true};
    Panel period{.y_label = "period error",
                 .curves = {},
                 .x_label = "h / T",
                 .x_range = std::pair(0.0, 0.4),
                 .y_range = std::pair(-0.02, 0.5)};
    if (group.id.starts_with("ed-alpha")) period.y_range = std::pair(-0.15, 0.3);
    if (group.id == "explicit") {
      radius.x_range = std::pair(0.01, 1.0);
      radius.y_range = std::pair(0.9, 1.5);
      period.y_range = std::pair(-0.2, 0.2);
    }
    for (SpectrumRun& spectrum : group.spectra) {
      spectrum.h_over_period = ratios;
      if (group.id == "explicit")
        std::erase_if(spectrum.h_over_period, [](double ratio) { return ratio > 1.0; });
      for (const bool exact : {true, false}) {
        radius.curves.push_back(
            {.run = spectrum.id, .y = "spectral-radius", .label = exact ? "formula" : "", .exact = exact});
        period.curves.push_back(
            {.run = spectrum.id, .y = "period-error", .label = exact ? "formula" : "", .exact = exact});
      }
      plan.spectra.push_back(spectrum);
    }
    figure.panels = {radius, period};
    plan.figures.push_back(figure);
  }
  return plan;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b, double part_of_b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const double difference = std::abs(a[i] - b[i]) / (1 + part_of_b * std::abs(b[i]));
    largest = difference <= largest ? largest : difference;  // propagates NaN
  }
  return largest;
}

void add_agreement(Rows& rows, const Experiments& outcomes, const SpectrumRun& planned) {
  const std::string claim =
      fmt::format("{}: spectral radius and period are those of the formula", planned.id);
  const Spectrum& found = outcomes.spectrum(planned.id);
  const double radius = largest_difference(found.spectral_radius, found.exact_spectral_radius, 1.0);
  const double period = largest_difference(found.period_error, found.exact_period_error, 1.0);
  rows.push_back(expect_true(
      planned.id + "-formula", claim,
      !found.exact_spectral_radius.empty() && radius <= 1e-4 && period <= 1e-4, "closed form",
      fmt::format("largest differences {:.1e} and {:.1e} for h/T from 0.01 to {:g}; where three eigenvalues "
                  "merge, at high frequencies, roundings of 1e-16 become their third root, some 1e-5",
                  radius, period, found.h_over_period.back())));
}

/// The value at the ratio of the spectrum closest to `h_over_period`.
double at(const Spectrum& spectrum, const std::vector<double>& values, double h_over_period) {
  const auto after = std::ranges::lower_bound(spectrum.h_over_period, h_over_period * 0.999);
  return values[after - spectrum.h_over_period.begin()];
}

double radius_at(const Experiments& outcomes, std::string_view id, double h_over_period) {
  const Spectrum& spectrum = outcomes.spectrum(id);
  return at(spectrum, spectrum.spectral_radius, h_over_period);
}

double period_at(const Experiments& outcomes, std::string_view id, double h_over_period) {
  const Spectrum& spectrum = outcomes.spectrum(id);
  return at(spectrum, spectrum.period_error, h_over_period);
}

/// Logarithmic slope between h/T = 0.01 and 0.1 / sqrt(10) = 0.0316.
double slope(const Experiments& outcomes, std::string_view id, bool of_period) {
  const double near = std::pow(10.0, -1.5);
  const auto error = [&](double ratio) {
    return of_period ? std::abs(period_at(outcomes, id, ratio)) : 1 - radius_at(outcomes, id, ratio);
  };
  return std::log(error(near) / error(0.01)) / std::log(near / 0.01);
}

void add_order(Rows& rows, const Experiments& outcomes, const std::string& id, bool of_period, double order) {
  const char* what = of_period ? "period error" : "damping, 1 - spectral radius,";
  rows.push_back(expect_near(
      fmt::format("{}-{}-order", id, of_period ? "period" : "damping"),
      fmt::format("{}: {} grows with h/T to the power of", id, what), slope(outcomes, id, of_period), order,
      0.1, "", "theory", "h/T from 0.01 to 0.03; the next power is by (2 pi h/T)^2 = 0.04 of it smaller"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Group& group : groups()) {
    for (const SpectrumRun& spectrum : group.spectra) add_agreement(rows, outcomes, spectrum);
  }

  for (const double rho : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    rows.push_back(expect_near(fmt::format("ds-{:g}-limit", rho),
                               fmt::format("ds, rho_inf = {:g}: spectral radius at h/T = 1000", rho),
                               radius_at(outcomes, fmt::format("ds-{:g}", rho), 1000.0), rho, 0.01, "",
                               "Chung and Hulbert 1993",
                               "three eigenvalues merge: the limit is met as (h/T)^(-2/3)"));
    rows.push_back(expect_near(fmt::format("ed-{:g}-limit", rho),
                               fmt::format("ED-alpha, rho_inf = {:g}: spectral radius at h/T = 1000", rho),
                               radius_at(outcomes, fmt::format("ed-{:g}", rho), 1000.0), rho, 0.001, "",
                               rezaei));
  }
  for (const double rho : {0.0, 0.5, 0.8}) {
    const Spectrum& spectrum = outcomes.spectrum(fmt::format("ds-{:g}", rho));
    const auto& radii = spectrum.spectral_radius;
    double rise = 0.0;
    for (std::size_t i = 1; i < radii.size(); ++i) rise = std::max(rise, radii[i] - radii[i - 1]);
    rows.push_back(
        expect_true(fmt::format("ds-{:g}-cusp", rho),
                    fmt::format("ds, rho_inf = {:g}: no cusp, the spectral radius only falls", rho),
                    rise <= 1e-4, rezaei, fmt::format("largest rise {:.1e}, rounding", rise)));
  }

  for (const char* id : {"ds-0.5", "trapezoidal", "hht-0.05", "bathe", "theta-0.6", "implicit-euler"}) {
    add_order(rows, outcomes, id, true, 2);
  }
  add_order(rows, outcomes, "ed-0.5", true, 4);
  for (const char* id : {"ds-0.5", "hht-0.3", "bathe", "ed-0.5"}) add_order(rows, outcomes, id, false, 4);
  for (const char* id :
       {"newmark-0.6", "newmark-implicit", "theta-0.6", "implicit-euler", "dissipating", "schatzman-paoli"}) {
    add_order(rows, outcomes, id, false, 2);
  }

  const double ratio = 0.1;
  rows.push_back(expect_true(
      "bathe-damps-less", "Bathe's method keeps low frequencies better than generalized-alpha, rho_inf = 0",
      radius_at(outcomes, "bathe", ratio) > radius_at(outcomes, "chen-0", ratio), rezaei,
      fmt::format("spectral radii {:.4f} and {:.4f} at h/T = 0.1", radius_at(outcomes, "bathe", ratio),
                  radius_at(outcomes, "chen-0", ratio))));
  rows.push_back(expect_true(
      "bathe-period", "its period error is smaller than that of generalized-alpha and of Newmark",
      period_at(outcomes, "bathe", ratio) < period_at(outcomes, "chen-0", ratio) &&
          period_at(outcomes, "bathe", ratio) < period_at(outcomes, "chen-0.8", ratio) &&
          period_at(outcomes, "bathe", ratio) < period_at(outcomes, "trapezoidal", ratio),
      rezaei,
      fmt::format("{:.4f}; {:.4f}, {:.4f} (rho_inf = 0.8) and {:.4f} (trapezoidal) at h/T = 0.1",
                  period_at(outcomes, "bathe", ratio), period_at(outcomes, "chen-0", ratio),
                  period_at(outcomes, "chen-0.8", ratio), period_at(outcomes, "trapezoidal", ratio))));
  std::string least;
  for (const char* alpha : {"0.1", "0.333", "0.6", "1"}) {
    const std::string id = std::string("ed-alpha-alpha-") + alpha;
    if (least.empty() ||
        std::abs(period_at(outcomes, id, ratio)) < std::abs(period_at(outcomes, least, ratio))) {
      least = id;
    }
  }
  rows.push_back(expect_true("ed-alpha-least-period", "ED-alpha has the least period error with alpha = 1/3",
                             least == "ed-alpha-alpha-0.333", rezaei,
                             "of 0.1, 1/3, 0.6 and 1, at h/T = 0.1"));

  const Spectrum& midpoint = outcomes.spectrum("moreau-midpoint");
  double limit = 0.0;
  for (std::size_t i = 0; i < midpoint.h_over_period.size(); ++i) {
    if (midpoint.spectral_radius[i] <= 1 + 1e-6) limit = midpoint.h_over_period[i];
  }
  const double next = limit * midpoint.h_over_period[1] / midpoint.h_over_period[0];
  const double exact = 0.31830988618379067;  // 1/pi: omega h = 2
  rows.push_back(expect_true("moreau-midpoint-limit", "moreau-midpoint is stable up to h/T = 1/pi",
                             limit <= exact && exact < next, "theory",
                             fmt::format("the spectral radius is 1 at {:.4f}, more at {:.4f}", limit, next)));
  rows.push_back(expect_at_least("half-explicit-grows", "half-explicit: growth in a step at h/T = 0.1",
                                 radius_at(outcomes, "half-explicit", ratio) - 1, 0.01, "", "theory",
                                 "the square root of 1 + (omega h)^4 / 4 is 1.019"));
}

}  // namespace
}  // namespace picus::models::rezaei_spectral_properties_benchmark

namespace picus::models {

Benchmark rezaei_spectral_properties() {
  return {.name = "spectral-properties",
          .title = "Spectral radius and period error of the schemes",
          .source = "Rezaei and Schindler (preprint of 2015), sections 2.4 to 2.7; Chung and Hulbert 1993",
          .setting =
              "An undamped linear oscillator of period T, a point mass on a spring. The amplification matrix "
              "of a step h is "
              "found from steps of the scheme itself, one from each unit of what it carries in its state; "
              "the spectral radius is the "
              "largest modulus of its eigenvalues, the period error T_num/T - 1 comes from the argument of "
              "the principal pair.",
          .reference = "closed forms of the amplification matrices",
          .plan = rezaei_spectral_properties_benchmark::plan,
          .rows = {rezaei_spectral_properties_benchmark::add_rows}};
}

}  // namespace picus::models
