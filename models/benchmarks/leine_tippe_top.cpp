#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/tippe_top.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models::leine_tippe_top_benchmark {
namespace {

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  plan.runs = {{.id = "top", .label = "Picus, h = 0.1 ms", .model = "tippe-top", .step = 1e-4},
               {.id = "point",
                .label = "point contacts",
                .model = "tippe-top",
                .settings = {"contact_radius=0"},
                .step = 1e-4,
                .until = 0.5,
                .signals = {"jellett", "energy"}}};
  plan.studies = {
      {.id = "convergence",
       .title = "Inclination and height against equations without multipliers",
       .model = "tippe-top",
       .steps = is_full ? std::vector{4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5} : std::vector{4e-4, 2e-4, 1e-4},
       .until = 0.5,
       .quantities = {"inclination", "top.z"}}};
  plan.figures = {
      {.id = "inversion",
       .title = "A tippe-top turns over",
       .caption =
           "Sliding friction lifts the sphere; the stem touches at 1.4 s and carries the top from then on.",
       .panels = {{.y_label = "inclination, rad", .curves = {{.run = "top", .y = "inclination"}}},
                  {.y_label = "height of the centre of mass, m", .curves = {{.run = "top", .y = "top.z"}}},
                  {.y_label = "spin about the vertical, rad/s", .curves = {{.run = "top", .y = "spin"}}}}}};
  return plan;
}

/// Time at which the stem touches according to the reference, which models the sphere only.
double reference_touch(const TrialResult& run, const TippeTop& p) {
  const std::vector<double>& inclination = run.find("inclination").exact;
  const std::vector<double>& height = run.find("top.z").exact;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (height[i] + p.stem_centre * std::cos(inclination[i]) <= p.stem_radius) return run.times[i];
  }
  return std::nan("");
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  add_orders(rows, outcomes, "convergence", 0.95);
  const TippeTop p;
  const TrialResult& top = outcomes.run("top");
  const std::vector<double>& gap = top.find("stem.gap").values;
  const auto touch = std::ranges::find_if(gap, [](double g) { return g < 1e-9; });
  if (touch != gap.end()) {
    const double time = top.times[touch - gap.begin()];
    rows.push_back(expect_within("stem-touches", "the stem touches at", time, reference_touch(top, p), 5e-3,
                                 "s", "reference", "an error of first order in h"));
  } else {
    rows.push_back(expect_true("stem-touches", "the stem touches", false, "reference"));
  }
  const auto largest = [&](std::string_view signal) { return std::ranges::max(top.find(signal).values); };
  rows.push_back(expect_near("inverted", "largest inclination", largest("inclination"), std::numbers::pi,
                             0.02, "rad", "Leine and Glocker 2003", "it turns over, and nutates as it does"));
  rows.push_back(expect_within("on-its-stem", "greatest height of the centre of mass", largest("top.z"),
                               p.stem_centre + p.stem_radius, 1e-3, "m", "exact", "upright on the stem"));
  const std::vector<double>& jellett = outcomes.run("point").find("jellett").values;
  const auto [least, most] = std::ranges::minmax(jellett);
  rows.push_back(expect_at_most("jellett", "change of Jellett's integral with point contacts in 0.5 s",
                                (most - least) / std::abs(jellett.front()), 5e-5, "", "exact (Jellett 1872)",
                                "of first order in h"));
  const std::vector<double>& energy = top.find("energy").values;
  rows.push_back(show("energy", "energy that friction has taken", energy.front() - energy.back(), "J"));
  add_soundness(rows, outcomes, "top");
}

}  // namespace
}  // namespace picus::models::leine_tippe_top_benchmark

namespace picus::models {

Benchmark leine_tippe_top() {
  return {
      .name = "tippe-top",
      .title = "A tippe-top turns over and stands on its stem",
      .source = "Leine and Glocker 2003, section 6; Capobianco and others 2021, section 10.6",
      .setting =
          "A sphere of 15 mm with its centre 3 mm above the centre of mass and the end of a stem, a sphere "
          "of 5 mm, 16 mm "
          "above it; 6 g, J = diag(8, 8, 7) 1e-7 kg m2, mu = 0.3, e = 0, both touch over a disc of 0.5 mm. "
          "It starts "
          "inclined by 0.1 rad and spins about its axis at 180 rad/s. Friction of Coulomb and Contensou by "
          "an ellipsoid, "
          "epsilon = 1/3 mm.",
      .reference = "Newton's and Euler's equations of the sliding sphere, Runge and Kutta, steps of 10 us",
      .plan = leine_tippe_top_benchmark::plan,
      .rows = {leine_tippe_top_benchmark::add_rows}};
}

}  // namespace picus::models
