#include <picus/error.hpp>
#include <picus/models/benchmarks/chen_schemes.hpp>
#include <picus/models/benchmarks/rezaei_schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <optional>

namespace picus::models::rezaei_crank_slider_benchmark {
namespace {

const std::string paper = "Rezaei and Schindler";
constexpr double h = 1e-4;
constexpr double two_turns = 0.15;

/// Table 1, as in Flores, Leine and Glocker.
const std::vector<std::string> table_1 = {"gravity=9.81", "mu=0.01"};
/// Table 1 with zero clearance: a joint.
const std::vector<std::string> bilateral = {"gravity=9.81", "guide=joint"};
/// Table 2 with the assumptions made here.
const std::vector<std::string> table_2 = {
    "gravity=9.81",  "mu=0.01",  "restitution=0",     "crank_angle=0.7853981633974483",
    "crank_speed=0", "torque=5", "rods=flexible-rod", "elements=20"};
constexpr double torque = 5.0;        // N m
constexpr double closed_from = 0.01;  // s, with table 2: the slider lies on the upper guide
constexpr double closed_to = 0.035;   // s

const std::string bathe = "mixed:base=bathe";
const std::string ed_alpha = "mixed:base=ed-alpha";
const std::string moreau = "mixed:base=moreau-midpoint";
constexpr double one_turn = 0.07;  // s
/// The default 1e-8 of the velocities per step accumulates to more than the errors of the schemes at small steps.
constexpr double tight = 1e-11;
constexpr double uniform_rod = 2.966e-4;  // kg m2: 0.038 kg (0.306^2 + 0.005^2) m2/12

std::vector<std::string> with(std::vector<std::string> settings, std::initializer_list<std::string> more) {
  settings.insert(settings.end(), more);
  return settings;
}

std::vector<int> meshes(Effort effort) {
  return effort == Effort::full ? std::vector{1, 2, 4, 8, 16, 32} : std::vector{1, 2, 4, 8};
}

std::string mesh_id(int elements) {
  return fmt::format("mesh-{}", elements);
}

std::vector<std::string> all_schemes() {
  std::vector<std::string> schemes;
  for (const rezaei::NamedBase& base : rezaei::table_bases()) schemes.push_back(base.scheme);
  for (const char* other : {"ds", "chen", "moreau-jean"}) schemes.emplace_back(other);
  return schemes;
}

void plan_studies(Experiments& plan, bool is_full) {
  plan.studies = {{.id = "bilateral",
                   .title = "One turn without clearance (Rezaei and Schindler, figure 22)",
                   .model = "crank-slider",
                   .settings = bilateral,
                   .schemes = all_schemes(),
                   .steps = chen::steps_between(1e-3, is_full ? 5e-6 : 2e-5, is_full ? 13 : 9),
                   .until = one_turn,
                   .quantities = {"rod.angle", "crank.speed", "slider.x"}},
                  {.id = "bilateral-fine",
                   .title = "One turn without clearance, small steps",
                   .model = "crank-slider",
                   .settings = bilateral,
                   .schemes = {moreau, ed_alpha},
                   .steps = chen::steps_between(2e-5, is_full ? 2e-6 : 5e-6, 4),
                   .until = one_turn,
                   .quantities = {"rod.angle", "crank.speed", "slider.x"},
                   .tolerance = tight},
                  {.id = "unilateral",
                   .title = "With clearance and friction, five impacts",
                   .model = "crank-slider",
                   .settings = table_1,
                   .schemes = all_schemes(),
                   .steps = chen::steps_between(4e-4, is_full ? 2e-6 : 1e-5, is_full ? 61 : 21),
                   .until = 0.03,
                   .quantities = {"rod.angle", "crank.speed", "slider.y"},
                   .tolerance = tight}};
}

void plan_figures(Experiments& plan, Effort effort) {
  const auto rigid = [](const std::string& label, const std::string& y, double factor) {
    return Panel{
        .y_label = label,
        .curves = rezaei::curves("rigid", {.y = y, .label = {}, .y_factor = factor}, rezaei::table_bases())};
  };
  plan.figures.push_back(
      {.id = "rigid",
       .title = "Rigid mechanism with friction, h = 0.1 ms",
       .caption =
           "The slider rattles between the guides; schemes at velocity level go up to 0.1 mm into them.",
       .panels = {rigid("slider y, mm", "slider.y", 1e3), rigid("crank speed, rad/s", "crank.speed", 1.0)}});

  Figure mesh{.id = "mesh",
              .title = "Slider for several meshes of the rod, Bathe (Rezaei and Schindler, figure 20)",
              .caption = "h = 0.1 ms: Bathe's rule damps the waves that coarse meshes do not carry.",
              .panels = {{.y_label = "slider y, mm", .curves = {}}}};
  for (const int elements : meshes(effort)) {
    mesh.panels[0].curves.push_back(
        {.run = mesh_id(elements), .y = "slider.y", .label = {}, .y_factor = 1e3});
  }
  plan.figures.push_back(mesh);
  const auto near_rigid = [](const std::string& e) {
    return Panel{.y_label = fmt::format("e = {}: slider y, mm", e),
                 .curves = {{.run = "rigid-e-" + e, .y = "slider.y", .label = {}, .y_factor = 1e3},
                            {.run = "near-rigid-e-" + e, .y = "slider.y", .label = {}, .y_factor = 1e3}}};
  };
  plan.figures.push_back(
      {.id = "near-rigid",
       .title = "Slider of a rigid and of a nearly rigid mechanism (Rezaei and Schindler, figure 21)",
       .caption = "With e = 0.4 the nearly rigid rod rebounds less: an impact acts on the slider and the end "
                  "of the rod, whatever "
                  "its stiffness, and the rest of the rod follows by further impacts.",
       .panels = {near_rigid("0.4"), near_rigid("0")}});

  const auto panel = [](const std::string& run, const std::string& label, const std::string& y) {
    return Panel{.y_label = label,
                 .curves = rezaei::curves(run, {.y = y, .label = {}}, rezaei::implicit_bases())};
  };
  plan.figures.push_back(
      {.id = "angles",
       .title = "Driven crank and flexible rod (Rezaei and Schindler, figure 24)",
       .caption = "The slider hits the upper guide at 5 ms and stays there to about 41 ms, as far inside as "
                  "the step of the impact "
                  "takes it. The run with rho 1 ends at 50 ms, where a step has no solution.",
       .panels = {panel("long", "crank, revolutions", "crank.turns"), panel("long", "rod, rad", "rod.angle"),
                  panel("long", "upper gap, m", "upper_left.gap")}});
  plan.figures.push_back({.id = "speeds",
                          .title = "Angular velocities (Rezaei and Schindler, figures 25, 26 and 28)",
                          .caption = "With rho 1 the vibrations of the rod are noise that nothing damps.",
                          .panels = {panel("closed", "crank, rad/s", "crank.speed"),
                                     panel("closed", "rod, rad/s", "rod.speed")}});
  Figure force{.id = "contact-force",
               .title = "Contact force of the upper left corner (Rezaei and Schindler, figures 27 and 29)",
               .caption = "Each base scheme for itself; with rho 1 the contact goes on and off.",
               .panels = {}};
  for (const rezaei::NamedBase& base : rezaei::implicit_bases()) {
    force.panels.push_back(
        {.y_label = base.label + ", N",
         .curves = {{.run = "closed-" + base.id, .y = "upper_left.force", .label = base.label}},
         .y_range = std::pair{0.0, 30.0}});
  }
  plan.figures.push_back(force);
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  rezaei::add_runs(
      plan, {.id = "rigid", .model = "crank-slider", .settings = table_1, .step = h, .until = two_turns},
      rezaei::table_bases());
  plan.runs.push_back({.id = "rigid-ds",
                       .label = "DS",
                       .model = "crank-slider",
                       .settings = table_1,
                       .step = h,
                       .until = two_turns});
  for (const auto& [id, settings] :
       {std::pair{"time-bilateral", bilateral}, std::pair{"time-unilateral", table_1}}) {
    rezaei::add_runs(plan,
                     {.id = id,
                      .model = "crank-slider",
                      .settings = settings,
                      .step = is_full ? 5e-6 : 5e-5,
                      .until = two_turns,
                      .signals = {"crank.speed"},
                      .every = 100},
                     rezaei::table_bases());
  }
  for (const int elements : meshes(effort)) {
    plan.runs.push_back(
        {.id = mesh_id(elements),
         .label = fmt::format("{} elements", elements),
         .model = "crank-slider",
         .settings = with(table_1, {"rods=flexible-rod", fmt::format("elements={}", elements)}),
         .scheme = bathe,
         .step = h,
         .until = 0.015});
  }
  for (const std::string e : {"0.4", "0"}) {
    plan.runs.push_back(
        {.id = "rigid-e-" + e,
         .label = "rigid, e = " + e,
         .model = "crank-slider",
         .settings = with(table_1, {fmt::format("rod_inertia={}", uniform_rod), "restitution=" + e}),
         .scheme = bathe,
         .step = 1e-5,
         .until = 0.05,
         .every = 5});
    plan.runs.push_back(
        {.id = "near-rigid-e-" + e,
         .label = "flexible, a thousand times as stiff as steel, e = " + e,
         .model = "crank-slider",
         .settings = with(table_1, {"rods=flexible-rod", "elements=4", "modulus=2.1e14", "restitution=" + e}),
         .scheme = bathe,
         .step = 1e-5,
         .until = 0.05,
         .every = 5});
  }
  for (const auto& [id, end] : {std::pair{"closed", 0.04}, std::pair{"long", 0.1}}) {
    rezaei::add_runs(plan, {.id = id, .model = "crank-slider", .settings = table_2, .step = h, .until = end},
                     rezaei::implicit_bases());
  }
  plan_studies(plan, is_full);
  plan_figures(plan, effort);
  return plan;
}

/// Steps at which the rod angle has a given error, replacing the lost tables 4 and 6: without a claim for all
/// schemes; the ratios of Bathe and ED-alpha to Moreau's rule are judged.
void add_steps(Rows& rows, const Experiments& outcomes, const std::string& study, double error,
               const std::string& table) {
  std::optional<double> slow;
  for (const std::string& scheme : all_schemes()) {
    const std::string id = fmt::format("{}-step-{}", study, scheme);
    const std::string claim =
        fmt::format("step for an error of {} of the rod's angle ({})", number_text(error), scheme);
    const std::optional<double> step = step_for(outcomes.study(study, scheme), "rod.angle", error);
    if (!step) throw Error(fmt::format("no step of the study has so small an error ({})", scheme));
    rows.push_back(show(id, claim, *step, "s"));
    if (scheme == moreau) slow = step;
    if (scheme != bathe && scheme != ed_alpha) continue;
    if (!slow) continue;
    rows.push_back(expect_at_least(
        id + "-ratio", fmt::format("that over the step of Moreau's midpoint rule ({})", scheme),
        *step / *slow, 5.0, "", table, "\"much smaller\" steps for Moreau's rule"));
  }
}

void add_studies(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const rezaei::NamedBase& base : rezaei::table_bases()) {
    // These two show their orders only below steps of 2e-5 s.
    if (base.id == "moreau" || base.id == "ed-alpha") {
      for (const ConvergenceQuantity& quantity : outcomes.study("bilateral", base.scheme).quantities) {
        rows.push_back(show(fmt::format("bilateral-{}-order-{}", base.scheme, quantity.name),
                            fmt::format("order of {}, all steps ({})", quantity.name, base.scheme),
                            quantity.order.value_or(0.0), ""));
      }
      models::add_orders(rows, outcomes, "bilateral-fine", base.id == "moreau" ? 0.95 : 1.95, base.scheme);
    } else {
      models::add_orders(rows, outcomes, "bilateral", 1.95, base.scheme);
    }
    models::add_orders(rows, outcomes, "unilateral", effort == Effort::full ? 0.95 : 0.9, base.scheme);
  }
  add_steps(rows, outcomes, "bilateral", 0.02, paper + ", table 4");
  add_steps(rows, outcomes, "unilateral", 1.5e-3, paper + ", table 6");
}

void add_times(Rows& rows, const Experiments& outcomes, const std::string& id, const std::string& table,
               const std::array<double, 5>& published) {
  const TrialResult& base = rezaei::run_of(outcomes, id, "moreau");
  std::size_t i = 0;
  for (const rezaei::NamedBase& scheme : rezaei::table_bases()) {
    const double reference = published.at(i++);
    if (scheme.id == "moreau") continue;
    const std::string row_id = fmt::format("{}-{}", id, scheme.id);
    const std::string claim = fmt::format("time of a step over that of Moreau's rule ({})", scheme.label);
    const TrialResult& run = rezaei::run_of(outcomes, id, scheme.id);
    Row row = show(row_id, claim, run.summary.wall_seconds / base.summary.wall_seconds, "",
                   "wall time of one run, which varies");
    row.reference = reference;
    row.source = table;
    rows.push_back(std::move(row));
  }
}

void add_flexible(Rows& rows, const Experiments& outcomes, Effort effort) {
  const std::vector<int> counts = meshes(effort);
  const TrialResult& finest = outcomes.run(mesh_id(counts.back()));
  constexpr double first_impact = 2.2e-3;  // none of these impacts is earlier
  std::vector<double> free, impacts;
  for (const int elements : counts) {
    if (elements == counts.back()) break;
    const TrialResult& run = outcomes.run(mesh_id(elements));
    free.push_back(rezaei::distance(run, finest, "slider.y", first_impact));
    impacts.push_back(rezaei::distance(run, finest, "slider.y", 0.015));
    rows.push_back(show(
        fmt::format("mesh-{}-free", elements),
        fmt::format("{} elements: slider's height before the first impact, from the finest mesh", elements),
        free.back(), ""));
    rows.push_back(show(fmt::format("mesh-{}", elements),
                        fmt::format("{} elements: the same to 15 ms, with impacts", elements), impacts.back(),
                        ""));
  }
  rows.push_back(expect_true("mesh", "each finer mesh is nearer before the first impact",
                             std::ranges::is_sorted(free, std::greater<>{}), paper + ", figure 20"));
  rows.push_back(expect_true("mesh-impacts", "each finer mesh is nearer with impacts",
                             std::ranges::is_sorted(impacts, std::greater<>{}), paper + ", figure 20"));

  for (const std::string e : {"0.4", "0"}) {
    const TrialResult& rigid = outcomes.run("rigid-e-" + e);
    const TrialResult& stiff = outcomes.run("near-rigid-e-" + e);
    const std::string figure = paper + ", figure 21";
    const std::string of = fmt::format(" (e = {})", e);
    rows.push_back(expect_at_most("near-rigid-x-e-" + e, "nearly rigid and rigid: slider's x to 50 ms" + of,
                                  rezaei::distance(stiff, rigid, "slider.x", 0.05), 1e-2, "", figure));
    rows.push_back(expect_at_most(
        "near-rigid-free-e-" + e, "nearly rigid and rigid: slider's height before the first impact" + of,
        rezaei::distance(stiff, rigid, "slider.y", first_impact), 1e-2, "", figure));
    rows.push_back(expect_at_most(
        "near-rigid-y-e-" + e, "nearly rigid and rigid: slider's height to 50 ms" + of,
        rezaei::distance(stiff, rigid, "slider.y", 0.05), 5e-2, "", figure,
        e == "0"
            ? "where no rebound depends on it"
            : "an impact acts on the slider and the end of the rod, however stiff; the rest of the rod "
              "follows by "
              "further impacts, and the rebound is weaker than with a rigid rod. With e = 0 both agree"));
  }
}

/// Mean change of the contact force on the upper guide from step to step during continuous contact, N, and the
/// fraction of these steps without force.
struct ClosedContact {
  double ripple;
  double open;
};
ClosedContact closed_contact(const TrialResult& run) {
  const std::vector<double>& left = run.find("upper_left.force").values;
  const std::vector<double>& right = run.find("upper_right.force").values;
  double change = 0.0;
  int open = 0;
  int count = 0;
  for (std::size_t i = 1; i < run.times.size(); ++i) {
    if (run.times[i] < closed_from || run.times[i] > closed_to) continue;
    ++count;
    const double force = left[i] + right[i];
    change += std::abs(force - left[i - 1] - right[i - 1]);
    if (force <= 0.0) ++open;
  }
  return {.ripple = change / count, .open = static_cast<double>(open) / count};
}

/// Mean angular velocities of the rod over 2 ms, from differences of its angle: L1 norm of the difference of two runs
/// up to 40 ms relative to that of the second.
double mean_speed_distance(const TrialResult& run, const TrialResult& other) {
  const std::vector<double>& a = run.find("rod.angle").values;
  const std::vector<double>& b = other.find("rod.angle").values;
  constexpr std::size_t window = 20;
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = window; i < a.size() && run.times[i] <= 0.04; i += window) {
    difference += std::abs(a[i] - a[i - window] - b[i] + b[i - window]);
    size += std::abs(b[i] - b[i - window]);
  }
  return difference / size;
}

void add_long(Rows& rows, const Experiments& outcomes) {
  for (const rezaei::NamedBase& base : rezaei::implicit_bases()) {
    const std::string id = "long-" + base.id;
    const bool has_damping = base.id != "alpha-1";
    const std::string claim =
        fmt::format("{} ({})", has_damping ? "goes on to 0.1 s" : "becomes unstable", base.label);
    const TrialResult& run = outcomes.find(id).result;
    rows.push_back(
        expect_true(id, claim, run.is_complete() == has_damping, paper + " 4.2, 4.3", run.failure));
  }
}

void add_closed(Rows& rows, const Experiments& outcomes) {
  std::map<std::string, ClosedContact> contact;
  const TrialResult& reference = rezaei::run_of(outcomes, "closed", "bathe");
  for (const rezaei::NamedBase& base : rezaei::implicit_bases()) {
    const TrialResult& run = rezaei::run_of(outcomes, "closed", base.id);
    const std::string id = "closed-" + base.id;
    const std::string of = fmt::format(" ({})", base.label);
    contact[base.id] = closed_contact(run);
    rows.push_back(show(id + "-ripple", "mean change of the contact force from step to step" + of,
                        contact[base.id].ripple, "N"));
    rows.push_back(show(id + "-open", "part of the steps without force while it lies on the guide" + of,
                        contact[base.id].open, ""));
    const Series& energy = run.find("energy");
    const Series& turns = run.find("crank.turns");
    double gain = -1e300;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const double work = torque * 2.0 * std::numbers::pi * (turns.values[i] - turns.values[0]);
      gain = std::max(gain, energy.values[i] - energy.values[0] - work);
    }
    rows.push_back(show(id + "-energy", "largest energy beyond the work of the torque" + of, gain, "J"));
    if (base.id == "bathe") continue;
    for (const std::string quantity : {"crank.turns", "rod.angle"}) {
      rows.push_back(expect_at_most(id + "-" + quantity,
                                    fmt::format("{} up to 40 ms, from that of Bathe{}", quantity, of),
                                    rezaei::distance(run, reference, quantity, 0.04), 1e-2, "",
                                    paper + ", figure 24", "the curves coincide"));
    }
    if (base.id == "ed-alpha") {
      rows.push_back(expect_at_most(id + "-crank.speed", "crank.speed up to 40 ms, from that of Bathe" + of,
                                    rezaei::distance(run, reference, "crank.speed", 0.04), 1e-2, "",
                                    paper + ", figure 28", "the curves coincide"));
      rows.push_back(
          expect_at_most(id + "-rod.speed", "rod's angular velocity in means of 2 ms, the same" + of,
                         mean_speed_distance(run, reference), 5e-2, "", paper + ", figure 28",
                         "step by step the vibrations have a phase shift, which the paper has as well"));
      rows.push_back(show(id + "-rod.speed-steps", "rod's angular velocity step by step, the same" + of,
                          rezaei::distance(run, reference, "rod.speed", 0.04), ""));
    }
  }
  rows.push_back(expect_at_least("closed-ripple", "ripple of generalized-alpha with rho 1 over that of Bathe",
                                 contact["alpha-1"].ripple / contact["bathe"].ripple, 2.0, "",
                                 paper + ", figure 27"));
  rows.push_back(expect_true("closed-on-off",
                             "generalized-alpha with rho 1 switches the contact off more often than Bathe",
                             contact["alpha-1"].open > contact["bathe"].open, paper + " 4.2"));
  rows.push_back(expect_within("closed-ed-bathe", "ripple of ED-alpha, from that of Bathe",
                               contact["ed-alpha"].ripple, contact["bathe"].ripple, 0.5, "N",
                               paper + ", figure 29"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  add_studies(rows, outcomes, effort);
  add_times(rows, outcomes, "time-bilateral", paper + ", table 3", {1.0, 1.35, 4.15, 4.35, 5.0});
  add_times(rows, outcomes, "time-unilateral", paper + ", table 5", {1.0, 1.15, 2.72, 3.15, 3.4});
  add_flexible(rows, outcomes, effort);
  add_closed(rows, outcomes);
  add_long(rows, outcomes);
}

}  // namespace
}  // namespace picus::models::rezaei_crank_slider_benchmark

namespace picus::models {

Benchmark rezaei_crank_slider() {
  return {
      .name = "rezaei-crank-slider",
      .title = "A crank-slider mechanism with clearance, friction and a flexible rod",
      .source = "Rezaei and Schindler, sections 3 and 4; Flores, Leine and Glocker 2010",
      .setting = "",
      .reference = "own integration in minimal coordinates without clearance; own run with DS with friction",
      .plan = rezaei_crank_slider_benchmark::plan,
      .rows = {rezaei_crank_slider_benchmark::add_rows}};
}

}  // namespace picus::models
