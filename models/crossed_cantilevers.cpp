#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/models/crossed_cantilevers.hpp>
#include <picus/models/surface_scene.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::models {
namespace {

Section round_section(const CrossedCantilevers& p) {
  return Section::circle(p.radius, {.E = p.modulus, .nu = p.poissons_ratio, .density = p.density});
}

double downward(const Snapshot& at, const Node& node) {
  return at.system.model().initial_configuration().position(node).z() - at.state.q.position(node).z();
}

Node tip_of(const RunInfo& run, const CrossedCantilevers& p, const char* beam) {
  return run.system.model().find_node(fmt::format("{}[{}]", beam, p.elements));
}

double force_in_contact(const Snapshot& at) {
  return normal_force_on(at, "");
}

}  // namespace

CrossedCantileversExact crossed_cantilevers_exact(const CrossedCantilevers& p) {
  const Section section = round_section(p);
  const auto flexibility = [EI = section.stiffness(4, 4), GA = section.stiffness(1, 1)](double x, double y) {
    const double near = std::min(x, y);
    const double far = std::max(x, y);
    return near * near * (3 * far - near) / (6 * EI) + near / GA;
  };
  const double a = p.lower_crossing;
  const double b = p.upper_crossing;
  const double free = p.load * flexibility(b, p.upper_length) - p.gap;
  const double force = std::max(free, 0.0) / (flexibility(a, a) + flexibility(b, b));
  return {.force = force,
          .lower_tip = force * flexibility(a, p.lower_length),
          .upper_tip =
              p.load * flexibility(p.upper_length, p.upper_length) - force * flexibility(b, p.upper_length)};
}

Model make_crossed_cantilevers(const CrossedCantilevers& p) {
  Model model("crossed-cantilevers");
  const Section section = round_section(p);
  const BeamMesh lower = make_beam(model, {.name = "lower",
                                           .section = section,
                                           .to = Vec3(p.lower_length, 0, 0),
                                           .elements = static_cast<int>(p.elements)});
  const Vec3 start(p.lower_crossing, -p.upper_crossing, 2 * p.radius + p.gap);
  const BeamMesh upper = make_beam(model, {.name = "upper",
                                           .section = section,
                                           .from = start,
                                           .to = start + Vec3(0, p.upper_length, 0),
                                           .elements = static_cast<int>(p.elements),
                                           .orientation = Vec3::UnitZ()});
  model.fix(lower.first());
  model.fix(upper.first());
  model.add<NodalForce>({.name = "load", .point = upper.last(), .force = Vec3(0, 0, -p.load)});
  model.add<Surface>({.name = "lower", .of = shapes::Rope{lower.nodes, p.radius}});
  model.add<Surface>({.name = "upper", .of = shapes::Rope{upper.nodes, p.radius}});
  model.add<ContactsBetween>({.name = "all"});
  return model;
}

Signals crossed_cantilevers_signals(const RunInfo& run, const CrossedCantilevers& p) {
  const auto tip = [](const Node& node) { return [node](const Snapshot& at) { return downward(at, node); }; };
  return {{"force", "N", "force in the contact", force_in_contact},
          {"lower_tip", "m", "displacement of the end of the lower beam, downwards",
           tip(tip_of(run, p, "lower"))},
          {"upper_tip", "m", "displacement of the end of the upper beam, downwards",
           tip(tip_of(run, p, "upper"))},
          energy(run)};
}

Measures crossed_cantilevers_measures(const RunInfo& run, const CrossedCantilevers& p) {
  const CrossedCantileversExact exact = crossed_cantilevers_exact(p);
  Measures measures;
  measures.add("force in the contact at the end", "N", measures.at_end(force_in_contact), exact.force,
               "beam theory");
  measures.add(
      "displacement of the lower end", "m",
      measures.at_end([node = tip_of(run, p, "lower")](const Snapshot& at) { return downward(at, node); }),
      exact.lower_tip, "beam theory");
  measures.add(
      "displacement of the upper end", "m",
      measures.at_end([node = tip_of(run, p, "upper")](const Snapshot& at) { return downward(at, node); }),
      exact.upper_tip, "beam theory");
  return measures;
}

RegisteredModel registered_crossed_cantilevers() {
  using P = CrossedCantilevers;
  auto table = ParameterTable<P>()
                   .integer("elements", &P::elements, {.low = 2, .high = 1000}, "of each beam")
                   .real("lower_length", &P::lower_length, Range::positive(), "m", "of the lower beam")
                   .real("upper_length", &P::upper_length, Range::positive(), "m", "of the upper beam")
                   .real("lower_crossing", &P::lower_crossing, Range::positive(), "m", "from the lower clamp")
                   .real("upper_crossing", &P::upper_crossing, Range::positive(), "m", "from the upper clamp")
                   .real("radius", &P::radius, Range::positive(), "m", "of the sections")
                   .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
                   .real("poissons_ratio", &P::poissons_ratio, Range::between(0, 0.49), "", "of the material")
                   .real("density", &P::density, Range::positive(), "kg/m3", "density")
                   .real("gap", &P::gap, Range::not_negative(), "m", "between the beams without load")
                   .real("load", &P::load, Range::positive(), "N", "at the end of the upper beam");
  return ModelParts<P>{
      .info = {.name = "crossed-cantilevers",
               .summary = "One cantilever presses on another that it crosses. Force and deflections are "
                          "those of beam theory. Made for picus static.",
               .source = "Timoshenko",
               .step = 1e-3,
               .until = 0.1},
      .parameters = table,
      .build = make_crossed_cantilevers,
      .measures = crossed_cantilevers_measures,
      .signals = crossed_cantilevers_signals};
}

}  // namespace picus::models
