#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/flexible_pendulum.hpp>
#include <picus/sensors.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {
namespace {

constexpr double sensor_interval = 1e-3;  // of the sensors, s

}  // namespace

Model make_flexible_pendulum(const FlexiblePendulum& p) {
  Model model("flexible-pendulum");
  const BeamMesh beam =
      make_beam(model, {.name = "beam",
                        .section = Section::rectangle(p.side, p.side,
                                                      {.E = p.youngs_modulus,
                                                       .nu = p.poissons_ratio,
                                                       .density = p.density,
                                                       .relaxation_time = p.relaxation_time}),
                        .to = p.length * Vec3(std::cos(p.inclination), -std::sin(p.inclination), 0.0),
                        .elements = static_cast<int>(p.elements),
                        .angular_velocity = {0.0, 0.0, -p.rate}});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  model.fix(beam.first(), {Component::x, Component::y});
  add_gravity(model,
              {.name = "gravity", .acceleration = {0.0, -p.gravity, 0.0}, .bodies = beam.mass_points()});
  model.add<NodeToFaceContact>({.name = "wall",
                                .slave = beam.last(),
                                .face = {.point = {p.wall, 0.0, 0.0}, .normal = Vec3::UnitX()},
                                .e_n = p.restitution});
  // At the upper outer fibre.
  const double half_height = 0.5 * p.side;
  model.add_sensor(sensors::point({.name = "tip", .interval = sensor_interval, .point = beam.last()}));
  model.add_sensor(sensors::element_point(
      {.name = "middle", .interval = sensor_interval, .at = beam.point(0.5 * p.length, half_height)}));
  model.add_sensor(
      sensors::support_force({.name = "pivot", .interval = sensor_interval, .on = beam.first()}));
  return model;
}

Signals flexible_pendulum_signals(const RunInfo& run, const FlexiblePendulum& p) {
  const Node pivot = run.system.model().find_node("beam[0]");
  const auto pivot_force = [pivot](const Snapshot& at) {
    return std::hypot(at.state.reaction[pivot.v], at.state.reaction[pivot.v + 1]);
  };
  const std::string tip = fmt::format("beam[{}]", p.elements);
  return {position(run, tip, Axis::x).named("tip.x"),
          velocity(run, tip, Axis::x).named("tip.vx"),
          position(run, tip, Axis::y).named("tip.y"),
          velocity(run, tip, Axis::y).named("tip.vy"),
          gap(run, "wall"),
          normal_force(run, "wall"),
          normal_impulse(run, "wall"),
          {"pivot.force", "N", "of the pivot on the beam, mean of the step", pivot_force},
          energy(run),
          kinetic_energy(run),
          potential_energy(run)};
}

Measures flexible_pendulum_measures(const RunInfo& run, const FlexiblePendulum& /*parameters*/) {
  struct Watched {
    Energies energies;
    bool has_hit = false;
    double balance_before = 0.0;  ///< largest before the first impact, J
    void serialize(Archive& archive) {
      archive(energies, has_hit, balance_before);
      archive.require(balance_before >= 0);
    }
  };
  const std::size_t wall = find_contact(run.system, "wall").number;
  Measures measures;
  const Watched& watched = measures.accumulate(Watched{}, [wall](const Snapshot& at, Watched& last) {
    last.energies = at.audit.energies(at.state);
    last.has_hit = last.has_hit || is_closed(at.state, wall);
    if (!last.has_hit) last.balance_before = std::max(last.balance_before, std::abs(last.energies.balance));
  });
  measures.add("first impact at", "s",
               measures.first_time([wall](const Snapshot& at) { return is_closed(at.state, wall); }));
  measures.add(
      "largest energy error before it", "J", [&watched] { return watched.balance_before; }, 0.0,
      "energy balance");
  measures.add("work of the impacts", "J", [&watched] { return watched.energies.work_of_contacts; });
  measures.add(
      "energy gained by the scheme", "J", [&watched] { return watched.energies.balance; }, 0.0,
      "energy balance");
  return measures;
}

RegisteredModel registered_flexible_pendulum() {
  using P = FlexiblePendulum;
  auto table =
      ParameterTable<P>()
          .integer("elements", &P::elements, {.low = 1, .high = 10000}, "number of beam elements")
          .real("length", &P::length, Range::positive(), "m", "length of the beam")
          .real("side", &P::side, Range::positive(), "m", "side of the square section")
          .real("youngs_modulus", &P::youngs_modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("poissons_ratio", &P::poissons_ratio, Range::between(-0.99, 0.5), "", "Poisson's ratio")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("wall", &P::wall, {}, "m", "x of the wall, whose free side is that of larger x")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "normal velocity of the tip after an impact over that before")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .real("relaxation_time", &P::relaxation_time, Range::not_negative(), "s",
                "relaxation time of the material, damping of Kelvin and Voigt")
          .real("inclination", &P::inclination, Range::between(-1.5, 1.5), "rad",
                "angle of the beam below the horizontal at the start")
          .real("rate", &P::rate, {}, "rad/s", "rate of that angle at the start");
  return ModelParts<P>{
      .info =
          {.name = "flexible-pendulum",
           .summary =
               "A steel beam on a pivot falls from the horizontal and hits a wall with its tip. Impacts "
               "excite its vibrations, of which the stiff axial ones ask for damping of high frequencies.",
           .source = "thesis 3.3.3; Chen 2013, 5.4",
           .step = 1e-4,
           .until = 1.0,
           .convergence = {.quantities = {"tip.y", "tip.vy"},
                           .steps = {1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5},
                           .until = 0.35}},
      .parameters = table,
      .build = make_flexible_pendulum,
      .measures = flexible_pendulum_measures,
      .signals = flexible_pendulum_signals};
}

}  // namespace picus::models
