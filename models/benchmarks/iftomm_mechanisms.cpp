#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace iftomm_mechanisms_benchmark {
namespace {

struct Mechanism {
  std::string id, title, model;
  std::vector<double> steps;        ///< s, descending
  std::vector<double> study_steps;  ///< s
  double until;                     ///< s
  std::vector<std::string> places;  ///< signals with known values
  std::string place_unit;
  double place_limit;  ///< for the largest error of any of them
  std::string place_source;
  std::string energy;   ///< the signal that is conserved; empty if dampers dissipate energy
  double energy_limit;  ///< J
  std::string energy_source;
};

const std::vector<Mechanism>& mechanisms() {
  static const std::vector<Mechanism> all = {{.id = "A01",
                                              .title = "simple pendulum",
                                              .model = "simple-pendulum",
                                              .steps = {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4},
                                              .study_steps = {8e-3, 4e-3, 2e-3, 1e-3},
                                              .until = 10.0,
                                              .places = {"P.x", "P.y"},
                                              .place_unit = "m",
                                              .place_limit = 1e-3,
                                              .place_source = "IFToMM A01, high precision",
                                              .energy = "energy",
                                              .energy_limit = 5e-5,
                                              .energy_source = "design"},
                                             {.id = "A03",
                                              .title = "Andrews' mechanism",
                                              .model = "andrews-squeezer",
                                              .steps = {1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6},
                                              .study_steps = {2e-5, 1e-5, 5e-6, 2.5e-6},
                                              .until = 0.05,
                                              .places = {"beta", "gamma", "delta"},
                                              .place_unit = "rad",
                                              .place_limit = 1e-3,
                                              .place_source = "design",
                                              .energy = "balance",
                                              .energy_limit = 1e-4,
                                              .energy_source = "design"},
                                             {.id = "A04",
                                              .title = "Bricard's mechanism",
                                              .model = "bricard",
                                              .steps = {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4},
                                              .study_steps = {8e-3, 4e-3, 2e-3, 1e-3},
                                              .until = 10.0,
                                              .places = {"P3.x", "P3.y", "P3.z"},
                                              .place_unit = "m",
                                              .place_limit = 1e-3,
                                              .place_source = "design",
                                              .energy = "energy",
                                              .energy_limit = 1e-3,
                                              .energy_source = "IFToMM A04"},
                                             {.id = "A05",
                                              .title = "flyball governor",
                                              .model = "flyball-governor",
                                              .steps = {2e-2, 1e-2, 5e-3, 2e-3, 1e-3},
                                              .study_steps = {8e-3, 4e-3, 2e-3, 1e-3},
                                              .until = 10.0,
                                              .places = {"s"},
                                              .place_unit = "m",
                                              .place_limit = 1e-3,
                                              .place_source = "design",
                                              .energy = "",
                                              .energy_limit = 0.0,
                                              .energy_source = ""}};
  return all;
}

std::string id_of(const Mechanism& one, double step) {
  return fmt::format("{}-{}", one.id, number_text(step));
}

std::vector<std::string> schemes(Effort effort) {
  return effort == Effort::full ? std::vector<std::string>{"ds", "dsn", "cs"}
                                : std::vector<std::string>{"ds"};
}

Experiments plan(Effort effort) {
  Experiments plan;
  for (const Mechanism& one : mechanisms()) {
    for (const double step : one.steps)
      plan.runs.push_back({.id = id_of(one, step),
                           .label = fmt::format("{}, h = {} s", one.title, number_text(step)),
                           .model = one.model,
                           .step = step,
                           .until = one.until});
    plan.studies.push_back({.id = one.id,
                            .title = fmt::format("{} (IFToMM {})", one.title, one.id),
                            .model = one.model,
                            .schemes = schemes(effort),
                            .steps = one.study_steps,
                            .until = one.until / 5,
                            .quantities = one.places,
                            .tolerance = 1e-11});
  }
  const auto motion = [](const std::string& run, const std::vector<std::string>& signals) {
    std::vector<Curve> curves;
    for (const std::string& signal : signals) {
      curves.push_back({.run = run, .y = signal});
      curves.push_back({.run = run, .y = signal, .label = signal + ", reference", .exact = true});
    }
    return curves;
  };
  plan.figures = {
      {.id = "squeezer",
       .title = "Angle of the crank (IFToMM A03)",
       .caption = "From rest it turns twenty radians in 50 ms.",
       .panels = {{.y_label = "angle, rad", .curves = motion("A03-1e-05", {"beta"})}}},
      {.id = "bricard",
       .title = "Place of corner 3 (IFToMM A04)",
       .caption = "",
       .panels = {{.y_label = "position, m", .curves = motion("A04-0.001", {"P3.x", "P3.y", "P3.z"})}}},
      {.id = "governor",
       .title = "Height of the slider (IFToMM A05)",
       .caption = "",
       .panels = {{.y_label = "s, m", .curves = motion("A05-0.001", {"s"})}}}};
  return plan;
}

double error_of_place(const Mechanism& one, const TrialResult& run) {
  double worst = 0.0;
  for (const std::string& place : one.places) worst = std::max(worst, largest_error(run.find(place)));
  return worst;
}

/// The largest of the step sizes for which a value is at most `limit`, or zero.
template <class Value>
double largest_step(const Experiments& outcomes, const Mechanism& one, double limit, Value value) {
  for (const double step : one.steps) {
    const TrialResult* run = find_complete_run(outcomes, id_of(one, step));
    if (run != nullptr && value(*run) <= limit) return step;
  }
  return 0.0;
}

void add_largest(Rows& rows, const Experiments& outcomes, const Mechanism& one, const std::string& what,
                 const std::string& of, double limit, const std::string& unit, const std::string& source,
                 double step) {
  rows.push_back(expect_true(
      one.id + "-" + what,
      fmt::format("{}: a step of {} s to {} s keeps {} to {} {}", one.title, number_text(one.steps.front()),
                  number_text(one.steps.back()), of, number_text(limit), unit),
      step > 0, source));
  if (step == 0) return;
  const TrialResult& run = outcomes.run(id_of(one, step));
  rows.push_back(
      show(one.id + "-" + what + "-step", fmt::format("{}: the largest that does", one.title), step, "s"));
  rows.push_back(show(one.id + "-" + what + "-time", fmt::format("{}: its computing time", one.title),
                      run.step_seconds, "s"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const Mechanism& one : mechanisms()) {
    const auto place = [&](const TrialResult& run) { return error_of_place(one, run); };
    const auto energy = [&](const TrialResult& run) { return largest_change(run.find(one.energy)); };
    if (!one.energy.empty())
      add_largest(rows, outcomes, one, "energy", "the energy", one.energy_limit, "J", one.energy_source,
                  largest_step(outcomes, one, one.energy_limit, energy));
    add_largest(rows, outcomes, one, "place", one.places.size() > 1 ? "all places" : one.places.front(),
                one.place_limit, one.place_unit, one.place_source,
                largest_step(outcomes, one, one.place_limit, place));
    double fallbacks = 0;
    double violation = 0;
    int most = 0;
    for (const double step : one.steps) {
      const TrialResult& run = outcomes.run(id_of(one, step));
      fallbacks += static_cast<double>(run.fallback_count());
      violation = std::max(violation, run.summary.worst_violation);
      most = std::max(most, worst_iterations(run));
      const std::string at = fmt::format("{}, h = {} s: ", one.title, number_text(step));
      if (!one.energy.empty())
        rows.push_back(show(id_of(one, step) + "-energy", at + "change of energy", energy(run), "J"));
      rows.push_back(show(id_of(one, step) + "-place", at + "error of place", place(run), one.place_unit));
    }
    rows.push_back(expect_at_most(one.id + "-fallbacks", one.title + ": fallbacks with all steps", fallbacks,
                                  0.0, "", "design"));
    rows.push_back(show(one.id + "-most", one.title + ": most iterations of a solve", most, ""));
    rows.push_back(expect_at_most(one.id + "-violation", one.title + ": worst bilateral violation", violation,
                                  1e-9, "m or rad", "design"));
    for (const std::string& scheme : schemes(effort)) add_orders(rows, outcomes, one.id, 1.9, scheme);
  }
}

/// Mazzia and Magherini, Test set for initial value problem solvers: Andrews' squeezing mechanism at 0.03 s.
void add_published(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& run = outcomes.run("A03-2e-06");
  const auto at = std::ranges::find_if(run.times, [](double t) { return std::abs(t - 0.03) < 1e-9; });
  if (at == run.times.end()) throw Error("no step ends at 0.03 s");
  const auto i = static_cast<std::size_t>(at - run.times.begin());
  const std::string source = "Test set for IVP solvers; Hairer and Wanner";
  const auto add = [&](const std::string& signal, double published) {
    rows.push_back(expect_near("A03-published-" + signal, "Andrews' mechanism: " + signal + " at 0.03 s",
                               run.find(signal).values[i], published, 1e-3, "rad", source,
                               "h = 2e-6 s, of second order"));
  };
  add("beta", 15.81077119629904);
  add("gamma", 0.04082224013073101);
  add("delta", 0.5244099658805304);
}

}  // namespace
}  // namespace iftomm_mechanisms_benchmark

Benchmark iftomm_mechanisms() {
  return {
      .name = "iftomm-mechanisms",
      .title = "Pendulum, Andrews' squeezer, Bricard's mechanism and a flyball governor: what a step costs",
      .source =
          "IFToMM library of computational benchmark problems, A01, A03, A04, A05; Gonzalez, Dopico, Lugris "
          "and "
          "Cuadrado 2006",
      .setting =
          "A01: a point mass of 1 kg on a massless rod of 1 m falls from the horizontal, 10 s. A03: seven "
          "bodies "
          "in a plane, a motor of 0.033 N m, a spring, 0.05 s. A04: five rods of 1 m and 1 kg along edges of "
          "a "
          "cube with six hinges, one equation redundant, 10 s. A05: a governor with arms of 1 m, balls of 5 "
          "kg "
          "and couplers of 8e5 N/m and 4e4 N s/m, from 30 degrees and 2 pi rad/s, 10 s. For each the largest "
          "of "
          "a few steps that holds a limit, with its computing time.",
      .reference =
          "equations in one or two coordinates without constraints, Runge and Kutta, with steps that leave "
          "errors of 1e-11 or less",
      .plan = iftomm_mechanisms_benchmark::plan,
      .rows = {iftomm_mechanisms_benchmark::add_rows, iftomm_mechanisms_benchmark::add_published}};
}

}  // namespace picus::models
