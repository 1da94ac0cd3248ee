#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/soft_cube.hpp>
#include <picus/models/surface_scene.hpp>

#include <cmath>

namespace picus::models {
namespace {

/// Upward force of the table, N: all nodes belong to the cube.
double upward_force(const Snapshot& at) {
  return contact_force_on(at, [](const Node&) { return true; }).z();
}

double mean_height_of_nodes(const Snapshot& at) {
  const auto nodes = at.system.model().nodes();
  double sum = 0;
  for (const Node& node : nodes) sum += at.state.q.position(node).z();
  return sum / static_cast<double>(nodes.size());
}

double weight_of_cube(const SoftCube& p) {
  return p.density * std::pow(p.side, 3) * p.gravity;
}

}  // namespace

Model make_soft_cube(const SoftCube& p) {
  Model model("soft-cube");
  model.add<Surface>(
      {.name = "table", .of = shapes::Box{p.side * Vec3(10, 10, 1)}, .position = p.side * Vec3(-5, 0, -0.5)});
  auto mesh = make_box_mesh({.size = Vec3::Constant(p.side),
                             .divisions = {p.cells, p.cells - 1, p.cells - 1},
                             .origin = {p.centre - p.side / 2, -p.side / 2, 0}});
  mesh.face_sets["all"] = mesh.boundary();
  const Solid cube =
      add_solid(model, mesh,
                {.name = "cube",
                 .material = {.youngs_modulus = p.modulus, .poissons_ratio = 0.3, .density = p.density},
                 .damping_time = p.damping_time});
  model.add<Surface>({.name = "cube", .of = shapes::Faces{cube.faces("all")}});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = cube.mass_points()});
  model.add<ContactsBetween>({.name = "all", .mu = p.mu});
  return model;
}

Signals soft_cube_signals(const RunInfo& run, const SoftCube& p) {
  return {{"force", "", "force of the table over the weight",
           [p](const Snapshot& at) { return upward_force(at) / weight_of_cube(p); }},
          {"height", "m", "mean height of the nodes", mean_height_of_nodes},
          energy(run)};
}

Measures soft_cube_measures(const RunInfo& /*run*/, const SoftCube& p) {
  Measures measures;
  measures.add("force of the table over the weight, at the end", "",
               measures.at_end([p](const Snapshot& at) { return upward_force(at) / weight_of_cube(p); }),
               p.centre < 0 ? 1.0 : 0.0, "statics");
  return measures;
}

RegisteredModel registered_soft_cube() {
  using P = SoftCube;
  auto table =
      ParameterTable<P>()
          .real("side", &P::side, Range::positive(), "m", "of the cube")
          .real("centre", &P::centre, {}, "m", "of the cube at the start; the border of the table is at 0")
          .integer("cells", &P::cells, {.low = 2, .high = 100}, "in the direction across the border")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("damping_time", &P::damping_time, Range::not_negative(), "s", "of the material")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "soft-cube",
               .summary = "A soft cube lies on the border of a table. It comes to rest over the edge if its "
                          "centre is over the table, and falls otherwise.",
               .source = "statics",
               .step = 2e-3,
               .until = 1.2},
      .parameters = table,
      .build = make_soft_cube,
      .measures = soft_cube_measures,
      .signals = soft_cube_signals};
}

}  // namespace picus::models
