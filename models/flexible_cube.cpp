#include <picus/elements/contacts/surface_contacts.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/flexible_cube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::models {
namespace {

Signal number_of(const std::string& name, const std::string& meaning, ContactState state) {
  return {name, "", meaning, [state](const Snapshot& at) {
            return static_cast<double>(std::ranges::count(at.state.contact_state, state));
          }};
}

}  // namespace

Model make_flexible_cube(const FlexibleCube& p) {
  Model model("flexible-cube");
  const auto mesh = make_box_mesh({.size = Vec3::Constant(p.side),
                                   .divisions = {p.divisions, p.divisions, p.divisions},
                                   .origin = {-p.side / 2, -p.side / 2, p.height}});
  const Solid cube = add_solid(
      model, mesh,
      {.name = "cube",
       .material = {.youngs_modulus = p.youngs_modulus,
                    .poissons_ratio = p.poissons_ratio,
                    .density = p.density},
       .formulation = p.formulation == FlexibleCube::Formulation::full ? HexahedronFormulation::full
                                                                       : HexahedronFormulation::enhanced,
       .velocity = {p.sideways, 0.0, -p.downward}});
  add_gravity(model,
              {.name = "gravity", .acceleration = {0.0, 0.0, -p.gravity}, .bodies = cube.mass_points()});
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.normal = Vec3::UnitZ()},
                               .mu = p.mu,
                               .e_n = p.restitution});
  return model;
}

Signals flexible_cube_signals(const RunInfo& run, const FlexibleCube& p) {
  const Index points = (p.divisions + 1) * (p.divisions + 1) * (p.divisions + 1);
  Signals signals;
  const auto add_point = [&](const std::string& name, Index number) {
    const std::string node = fmt::format("cube[{}]", number);
    for (const Axis axis : {Axis::x, Axis::z}) {
      const char* suffix = axis == Axis::x ? "x" : "z";
      signals.push_back(position(run, node, axis).named(fmt::format("{}.{}", name, suffix)));
      signals.push_back(velocity(run, node, axis).named(fmt::format("{}.v{}", name, suffix)));
    }
  };
  add_point("x_1", 0);
  add_point("top", points - 1);
  std::vector<Index> rows;
  for (const RowBlock<Contact>& contact : run.system.contacts()) rows.push_back(contact.first_row);
  signals.push_back({"floor.force", "N", "normal force of the floor",
                     [rows, h = run.integrator.step_size()](const Snapshot& at) {
                       double impulse = 0.0;
                       for (const Index row : rows) impulse += at.state.contact_impulse[row];
                       return impulse / h;
                     }});
  signals.push_back({"lowest", "m", "height of the lowest node", [](const Snapshot& at) {
                       double lowest = std::numeric_limits<double>::infinity();
                       for (const Node& node : at.system.model().nodes())
                         lowest = std::min(lowest, at.state.q.position(node).z());
                       return lowest;
                     }});
  signals.push_back(number_of("floor.sticking", "nodes that stick on the floor", ContactState::stick));
  signals.push_back(number_of("floor.slipping", "nodes that slip on the floor", ContactState::slip));
  signals.push_back(energy(run));
  signals.push_back(kinetic_energy(run));
  signals.push_back(potential_energy(run));
  return signals;
}

Measures flexible_cube_measures(const RunInfo& /*run*/, const FlexibleCube& /*parameters*/) {
  Measures measures;
  const auto touches = [](const Snapshot& at) { return is_any_closed(at.state); };
  const Measures::Number first = measures.first_time(touches);
  const Measures::Number last = measures.last_time(touches);
  measures.add("touches at", "s", first);
  measures.add("leaves at", "s", [first, last] { return first() ? last() : std::nullopt; });
  const Energies& energies = measures.energies();
  measures.add("work of the impacts", "J", [&energies] { return energies.work_of_contacts; });
  measures.add(
      "energy gained by the scheme", "J", [&energies] { return energies.balance; }, 0.0, "energy balance");
  return measures;
}

RegisteredModel registered_flexible_cube() {
  using P = FlexibleCube;
  auto table =
      ParameterTable<P>()
          .integer("divisions", &P::divisions, {.low = 1, .high = 200}, "hexahedra along each edge")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction with the floor")
          .real("side", &P::side, Range::positive(), "m", "edge of the cube")
          .real("youngs_modulus", &P::youngs_modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("poissons_ratio", &P::poissons_ratio, Range::between(-0.99, 0.499), "", "Poisson's ratio")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("height", &P::height, Range::not_negative(), "m", "height of the bottom face at the start")
          .real("sideways", &P::sideways, {}, "m/s", "velocity along x at the start")
          .real("downward", &P::downward, {}, "m/s", "downward velocity at the start")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "normal velocity of a node after an impact over that before")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .choice("formulation", &P::formulation,
                  {{"full", P::Formulation::full}, {"enhanced", P::Formulation::enhanced}},
                  "of the hexahedra: trilinear alone, as in the thesis, or with enhanced strains");
  return ModelParts<P>{
      .info = {.name = "flexible-cube",
               .summary =
                   "A soft cube falls on a floor, is compressed by a fifth of its height and bounces back. "
                   "Every node of its bottom face is a contact; strains and displacements are large. With "
                   "friction it is a model of any size with hundreds of contacts that stick and slip.",
               .source = "thesis 3.3.4",
               .step = 3e-5,
               .until = 0.3,
               .convergence = {.quantities = {"x_1.z", "x_1.vz"},
                               .steps = {1e-3, 5e-4, 2.5e-4, 1.25e-4},
                               .until = 0.3}},
      .parameters = table,
      .build = make_flexible_cube,
      .measures = flexible_cube_measures,
      .signals = flexible_cube_signals};
}

}  // namespace picus::models
