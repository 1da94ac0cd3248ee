#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/driven_linkage.hpp>

#include <cmath>
#include <optional>
#include <vector>

namespace picus::models {
namespace {

// The crank turns fully: its length and that of the ground add up to less than those of the other two.
constexpr double crank_length = 0.25, coupler_length = 1.0, rocker_length = 0.6;  // m
constexpr double crank_mass = 1.0, rocker_mass = 2.0;                             // kg

/// Where coupler and rocker meet when the crank ends at `a`.
Vec3 top_of_rocker(const Vec3& a, const Vec3& bearing) {
  const double distance = (bearing - a).norm();
  const double along =
      (distance * distance + coupler_length * coupler_length - rocker_length * rocker_length) /
      (2 * distance);
  const Vec3 direction = (bearing - a) / distance;
  return a + along * direction +
         std::sqrt(coupler_length * coupler_length - along * along) * Vec3(-direction.y(), direction.x(), 0);
}

FrameNode add_linkage_rod(Model& model, std::vector<MassPoint>& bodies, const std::string& name, double mass,
                          const Vec3& from, const Vec3& to) {
  const FrameNode node = model.add_frame(name, {.position = (from + to) / 2});
  model.restrict_to_plane(node);
  const double J = mass * (to - from).squaredNorm() / 12;
  model.add<RigidBody>({.name = name, .node = node, .mass = mass, .inertia = J * Mat3::Identity()});
  bodies.push_back({node, mass});
  return node;
}

Signal part_of_account(const std::string& name, const std::string& meaning, double Energies::*part) {
  return {name, "J", meaning, [part](const Snapshot& at) { return at.audit.energies(at.state).*part; }};
}

}  // namespace

Model make_driven_linkage(const DrivenLinkage& p) {
  Model model("driven-linkage");
  const Vec3 bearing_a = Vec3::Zero(), bearing_b = Vec3::UnitX();
  const Vec3 a = crank_length * Vec3(std::cos(p.angle), std::sin(p.angle), 0);
  const Vec3 b = top_of_rocker(a, bearing_b);
  const Section section = Section::rectangle(
      0.03, 0.01, {.E = 2e9, .nu = 0.3, .density = 2000, .relaxation_time = p.relaxation_time});
  const BeamMesh beam = make_beam(
      model,
      {.name = "coupler", .section = section, .from = a, .to = b, .elements = static_cast<int>(p.elements)});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  std::vector<MassPoint> bodies = beam.mass_points();

  const ScalarNode driven = model.add_scalar("driven"), braked = model.add_scalar("braked");
  const FrameNode crank = add_linkage_rod(model, bodies, "crank", crank_mass, bearing_a, a);
  const FrameNode rocker = add_linkage_rod(model, bodies, "rocker", rocker_mass, bearing_b, b);
  const auto add_hinge = [&](const std::string& name, const MaterialPoint& one, const MaterialPoint& other,
                             std::optional<ScalarNode> angle = std::nullopt) {
    model.add<Hinge>({.name = name, .a = one, .b = other, .axis = Vec3::UnitZ(), .angle = angle});
  };
  add_hinge("motor", MaterialPoint::on_ground(bearing_a), {crank, (bearing_a - a) / 2}, driven);
  add_hinge("first joint", {crank, (a - bearing_a) / 2}, {beam.first(), Vec3::Zero()});
  add_hinge("second joint", {beam.last(), Vec3::Zero()}, {rocker, (b - bearing_b) / 2});
  add_hinge("brake", MaterialPoint::on_ground(bearing_b), {rocker, (bearing_b - b) / 2}, braked);
  model.drive(driven, Component::s, PrescribedMotion::smooth_start(p.speed, p.rise));
  model.add<TorsionalSpringDamper>({.name = "damper", .node = braked, .damping = p.damping});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  return model;
}

Signals driven_linkage_signals(const RunInfo& run, const DrivenLinkage& /*parameters*/) {
  return {
      part_of_account("balance", "energy less that at the start and all works", &Energies::balance),
      part_of_account("unexplained", "the part of the balance that the formulas of the scheme do not give",
                      &Energies::unexplained),
      part_of_account("work_of_motor", "work of the motor", &Energies::work_of_motions),
      part_of_account("work_of_dampers", "work of the damper and of the material of the coupler",
                      &Energies::work_of_dampers),
      energy(run),
      scalar_value(run, "braked", "rad").named("rocker"),
      violation(run)};
}

Measures driven_linkage_measures(const RunInfo& /*run*/, const DrivenLinkage& /*parameters*/) {
  Measures measures;
  const auto largest_of = [&](double Energies::*part) {
    return measures.largest(
        [part](const Snapshot& at) { return std::abs(at.audit.energies(at.state).*part); });
  };
  measures.add("largest balance of energy", "J", largest_of(&Energies::balance), 0.0, "conserved");
  measures.add("largest unexplained energy", "J", largest_of(&Energies::unexplained), 0.0, "conserved");
  const Energies& energies = measures.energies();
  measures.add("work of the motor", "J", [&energies] { return energies.work_of_motions; });
  measures.add("work of the dampers", "J", [&energies] { return energies.work_of_dampers; });
  return measures;
}

RegisteredModel registered_driven_linkage() {
  using P = DrivenLinkage;
  auto table =
      ParameterTable<P>()
          .real("angle", &P::angle, {}, "rad", "of the crank with the line of the bearings at the start")
          .real("speed", &P::speed, {}, "rad/s", "final speed of the motor")
          .real("rise", &P::rise, Range::positive(), "s", "time in which the motor reaches it")
          .real("damping", &P::damping, Range::not_negative(), "N m s",
                "damping at the bearing of the rocker")
          .real("relaxation_time", &P::relaxation_time, Range::not_negative(), "s",
                "of the material of the coupler")
          .integer("elements", &P::elements, {.low = 1, .high = 1000}, "of the coupler")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "driven-linkage",
               .summary =
                   "A motor drives a four-bar linkage whose coupler is a damped beam. With the weights "
                   "and a damper on the rocker everything does work: the account of energies has to "
                   "close to the order of the scheme.",
               .source = "own example; balance of energy",
               .step = 1e-3,
               .until = 1.0,
               .convergence = {.quantities = {"rocker", "work_of_motor", "work_of_dampers"},
                               .steps = {2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_driven_linkage,
      .measures = driven_linkage_measures,
      .signals = driven_linkage_signals};
}

}  // namespace picus::models
