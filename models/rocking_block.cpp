#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/impact_laws.hpp>
#include <picus/models/rocking_block.hpp>
#include <picus/so3.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace picus::models {

double rocking_block_kept(const RockingBlock& p) {
  const double sine = p.width / std::hypot(p.width, p.height);
  return 1 - 1.5 * sine * sine;
}

Model make_rocking_block(const RockingBlock& p) {
  Model model("rocking-block");
  // Turned anticlockwise about its left edge, at the origin.
  const Vec3 centre = so3::exp(Vec3(0, 0, p.angle)) * Vec3(0.5 * p.width, 0.5 * p.height, 0);
  const PlanarBody block =
      add_planar_body(model, {.name = "block",
                              .position = centre,
                              .angle = p.angle,
                              .mass = p.mass,
                              .inertia = p.mass * (p.height * p.height + p.width * p.width) / 12});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = {block.body->mass_point()}});
  for (const double side : {-1.0, 1.0}) {
    model.add<NodeToFaceContact>({.name = side < 0 ? "left" : "right",
                                  .slave = block.at({side * 0.5 * p.width, -0.5 * p.height, 0}),
                                  .face = {.normal = Vec3::UnitY(), .tangent = Vec3(Vec3::UnitX())},
                                  .mu = p.mu,
                                  .e_n = p.restitution,
                                  .impact_law = {.kind = p.law},
                                  .friction_directions = 1});
  }
  return model;
}

Signals rocking_block_signals(const RunInfo& run, const RockingBlock& /*parameters*/) {
  const Node block = run.system.model().find_node("block");
  return {planar_angle(run, "block").named("angle"),
          {"rate", "rad/s", "of the angle", [block](const Snapshot& at) { return at.state.v[block.v + 5]; }},
          energy(run),
          gap(run, "left"),
          gap(run, "right")};
}

Measures rocking_block_measures(const RunInfo& run, const RockingBlock& p) {
  const Node block = run.system.model().find_node("block");
  // The rate grows until the impact and falls after it: its largest values before and after.
  struct Swing {
    double before = 0.0, after = 0.0;
    bool is_over = false, has_turned = false;
    void serialize(Archive& archive) { archive(before, after, is_over, has_turned); }
  };
  Measures measures;
  const Swing& swing = measures.accumulate(Swing{}, [block](const Snapshot& at, Swing& watched) {
    const double speed = std::abs(at.state.v[block.v + 5]);
    const auto R = at.state.q.rotation(block);
    const double angle = std::atan2(R(1, 0), R(0, 0));
    if (angle > 0 && !watched.is_over) {
      watched.before = std::max(watched.before, speed);
    } else {
      watched.is_over = true;
      // It falls back as its rate changes its sign.
      watched.has_turned = watched.has_turned || at.state.v[block.v + 5] > 0;
      if (!watched.has_turned) watched.after = std::max(watched.after, speed);
    }
  });
  measures.add(
      "part of the rate that the first impact keeps", "",
      [&swing]() -> std::optional<double> {
        if (!swing.is_over) return {};
        return swing.after / swing.before;
      },
      p.restitution == 0.0 ? std::optional(rocking_block_kept(p)) : std::nullopt, "Housner 1963");
  return measures;
}

RegisteredModel registered_rocking_block() {
  using P = RockingBlock;
  auto table = ParameterTable<P>()
                   .real("width", &P::width, Range::positive(), "m", "width of the block")
                   .real("height", &P::height, Range::positive(), "m", "height of the block")
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the block")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of the floor")
                   .real("restitution", &P::restitution, Range::between(0, 1), "", "of both edges")
                   .real("angle", &P::angle, Range::between(-1.5, 1.5), "rad", "of the block at the start")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
                   .choice("law", &P::law, impact_law_names(), "law of impact");
  return ModelParts<P>{
      .info = {.name = "rocking-block",
               .summary = "A slender block rocks from edge to edge on a rough floor. As one edge lands, the "
                          "other leaves; each impact keeps the same part of the rate.",
               .source = "Housner 1963; Glocker and Pfeiffer 1995",
               .step = 1e-3,
               .until = 3.0,
               .convergence = {.quantities = {"angle"}, .steps = {4e-3, 2e-3, 1e-3, 5e-4}, .until = 1.0}},
      .parameters = table,
      .build = make_rocking_block,
      .measures = rocking_block_measures,
      .signals = rocking_block_signals};
}

}  // namespace picus::models
