#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/arch.hpp>
#include <picus/models/references/arch_statics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace picus::models {
namespace {

Vec3 at_angle(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

/// Unit vector in the direction of increasing angle.
Vec3 across(double angle) {
  return {-std::sin(angle), std::cos(angle), 0};
}

/// Components in the axes of a body rotated by `angle` about z.
Vec3 turned_back(const Vec3& a, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * a.x() + s * a.y(), -s * a.x() + c * a.y(), a.z()};
}

/// Body axes: x radial, y in the direction of increasing angle.
struct Block {
  PlanarBody body;
  double angle;
  Vec3 position;

  Vec3 local(const Vec3& x) const { return turned_back(x - position, angle); }
};

double largest_motion(const Snapshot& at, const std::vector<Node>& blocks) {
  const Configuration& start = at.system.model().initial_configuration();
  double largest = 0.0;
  for (const Node& block : blocks)
    largest = std::max(largest, (at.state.q.position(block) - start.position(block)).norm());
  return largest;
}

std::vector<Node> find_blocks(const RunInfo& run, const Arch& p) {
  std::vector<Node> blocks;
  for (Index i = 0; i < p.blocks; ++i)
    blocks.push_back(run.system.model().find_node(fmt::format("block[{}]", i)));
  return blocks;
}

}  // namespace

Model make_arch(const Arch& p) {
  Model model("arch");
  const ArchBlock shape = arch_block(p.blocks, p.thickness);
  const double mass = p.density * shape.area * p.radius * p.radius;
  const double inertia = p.density * shape.polar_moment * std::pow(p.radius, 4);
  const double step = std::numbers::pi / static_cast<double>(p.blocks);
  std::vector<Block> blocks;
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < p.blocks; ++i) {
    const double angle = step * (static_cast<double>(i) + 0.5);
    const Vec3 position = p.radius * shape.centroid * at_angle(angle);
    blocks.push_back({add_planar_body(model, {.name = fmt::format("block[{}]", i),
                                              .position = position,
                                              .angle = angle,
                                              .mass = mass,
                                              .inertia = inertia}),
                      angle, position});
    bodies.push_back(blocks.back().body.body->mass_point());
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  // The corners of a block contact the face of the preceding block, or the ground; those of the last one also contact
  // the ground.
  for (Index i = 0; i <= p.blocks; ++i) {
    const double angle = step * static_cast<double>(i);
    const bool is_last = i == p.blocks;
    const Block& slave = blocks[is_last ? i - 1 : i];
    for (const bool is_outer : {false, true}) {
      const double side = is_outer ? 0.5 : -0.5;
      const Vec3 corner = p.radius * (1 + side * p.thickness) * at_angle(angle);
      Face face{.point = corner,
                .normal = is_last ? Vec3(-across(angle)) : across(angle),
                .tangent = at_angle(angle)};
      if (i > 0 && !is_last) {
        const Block& master = blocks[i - 1];
        face = {.node = master.body.node,
                .point = master.local(corner),
                .normal = turned_back(across(angle), master.angle),
                .tangent = turned_back(at_angle(angle), master.angle)};
      }
      model.add<NodeToFaceContact>({.name = fmt::format("{}[{}]", is_outer ? "outer" : "inner", i),
                                    .slave = slave.body.at(slave.local(corner)),
                                    .face = face,
                                    .mu = p.mu,
                                    .friction_directions = 1});
    }
  }
  return model;
}

Signals arch_signals(const RunInfo& run, const Arch& p) {
  const std::vector<Node> blocks = find_blocks(run, p);
  const Node crown = blocks[blocks.size() / 2];
  Signals signals;
  signals.push_back({"motion", "m", "largest displacement of a block",
                     [blocks](const Snapshot& at) { return largest_motion(at, blocks); }});
  signals.push_back({"crown", "m", "displacement of the middle block along y", [crown](const Snapshot& at) {
                       return at.state.q.position(crown).y() -
                              at.system.model().initial_configuration().position(crown).y();
                     }});
  signals.push_back({"fallbacks", "", "fallbacks of the step", [](const Snapshot& at) {
                       const auto& fallbacks = at.report.fallbacks;
                       return at.state.step == 0 ? 0.0
                                                 : static_cast<double>(std::accumulate(fallbacks.begin(),
                                                                                       fallbacks.end(), 0));
                     }});
  signals.push_back(energy(run));
  return signals;
}

Measures arch_measures(const RunInfo& run, const Arch& p) {
  const std::vector<Node> blocks = find_blocks(run, p);
  const bool stands = can_stand({p.blocks, p.thickness, p.mu});
  Measures measures;
  measures.add("largest motion of a block", "m",
               measures.largest([blocks](const Snapshot& at) { return largest_motion(at, blocks); }),
               stands ? std::optional(0.0) : std::nullopt, "limit analysis");
  return measures;
}

RegisteredModel registered_arch() {
  using P = Arch;
  auto table =
      ParameterTable<P>()
          .integer("blocks", &P::blocks, {.low = 3, .high = 1000}, "number of blocks")
          .real("radius", &P::radius, Range::positive(), "m", "mean radius")
          .real("thickness", &P::thickness, Range::between(0.01, 1), "", "thickness over the mean radius")
          .real("density", &P::density, Range::positive(), "kg/m3", "density, of a width of 1 m")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of the joints")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "arch",
               .summary = "A semicircular masonry arch stands under its own weight, or falls if it is too "
                          "thin. All of its contacts are closed and the forces of its joints are not "
                          "unique.",
               .source = "Milankovitch 1907; Heyman 1966",
               .step = 1e-3,
               .until = 0.5,
               .convergence = {.quantities = {"crown"}, .steps = {2e-3, 1e-3, 5e-4}, .until = 0.1}},
      .parameters = table,
      .build = make_arch,
      .measures = arch_measures,
      .signals = arch_signals};
}

}  // namespace picus::models
