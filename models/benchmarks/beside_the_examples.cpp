#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/inclined_plane.hpp>
#include <picus/models/moved_scene.hpp>
#include <picus/models/twisted_shaft.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace picus::models {
namespace beside_the_examples_benchmark {
namespace {

using Schemes = std::vector<std::string>;
using Settings = std::vector<std::string>;

const Schemes second_order = {"ds", "dsn", "ds-a", "cs"};
const Schemes all_kinds = {"ds", "dsn", "ds-a", "cs", "mixed", "chen"};
const Schemes every_scheme = {"ds", "dsn", "ds-a", "cs", "mixed", "chen", "moreau-jean"};
/// At velocity level: they pass a surface by the motion of the step of the impact.
const Schemes velocity_level = {"mixed", "chen", "moreau-jean"};

bool is_at_velocity_level(const std::string& scheme) {
  return std::ranges::count(velocity_level, scheme) > 0;
}

/// Iterations, with a limit if there is one, and that there are no fallbacks.
void add_cost(Rows& rows, const Experiments& outcomes, const std::string& id, const std::string& claim,
              std::optional<int> limit = {}, const std::string& note = "") {
  const TrialResult& run = outcomes.run(id);
  const int most = worst_iterations(run);
  const std::string of_solves = claim + ", most iterations of a solve";
  rows.push_back(limit ? expect_at_most(id + "-most", of_solves, most, *limit, "", "design", note)
                       : show(id + "-most", of_solves, most, ""));
  rows.push_back(expect_at_most(id + "-fallbacks", claim + ", fallbacks",
                                static_cast<double>(run.fallback_count()), 0, "", "design",
                                "step cuts included"));
}

// Linkage.

constexpr double coarse = 1e-3, fine = 5e-4, finer = 1.25e-4, large = 4e-3;  // s
constexpr double tight = 1e-10;                                              // tolerance

std::string linkage_id(const std::string& scheme, double step) {
  return fmt::format("linkage-{}-{}", scheme, number_text(step));
}

void plan_linkage(Experiments& plan) {
  const auto add = [&](const std::string& scheme, double step, std::int64_t every) {
    plan.runs.push_back({.id = linkage_id(scheme, step),
                         .label = fmt::format("{}, h = {} s", scheme, number_text(step)),
                         .model = "driven-linkage",
                         .scheme = scheme,
                         .step = step,
                         .every = every,
                         .tolerance = tight});
  };
  for (const std::string& scheme : second_order) {
    add(scheme, coarse, 1);
    add(scheme, fine, 1);
  }
  for (const std::string& scheme : all_kinds) add(scheme, large, 1);
  add("ds", finer, 8);
}

void add_linkage(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const TrialResult& reference = outcomes.run(linkage_id("ds", finer));
  for (const std::string& scheme : second_order) {
    const TrialResult& rough = outcomes.run(linkage_id(scheme, coarse));
    const TrialResult& run = outcomes.run(linkage_id(scheme, fine));
    const std::string id = "linkage-" + scheme;
    for (const std::string part : {"balance", "unexplained"}) {
      const double at_coarse = largest(rough.find(part)), at_fine = largest(run.find(part));
      rows.push_back(show(fmt::format("{}-{}-coarse", id, part),
                          fmt::format("driven linkage: largest {} of energy, h = 1 ms ({})", part, scheme),
                          at_coarse, "J"));
      rows.push_back(
          expect_at_most(fmt::format("{}-{}", id, part),
                         fmt::format("driven linkage: largest {} of energy, h = 0.5 ms ({})", part, scheme),
                         at_fine, 0.07, "J", "balance of energy", "up to 40 J are exchanged"));
      rows.push_back(
          expect_near(fmt::format("{}-{}-order", id, part),
                      fmt::format("driven linkage: order of the largest {} of energy ({})", part, scheme),
                      std::log2(at_coarse / at_fine), 2.0, part == "balance" ? 0.15 : 0.05, "", "design",
                      "two steps, a factor of 2 apart"));
    }
    for (const std::string work : {"work_of_motor", "work_of_dampers"})
      rows.push_back(expect_within(
          fmt::format("{}-{}", id, work),
          fmt::format("driven linkage: {}, h = 0.5 ms ({})",
                      work == "work_of_motor" ? "work of the motor" : "work of the dampers", scheme),
          run.find(work).values.back(), reference.find(work).values.back(), 1e-3, "J",
          fmt::format("own run, h = {} s", number_text(finer))));
  }
  for (const std::string& scheme : all_kinds)
    add_cost(rows, outcomes, linkage_id(scheme, large), fmt::format("driven linkage, h = 4 ms ({})", scheme),
             8, "the ends of the beam leave it by a good part of an element in a step");
}

// Linear models.

const Schemes linear_schemes = {"ds", "dsn", "cs", "mixed", "chen"};
/// Constant masses, quadratic potentials, constant directions of all rows.
const std::vector<std::string> linear_models = {"bouncing-oscillator", "elastic-bar", "sliding-masses"};

void plan_linear(Experiments& plan) {
  for (const std::string& model : linear_models) {
    for (const std::string& scheme : linear_schemes)
      plan.runs.push_back({.id = fmt::format("linear-{}-{}", model, scheme),
                           .label = fmt::format("{} ({})", model, scheme),
                           .model = model,
                           .settings = model == "elastic-bar" ? Settings{"elements=20"} : Settings{},
                           .scheme = scheme,
                           .tolerance = 1e-13,
                           .max_iterations = 100});
  }
}

void add_linear(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& model : linear_models) {
    for (const std::string& scheme : linear_schemes) {
      const std::string id = fmt::format("linear-{}-{}", model, scheme);
      const Energies& end = outcomes.run(id).summary.energies;
      const double scale = std::max({end.kinetic, std::abs(end.potential), std::abs(end.work_of_loads),
                                     std::abs(end.work_of_dampers), std::abs(end.work_of_contacts)});
      rows.push_back(expect_at_most(
          id, fmt::format("{}: unexplained energy over the largest energy or work ({})", model, scheme),
          std::abs(end.unexplained) / scale, 1e-10, "", "theory",
          "the account is complete where forces are linear and directions constant"));
      rows.push_back(show(id + "-balance", fmt::format("{}: balance over the same ({})", model, scheme),
                          end.balance / scale, ""));
    }
  }
}

// Motion without a given acceleration.

const Schemes shaken_schemes = {"ds", "dsn", "cs", "ds-a", "mixed"};

void plan_shaken(Experiments& plan, Effort effort) {
  std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4};
  if (effort == Effort::full) steps.push_back(2.5e-4);
  plan.studies.push_back({.id = "shaken",
                          .title = "A pendulum on a shaken point whose acceleration is not given",
                          .model = "shaken-pendulum",
                          .schemes = shaken_schemes,
                          .steps = steps,
                          .until = 0.8,
                          .quantities = {"ball.x", "ball.y", "ball.vx", "ball.vy", "rate"},
                          .tolerance = 1e-11});
}

void add_shaken(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : shaken_schemes) {
    const ConvergenceResult& study = outcomes.study("shaken", scheme);
    for (const ConvergenceQuantity& quantity : study.quantities)
      rows.push_back(expect_near(fmt::format("shaken-{}-order-{}", scheme, quantity.name),
                                 fmt::format("shaken pendulum: order of {} ({})", quantity.name, scheme),
                                 quantity.order.value_or(std::nan("")), 2.0, 0.1, "",
                                 "equation of its one angle"));
    int most = 0;
    std::int64_t fallbacks = 0;
    for (const ConvergenceRow& row : study.rows) {
      most = std::max(most, *std::ranges::max_element(row.worst_iterations));
      fallbacks += row.fallbacks;
    }
    rows.push_back(show(fmt::format("shaken-{}-most", scheme),
                        fmt::format("shaken pendulum: most iterations of a solve ({})", scheme), most, ""));
    rows.push_back(expect_at_most(fmt::format("shaken-{}-fallbacks", scheme),
                                  fmt::format("shaken pendulum: fallbacks ({})", scheme),
                                  static_cast<double>(fallbacks), 0, "", "design"));
  }
}

// The scene elsewhere.

struct Place {
  std::string id, title;
  Settings settings;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"near", "at the origin", {}},
      {"wheel", "beside a fast wheel", {"wheel=yes"}},
      {"far", "moved by 1e6 m", {"x=1e6"}},
      {"far-wheel", "moved by 1e6 m, beside a fast wheel", {"x=-6e5", "y=5e5", "z=6e5", "wheel=yes"}}};
  return all;
}

std::string scene_id(const std::string& scheme, const std::string& place) {
  return fmt::format("scene-{}-{}", scheme, place);
}

void plan_scenes(Experiments& plan) {
  for (const std::string& scheme : all_kinds) {
    for (const Place& place : places())
      plan.runs.push_back({.id = scene_id(scheme, place.id),
                           .label = fmt::format("{} ({})", place.title, scheme),
                           .model = "moved-scene",
                           .settings = place.settings,
                           .scheme = scheme});
  }
}

/// Largest distance of a point of the scene from where it is in the other run.
double distance_of_scenes(const TrialResult& run, const TrialResult& other) {
  double worst = 0.0;
  for (std::size_t k = 0; k + 2 < run.series.size(); k += 3) {  // points have three coordinates
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      Vec3 apart;
      for (Index j = 0; j < 3; ++j) apart[j] = run.series[k + j].values[i] - other.series[k + j].values.at(i);
      worst = std::max(worst, apart.norm());
    }
  }
  return worst;
}

void add_scenes(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : all_kinds) {
    const TrialResult& near = outcomes.run(scene_id(scheme, "near"));
    for (const Place& place : std::span(places()).subspan(1)) {
      const std::string id = scene_id(scheme, place.id);
      const TrialResult& run = outcomes.run(id);
      const auto claim = [&](const std::string& what) {
        return fmt::format("scene {}: {} ({})", place.title, what, scheme);
      };
      rows.push_back(expect_at_most(id, claim("distance from its motion at the origin over its size"),
                                    distance_of_scenes(run, near) / MovedScene::size, 1e-6, "",
                                    "invariance"));
      rows.push_back(expect_true(id + "-fallbacks", claim("as many fallbacks as at the origin"),
                                 run.fallback_count() == near.fallback_count(), "invariance"));
      rows.push_back(show(id + "-most", claim("most iterations of a solve"), worst_iterations(run), ""));
      if (!is_at_velocity_level(scheme))
        rows.push_back(expect_at_most(id + "-gaps", claim("deepest gap of a contact over its size"),
                                      run.summary.worst_penetration / MovedScene::size, 1e-9, "",
                                      "hard contact", "far away positions are rounded to 1.2e-10 m"));
    }
  }
}

// What must not pass in silence.

constexpr double cube_step = 2e-4, shaft_step = 2e-2;  // s

void plan_limits(Experiments& plan) {
  for (const std::string& scheme : every_scheme) {
    plan.runs.push_back({.id = "cube-" + scheme,
                         .label = fmt::format("cube at twice the landing speed ({})", scheme),
                         .model = "flexible-cube",
                         .settings = {"divisions=3", "downward=4.2"},
                         .scheme = scheme,
                         .step = cube_step,
                         .until = 0.15});
    for (const int elements : {1, 2})
      plan.runs.push_back({.id = fmt::format("shaft-{}-{}", elements, scheme),
                           .label = fmt::format("shaft of {} elements ({})", elements, scheme),
                           .model = "twisted-shaft",
                           .settings = {fmt::format("elements={}", elements)},
                           .scheme = scheme,
                           .step = shaft_step,
                           .until = 4.0});
  }
  for (const char* torque : {"5.8", "6.2", "23.2"})
    plan.runs.push_back({.id = fmt::format("shaft-static-{}", torque),
                         .label = fmt::format("equilibrium with {} N m", torque),
                         .model = "twisted-shaft",
                         .settings = {"elements=1", "load=moment", fmt::format("torque={}", torque)},
                         .scheme = "static",
                         .step = 0.1,
                         .until = 1.0});
}

/// The run ended with a message that contains the texts.
Row expect_message(const std::string& id, const std::string& claim, const Experiments& outcomes,
                   const std::string& run, const std::vector<std::string>& texts) {
  const TrialResult& result = outcomes.find(run).result;
  const bool holds = std::ranges::all_of(
      texts, [&](const std::string& text) { return result.failure.find(text) != std::string::npos; });
  return expect_true(id, claim, holds, "limit of the element",
                     result.is_complete() ? "the run is complete" : result.failure);
}

void add_cube(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : every_scheme) {
    const std::string id = "cube-" + scheme;
    rows.push_back(expect_message(
        id + "-message",
        fmt::format("cube at twice the landing speed: ends with the element that is inverted ({})", scheme),
        outcomes, id, {"element \"cube[", "is turned inside out at nodes["}));
    const std::vector<double>& heights = outcomes.find(id).result.find("lowest").values;
    const bool passes = is_at_velocity_level(scheme);
    rows.push_back(expect_at_least(
        id + "-lowest", fmt::format("cube at twice the landing speed: lowest node until then ({})", scheme),
        *std::ranges::min_element(heights), passes ? -4.9 * cube_step * 1.1 : -1e-9, "m", "hard contact",
        passes ? "at velocity level it passes the floor by its motion in the step of the impact" : ""));
  }
}

void add_shaft(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const std::vector<std::string> message = {
      "element \"shaft[0]\" has its ends turned against each other by 3"};
  for (const std::string& scheme : every_scheme) {
    const std::string one = "shaft-1-" + scheme, two = "shaft-2-" + scheme;
    rows.push_back(expect_message(one + "-message",
                                  fmt::format("shaft of 1 element: ends with its name ({})", scheme),
                                  outcomes, one, message));
    const std::vector<double>& twists = outcomes.find(one).result.find("twist").values;
    rows.push_back(expect_near(one + "-twist", fmt::format("shaft of 1 element: last twist ({})", scheme),
                               twists.back(), 3.0, shaft_step, "rad", "limit of the element",
                               "the motor turns by 0.02 rad in a step"));
    const TrialResult& run = outcomes.run(two);
    rows.push_back(expect_within(two + "-twist",
                                 fmt::format("shaft of 2 elements: twist at 4 s ({})", scheme),
                                 run.find("twist").values.back(), 4.0, 1e-9, "rad", "kinematics"));
    add_cost(rows, outcomes, two, fmt::format("shaft of 2 elements ({})", scheme));
  }
  rows.push_back(expect_within("shaft-static", "shaft of 1 element in equilibrium: twist with 5.8 N m",
                               outcomes.run("shaft-static-5.8").find("twist").values.back(),
                               TwistedShaft{.torque = 5.8}.static_twist(), 1e-8, "rad", "T L/GJ"));
  for (const std::string torque : {"6.2", "23.2"})
    rows.push_back(expect_message(
        "shaft-static-" + torque,
        fmt::format("shaft of 1 element in equilibrium with {} N m: ends with its name", torque), outcomes,
        "shaft-static-" + torque, message));
}

// Thresholds.

const Schemes threshold_schemes = {"ds", "dsn", "cs"};

void plan_thresholds(Experiments& plan, Effort effort) {
  const double threshold = std::tan(InclinedPlane{}.slope);
  for (const auto& [id, factor] : {std::pair("stays", 1.001), std::pair("slides", 0.999)}) {
    for (const std::string& scheme : threshold_schemes)
      plan.runs.push_back({.id = fmt::format("incline-{}-{}", id, scheme),
                           .label = fmt::format("mu = {} tan(alpha) ({})", factor, scheme),
                           .model = "inclined-plane",
                           .settings = {"speed=0", fmt::format("mu={:.17g}", factor * threshold)},
                           .scheme = scheme,
                           .step = 1e-3,
                           .until = 2.0});
  }
  for (const std::string& scheme : threshold_schemes)
    plan.runs.push_back({.id = "tower-" + scheme,
                         .label = fmt::format("tower of 10 boxes ({})", scheme),
                         .model = "box-tower",
                         .settings = {"count=10"},
                         .scheme = scheme,
                         .step = 1e-3,
                         .until = effort == Effort::full ? 0.5 : 0.05});
}

void add_thresholds(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : threshold_schemes) {
    const std::string stays = "incline-stays-" + scheme, slides = "incline-slides-" + scheme;
    rows.push_back(expect_at_most(stays, fmt::format("block at mu = 1.001 tan(alpha): moves ({})", scheme),
                                  largest(outcomes.run(stays).find("block.s")), 1e-9, "m", "Coulomb's law",
                                  "it stays"));
    add_cost(rows, outcomes, stays, fmt::format("block at mu = 1.001 tan(alpha) ({})", scheme), 5);
    rows.push_back(expect_at_most(
        slides, fmt::format("block at mu = 0.999 tan(alpha): L1 error of its way of 5.1 mm ({})", scheme),
        error_until(outcomes.run(slides), "block.s", 2.0), 0.01, "", "exact, Coulomb's law"));
    add_cost(rows, outcomes, slides, fmt::format("block at mu = 0.999 tan(alpha) ({})", scheme), 5);
    const std::string tower = "tower-" + scheme;
    rows.push_back(expect_at_most(tower, fmt::format("tower of 10 boxes: largest motion ({})", scheme),
                                  largest(outcomes.run(tower).find("motion")), 1e-9, "m", "statics",
                                  "it stands"));
    add_cost(rows, outcomes, tower, fmt::format("tower of 10 boxes ({})", scheme), 5);
  }
}

// A redundant loop.

void plan_loop(Experiments& plan, Effort effort) {
  for (const std::string& scheme : every_scheme)
    plan.runs.push_back({.id = "loop-" + scheme,
                         .label = fmt::format("Bricard's mechanism, h = 10 ms ({})", scheme),
                         .model = "bricard",
                         .scheme = scheme,
                         .step = 1e-2,
                         .until = effort == Effort::full ? 10.0 : 3.0});
}

void add_loop(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : every_scheme) {
    const std::string id = "loop-" + scheme;
    const std::string claim = fmt::format("Bricard's mechanism, h = 10 ms ({})", scheme);
    const TrialResult& run = outcomes.find(id).result;
    rows.push_back(expect_true(id, claim + ", is complete", run.is_complete(), "design", run.failure));
    if (!run.is_complete()) continue;
    add_cost(rows, outcomes, id, claim);
    double place = 0.0;
    for (const char* axis : {"P3.x", "P3.y", "P3.z"}) place = std::max(place, largest_error(run.find(axis)));
    rows.push_back(show(id + "-place", claim + ", error of place", place, "m"));
    rows.push_back(show(id + "-violation", claim + ", worst bilateral violation", run.summary.worst_violation,
                        "m or rad"));
  }
}

Experiments plan(Effort effort) {
  Experiments plan;
  plan_shaken(plan, effort);
  plan_linkage(plan);
  plan_linear(plan);
  plan_scenes(plan);
  plan_limits(plan);
  plan_thresholds(plan, effort);
  plan_loop(plan, effort);
  const std::string run = linkage_id("ds", fine);
  plan.figures = {
      {.id = "account",
       .title = "Energies of a driven linkage",
       .caption = "What motor and dampers do is two hundred times the balance and more.",
       .panels = {{.y_label = "work, J",
                   .curves = {{.run = run, .y = "work_of_motor"}, {.run = run, .y = "work_of_dampers"}}},
                  {.y_label = "energy, J",
                   .curves = {{.run = run, .y = "balance"}, {.run = run, .y = "unexplained"}}}}}};
  return plan;
}

}  // namespace
}  // namespace beside_the_examples_benchmark

Benchmark beside_the_examples() {
  namespace here = beside_the_examples_benchmark;
  return {
      .name = "beside-the-examples",
      .title = "Beside the examples: energies of a driven linkage, shaking, far away, limits, thresholds",
      .source = "invariance and conservation; Coulomb; limits of elements; IFToMM A04",
      .setting =
          "A four-bar linkage with a damped beam as its coupler, motor, damper and weights, 1 s. Linear "
          "models with impacts and friction, solved to 1e-13. A pendulum on a shaken point whose "
          "acceleration is not given. Two balls and a pendulum, 1e6 m from the origin and "
          "beside a wheel of 1000 rad/s. A soft cube that lands at 4.9 m/s, a shaft of 1 and 2 elements "
          "that is twisted to 4 rad. A block on an incline at mu = tan(alpha) (1 +- 1e-3), a tower of 10 "
          "boxes. Bricard's mechanism in steps of 10 ms.",
      .reference =
          "closed forms, the equation of one angle, and own runs at the origin or with a step of 0.125 ms",
      .plan = here::plan,
      .rows = {here::add_linkage, here::add_linear, here::add_shaken, here::add_scenes, here::add_cube,
               here::add_shaft, here::add_thresholds, here::add_loop}};
}

}  // namespace picus::models
