#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/rigid_link.hpp>
#include <picus/models/box_impact.hpp>

#include <fmt/format.h>

namespace picus::models {
namespace {

constexpr int corner_count = 8;
/// The corner at half the edges along (+, -, +), which hits first.
constexpr int first_corner = 5;

Vec3 lengths(const BoxImpact& p) {
  return {p.length_x, p.length_y, p.length_z};
}

/// Corner i in the axes of the box.
Vec3 corner(const BoxImpact& p, int i) {
  const Vec3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
  return 0.5 * signs.cwiseProduct(lengths(p));
}

}  // namespace

Model make_box_impact(const BoxImpact& p) {
  Model model("box-impact");
  const Vec3 centre(0.0, 0.0, p.height);
  const Vec3 velocity(p.speed, 0.0, 0.0);
  const Vec3 spin(p.spin_x, p.spin_y, 0.0);
  const FrameNode box =
      model.add_frame("box", {.position = centre, .velocity = velocity, .angular_velocity = spin});
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = box, .mass = p.mass, .inertia = inertia::box(p.mass, lengths(p))});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, 0.0, -p.gravity}, .bodies = {body->mass_point()}});

  for (int i = 0; i < corner_count; ++i) {
    const Vec3 offset = corner(p, i);
    MaterialPoint point(box, offset);
    if (p.variant == BoxImpact::Variant::rigid_links) {
      const FrameNode node = model.add_frame(
          fmt::format("corner[{}]", i),
          {.position = centre + offset, .velocity = velocity + spin.cross(offset), .angular_velocity = spin});
      model.add<RigidLink>({.name = fmt::format("link[{}]", i), .a = box, .b = node});
      point = node;
    }
    model.add<NodeToFaceContact>({.name = fmt::format("floor[{}]", i),
                                  .slave = point,
                                  .face = {.normal = Vec3::UnitZ()},
                                  .e_n = p.restitution});
  }
  return model;
}

Signals box_impact_signals(const RunInfo& run, const BoxImpact& p) {
  Signals signals;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    signals.push_back(position(run, "box", axis));
    signals.push_back(velocity(run, "box", axis));
    signals.push_back(angular_velocity(run, "box", axis));
  }
  const MaterialPoint point(FrameNode{run.system.model().find_node("box")}, corner(p, first_corner));
  signals.push_back({"p.z", "m", "z of the corner that hits first",
                     [point](const Snapshot& at) { return point.position(at.state.q).z(); }});
  signals.push_back({"p.vz", "m/s", "z velocity of the corner that hits first",
                     [point](const Snapshot& at) { return point.velocity(at.state.q, at.state.v).z(); }});
  const std::string contact = fmt::format("floor[{}]", first_corner);
  signals.push_back(gap(run, contact));
  signals.push_back(gap_rate(run, contact));
  signals.push_back(energy(run));
  signals.push_back(violation(run));
  return signals;
}

Measures box_impact_measures(const RunInfo& /*run*/, const BoxImpact& /*parameters*/) {
  Measures measures;
  const auto& corner = measures.accumulate(std::optional<double>(), [](const Snapshot& at, auto& first) {
    for (std::size_t i = 0; !first && i < at.state.contact_state.size(); ++i) {
      if (is_closed(at.state, i)) first = static_cast<double>(i);
    }
  });
  measures.add("corner that hits first", "", [&corner] { return corner; });
  measures.add("first impact at", "s",
               measures.first_time([](const Snapshot& at) { return is_any_closed(at.state); }));
  const Energies& energies = measures.energies();
  measures.add("work of the impacts", "J", [&energies] { return energies.work_of_contacts; });
  measures.add(
      "energy gained by the scheme", "J", [&energies] { return energies.balance; }, 0.0, "energy balance");
  return measures;
}

RegisteredModel registered_box_impact() {
  using P = BoxImpact;
  auto table =
      ParameterTable<P>()
          .choice("variant", &P::variant,
                  {{"rigid-links", P::Variant::rigid_links}, {"body-points", P::Variant::body_points}},
                  "how the corners are attached to the box; the motion is the same")
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the box")
          .real("length_x", &P::length_x, Range::positive(), "m", "edge along x at the start")
          .real("length_y", &P::length_y, Range::positive(), "m", "edge along y at the start")
          .real("length_z", &P::length_z, Range::positive(), "m", "edge along z at the start")
          .real("height", &P::height, Range::positive(), "m", "height of the centre at the start")
          .real("speed", &P::speed, {}, "m/s", "velocity along x at the start")
          .real("spin_x", &P::spin_x, {}, "rad/s", "angular velocity about x at the start")
          .real("spin_y", &P::spin_y, {}, "rad/s", "angular velocity about y at the start")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "velocity of a corner after an impact over that before")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "box-impact",
               .summary =
                   "A fast spinning rigid box falls on a floor and bounces on its corners. Gyroscopic forces "
                   "are large, and with corners on rigid links so are the couplings of the bilateral "
                   "constraints: what makes a scheme iterate that does not decouple position and velocity.",
               .source = "thesis 3.3.1",
               .step = 1e-3,
               .until = 0.69,
               .convergence = {.quantities = {"p.z", "p.vz"}, .steps = {2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5}}},
      .parameters = table,
      .build = make_box_impact,
      .measures = box_impact_measures,
      .signals = box_impact_signals};
}

}  // namespace picus::models
