#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/face_pressure.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/pressed_blocks.hpp>
#include <picus/models/surface_scene.hpp>
#include <picus/observable.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

Solid add_block(Model& model, const PressedBlocks& p, bool is_upper) {
  const Index cells = is_upper ? p.upper_cells : p.lower_cells;
  auto mesh = make_box_mesh({.size = Vec3::Constant(p.size),
                             .divisions = {cells, cells, cells},
                             .origin = {0, 0, is_upper ? p.size : 0.0}});
  mesh.face_sets["all"] = mesh.boundary();
  const std::string name = is_upper ? "upper" : "lower";
  const Solid block =
      add_solid(model, mesh,
                {.name = name,
                 .material = {.youngs_modulus = p.modulus, .poissons_ratio = 0, .density = p.density},
                 .damping_time = p.damping_time});
  model.add<Surface>({.name = name, .of = shapes::Faces{block.faces("all")}});
  return block;
}

/// Upward force on the upper block.
double force_over_pressure(const Snapshot& at, const PressedBlocks& p) {
  const Index first_upper = (p.lower_cells + 1) * (p.lower_cells + 1) * (p.lower_cells + 1);
  const Node& first = at.system.model().nodes()[first_upper];
  const Vec3 force = contact_force_on(at, [&](const Node& node) { return node.v >= first.v; });
  return force.z() / (p.pressure * p.size * p.size);
}

/// Largest error of the stress zz of the elements whose names begin with that of the block. The stress is the first of
/// their quantities, and zz its third component.
double worst_stress_error(const Snapshot& at, const PressedBlocks& p, const std::string& block) {
  double worst = 0;
  std::vector<double> values;
  for (const auto& element : at.system.model().elements()) {
    const auto* cell = dynamic_cast<const Observable*>(element.get());
    if (cell == nullptr || !element->name().starts_with(block + "[")) continue;
    const std::vector<Quantity> quantities = cell->quantities();
    if (quantities.front().name != "stress") continue;
    Index size = 0;
    for (const Quantity& quantity : quantities) size += quantity.size();
    values.assign(size, 0.0);
    cell->observe({at.state.q, at.state.v, at.state.time}, values);
    worst = std::max(worst, std::abs(-values[2] / p.pressure - 1));
  }
  return worst;
}

}  // namespace

Model make_pressed_blocks(const PressedBlocks& p) {
  Model model("pressed-blocks");
  const Solid lower = add_block(model, p, false);
  const Solid upper = add_block(model, p, true);
  lower.fix(model, "z-");
  for (const PointNode& node : upper.nodes("z+")) model.fix(node, {Component::x, Component::y});
  add_pressure(model, {.name = "press", .faces = upper.faces("z+"), .pressure = p.pressure});
  model.add<ContactsBetween>({.name = "all", .two_pass = p.two_pass, .mu = p.mu});
  return model;
}

Signals pressed_blocks_signals(const RunInfo& run, const PressedBlocks& p) {
  return {{"force", "", "force between the blocks over that of the pressure",
           [p](const Snapshot& at) { return force_over_pressure(at, p); }},
          {"lower_stress", "", "largest error of the stress in the lower block, over the pressure",
           [p](const Snapshot& at) { return worst_stress_error(at, p, "lower"); }},
          {"upper_stress", "", "largest error of the stress in the upper block, over the pressure",
           [p](const Snapshot& at) { return worst_stress_error(at, p, "upper"); }},
          energy(run)};
}

Measures pressed_blocks_measures(const RunInfo& /*run*/, const PressedBlocks& p) {
  Measures measures;
  measures.add("force between the blocks over that of the pressure, at the end", "",
               measures.at_end([p](const Snapshot& at) { return force_over_pressure(at, p); }), 1.0,
               "statics");
  for (const std::string block : {"lower", "upper"}) {
    measures.add("largest error of the stress in the " + block + " block, over the pressure, at the end", "",
                 measures.at_end([p, block](const Snapshot& at) { return worst_stress_error(at, p, block); }),
                 0.0, "statics");
  }
  return measures;
}

RegisteredModel registered_pressed_blocks() {
  using P = PressedBlocks;
  auto table =
      ParameterTable<P>()
          .integer("lower_cells", &P::lower_cells, {.low = 1, .high = 50}, "of the lower block, each way")
          .integer("upper_cells", &P::upper_cells, {.low = 1, .high = 50}, "of the upper block, each way")
          .real("size", &P::size, Range::positive(), "m", "edges of the blocks")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("damping_time", &P::damping_time, Range::not_negative(), "s", "of the material")
          .real("pressure", &P::pressure, Range::positive(), "N/m2", "on the upper block")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .flag("two_pass", &P::two_pass, "whether nodes of both blocks contact the faces of the other");
  return ModelParts<P>{
      .info = {.name = "pressed-blocks",
               .summary = "Two elastic blocks with different meshes under uniform pressure: the patch test "
                          "of contact. The resultant is exact, the stress at the interface is not.",
               .source = "patch test",
               .step = 5e-3,
               .until = 1.0},
      .parameters = table,
      .build = make_pressed_blocks,
      .measures = pressed_blocks_measures,
      .signals = pressed_blocks_signals};
}

}  // namespace picus::models
