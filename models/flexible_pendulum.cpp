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

class FlexiblePendulumObserver : public Observer {
 public:
  void begin(const RunInfo& run) override { wall_ = find_contact(run.system, "wall"); }

  void record(const Snapshot& at) override {
    energies_ = at.audit.energies(at.state);
    if (!first_impact_ && at.state.contact_state[wall_.number] != ContactState::gap) {
      first_impact_ = at.state.time;
    }
    if (!first_impact_) balance_before_ = std::max(balance_before_, std::abs(energies_.balance));
  }

  void serialize(Archive& archive) override { archive(first_impact_, balance_before_, energies_); }

  std::vector<Finding> findings() const override {
    return {{"first impact at", "s", first_impact_, std::nullopt, ""},
            {"largest energy error before it", "J", balance_before_, 0.0, "energy balance"},
            {"work of the impacts", "J", energies_.work_of_contacts, std::nullopt, ""},
            {"energy gained by the scheme", "J", energies_.balance, 0.0, "energy balance"}};
  }

 private:
  ContactPlace wall_;
  std::optional<double> first_impact_;
  double balance_before_ = 0.0;
  Energies energies_;
};

}  // namespace

Model make_flexible_pendulum(const FlexiblePendulum& p) {
  Model model("flexible-pendulum");
  const BeamMesh beam = make_beam(
      model, {.name = "beam",
              .section = Section::rectangle(
                  p.side, p.side, {.E = p.youngs_modulus, .nu = p.poissons_ratio, .density = p.density}),
              .to = Vec3(p.length, 0.0, 0.0),
              .elements = static_cast<int>(p.elements)});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  model.fix(beam.first(), {Component::x, Component::y});
  add_gravity(model,
              {.name = "gravity", .acceleration = {0.0, -p.gravity, 0.0}, .bodies = beam.mass_points()});
  model.add<NodeToFaceContact>({.name = "wall",
                                .slave = beam.last(),
                                .face = {.point = {p.wall, 0.0, 0.0}, .normal = Vec3::UnitX()},
                                .e_n = p.restitution});
  // At the outer fibre on the upper side.
  const double half_height = 0.5 * p.side;
  model.add_sensor(sensors::point({.name = "tip", .interval = sensor_interval, .point = beam.last()}));
  model.add_sensor(sensors::element_point(
      {.name = "middle", .interval = sensor_interval, .at = beam.point(0.5 * p.length, half_height)}));
  model.add_sensor(
      sensors::support_force({.name = "pivot", .interval = sensor_interval, .on = beam.first()}));
  return model;
}

std::unique_ptr<Observer> make_flexible_pendulum_observer(const FlexiblePendulum& /*parameters*/) {
  return std::make_unique<FlexiblePendulumObserver>();
}

Signals flexible_pendulum_signals(const RunInfo& run, const FlexiblePendulum& p) {
  const std::string tip = fmt::format("beam[{}]", p.elements);
  return {position(run, tip, Axis::x).named("tip.x"),
          velocity(run, tip, Axis::x).named("tip.vx"),
          position(run, tip, Axis::y).named("tip.y"),
          velocity(run, tip, Axis::y).named("tip.vy"),
          gap(run, "wall"),
          normal_force(run, "wall"),
          normal_impulse(run, "wall"),
          energy(run),
          kinetic_energy(run),
          potential_energy(run)};
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
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
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
      .make_observer = make_flexible_pendulum_observer,
      .signals = flexible_pendulum_signals};
}

}  // namespace picus::models
