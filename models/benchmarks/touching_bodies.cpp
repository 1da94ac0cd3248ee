#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/benchmarks/surface_rows.hpp>
#include <picus/models/box_pyramid.hpp>
#include <picus/models/colliding_bars.hpp>
#include <picus/models/crossed_cantilevers.hpp>
#include <picus/models/geneva_drive.hpp>
#include <picus/models/sliding_crate.hpp>
#include <picus/models/spur_gears.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace picus::models {
namespace touching_bodies_benchmark {
namespace {

constexpr int load_increments = 8;
constexpr std::int64_t every_step = 1'000'000;  ///< more instants than any run has steps
/// The border of the table enters a cell that warps only where its diagonal crosses the border: few points see it.
constexpr int fine_intervals = 48;

std::vector<Index> bar_cells(Effort effort) {
  return effort == Effort::full ? std::vector<Index>{6, 12, 24} : std::vector<Index>{6, 12};
}

std::vector<Index> beam_elements() {
  return {8, 16, 32};
}

struct HertzCase {
  std::string shape, other;
  Index cells;
  Index other_cells = 4;

  bool is_on_plane() const { return other == "plane"; }
  std::string id() const {
    const std::string mesh =
        is_on_plane() ? fmt::format("{}", cells) : fmt::format("{}-{}", cells, other_cells);
    return fmt::format("hertz-{}-{}-{}", shape, other, mesh);
  }
  std::string what() const {
    return is_on_plane() ? fmt::format("{} on a plane, {} cells", shape, cells)
                         : fmt::format("{} of {} cells on another of {}", shape, cells, other_cells);
  }
  std::string half_width() const { return shape == "ball" ? "half_width=0.015" : "half_width=0.008"; }
  /// Meshes for which the claim is made; coarser ones show the convergence.
  bool is_claimed() const {
    return cells >= (shape == "ball" ? 10 : 16) && !(other == "body" && cells == 16);
  }
};

std::vector<HertzCase> hertz_cases(Effort effort) {
  std::vector<HertzCase> cases = {{"cylinder", "plane", 8},     {"cylinder", "plane", 16},
                                  {"cylinder", "body", 16, 8},  {"cylinder", "body", 24, 12},
                                  {"cylinder", "body", 24, 18}, {"ball", "plane", 6},
                                  {"ball", "plane", 10},        {"ball", "body", 6, 6}};
  if (effort == Effort::full) {
    cases.push_back({"cylinder", "plane", 24});
    cases.push_back({"ball", "body", 10, 10});
    cases.push_back({"ball", "body", 10, 7});
  }
  return cases;
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  constexpr std::int64_t samples = 10;
  Experiments plan;
  plan.runs.push_back({.id = "pyramid",
                       .label = "pyramid of 21 boxes",
                       .model = "box-pyramid",
                       .until = is_full ? 10.0 : 1.0,
                       .sampled_instants = samples});
  for (const double mu : {0.0, 0.2, 0.5}) {
    plan.runs.push_back({.id = fmt::format("crate-{}", mu),
                         .label = fmt::format("mu = {}", mu),
                         .model = "sliding-crate",
                         .settings = {fmt::format("mu={}", mu)},
                         .sampled_instants = 40});
  }
  plan.runs.push_back({.id = "spur-gears",
                       .label = "gears",
                       .model = "spur-gears",
                       .until = is_full ? 1.05 : 0.35,
                       .sampled_instants = is_full ? 5 : 2});
  plan.runs.push_back({.id = "geneva-drive",
                       .label = "Geneva drive",
                       .model = "geneva-drive",
                       .until = is_full ? 2.1 : 1.05,
                       .sampled_instants = samples});
  for (const HertzCase& one : hertz_cases(effort)) {
    plan.runs.push_back(
        {.id = one.id(),
         .label = one.what(),
         .model = "hertz-contact",
         .settings = {"shape=" + one.shape, "other=" + one.other, fmt::format("cells={}", one.cells),
                      fmt::format("other_cells={}", one.other_cells), one.half_width()},
         .scheme = "static",
         .step = 1.0 / load_increments,
         .until = 1.0,
         .sampled_instants = load_increments});
  }
  for (const Index cells : bar_cells(effort)) {
    const double h = 0.4 * CollidingBars().length / static_cast<double>(cells) /
                     colliding_bars_wave_speed(CollidingBars());
    plan.runs.push_back({.id = fmt::format("bars-{}", cells),
                         .label = fmt::format("{} cells", cells),
                         .model = "colliding-bars",
                         .settings = {fmt::format("cells={}", cells)},
                         .step = h,
                         .until = 0.08,
                         .sampled_instants = samples});
  }
  for (const Index elements : beam_elements()) {
    plan.runs.push_back({.id = fmt::format("cantilevers-{}", elements),
                         .label = fmt::format("{} elements", elements),
                         .model = "crossed-cantilevers",
                         .settings = {fmt::format("elements={}", elements)},
                         .scheme = "static",
                         .step = 0.5,
                         .until = 1.0,
                         .sampled_instants = 2});
  }
  plan.runs.push_back({.id = "blocks",
                       .label = "patch test",
                       .model = "pressed-blocks",
                       .scheme = "static",
                       .step = 0.25,
                       .until = 1.0,
                       .sampled_instants = 4});
  plan.runs.push_back({.id = "cube-rests",
                       .label = "soft cube, centre over the table",
                       .model = "soft-cube",
                       .sampled_instants = every_step,
                       .sampled_intervals = fine_intervals});
  plan.runs.push_back({.id = "cube-falls",
                       .label = "soft cube, centre beyond the edge",
                       .model = "soft-cube",
                       .settings = {"centre=0.012"},
                       .until = 0.3,
                       .sampled_instants = every_step,
                       .sampled_intervals = fine_intervals});
  plan.figures = {
      {.id = "bars",
       .title = "Two bars meet end to end",
       .caption = "Mean speeds: exchanged after the time of two passages of the wave, 63 ms.",
       .panels = {{.y_label = "mean speed, m/s",
                   .curves = {{.run = "bars-12", .y = "first"}, {.run = "bars-12", .y = "second"}}}}},
      {.id = "geneva-drive",
       .title = "Geneva drive of triangles",
       .caption = "The wheel turns by a quarter in each turn of the crank and stands in between.",
       .panels = {{.y_label = "angle, rad", .curves = {{.run = "geneva-drive", .y = "wheel"}}}}}};
  return plan;
}

/// The first finding of a run whose quantity begins with `quantity`.
const Finding& finding_of(const TrialResult& run, std::string_view quantity) {
  for (const Finding& finding : run.findings) {
    if (finding.quantity.starts_with(quantity)) return finding;
  }
  throw Error(fmt::format("the run has no finding \"{}\"", quantity));
}

void add_rigid(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& pyramid = outcomes.run("pyramid");
  rows.push_back(expect_at_most(
      "pyramid-drift",
      fmt::format("largest motion of a box of a pyramid of 21 in {:g} s", pyramid.times.back()),
      std::ranges::max(pyramid.find("motion").values), 1e-9, "m", "statics", "it stands"));
  const Finding& weight = finding_of(pyramid, "force on the floor");
  rows.push_back(expect_within("pyramid-weight", "force of the pyramid on the floor", *weight.value,
                               *weight.reference, 1e-6, "N", "weight", "tolerance of the solves"));
  for (const double mu : {0.0, 0.2, 0.5}) {
    const std::string id = fmt::format("crate-{}", mu);
    const Finding& place = finding_of(outcomes.run(id), "place of the centre");
    rows.push_back(expect_near(id, fmt::format("mu = {}: where the centre of the crate is when it tips", mu),
                               place.value.value_or(1e9), *place.reference, 2.5e-3, "m", "statics",
                               "the way of a step"));
  }
  const Finding& ratio = finding_of(outcomes.run("spur-gears"), "angle of the driven gear");
  rows.push_back(expect_within("gear-ratio", "gears 18 : 27, angle over angle for whole teeth", *ratio.value,
                               *ratio.reference, 1e-6, "", "numbers of teeth", "tolerance of the solves"));
  const GenevaLimits limits = geneva_limits({});
  const TrialResult& geneva = outcomes.run("geneva-drive");
  rows.push_back(expect_at_most("geneva-index", "largest deviation of the wheel while it turns",
                                std::ranges::max(geneva.find("index_error").values), limits.index, "rad",
                                "kinematics", "play and polygon of the pin"));
  rows.push_back(expect_at_most("geneva-dwell", "largest deviation of the wheel while it stands",
                                std::ranges::max(geneva.find("dwell_error").values), limits.dwell, "rad",
                                "kinematics", "play and chords of the disc"));
}

/// Largest magnitude over the second half of the load: the border of the contact moves from node to node.
double worst_in_second_half(const Series& series) {
  double worst = 0;
  for (std::size_t i = series.values.size() / 2; i < series.values.size(); ++i)
    worst = std::max(worst, std::abs(series.values[i]));
  return worst;
}

void add_hertz(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const HertzCase& one : hertz_cases(effort)) {
    const TrialResult& run = outcomes.run(one.id());
    const double width = worst_in_second_half(run.find("half_width"));
    const double pressure = worst_in_second_half(run.find("pressure"));
    for (const auto& [id, claim, error] :
         {std::tuple("-width", "half-width", width), std::tuple("-pressure", "peak pressure", pressure)}) {
      const std::string text = fmt::format("{}: error of the {}", one.what(), claim);
      rows.push_back(one.is_claimed() ? expect_at_most(one.id() + id, text, error, 0.05, "", "Hertz 1881")
                                      : show(one.id() + id, text, error, "", "coarse mesh"));
    }
  }
}

void add_bars(Rows& rows, const Experiments& outcomes, Effort effort) {
  // A front that crosses a mesh widens as (c t dx^2)^(1/3), so the part of the momentum that it has not brought when the
  // bars part falls by 2^(-2/3) = 0.63 with each mesh; 0.7 leaves a tenth for where in a step they part.
  constexpr double of_front = 0.7;
  double bound = 0.06;  // 0.048 measured, and a quarter of it
  for (const Index cells : bar_cells(effort)) {
    const std::string id = fmt::format("bars-{}", cells);
    const TrialResult& run = outcomes.run(id);
    const Finding& time = finding_of(run, "time of contact");
    const double h = run.times[1] - run.times[0];
    rows.push_back(expect_near(id + "-time", fmt::format("{} cells: time of contact of two bars", cells),
                               *time.value, *time.reference, 1.5 * h, "s", "d'Alembert",
                               "the steps at both ends"));
    const double speed = CollidingBars().speed;
    const double error = std::max(std::abs(run.find("first").values.back()),
                                  std::abs(run.find("second").values.back() - speed)) /
                         speed;
    rows.push_back(expect_at_most(id + "-speeds",
                                  fmt::format("{} cells: error of the mean speeds after it", cells), error,
                                  bound, "", "d'Alembert", "width of a front that crosses a mesh"));
    bound = of_front * error;
  }
}

void add_beams(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const double exact = crossed_cantilevers_exact({}).force;
  std::optional<double> last;
  for (const Index elements : beam_elements()) {
    const std::string id = fmt::format("cantilevers-{}", elements);
    const std::string claim = fmt::format("crossed cantilevers of {} elements: error of the force", elements);
    const double error = std::abs(outcomes.run(id).find("force").values.back() / exact - 1);
    rows.push_back(
        last ? expect_at_most(id, claim, error, *last / 3, "", "beam theory", "of second order: a quarter")
             : show(id, claim, error, "", "coarse mesh"));
    last = error;
  }
  rows.push_back(expect_at_most("cantilevers", "crossed cantilevers, the last of these", *last, 1e-3, "",
                                "beam theory"));
}

void add_solids(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& blocks = outcomes.run("blocks");
  rows.push_back(expect_near("patch-force", "patch test: force between the blocks over that of the pressure",
                             blocks.find("force").values.back(), 1.0, 1e-8, "", "statics",
                             "tolerance of the solves"));
  for (const std::string block : {"lower", "upper"}) {
    rows.push_back(expect_at_most(
        "patch-" + block, fmt::format("patch test: largest error of the stress in the {} block", block),
        blocks.find(block + "_stress").values.back(), 1e-6, "", "statics",
        "nodes on faces do not pass a uniform pressure; integrals over both meshes would"));
  }
  const TrialResult& rests = outcomes.run("cube-rests");
  rows.push_back(expect_near("cube-force", "soft cube with its centre over the table: force over weight",
                             rests.find("force").values.back(), 1.0, 1e-6, "", "statics", "residual motion"));
  const TrialResult& falls = outcomes.run("cube-falls");
  rows.push_back(expect_at_most("cube-falls", "with its centre beyond the edge: force over weight",
                                falls.find("force").values.back(), 0.0, "", "statics"));
}

void add_checks(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Run& run : outcomes.runs) add_surface_checks(rows, outcomes, run.id);
}

}  // namespace
}  // namespace touching_bodies_benchmark

Benchmark touching_bodies() {
  return {.name = "touching-bodies",
          .title = "Bodies that touch: Hertz, bars, beams, blocks, gears, Geneva drive, pyramid",
          .source = "Hertz 1881; d'Alembert; Timoshenko; kinematics; statics",
          .setting =
              "Contacts that are found. An elastic cylinder and a ball, pressed on a plane and on another "
              "one with a "
              "coarser mesh; two bars of 2 x 2 and 3 x 3 cells that meet end to end; crossed cantilevers; "
              "the patch "
              "test of two blocks; a soft cube on the border of a table; a crate that slides over it; 21 "
              "boxes; two "
              "gears and a Geneva drive of triangles.",
          .reference = "closed forms",
          .plan = touching_bodies_benchmark::plan,
          .rows = {touching_bodies_benchmark::add_rigid, touching_bodies_benchmark::add_hertz,
                   touching_bodies_benchmark::add_bars, touching_bodies_benchmark::add_beams,
                   touching_bodies_benchmark::add_solids, touching_bodies_benchmark::add_checks}};
}

}  // namespace picus::models
