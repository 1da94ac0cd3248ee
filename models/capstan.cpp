#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/models/capstan.hpp>
#include <picus/models/references/capstan_exact.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

/// Outward normal of the drum.
Vec3 capstan_normal(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

/// Tangent along the rope, from T_1 to T_2: in the direction of decreasing angle.
Vec3 capstan_tangent(double angle) {
  return {std::sin(angle), -std::cos(angle), 0};
}

/// The rope as a chain around the drum whose links touch it at their midpoints, the first at the angle theta, the
/// last at 0, with a straight span at either end.
std::vector<SectionPose> capstan_poses(const Capstan& p) {
  const double turn = p.wrap / static_cast<double>(p.elements);
  const double r = p.drum_radius + p.rope_radius;
  const double half = r * std::tan(turn / 2);
  const auto spans = static_cast<Index>(std::ceil(p.span / (2 * half)));
  std::vector<SectionPose> poses;
  const auto add = [&poses](const Vec3& x, double angle) {
    poses.push_back(section_pose(x, capstan_tangent(angle), capstan_normal(angle)));
  };
  const auto add_span = [&](double angle, Index i) {  // span number i, from the outermost node of the chain
    const double out = half + p.span * static_cast<double>(i) / static_cast<double>(spans);
    add(r * capstan_normal(angle) + (angle > 0 ? -out : out) * capstan_tangent(angle), angle);
  };
  for (Index i = spans; i >= 0; --i) add_span(p.wrap, i);
  for (Index i = 0; i < p.elements; ++i) {
    const double angle = p.wrap - (static_cast<double>(i) + 0.5) * turn;
    add(r / std::cos(turn / 2) * capstan_normal(angle), angle);
  }
  for (Index i = 0; i <= spans; ++i) add_span(0.0, i);
  return poses;
}

/// Rises from 0 to 1 with a continuous rate.
double rise(double part) {
  const double s = std::clamp(part, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

double count_contacts(const Snapshot& at, ContactState state) {
  return static_cast<double>(std::ranges::count(at.state.contact_state, state));
}

double last_tension(const Snapshot& at, const Node& end) {
  return -at.state.reaction[end.v + 1];
}

Node find_driven(const RunInfo& run) {
  const System& system = run.system;
  const Model& model = system.model();
  return model.find_node(fmt::format("rope[{}]", model.nodes().size() - 1));
}

}  // namespace

Model make_capstan(const Capstan& p) {
  Model model("capstan");
  const double mass = p.mass_per_length;
  const double inertia = mass * p.rope_radius * p.rope_radius / 4;
  const Section section = Section::constants({.EA = p.stiffness,
                                              .GA1 = 0.4 * p.stiffness,
                                              .GA2 = 0.4 * p.stiffness,
                                              .GJ = p.bending_stiffness,
                                              .EI1 = p.bending_stiffness,
                                              .EI2 = p.bending_stiffness,
                                              .mass = mass,
                                              .I1 = inertia,
                                              .I2 = inertia,
                                              .relaxation_time = p.relaxation_time});
  const BeamMesh rope = make_beam(model, {.name = "rope", .section = section, .poses = capstan_poses(p)});
  for (const FrameNode& node : rope.nodes) {
    if (node != rope.last()) model.restrict_to_plane(node);
  }
  model.fix(rope.last(), {Component::x, Component::z, Component::rx, Component::ry, Component::rz});
  // The speed increases linearly with time.
  model.drive(
      rope.last(), Component::y,
      {.displacement =
           [p](double t) { return -p.speed * (t < p.ramp ? 0.5 * t * t / p.ramp : t - 0.5 * p.ramp); },
       .rate = [p](double t) { return -p.speed * std::min(t / p.ramp, 1.0); },
       .acceleration = nullptr});
  model.add<NodalForce>({.name = "T_1", .point = rope.first(), .force = [p](double t) {
                           return Vec3(-p.tension * rise(t / p.ramp) * capstan_tangent(p.wrap));
                         }});
  model.add<Surface>({.name = "rope surface", .of = shapes::Rope{rope.nodes, p.rope_radius}});
  model.add<Surface>({.name = "drum", .of = shapes::Capsule{2 * p.drum_radius, p.drum_radius}});
  model.add<ContactsBetween>({.name = "grip", .mu = p.mu});
  return model;
}

Signals capstan_signals(const RunInfo& run, const Capstan& p) {
  const Node end = find_driven(run);
  return {
      {"tension", "N", "T_2", [end](const Snapshot& at) { return last_tension(at, end); }},
      {"ratio", "", "T_2/T_1", [end, p](const Snapshot& at) { return last_tension(at, end) / p.tension; }},
      {"sticking", "", "contacts that stick",
       [](const Snapshot& at) { return count_contacts(at, ContactState::stick); }},
      {"sliding", "", "contacts that slide",
       [](const Snapshot& at) { return count_contacts(at, ContactState::slip); }},
      energy(run)};
}

Measures capstan_measures(const RunInfo& run, const Capstan& p) {
  const Node end = find_driven(run);
  Measures measures;
  const double exponent = capstan_exponent(p.mu, p.drum_radius, p.rope_radius);
  measures.add("T_2/T_1 at the end", "",
               measures.at_end([end, p](const Snapshot& at) { return last_tension(at, end) / p.tension; }),
               std::exp(exponent * p.wrap), "exp(lambda theta), where all of the rope slides");
  measures.add("contacts that stick at the end", "",
               measures.at_end([](const Snapshot& at) { return count_contacts(at, ContactState::stick); }),
               0.0, "pulled far enough");
  return measures;
}

RegisteredModel registered_capstan() {
  using P = Capstan;
  auto table =
      ParameterTable<P>()
          .integer("elements", &P::elements, {.low = 2, .high = 10'000}, "elements of the rope on the drum")
          .real("wrap", &P::wrap, Range::between(0.1, 6.0), "rad", "angle of the rope on the drum")
          .real("drum_radius", &P::drum_radius, Range::positive(), "m", "radius of the drum")
          .real("rope_radius", &P::rope_radius, Range::positive(), "m", "radius of the rope")
          .real("span", &P::span, Range::positive(), "m", "length of the rope on either side of the drum")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("tension", &P::tension, Range::positive(), "N", "force at the end that is not driven")
          .real("speed", &P::speed, Range::positive(), "m/s", "of the driven end")
          .real("ramp", &P::ramp, Range::positive(), "s", "time in which force and speed grow")
          .real("stiffness", &P::stiffness, Range::positive(), "N", "EA of the rope")
          .real("bending_stiffness", &P::bending_stiffness, Range::positive(), "N m2", "EI of the rope")
          .real("mass_per_length", &P::mass_per_length, Range::positive(), "kg/m", "mass per length")
          .real("relaxation_time", &P::relaxation_time, Range::not_negative(), "s",
                "of the material of the rope");
  return ModelParts<P>{
      .info = {.name = "capstan",
               .summary = "A rope of beam elements is pulled over a drum and slides. Friction multiplies "
                          "the force of its ends by exp(mu theta); the contacts between the elements and "
                          "the drum are found as the rope moves.",
               .source = "Euler 1769; Eytelwein 1808",
               .step = 1e-3,
               .until = 0.4,
               .convergence = {.quantities = {"tension"}, .steps = {2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_capstan,
      .measures = capstan_measures,
      .signals = capstan_signals};
}

}  // namespace picus::models
