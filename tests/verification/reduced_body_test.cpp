// Motions of reduced bodies: conservation, and the full body beside them.

#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/picus.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::reduced_body_motion_test {
namespace {

constexpr double pi = std::numbers::pi;

/// A free beam: 1 m long, 20 x 30 mm, soft enough that a spin of 10 rad/s bends it.
constexpr BeamMaterial soft{.E = 2e9, .nu = 0.3, .density = 1500};

BeamMesh add_rod(Model& model, const std::string& name, const Vec3& from, const Vec3& to, int elements,
                 const BeamMaterial& material) {
  return make_beam(model, {.name = name,
                           .section = Section::rectangle(0.02, 0.03, material),
                           .from = from,
                           .to = to,
                           .elements = elements,
                           .orientation = Vec3::UnitY()});
}

std::shared_ptr<const ReducedBasis> shared(ReducedBasis basis) {
  return std::make_shared<const ReducedBasis>(std::move(basis));
}

struct Spin {
  double energy = 0.0;         ///< kinetic, at the start, J
  Momentum momentum;           ///< at the start
  double energy_error = 0.0;   ///< largest change of kinetic plus potential energy, J
  double linear_error = 0.0;   ///< largest change of momentum, kg m/s
  double angular_error = 0.0;  ///< largest change of angular momentum, kg m2/s
};

/// A free body that is bent about two axes and tumbles. `sign`: of one of the two.
Spin tumble(double h, double sign, double duration) {
  Model part("part");
  add_rod(part, "part", {-0.5, 0, 0}, {0.5, 0, 0}, 8, soft);
  const auto basis = shared(reduce(part, {.modes = 6}));
  Model model("tumbling");
  Vector bent = Vector::Zero(6);
  bent[0] = 0.02;
  bent[1] = sign * 0.01;
  const ReducedBodyMesh body = add_reduced_body(model, {.name = "body",
                                                        .basis = basis,
                                                        .velocity = {1, 0, 0},
                                                        .angular_velocity = {4, 3, 8},
                                                        .coordinates = bent});
  const System system(model);
  DecoupledNsga integrator({.step = h}, {.rho_inf = 1.0});
  State state = integrator.start(system);
  EnergyAudit audit(system, state);
  const Energies first = audit.energies(state);
  Spin result{.energy = first.kinetic, .momentum = audit.momentum(state)};
  while (state.time < duration - 0.5 * h) {
    integrator.step(state);
    audit.add_step(state, h, integrator.step_forces());
    const Energies now = audit.energies(state);
    const Momentum momentum = audit.momentum(state);
    result.linear_error = std::max(result.linear_error, (momentum.linear - result.momentum.linear).norm());
    result.angular_error =
        std::max(result.angular_error, (momentum.angular - result.momentum.angular).norm());
    result.energy_error = std::max(result.energy_error,
                                   std::abs(now.kinetic + now.potential - first.kinetic - first.potential));
  }
  return result;
}

/// Without dissipation of the scheme.
TEST(ReducedBodyMotion, AFreeTumblingBodyKeepsEnergyAndMomentaToSecondOrder) {
  // Signs of shapes are arbitrary, so that both motions are tried. After 0.3 s they depend on rounding: largest errors of
  // the angular momentum in 0.5 s differ by a factor of three between tolerances of 1e-8 and 1e-11, those in 0.1 s do not.
  for (const double sign : {-1.0, 1.0}) {
    SCOPED_TRACE(sign);
    // Steps that resolve the highest mode, 1200 rad/s; two halvings even out at which phase the errors are largest.
    const Spin coarse = tumble(2.5e-4, sign, 0.1), fine = tumble(6.25e-5, sign, 0.1);
    EXPECT_NEAR(std::log2(coarse.energy_error / fine.energy_error) / 2, 2.0, 0.2);
    EXPECT_NEAR(std::log2(coarse.angular_error / fine.angular_error) / 2, 2.0, 0.2);
    const Spin longer = tumble(6.25e-5, sign, 0.5);
    EXPECT_LT(longer.energy_error, 1e-3 * longer.energy);
    EXPECT_LT(longer.angular_error, 1e-3 * longer.momentum.angular.norm());
    EXPECT_LT(tumble(2.5e-4, sign, 0.5).linear_error, 1e-12 * longer.momentum.linear.norm());
  }
}

/// A pendulum of a flexible rod that is driven hard: tip of the reduced body against the full beam.
Vec3 swing(bool reduced, int modes) {
  constexpr int elements = 12;
  Model model("pendulum");
  const FrameNode hub = model.add_frame("hub");
  model.fix(hub, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(hub, Component::rz,
              {.displacement = [](double t) { return 6 * (t - std::sin(2 * pi * t) / (2 * pi)); },
               .rate = [](double t) { return 6 * (1 - std::cos(2 * pi * t)); },
               .acceleration = [](double t) { return 12 * pi * std::sin(2 * pi * t); }});
  FrameNode tip;
  if (reduced) {
    Model part("rod");
    const BeamMesh rod = add_rod(part, "rod", {0, 0, 0}, {1, 0, 0}, elements, soft);
    const auto basis = shared(reduce(part, {.interfaces = {{.name = "root", .nodes = {rod.first()}},
                                                           {.name = "tip", .nodes = {rod.last()}}},
                                            .modes = modes,
                                            .frame = "root"}));
    const ReducedBodyMesh body = add_reduced_body(model, {.name = "rod", .basis = basis});
    model.add<FixedJoint>({.name = "clamp", .a = {hub}, .b = {body.frame}});
    tip = body.interface("tip");
  } else {
    const BeamMesh rod = add_rod(model, "rod", {0, 0, 0}, {1, 0, 0}, elements, soft);
    model.add<FixedJoint>({.name = "clamp", .a = {hub}, .b = {rod.first()}});
    tip = rod.last();
  }
  DecoupledNsga integrator({.step = 1e-3}, {.rho_inf = 0.8});
  const RunSummary run = simulate(model, integrator, {.until = 0.5});
  return run.final_state.q.position(tip);
}

TEST(ReducedBodyMotion, ADrivenRodMovesLikeTheFullBeam) {
  const Vec3 full = swing(false, 0);
  const Vec3 few = swing(true, 4);
  const Vec3 rigid(std::cos(3.0), std::sin(3.0), 0);  // where a rigid rod would be
  const double bent = (full - rigid).norm();
  EXPECT_GT(bent, 0.005) << "it bends";
  // Deformations are linear: their error is of second order in the deflection over the length, here 0.35 % of it.
  EXPECT_LT((few - full).norm(), 0.01 * bent);
}

/// A bar that falls on the floor: contact acts on nodes of the full body.
TEST(ReducedBodyMotion, ItsSurfaceNodesTouch) {
  Model part("bar");
  const HexahedralMesh mesh = make_box_mesh({.size = {0.4, 0.05, 0.05}, .divisions = {8, 1, 1}});
  Model model("falling");
  const Solid solid =
      add_solid(part, mesh,
                {.name = "bar", .material = {.youngs_modulus = 1e9, .poissons_ratio = 0.3, .density = 1200}});
  std::vector<std::string> corners;
  for (const PointNode& node : solid.nodes("z-")) corners.push_back(part.node_name(node));
  const auto basis = shared(reduce(part, {.modes = 8, .damping_ratio = 0.05}));
  const ReducedBodyMesh bar = add_reduced_body(model, {.name = "bar",
                                                       .basis = basis,
                                                       .position = {0, 0, 0.02},
                                                       .rotation = so3::exp({0, 0.1, 0}),
                                                       .gravity = Vec3(0, 0, -9.81),
                                                       .nodes = corners});
  std::vector<MaterialPoint> points;
  for (const std::string& corner : corners) points.emplace_back(bar.point(corner));
  add_surface_contacts(
      model,
      {.name = "floor", .nodes = points, .face = {.point = {0, 0, -0.03}, .normal = {0, 0, 1}}, .mu = 0.3});
  DecoupledNsga integrator({.step = 1e-3});
  const RunSummary run = simulate(model, integrator, {.until = 1.0});
  const State& end = run.final_state;
  // It lies: the weight is carried, and nothing has sunk in.
  const auto closed =
      std::ranges::count_if(end.contact_state, [](ContactState one) { return one != ContactState::gap; });
  EXPECT_GE(closed, 3);
  double normal = 0;
  for (std::size_t i = 0; i < points.size(); ++i) normal += end.contact_impulse[static_cast<Index>(3 * i)];
  EXPECT_NEAR(normal / 1e-3, basis->mass * 9.81, 0.02 * basis->mass * 9.81);
  for (const MaterialPoint& point : points) EXPECT_GT(end.q.position(point.node).z(), -0.03 - 1e-7);
  EXPECT_LT(end.v.norm(), 1e-3);
}

/// Place of the tip of a hinged rod that has hit a floor, from the hinge, in lengths of the rod, which is modelled
/// `offset` lengths from the origin of its part and is `length` m long; gravity and steps keep waves and motion similar.
Vec3 tip_after_impact(double length, double offset) {
  Model part("rod");
  const Vec3 foot(offset * length, 0, 0);
  const BeamMesh rod = make_beam(part, {.name = "rod",
                                        .section = Section::rectangle(0.02 * length, 0.02 * length, soft),
                                        .from = foot,
                                        .to = foot + Vec3(length, 0, 0),
                                        .elements = 10});
  const auto basis = shared(reduce(
      part, {.interfaces = {{.name = "foot", .nodes = {rod.first()}}, {.name = "tip", .nodes = {rod.last()}}},
             .modes = 4}));
  Model model("hinged rod");
  const ReducedBodyMesh body =
      add_reduced_body(model, {.name = "rod", .basis = basis, .gravity = Vec3(0, 0, -9.81 / length)});
  model.add<Hinge>({.name = "hinge",
                    .a = MaterialPoint::on_ground(foot),
                    .b = body.interface("foot"),
                    .axis = Vec3::UnitY()});
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = body.interface("tip"),
                                .face = {.point = {0, 0, -0.3 * length}, .normal = Vec3::UnitZ()},
                                .mu = 0.3,
                                .e_n = 0.4});
  DecoupledNsga integrator({.step = 1e-3 * length});
  const RunSummary run = simulate(model, integrator, {.until = 0.4 * length});
  return (run.final_state.q.position(body.interface("tip")) - foot) / length;
}

// A frame of mean axes at the origin of its part, far from the body, would move on a circle of that radius, which steps
// follow inaccurately. A light body has coordinates that move it by thousands of metres per unit; beside such entries
// the motion of a node must not count as rounding.
TEST(ReducedBodyMotion, DependsNeitherOnTheOriginOfThePartNorOnItsSize) {
  const Vec3 tip = tip_after_impact(1.0, 0.0);
  for (const double offset : {-3.0, 10.0, 300.0})
    EXPECT_LT((tip_after_impact(1.0, offset) - tip).norm(), 1e-5) << offset;
  for (const double length : {0.01, 1000.0})
    EXPECT_LT((tip_after_impact(length, 0.0) - tip).norm(), 1e-5) << length;
}

// A unit modal coordinate moves it by a million of its lengths; beside such entries the rows of joints must not count as
// dependent. Measured: 1.5e-8.
TEST(ReducedBodyMotion, IsThatOfARodOfAMillimetre) {
  const Vec3 tip = tip_after_impact(1.0, 0.0);
  EXPECT_LT((tip_after_impact(0.001, 0.0) - tip).norm(), 1e-6);
}

}  // namespace
}  // namespace picus::reduced_body_motion_test
