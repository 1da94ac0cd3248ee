#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/spinning_beam.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace picus::models::reduced_bodies_benchmark {
namespace {

const std::string own = "own run of the full body";
constexpr double spin_end = 20.0;    // s
constexpr double paddle_end = 0.2;   // s
constexpr double paddle_rest = 0.1;  // s, from here on the paddle slides without bouncing
constexpr double rod_end = 0.01;     // s
constexpr double means = 2e-3;       // s, means of contact forces

struct Paddles {
  std::string id, label, body;
  std::vector<int> modes;
};
const std::vector<Paddles>& paddles() {
  static const std::vector<Paddles> all = {{"nodes", "edge of loaded nodes", "reduced", {2, 4, 8, 16, 60}},
                                           {"edge", "edge an interface", "reduced-edge", {2, 8, 16, 40}}};
  return all;
}

/// Cells of the solid rod along and across; 20,100 unknowns with full effort.
std::pair<int, int> rod_cells(Effort effort) {
  return effort == Effort::full ? std::pair(66, 9) : std::pair(16, 2);
}

std::string paddle_id(const Paddles& paddle, int modes) {
  return fmt::format("paddle-{}-{}", paddle.id, modes);
}

void plan_spin(Experiments& plan) {
  const auto add = [&](const std::string& id, const std::string& label, std::vector<std::string> settings) {
    plan.runs.push_back({.id = "spin-" + id,
                         .label = label,
                         .model = "spinning-beam",
                         .settings = std::move(settings),
                         .step = 0.01,
                         .until = spin_end});
  };
  add("full", "16 beam elements", {});
  add("fine", "32 beam elements", {"elements=32"});
  for (const int modes : {0, 1, 3, 6}) {
    add(fmt::format("reduced-{}", modes), fmt::format("reduced, {} modes", modes),
        {"body=reduced", fmt::format("modes={}", modes)});
  }
  add("soft", "reduced, without stiffening", {"body=reduced", "stiffening=no"});
  add("unlimited", "reduced, without stiffening and limits", {"body=reduced", "stiffening=no", "limited=no"});
  for (const int parts : {2, 4, 8}) {
    add(fmt::format("parts-{}", parts), fmt::format("{} parts without stiffening", parts),
        {"body=reduced", "stiffening=no", "limited=no", fmt::format("parts={}", parts)});
  }
  plan.figures.push_back(
      {.id = "spin",
       .title = "Deflection of the tip of a beam that is spun up (Wu and Haug 1988)",
       .caption =
           "The stiffness that the spin gives holds the beam; without it a reduced body has none at 4 rad/s, "
           "more than "
           "its first natural frequency. Divided into parts the stiffening comes from their rotations.",
       .panels = {{.y_label = "deflection, m",
                   .curves = {{.run = "spin-full", .y = "tip.v"},
                              {.run = "spin-reduced-3", .y = "tip.v"},
                              {.run = "spin-parts-4", .y = "tip.v"},
                              {.run = "spin-unlimited", .y = "tip.v"}},
                   .y_range = std::pair(-1.0, 0.5)}}});
}

void plan_paddle(Experiments& plan) {
  const auto add = [&](const std::string& id, const std::string& label, std::vector<std::string> settings) {
    plan.runs.push_back({.id = id,
                         .label = label,
                         .model = "paddle",
                         .settings = std::move(settings),
                         .step = 1e-4,
                         .until = paddle_end});
  };
  add("paddle", "hexahedra", {});
  for (const Paddles& paddle : paddles()) {
    for (const int modes : paddle.modes) {
      add(paddle_id(paddle, modes), fmt::format("{}, {} modes", paddle.label, modes),
          {"body=" + paddle.body, fmt::format("modes={}", modes)});
    }
  }
  plan.figures.push_back({.id = "paddle",
                          .title = "Normal force of an elastic paddle that hits and slides",
                          .caption = "The edge hits, leaves and comes back on the vibrations of the paddle.",
                          .panels = {{.y_label = "normal force, N",
                                      .curves = {{.run = "paddle", .y = "normal"},
                                                 {.run = "paddle-nodes-4", .y = "normal"},
                                                 {.run = "paddle-edge-40", .y = "normal"}},
                                      .x_range = std::pair(0.02, 0.06),
                                      .y_range = std::pair(0.0, 30.0)}}});
}

void plan_rod(Experiments& plan, Effort effort) {
  const auto [along, across] = rod_cells(effort);
  for (const auto& [id, guide] :
       {std::pair("rod", "guide=joint"), std::pair("rattling", "guide=clearance")}) {
    if (id == std::string("rattling") && effort == Effort::full) continue;
    for (const char* rods : {"solid-rod", "reduced-solid-rod"}) {
      plan.runs.push_back({.id = fmt::format("{}-{}", id, rods),
                           .label = rods,
                           .model = "crank-slider",
                           .settings = {guide, std::string("rods=") + rods, fmt::format("elements={}", along),
                                        fmt::format("cells_across={}", across), "modes=24"},
                           .step = 1e-4,
                           .until = rod_end});
    }
  }
}

Experiments plan(Effort effort) {
  Experiments plan;
  plan_spin(plan);
  plan_paddle(plan);
  plan_rod(plan, effort);
  return plan;
}

void add_spin(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& full = outcomes.run("spin-full");
  const auto distance = [&](const std::string& id) {
    return distance_of_means(outcomes.run("spin-" + id), full, {"tip.v"}, {0, spin_end}, 0);
  };
  rows.push_back(show("spin-deflection", "largest deflection of the tip (16 elements)",
                      largest(full.find("tip.v")), "m"));
  rows.push_back(expect_at_most("spin-mesh", "deflection of 32 elements, from that of 16", distance("fine"),
                                0.01, "", "design"));
  for (const int modes : {0, 1, 3, 6}) {
    const std::string id = fmt::format("reduced-{}", modes);
    const std::string claim = fmt::format("deflection, from that of the full beam ({} modes)", modes);
    rows.push_back(expect_at_most("spin-" + id, claim, distance(id), 0.02, "", own,
                                  "linear shapes: errors relative to a deflection of 7 % of the length"));
  }
  const double length = SpinningBeam{}.length;
  for (const char* id : {"full", "reduced-3"}) {
    const TrialResult& run = outcomes.run(std::string("spin-") + id);
    const std::vector<double>& u = run.find("tip.u").values;
    const std::vector<double>& v = run.find("tip.v").values;
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      if (run.times[i] < 16) continue;
      sum += u[i] + 0.55 * v[i] * v[i] / length;
      ++count;
    }
    rows.push_back(expect_within(
        std::string("spin-stretch-") + id,
        fmt::format("stretch at the steady spin, without the shortening by the vibration ({})", id),
        sum / count, spinning_beam_stretch({}), 0.01, "m", "closed form",
        "the vibration that is left shortens by 0.50 (straight) to 0.58 (first mode at rest) v^2/L, 2.4 % of "
        "the stretch"));
  }
  const TrialResult& soft = outcomes.find("spin-soft").result;
  rows.push_back(expect_true(
      "spin-soft", "without stiffening the run ends with an error that names the spin",
      !soft.is_complete() && soft.failure.find("rad/s, its basis is for at most") != std::string::npos,
      "design", soft.failure));
  const TrialResult& unlimited = outcomes.find("spin-unlimited").result;
  rows.push_back(expect_true(
      "spin-unlimited", "without stiffening and limits it bends by more than its length, or has no solution",
      !unlimited.is_complete() || largest(unlimited.find("tip.v")) > 8.0, "Wu and Haug 1988",
      unlimited.failure));
  std::optional<double> coarser;
  for (const int parts : {2, 4, 8}) {
    const std::string id = fmt::format("parts-{}", parts);
    const double error = distance(id);
    rows.push_back(
        show("spin-" + id,
             fmt::format("deflection of {} parts without stiffening, from that of the full beam", parts),
             error, ""));
    if (coarser) {
      rows.push_back(expect_at_least(
          fmt::format("spin-{}-ratio", id), fmt::format("error of half as many parts over that of {}", parts),
          *coarser / error, 3.0, "", "Wu and Haug 1988", "of second order in the length of the parts"));
    }
    coarser = error;
  }
}

void add_paddle(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& full = outcomes.run("paddle");
  const double full_time = full.step_seconds / static_cast<double>(full.times.size());
  rows.push_back(show("paddle-largest", "largest impulse of a step over h (hexahedra)",
                      largest(full.find("normal")), "N"));
  std::map<std::string, double> hitting, sliding;
  for (const Paddles& paddle : paddles()) {
    for (const int modes : paddle.modes) {
      const std::string id = paddle_id(paddle, modes);
      const TrialResult& run = outcomes.run(id);
      const std::string of = fmt::format(" ({}, {} modes)", paddle.label, modes);
      hitting[id] = distance_of_means(run, full, {"normal"}, {0, 0.08}, means);
      sliding[id] = distance_of_means(run, full, {"normal"}, {paddle_rest, paddle_end}, means);
      rows.push_back(show(id + "-hitting",
                          "normal force to 80 ms in means of 2 ms, from that of hexahedra" + of, hitting[id],
                          ""));
      rows.push_back(show(id + "-sliding", "the same from 100 ms on" + of, sliding[id], ""));
      rows.push_back(show(id + "-time", "time of hexahedra over that of a step" + of,
                          full_time / (run.step_seconds / static_cast<double>(run.times.size())), "",
                          "of one run, which varies"));
    }
  }
  const std::string hits = "normal force while it hits", slides = "normal force while it slides";
  rows.push_back(expect_at_most("paddle-8-hitting", hits + " (edge of loaded nodes, 8 modes)",
                                hitting["paddle-nodes-8"], 0.05, "", own));
  rows.push_back(expect_at_most("paddle-8-sliding", slides + " (edge of loaded nodes, 8 modes)",
                                sliding["paddle-nodes-8"], 0.05, "", own));
  rows.push_back(expect_at_most("paddle-60-hitting", hits + " (edge of loaded nodes, 60 modes)",
                                hitting["paddle-nodes-60"], 0.01, "", own));
  rows.push_back(expect_at_most("paddle-60-sliding", slides + " (edge of loaded nodes, 60 modes)",
                                sliding["paddle-nodes-60"], 0.01, "", own));
  rows.push_back(expect_at_most("paddle-edge-hitting", hits + " (edge an interface, 40 modes)",
                                hitting["paddle-edge-40"], 0.01, "", own));
  rows.push_back(expect_at_most("paddle-edge-sliding", slides + " (edge an interface, 40 modes)",
                                sliding["paddle-edge-40"], 0.01, "", own));
}

void add_rod(Rows& rows, const Experiments& outcomes, Effort effort) {
  const auto [along, across] = rod_cells(effort);
  const TrialResult& solid = outcomes.run("rod-solid-rod");
  const TrialResult& reduced = outcomes.run("rod-reduced-solid-rod");
  const int unknowns = 3 * (along + 1) * (across + 1) * (across + 1);
  const std::string of = fmt::format(" (solid rod of {} unknowns, 30 shapes)", unknowns);
  for (const char* quantity : {"slider.x", "crank.speed", "rod.angle"}) {
    rows.push_back(
        expect_at_most(std::string("rod-") + quantity, quantity + (", from that of the full rod" + of),
                       distance_of_means(reduced, solid, {quantity}, {0, rod_end}, 0), 0.01, "", own));
  }
  const double ratio = solid.step_seconds / reduced.step_seconds;
  const std::string faster = "time of a step in full over that of the reduced one" + of;
  if (effort == Effort::full) {
    rows.push_back(expect_at_least("rod-time", faster, ratio, 100, "", "design", "of one run; thousands"));
    return;
  }
  rows.push_back(
      show("rod-time", faster, ratio, "", "of one run, which varies; from 100 on for 20,100 unknowns"));
  const TrialResult& rattling = outcomes.run("rattling-solid-rod");
  const TrialResult& reduced_rattling = outcomes.run("rattling-reduced-solid-rod");
  for (const char* quantity : {"slider.x", "slider.y", "crank.speed"}) {
    rows.push_back(expect_at_most(std::string("rattling-") + quantity,
                                  fmt::format("{} with clearance, impacts included{}", quantity, of),
                                  distance_of_means(reduced_rattling, rattling, {quantity}, {0, rod_end}, 0),
                                  0.01, "", own));
  }
}

}  // namespace
}  // namespace picus::models::reduced_bodies_benchmark

namespace picus::models {

Benchmark reduced_bodies() {
  return {.name = "reduced-bodies",
          .title =
              "Reduced bodies: a beam that is spun up, a paddle that hits and slides, a solid connecting rod",
          .source = "Wu and Haug 1988; own comparison",
          .setting =
              "The beam of Wu and Haug (8 m, EI = 566.7 N m2, 0.2019 kg/m) is spun up to 4 rad/s in 15 s. A "
              "paddle of "
              "hexahedra comes down on a rough floor and is drawn along it. The rod of the flexible "
              "crank-slider as a "
              "solid, with its ends rigid; full: of 20,100 unknowns.",
          .reference = "full meshes of beams and solids",
          .plan = reduced_bodies_benchmark::plan,
          .rows = {reduced_bodies_benchmark::add_spin, reduced_bodies_benchmark::add_paddle,
                   reduced_bodies_benchmark::add_rod}};
}

}  // namespace picus::models
