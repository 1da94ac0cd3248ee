#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/colliding_bars.hpp>
#include <picus/models/surface_scene.hpp>

#include <cmath>

namespace picus::models {
namespace {

void add_bar(Model& model, const CollidingBars& p, bool is_first) {
  const Index across = is_first ? 2 : 3;
  auto mesh = make_box_mesh({.size = {p.length, p.width, p.width},
                             .divisions = {p.cells, across, across},
                             .origin = {is_first ? -p.length - p.gap : 0.0, 0, 0}});
  mesh.face_sets["all"] = mesh.boundary();
  const std::string name = is_first ? "first" : "second";
  const Solid bar =
      add_solid(model, mesh,
                {.name = name,
                 .material = {.youngs_modulus = p.modulus, .poissons_ratio = 0, .density = p.density},
                 .velocity = {is_first ? p.speed : 0.0, 0, 0}});
  for (const PointNode& node : bar.nodes()) model.fix(node, {Component::y, Component::z});
  model.add<Surface>({.name = name, .of = shapes::Faces{bar.faces("all")}});
}

double force_between(const Snapshot& at) {
  return normal_force_on(at, "");
}

/// Mean velocity of a bar along its axis. Inner nodes of a uniform mesh have equal masses, those on faces, edges and
/// corners a half, a quarter and an eighth of it.
double mean_speed(const Snapshot& at, const CollidingBars& p, bool is_first) {
  const Model& model = at.system.model();
  const Configuration& start = model.initial_configuration();
  const double origin = is_first ? -p.length - p.gap : 0.0;
  double momentum = 0;
  double mass = 0;
  for (const Node& node : model.nodes()) {
    const Vec3 x = start.position(node);
    const double along = x.x() - origin;
    if (along < -0.5 * p.gap || along > p.length + 0.5 * p.gap) continue;  // of the other bar
    double share = 1;
    for (const auto& [value, size] :
         {std::pair(along, p.length), std::pair(x.y(), p.width), std::pair(x.z(), p.width)})
      share *= value < 1e-9 * size || value > (1 - 1e-9) * size ? 0.5 : 1.0;
    momentum += share * at.state.v[node.v];
    mass += share;
  }
  return momentum / mass;
}

}  // namespace

double colliding_bars_wave_speed(const CollidingBars& p) {
  return std::sqrt(p.modulus / p.density);
}

Model make_colliding_bars(const CollidingBars& p) {
  Model model("colliding-bars");
  add_bar(model, p, true);
  add_bar(model, p, false);
  model.add<ContactsBetween>({.name = "all"});
  return model;
}

Signals colliding_bars_signals(const RunInfo& run, const CollidingBars& p) {
  return {{"force", "N", "force between the bars", force_between},
          {"first", "m/s", "mean speed of the first bar",
           [p](const Snapshot& at) { return mean_speed(at, p, true); }},
          {"second", "m/s", "mean speed of the second bar",
           [p](const Snapshot& at) { return mean_speed(at, p, false); }},
          energy(run)};
}

Measures colliding_bars_measures(const RunInfo& /*run*/, const CollidingBars& p) {
  Measures measures;
  const double& closed = measures.accumulate(0.0, [](const Snapshot& at, double& time) {
    if (force_between(at) > 0) time += at.h;
  });
  measures.add(
      "time of contact", "s", [&closed]() -> std::optional<double> { return closed; },
      2 * p.length / colliding_bars_wave_speed(p), "d'Alembert");
  measures.add("mean speed of the first bar at the end", "m/s",
               measures.at_end([p](const Snapshot& at) { return mean_speed(at, p, true); }), 0.0,
               "d'Alembert");
  measures.add("mean speed of the second bar at the end", "m/s",
               measures.at_end([p](const Snapshot& at) { return mean_speed(at, p, false); }), p.speed,
               "d'Alembert");
  return measures;
}

RegisteredModel registered_colliding_bars() {
  using P = CollidingBars;
  auto table = ParameterTable<P>()
                   .integer("cells", &P::cells, {.low = 2, .high = 500}, "along each bar")
                   .real("length", &P::length, Range::positive(), "m", "of each bar")
                   .real("width", &P::width, Range::positive(), "m", "of the bars")
                   .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
                   .real("density", &P::density, Range::positive(), "kg/m3", "density")
                   .real("speed", &P::speed, Range::positive(), "m/s", "of the first bar")
                   .real("gap", &P::gap, Range::positive(), "m", "at the start");
  return ModelParts<P>{
      .info = {.name = "colliding-bars",
               .summary = "Two elastic bars with different meshes meet end to end. After the waves have "
                          "returned from the free ends they part, with their speeds exchanged.",
               .source = "d'Alembert",
               .step = 1e-3,
               .until = 0.08},
      .parameters = table,
      .build = make_colliding_bars,
      .measures = colliding_bars_measures,
      .signals = colliding_bars_signals};
}

}  // namespace picus::models
