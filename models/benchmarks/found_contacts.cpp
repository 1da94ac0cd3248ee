#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/benchmarks/surface_rows.hpp>
#include <picus/models/box_tower.hpp>
#include <picus/models/capstan.hpp>
#include <picus/models/dominoes.hpp>
#include <picus/models/gripper.hpp>
#include <picus/models/references/capstan_exact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace found_contacts_benchmark {
namespace {

std::vector<Index> rope_elements(Effort effort) {
  return effort == Effort::full ? std::vector<Index>{8, 16, 32} : std::vector<Index>{8, 16};
}

constexpr double min_part = 0.98, max_part = 1.01;  // relative to the force that just holds the crate

std::string force_setting(double part) {
  return fmt::format("force={}", part * gripper_least_force(Gripper()));
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  for (const Index elements : rope_elements(effort)) {
    plan.runs.push_back({.id = fmt::format("capstan-{}", elements),
                         .label = fmt::format("{} elements", elements),
                         .model = "capstan",
                         .settings = {fmt::format("elements={}", elements)},
                         .sampled_instants = 10});
  }
  for (const double part : {min_part, max_part}) {
    plan.runs.push_back({.id = part < 1 ? "gripper-slides" : "gripper-holds",
                         .label = fmt::format("{} of the least force", part),
                         .model = "gripper",
                         .settings = {"cells=4", force_setting(part)},
                         .until = 0.35,
                         .sampled_instants = 20});
  }
  plan.runs.push_back({.id = "dominoes", .label = "dominoes", .model = "dominoes", .sampled_instants = 100});
  plan.runs.push_back({.id = "box-tower",
                       .label = "tower of 20 boxes",
                       .model = "box-tower",
                       .until = is_full ? 0.5 : 0.1,
                       .sampled_instants = 10});
  plan.runs.push_back({.id = "box-tower-long",
                       .label = "tower of 20 boxes, steps of 10 ms",
                       .model = "box-tower",
                       .step = 1e-2,
                       .until = is_full ? 10.0 : 1.0,
                       .sampled_instants = 10});
  plan.runs.push_back({.id = "mixed-heap",
                       .label = "20 balls and 10 boxes",
                       .model = "mixed-heap",
                       .settings = {"balls=20", "boxes=10", "width=0.4"},
                       .until = is_full ? 1.0 : 0.5,
                       .sampled_instants = 50});
  if (is_full) {
    plan.runs.push_back({.id = "mixed-heap-150",
                         .label = "100 balls and 50 boxes",
                         .model = "mixed-heap",
                         .settings = {"balls=100", "boxes=50"},
                         .until = 0.6,
                         .sampled_instants = 30});
  }
  plan.figures = {
      {.id = "capstan",
       .title = "A rope slides over a drum",
       .caption = "Once all of the rope slides, T_2/T_1 stays near exp(lambda theta) = 2.553.",
       .panels = {{.y_label = "T_2/T_1",
                   .curves = {{.run = "capstan-8", .y = "ratio"}, {.run = "capstan-16", .y = "ratio"}}}}},
      {.id = "gripper",
       .title = "A crate between elastic fingers",
       .caption = "With 1 % more than 2 mu N = m (g + a) it is held, with 2 % less it slides.",
       .panels = {
           {.y_label = "way down the fingers, m",
            .curves = {{.run = "gripper-slides", .y = "slide"}, {.run = "gripper-holds", .y = "slide"}}}}}};
  return plan;
}

double mean_after(const TrialResult& run, std::string_view signal, double begin) {
  const std::vector<double>& values = run.find(signal).values;
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (run.times[i] < begin) continue;
    sum += values[i];
    ++count;
  }
  return sum / count;
}

void add_capstan(Rows& rows, const Experiments& outcomes, Effort effort) {
  const Capstan p;
  const double exact = std::exp(p.wrap * capstan_exponent(p.mu, p.drum_radius, p.rope_radius));
  for (const Index elements : rope_elements(effort)) {
    const double angle = p.wrap / static_cast<double>(elements);
    const double of_chain = 1 - std::exp(p.wrap * (capstan_exponent_of_chain(p.mu, angle) - p.mu));
    rows.push_back(expect_within(fmt::format("capstan-{}", elements),
                                 fmt::format("T_2/T_1 of a rope with {} elements on half a turn", elements),
                                 mean_after(outcomes.run(fmt::format("capstan-{}", elements)), "ratio", 0.25),
                                 exact, 1.7 * of_chain, "", "exp(lambda theta)",
                                 "that of a polygon, and up to 0.7 of it at the ends"));
  }
}

void add_gripper(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const Gripper p;
  const TrialResult& slides = outcomes.run("gripper-slides");
  // The acceleration of the upper ends in excess of what friction can transmit, integrated twice.
  const double carried = min_part * (p.gravity + p.acceleration) - p.gravity;
  constexpr double dt = 1e-5;
  double rate = 0;
  double way = 0;
  for (double t = 0; t < slides.times.back() - p.squeeze; t += dt) {
    const double s = std::min(t / p.jerk, 1.0);
    rate = std::max(rate + dt * (p.acceleration * s * s * (3 - 2 * s) - carried), 0.0);
    way += dt * rate;
  }
  rows.push_back(expect_within("gripper-slides", "with 0.98 of the least force the crate slides",
                               slides.find("slide").values.back(), way, 0.05, "m", "Newton's law",
                               "what the fingers give"));
  rows.push_back(expect_at_most("gripper-holds", "with 1.01 of it it stays, but for what the fingers give",
                                outcomes.run("gripper-holds").find("slide").values.back(), 1e-4, "m",
                                "2 mu N >= m (g + a)", "a thousandth of the crate"));
}

void add_dominoes(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Finding& finding : outcomes.run("dominoes").findings) {
    if (!finding.value || !finding.reference) continue;
    const bool is_time = finding.unit == "s";
    rows.push_back(expect_within(is_time ? "dominoes-time" : "dominoes-speed",
                                 "dominoes: " + finding.quantity, *finding.value, *finding.reference, 5e-3,
                                 finding.unit, finding.source, "impacts are to the step"));
  }
}

void add_heaps(Rows& rows, const Experiments& outcomes, Effort effort) {
  const TrialResult& tower = outcomes.run("box-tower");
  rows.push_back(expect_at_most("tower-motion", "largest motion of a box of a tower of 20",
                                std::ranges::max(tower.find("motion").values), 1e-9, "m", "statics",
                                "it stands"));
  const TrialResult& tower_long = outcomes.run("box-tower-long");
  rows.push_back(expect_at_most(
      "tower-drift", fmt::format("the same in {:g} s with steps of 10 ms", tower_long.times.back()),
      std::ranges::max(tower_long.find("motion").values), 1e-9, "m", "statics", "it stands"));
  const BoxTower p;
  rows.push_back(expect_within("tower-weight", "force of the tower on the floor",
                               tower.find("floor").values.back(),
                               static_cast<double>(p.count) * p.density * std::pow(p.size, 3) * p.gravity,
                               1e-6, "N", "weight", "tolerance of the solves"));
  for (const std::string id : {"mixed-heap", "mixed-heap-150"}) {
    const bool is_large = id != "mixed-heap";
    if (is_large && effort == Effort::quick) continue;
    rows.push_back(expect_at_most(is_large ? "heap-150-outside" : "heap-outside",
                                  is_large ? "bodies of the heap of 150 outside of the container"
                                           : "bodies of the heap outside of the container",
                                  std::ranges::max(outcomes.run(id).find("outside").values), 0, "", "walls"));
  }
}

void add_checks(Rows& rows, const Experiments& outcomes, Effort effort) {
  std::vector<std::string> runs = {"capstan-16", "gripper-holds", "dominoes", "box-tower", "box-tower-long"};
  for (const std::string& id : runs) add_surface_checks(rows, outcomes, id);
  for (const Index elements : rope_elements(effort))
    if (elements != 16) show_remedies(rows, outcomes, fmt::format("capstan-{}", elements));
  show_remedies(rows, outcomes, "gripper-slides");
  std::vector<std::string> heaps = {"mixed-heap"};
  if (effort == Effort::full) heaps.emplace_back("mixed-heap-150");
  for (const std::string& id : heaps) {
    const TrialResult& run = outcomes.run(id);
    rows.push_back(expect_at_most(id + "-penetration", id + ": largest penetration of a contact",
                                  run.summary.worst_penetration, 1e-9, "m", "hard contact"));
    // Corners of boxes spinning at 30 rad/s graze their neighbours between the ends of a step.
    rows.push_back(expect_at_most(id + "-misses", id + ": deepest passage that no step saw",
                                  run.summary.search.worst_depth, 1e-5, "m", "(omega h)^2 r / 8"));
    rows.push_back(expect_at_most(id + "-samples",
                                  id + ": deepest point of a surface in another, over its size",
                                  std::ranges::max(run.find("depth").values), 1e-6, "", "hard contact",
                                  "points all over the surfaces, without the code of contacts"));
    show_remedies(rows, outcomes, id);
    rows.push_back(show(id + "-time", id + ": CPU time of a step",
                        1e3 * run.step_seconds / static_cast<double>(run.summary.steps), "ms"));
  }
}

}  // namespace
}  // namespace found_contacts_benchmark

Benchmark found_contacts() {
  return {
      .name = "found-contacts",
      .title = "Contacts that are found: rope on a drum, gripper, dominoes, tower and heap",
      .source = "Euler 1769; Coulomb; van Leeuwen 2010; statics",
      .setting =
          "Surfaces of bodies, between which no contact is declared. A rope of beam elements on half a turn "
          "of a drum, mu = 0.3; a crate of 1 kg between two elastic fingers, mu = 0.5, a = 5 m/s2; 20 "
          "dominoes of 48 mm x 7.5 mm, 20 mm apart, whose feet do not slide; 20 boxes on each other, moved "
          "aside by up to a tenth; 20 balls and 10 boxes that fall into a container.",
      .reference = "closed forms; for the dominoes the equation of a train of one coordinate",
      .plan = found_contacts_benchmark::plan,
      .rows = {found_contacts_benchmark::add_capstan, found_contacts_benchmark::add_gripper,
               found_contacts_benchmark::add_dominoes, found_contacts_benchmark::add_heaps,
               found_contacts_benchmark::add_checks}};
}

}  // namespace picus::models
