#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::models::thesis_flexible_cube_benchmark {
namespace {

/// Steps at which the coupled scheme does not converge (thesis, figure 3.10); it does for h <= 3e-5 s.
const std::vector<double> large_steps = {3e-3, 2e-3, 1e-3};

std::string run_id(const std::string& scheme, double step) {
  return fmt::format("{}-h-{}", scheme, step);
}

/// Sizes n of the cubes of n x n x n elements that slide with friction.
std::vector<int> rubbing_sizes(Effort effort) {
  return effort == Effort::full ? std::vector{10, 20} : std::vector{5};
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  plan.runs = {{.id = "cube",
                .label = "Picus",
                .model = "flexible-cube",
                .step = is_full ? 3e-5 : 5e-4,
                .every = is_full ? 10 : 1}};
  for (const std::string scheme : {"ds", "cs"}) {
    for (const double step : large_steps) {
      plan.runs.push_back({.id = run_id(scheme, step),
                           .label = fmt::format("{}, h = {} s", scheme, step),
                           .model = "flexible-cube",
                           .scheme = scheme,
                           .step = step});
    }
  }
  if (is_full) {
    plan.runs.push_back({.id = run_id("cs", 3e-5),
                         .label = "cs, h = 3e-5 s",
                         .model = "flexible-cube",
                         .scheme = "cs",
                         .step = 3e-5,
                         .every = 10});
  }
  for (const int n : rubbing_sizes(effort)) {
    plan.runs.push_back(
        {.id = fmt::format("rubbing-{}", n),
         .label = fmt::format("{0} x {0} x {0}", n),
         .model = "flexible-cube",
         .settings = {fmt::format("divisions={}", n), "mu=0.3", "height=1e-4", "downward=1", "sideways=0.6"},
         .step = 2e-4,
         .until = n < 20 ? 6e-3 : 4.8e-3});
  }
  // The reference run alone takes most of a minute.
  if (is_full) {
    plan.studies = {
        {.id = "convergence",
         .title = "Node x_1 (thesis, figures 3.9b and 3.10)",
         .model = "flexible-cube",
         .schemes = {"ds", "cs"},
         .steps = {1e-3, 8e-4, 6e-4, 5e-4, 4e-4, 3e-4, 2e-4, 1.5e-4, 1e-4, 7.5e-5, 5e-5, 4e-5, 3e-5},
         .quantities = {"x_1.z", "x_1.vz"},
         .reference_step = 2.5e-6,
         .tolerance = 1e-10}};
  }
  plan.figures = {
      {.id = "motion",
       .title = "Height of x_1 and its velocity (thesis, figure 3.9a)",
       .caption =
           "The cube falls 0.3 m, stays on the floor for two passages of the compression wave and leaves.",
       .panels = {{.y_label = "z, m",
                   .curves = {{.run = "cube", .y = "x_1.z"}, {.run = "cube", .y = "top.z"}}},
                  {.y_label = "z velocity, m/s", .curves = {{.run = "cube", .y = "x_1.vz"}}},
                  {.y_label = "force of the floor, N", .curves = {{.run = "cube", .y = "floor.force"}}}}},
      {.id = "rubbing",
       .title = "Nodes of the bottom face of a rubbing cube",
       .caption = "All slip at first; waves of shear then let parts of the face stick and slip.",
       .panels = {{.y_label = "nodes",
                   .curves = {{.run = fmt::format("rubbing-{}", rubbing_sizes(effort).back()),
                               .y = "floor.sticking",
                               .label = "stick"},
                              {.run = fmt::format("rubbing-{}", rubbing_sizes(effort).back()),
                               .y = "floor.slipping",
                               .label = "slip"}}}}}};
  if (is_full) {
    std::vector<Panel>& motion = plan.figures.front().panels;
    motion[0].curves.push_back({.run = run_id("cs", 3e-5), .y = "x_1.z", .label = "x_1, cs"});
    motion[1].curves.push_back({.run = run_id("cs", 3e-5), .y = "x_1.vz", .label = "cs"});
  }
  return plan;
}

void add_large_steps(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const double step : large_steps) {
    const std::string id = run_id("ds", step);
    const TrialResult& ds = outcomes.run(id);
    rows.push_back(expect_at_most(id + "-fallbacks", fmt::format("fallbacks, h = {} s (ds)", step),
                                  static_cast<double>(ds.fallback_count()), 0, "", "thesis 3.3.4",
                                  "the scheme converges at every step"));
    rows.push_back(show(id + "-mean", fmt::format("mean iterations of a step, h = {} s (ds)", step),
                        ds.mean_iterations(), ""));
    rows.push_back(show(id + "-most", fmt::format("most iterations of a step, h = {} s (ds)", step),
                        ds.worst_iterations(), ""));
    const std::string cs = run_id("cs", step);
    const std::string claim = fmt::format("h = {} s: cs does not converge", step);
    rows.push_back(expect_true(
        cs, claim, !outcomes.find(cs).result.is_complete(), "thesis 3.3.4",
        "the thesis has it converge for h <= 3e-5 s only; here it does up to 2e-3 s within its 100 joint "
        "iterations (26 at most at 2e-3 s, 10 at 1e-3 s, with the tolerance of the thesis, 1e-5), and "
        "fails at "
        "3e-3 s"));
  }
  if (effort != Effort::full) return;
  const std::string fine = run_id("cs", 3e-5);
  rows.push_back(expect_true(fine, "h = 3e-5 s: cs converges", outcomes.find(fine).result.is_complete(),
                             "thesis 3.3.4"));
}

void add_coupled_study(Rows& rows, const Experiments& outcomes) {
  const std::string source = "thesis, figure 3.9b";
  add_orders(rows, outcomes, "convergence", 0.95, "cs");
  for (const std::string quantity : {"x_1.z", "x_1.vz"}) {
    const std::string claim = "error of cs over that of ds, " + quantity + ", mean over h";
    rows.push_back(expect_within("error-cs-ds-" + quantity, claim,
                                 error_ratio(outcomes, "convergence", "cs", "ds", quantity), 1.0, 0.1, "",
                                 source, "the paper: the same accuracy; a tenth is not seen in the figure"));
  }
  add_iteration_ratio(rows, outcomes, "convergence", "cs", "ds", 1.5, 1.5, "thesis, figure 3.10");
}

void add_rubbing(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const int n : rubbing_sizes(effort)) {
    const std::string id = fmt::format("rubbing-{}", n);
    const TrialResult& run = outcomes.run(id);
    const std::string of = fmt::format("{0}^3 elements, {1} frictional contacts: ", n, (n + 1) * (n + 1));
    const auto most = [&](const char* signal) { return std::ranges::max(run.find(signal).values); };
    rows.push_back(show(id + "-step", of + "time of a step",
                        1e3 * run.summary.wall_seconds / static_cast<double>(run.summary.steps), "ms"));
    rows.push_back(show(id + "-mean", of + "mean iterations of a step", run.mean_iterations(), ""));
    rows.push_back(show(id + "-most", of + "most iterations of a step", run.worst_iterations(), ""));
    rows.push_back(expect_at_least(id + "-stick", of + "most nodes that stick at once",
                                   most("floor.sticking"), 1, "", "both happen"));
    rows.push_back(expect_at_least(id + "-slip", of + "most nodes that slip at once", most("floor.slipping"),
                                   1, "", "both happen"));
    add_soundness(rows, outcomes, id);
  }
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  if (effort == Effort::full) {
    add_orders(rows, outcomes, "convergence", 0.95);
    add_robustness(rows, outcomes, "convergence");
    add_coupled_study(rows, outcomes);
  }
  const TrialResult& cube = outcomes.run("cube");
  rows.push_back(expect_near("touches", "touches the floor at", *cube.findings[0].value, 0.247312, 5e-4, "s",
                             "free fall from 0.3 m, sqrt(2 h_0/g)", "the end of the step"));
  rows.push_back(show("leaves", "leaves the floor at", *cube.findings[1].value, "s"));
  add_large_steps(rows, outcomes, effort);
  add_soundness(rows, outcomes, "cube");
  add_rubbing(rows, outcomes, effort);
}

}  // namespace
}  // namespace picus::models::thesis_flexible_cube_benchmark

namespace picus::models {

Benchmark thesis_flexible_cube() {
  return {.name = "flexible-cube",
          .title = "A soft cube bounces on the floor",
          .source = "Galvez 2020, section 3.3.4",
          .setting =
              "A cube of 0.1 m, 5 x 5 x 5 trilinear hexahedra (without enhanced strains) of Saint "
              "Venant-Kirchhoff "
              "material, E = 90 N/m2, nu = 0.3, rho = 1 kg/m3, falls from rest with its centre 0.35 m over "
              "the floor, g "
              "= 9.81 m/s2; 36 contacts of the bottom nodes, e = 0, no friction; x_1 is a corner of the "
              "bottom face, "
              "0.3 s. Cubes of more elements start 0.1 mm over the floor with 1 m/s downward and 0.6 m/s "
              "sideways and "
              "rub on it with mu = 0.3.",
          .reference = "own run, h = 2.5e-6 s, twelve times below the smallest step of the study",
          .plan = thesis_flexible_cube_benchmark::plan,
          .rows = {thesis_flexible_cube_benchmark::add_rows}};
}

}  // namespace picus::models
