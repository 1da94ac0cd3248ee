#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace picus::models::rezaei_modal_rod_benchmark {
namespace {

const std::string paper = "Rezaei and Schindler 4.5";
constexpr double h = 1e-4;
constexpr double impact = 4.8e-3;  // s, none is earlier
constexpr double until = 0.035;    // the slider lies on the upper guide from some 6 ms on
constexpr double millisecond = 1e-3;

/// The rod of table 2 with the assumptions of the benchmark rezaei-crank-slider.
std::vector<std::string> settings(std::initializer_list<std::string> more) {
  std::vector<std::string> all = {
      "gravity=9.81",  "mu=0.01",  "restitution=0", "crank_angle=0.7853981633974483",
      "crank_speed=0", "torque=5", "elements=20"};
  all.insert(all.end(), more);
  return all;
}

struct Boundary {
  std::string name;   ///< of the parameter
  std::string label;  ///< for readers
  std::vector<int> modes;
};

const std::vector<Boundary>& boundaries() {
  static const std::vector<Boundary> all = {
      {"held", "ends held, with responses of the ends", {0, 2, 4, 8, 16, 40}},
      {"pinned", "ends on pins", {2, 4, 8, 16}},
      {"free", "free ends", {4, 8, 16, 40}},
      {"clamped", "first end clamped", {4, 8, 16}}};
  return all;
}

std::string id_of(const Boundary& boundary, int modes) {
  return fmt::format("{}-{}", boundary.name, modes);
}

Panel panel(const std::string& label, const std::string& y, double factor, const std::string& boundary,
            const std::vector<int>& modes, std::pair<double, double> range) {
  Panel result{.y_label = label, .curves = {}, .x_range = range};
  for (const int count : modes)
    result.curves.push_back(
        {.run = fmt::format("{}-{}", boundary, count), .y = y, .label = {}, .y_factor = factor});
  result.curves.push_back({.run = "full", .y = y, .label = {}, .y_factor = factor});
  return result;
}

Experiments plan(Effort /*effort*/) {
  Experiments plan;
  const Run run{.id = "full",
                .label = "beam elements",
                .model = "crank-slider",
                .settings = settings({"rods=flexible-rod"}),
                .scheme = "mixed:base=bathe",
                .step = h,
                .until = until};
  plan.runs.push_back(run);
  for (const Boundary& boundary : boundaries()) {
    for (const int modes : boundary.modes) {
      Run one = run;
      one.id = id_of(boundary, modes);
      one.label = fmt::format("{}, {} modes", boundary.label, modes);
      one.settings =
          settings({"rods=reduced-rod", "boundary=" + boundary.name, fmt::format("modes={}", modes)});
      plan.runs.push_back(one);
    }
  }
  const auto force = [](const std::string& boundary, const std::vector<int>& modes) {
    return panel("force of the guides, N", "guide.force", 1.0, boundary, modes, {0.004, 0.012});
  };
  plan.figures = {
      {.id = "modes-slider",
       .title = "Height of the slider over the number of modes (Rezaei and Schindler, figure 30)",
       .caption = "With the static responses of its ends a rod without any vibration mode is near already.",
       .panels = {panel("slider y, mm", "slider.y", 1e3, "held", {0, 2, 8}, {0.0, until})}},
      {.id = "modes-force",
       .title = "Contact force over the number of modes (Rezaei and Schindler, figure 31)",
       .caption = "After the impact more modes take part than before it.",
       .panels = {force("held", {0, 2, 8})}},
      {.id = "boundaries",
       .title = "Contact force with the modes of several supports (Rezaei and Schindler, figure 32)",
       .caption = "Eight modes each. Modes of pins and of held ends contain the static response to forces at "
                  "the ends; those of free ends and of a clamped one approach it slowly.",
       .panels = {{.y_label = "force of the guides, N",
                   .curves = {{.run = "held-8", .y = "guide.force"},
                              {.run = "pinned-8", .y = "guide.force"},
                              {.run = "free-8", .y = "guide.force"},
                              {.run = "clamped-8", .y = "guide.force"},
                              {.run = "full", .y = "guide.force"}},
                   .x_range = std::pair(0.004, 0.012)}}}};
  return plan;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& full = outcomes.run("full");
  for (const Boundary& boundary : boundaries()) {
    std::vector<double> heights, forces;
    for (const int modes : boundary.modes) {
      const std::string id = id_of(boundary, modes);
      const std::string of = fmt::format(" ({}, {} modes)", boundary.label, modes);
      const TrialResult* run = find_complete_run(outcomes, id);
      if (run == nullptr || id == "clamped-16") {
        rows.push_back(expect_true(
            id, "the run is complete" + of, run != nullptr, "design",
            "the frame is that of an end section, which vibrates at 1e3 to 1e4 rad/s: the stiffening by spin "
            "is that of a steady one"));
      }
      if (run == nullptr) continue;
      heights.push_back(distance_of_means(*run, full, {"slider.y"}, {0, impact}, h));
      forces.push_back(distance_of_means(*run, full, {"guide.force"}, {impact, until}, millisecond));
      rows.push_back(show(id + "-height", "slider's height before the impact, from that of the beam" + of,
                          heights.back(), ""));
      rows.push_back(show(id + "-force", "contact force in means of 1 ms, from that of the beam" + of,
                          forces.back(), ""));
      rows.push_back(show(id + "-speed", "crank speed, from that of the beam" + of,
                          distance_of_means(*run, full, {"crank.speed"}, {0, until}, h), ""));
    }
    if (boundary.name == "clamped") continue;
    rows.push_back(expect_true(
        boundary.name + "-height-falls", "more modes are nearer before the impact (" + boundary.label + ")",
        std::ranges::is_sorted(heights, [](double a, double b) { return a > 1.5 * b; }),
        paper + ", figure 30", "down to the tolerance of 1e-7, where they scatter"));
    rows.push_back(expect_true(boundary.name + "-force-falls",
                               "more modes give a nearer contact force (" + boundary.label + ")",
                               std::ranges::is_sorted(forces, std::greater<>{}), paper + ", figure 31"));
  }
  const auto force_of = [&](const std::string& id) {
    return distance_of_means(outcomes.run(id), full, {"guide.force"}, {impact, until}, millisecond);
  };
  const std::string claim = "contact force in means of 1 ms, from that of the beam";
  rows.push_back(expect_at_most("force-held-8", claim + " (ends held, 8 modes)", force_of("held-8"), 0.01, "",
                                paper + ", figure 31", "\"in good agreement\""));
  rows.push_back(expect_at_most("force-pinned-8", claim + " (ends on pins, 8 modes)", force_of("pinned-8"),
                                0.01, "", paper + ", figure 32"));
  const std::string slow =
      "the shapes do not contain the static response to forces at the ends, and approach it slowly";
  for (const char* id : {"free-8", "free-40"}) {
    rows.push_back(expect_at_most(std::string("force-") + id, fmt::format("{} ({})", claim, id), force_of(id),
                                  0.01, "", paper + ", figure 32", slow));
  }
  rows.push_back(expect_at_most("force-clamped-8", claim + " (clamped-8)", force_of("clamped-8"), 0.01, "",
                                paper + ", figure 32",
                                slow + "; the acceleration of the frame at its end, whose inertial forces "
                                       "stiffen, is left out"));
}

}  // namespace
}  // namespace picus::models::rezaei_modal_rod_benchmark

namespace picus::models {

Benchmark rezaei_modal_rod() {
  return {.name = "rezaei-modal-rod",
          .title = "The flexible rod of a crank-slider mechanism by its modes",
          .source = "Rezaei and Schindler, section 4.5",
          .setting =
              "The mechanism of rezaei-crank-slider with the values of table 2 and the Bathe method, h = 0.1 "
              "ms; the rod "
              "of 20 beam elements (63 unknowns) in full, and reduced to modes with different supports.",
          .reference = "the same rod of beam elements",
          .plan = rezaei_modal_rod_benchmark::plan,
          .rows = {rezaei_modal_rod_benchmark::add_rows}};
}

}  // namespace picus::models
