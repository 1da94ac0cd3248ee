#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/impact_laws.hpp>
#include <picus/models/kane_pendulum.hpp>
#include <picus/so3.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>

namespace picus::models {
namespace {

constexpr double kane_length = 1.0;   // m
constexpr double kane_mass = 1.0;     // kg
constexpr double kane_height = 1e-7;  // m, of the end above the floor at the start

/// Down a rod, and the direction in which its lower end moves.
Vec3 down(double angle) {
  return {std::sin(angle), -std::cos(angle), 0};
}
Vec3 aside(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

/// Mass matrix for the rates of both angles, and the velocity of the end per rate, normal and tangential.
struct Mechanics {
  Eigen::Matrix2d M;
  Eigen::Matrix2d G;
};
Mechanics mechanics(const KanePendulum& p) {
  const double m = kane_mass * kane_length * kane_length;
  const double coupling = 0.5 * m * std::cos(p.angle_2 - p.angle_1);
  Mechanics result;
  result.M << 4.0 / 3.0 * m, coupling, coupling, m / 3.0;
  result.G << aside(p.angle_1).y(), aside(p.angle_2).y(), aside(p.angle_1).x(), aside(p.angle_2).x();
  result.G *= kane_length;
  return result;
}

double energy_before(const KanePendulum& p) {
  const Eigen::Vector2d rates(p.rate_1, p.rate_2);
  return 0.5 * rates.dot(mechanics(p).M * rates);
}

}  // namespace

PlanarImpact kane_pendulum_impact(const KanePendulum& p) {
  const Mechanics of = mechanics(p);
  return {.W = of.G * of.M.inverse() * of.G.transpose(),
          .u_0 = of.G * Eigen::Vector2d(p.rate_1, p.rate_2),
          .mu = p.mu,
          .e = p.restitution};
}

Model make_kane_pendulum(const KanePendulum& p) {
  Model model("kane-pendulum");
  const std::array<double, 2> angle = {p.angle_1, p.angle_2}, rate = {p.rate_1, p.rate_2};
  Vec3 top = Vec3::Zero(), speed = Vec3::Zero();
  MaterialPoint above = MaterialPoint::on_ground(top);
  for (std::size_t i = 0; i < 2; ++i) {
    const FrameNode rod = model.add_frame(fmt::format("rod[{}]", i),
                                          {.position = top + 0.5 * kane_length * down(angle[i]),
                                           .rotation = so3::exp(Vec3(0, 0, angle[i])),
                                           .velocity = speed + 0.5 * kane_length * rate[i] * aside(angle[i]),
                                           .angular_velocity = {0, 0, rate[i]}});
    model.restrict_to_plane(rod);
    model.add<RigidBody>({.name = fmt::format("rod[{}]", i),
                          .node = rod,
                          .mass = kane_mass,
                          .inertia = inertia::planar(kane_mass * kane_length * kane_length / 12)});
    model.add<Hinge>({.name = fmt::format("hinge[{}]", i),
                      .a = above,
                      .b = {rod, {0, 0.5 * kane_length, 0}},
                      .axis = Vec3::UnitZ()});
    above = {rod, {0, -0.5 * kane_length, 0}};
    top += kane_length * down(angle[i]);
    speed += kane_length * rate[i] * aside(angle[i]);
  }
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = above,
                                .face = {.point = top - Vec3(0, kane_height, 0),
                                         .normal = Vec3::UnitY(),
                                         .tangent = Vec3(Vec3::UnitX())},
                                .mu = p.mu,
                                .e_n = p.restitution,
                                .impact_law = {.kind = p.law},
                                .friction_directions = 1});
  return model;
}

Signals kane_pendulum_signals(const RunInfo& run, const KanePendulum& /*parameters*/) {
  const Node rod = run.system.model().find_node("rod[1]");
  const auto end_velocity = [rod](const Snapshot& at, int axis) {
    const Vec3 arm = at.state.q.rotation(rod) * Vec3(0, -0.5 * kane_length, 0);
    return at.state.v[rod.v + axis] + at.state.v[rod.v + 5] * Vec3::UnitZ().cross(arm)[axis];
  };
  return {energy(run),
          {"end.vx", "m/s", "of the lower end", [=](const Snapshot& at) { return end_velocity(at, 0); }},
          {"end.vy", "m/s", "of the lower end", [=](const Snapshot& at) { return end_velocity(at, 1); }}};
}

Measures kane_pendulum_measures(const RunInfo& /*run*/, const KanePendulum& p) {
  Measures measures;
  struct End {
    double energy = 0.0;
    void serialize(Archive& archive) { archive(energy); }
  };
  const End& end = measures.accumulate(
      End{}, [](const Snapshot& at, End& watched) { watched.energy = at.audit.energies(at.state).kinetic; });
  const double before = energy_before(p);
  std::optional<double> kept;
  const PlanarImpact impact = kane_pendulum_impact(p);
  if (p.law != ImpactLaw::Kind::lzb && impact.u_0[0] < 0)
    kept = 1 + impact.energy_change(impact.impulse(p.law)) / before;
  measures.add(
      "part of the energy that is left", "", [&end, before] { return end.energy / before; },
      [kept] { return kept; }, "closed form");
  return measures;
}

RegisteredModel registered_kane_pendulum() {
  using P = KanePendulum;
  auto table =
      ParameterTable<P>()
          .real("angle_1", &P::angle_1, Range::between(-1.5, 1.5), "rad", "of the upper rod to the vertical")
          .real("angle_2", &P::angle_2, Range::between(-1.5, 1.5), "rad", "of the lower rod to the vertical")
          .real("rate_1", &P::rate_1, {}, "rad/s", "of the first angle at the start")
          .real("rate_2", &P::rate_2, {}, "rad/s", "of the second angle at the start")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of the floor")
          .real("restitution", &P::restitution, Range::between(0, 1), "", "of the floor")
          .choice("law", &P::law, impact_law_names(), "law of impact");
  return ModelParts<P>{
      .info = {.name = "kane-pendulum",
               .summary = "A double pendulum hits a rough floor with its end. With friction Newton's law of "
                          "impact gains energy, the others do not.",
               .source = "Kane and Levinson 1985; Glocker and Pfeiffer 1995",
               .step = 1e-5,
               .until = 1e-4},
      .parameters = table,
      .build = make_kane_pendulum,
      .measures = kane_pendulum_measures,
      .signals = kane_pendulum_signals};
}

}  // namespace picus::models
