// Soft blocks with frictional contacts: elimination of the contacts with GMRES gives the same motion as a direct
// solver.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/surface_contacts.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

struct Outcome {
  State state;
  std::array<int, 3> contacts{};  ///< open, sticking and slipping ones, summed over the steps
  int fallbacks = 0;
  std::int64_t factorizations = 0;  ///< in position and velocity problems
};

Outcome run(const Model& model, double h, int steps, LinearSolverKind kind) {
  const System system(model);
  DecoupledNsga integrator({.step = h, .linear_solver = kind});
  Outcome outcome;
  outcome.state = integrator.start(system);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = integrator.step(outcome.state);
    for (const int count : report.fallbacks) outcome.fallbacks += count;
    for (const ContactState contact : outcome.state.contact_state) ++outcome.contacts[place_of(contact)];
  }
  for (const int subproblem : {1, 2})
    outcome.factorizations += integrator.linear_statistics(subproblem).factorizations;
  return outcome;
}

constexpr double mass = 1e-3;  // kg, of the cube
constexpr double speed = 0.5;  // m/s

/// A tilted cube of 0.1 m that comes down moving sideways and rotating.
Solid add_cube(Model& model, double youngs_modulus, double turning = 6) {
  const auto mesh = make_box_mesh({.size = Vec3::Constant(0.1), .divisions = {3, 3, 3}});
  return add_solid(model, mesh,
                   {.name = "cube",
                    .material = {.youngs_modulus = youngs_modulus, .poissons_ratio = 0.3, .density = 1},
                    .formulation = HexahedronFormulation::full,
                    .velocity = {0.3, 0, -speed},
                    .angular_velocity = {0, 0, turning}});
}

const Vec3 askew = Vec3(0.02, 0.01, 1).normalized();
constexpr double h = 1e-3;
constexpr int steps = 60;

void expect_same_motion(const Outcome& direct, const Outcome& iterative) {
  EXPECT_EQ(direct.fallbacks, 0);
  EXPECT_EQ(iterative.fallbacks, 0);
  for (const int count : direct.contacts) EXPECT_GE(count, 1) << "contacts should open, stick and slip";
  EXPECT_EQ(direct.contacts, iterative.contacts);
  // Both solve each step to 1e-8 of its motion, and 60 steps accumulate that.
  EXPECT_LE((direct.state.v - iterative.state.v).norm(), 1e-6 * direct.state.v.norm());
  EXPECT_LE((direct.state.contact_impulse - iterative.state.contact_impulse).norm(), 1e-6 * mass * speed);
}

TEST(FlexibleBlock, OnAPlaneAtRest) {
  for (const double youngs_modulus : {90.0, 9e4}) {  // 9e4: the step is long compared with its waves
    Model model("block");
    const Solid cube = add_cube(model, youngs_modulus);
    add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = cube.mass_points()});
    add_surface_contacts(model, {.name = "floor",
                                 .nodes = cube.nodes("z-"),
                                 .face = {.point = -1e-4 * askew, .normal = askew},
                                 .mu = 0.3});
    const Outcome direct = run(model, h, steps, LinearSolverKind::klu);
    const Outcome iterative = run(model, h, steps, LinearSolverKind::gmres);
    expect_same_motion(direct, iterative);
    EXPECT_EQ(iterative.factorizations > 0, youngs_modulus > 1e3);
  }
}

TEST(FlexibleBlock, OnAPlateThatMoves) {
  // The plate rotates: its frame makes the matrices unsymmetric, and it is part of all contacts.
  Model model("block");
  const Solid cube = add_cube(model, 90);
  const FrameNode node = model.add_frame("plate", {.position = {0.05, 0.05, -0.01}});
  model.add<RigidBody>(
      {.name = "plate", .node = node, .mass = 0.01, .inertia = inertia::box(0.01, {0.15, 0.15, 0.02})});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = cube.mass_points()});
  add_surface_contacts(model,
                       {.name = "top",
                        .nodes = cube.nodes("z-"),
                        .face = {.node = node, .point = Vec3(0, 0, 0.01) - 1e-4 * askew, .normal = askew},
                        .mu = 0.3});
  expect_same_motion(run(model, h, steps, LinearSolverKind::klu),
                     run(model, h, steps, LinearSolverKind::gmres));
}

TEST(FlexibleBlock, HangingOnAJointWithAnArm) {
  Model model("block");
  const Solid cube = add_cube(model, 90);
  const FrameNode node = model.add_frame("arm", {.position = {0.0, 0.0, 0.2}});
  const auto arm = model.add<RigidBody>(
      {.name = "arm", .node = node, .mass = 1e-3, .inertia = inertia::cylinder(1e-3, 0.01, 0.2, 2)});
  model.add<SphericalJoint>(
      {.name = "shoulder", .a = MaterialPoint::on_ground({0, 0, 0.3}), .b = {node, Vec3(0, 0, 0.1)}});
  model.add<SphericalJoint>({.name = "hand", .a = {node, Vec3(0, 0, -0.1)}, .b = cube.nodes("z+").front()});
  auto weights = cube.mass_points();
  weights.push_back(arm->mass_point());
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = weights});
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.point = -1e-4 * askew, .normal = askew},
                               .mu = 0.3});
  const Outcome iterative = run(model, h, steps, LinearSolverKind::gmres);
  expect_same_motion(run(model, h, steps, LinearSolverKind::klu), iterative);
  EXPECT_GT(iterative.factorizations, 0);  // joint multipliers make the diagonal weak
}

TEST(FlexibleBlock, InACornerWhereEdgesTouchTwoPlanes) {
  // Nodes on the edge have two contacts, which share their components.
  Model model("block");
  const Solid cube = add_cube(model, 90);
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = cube.mass_points()});
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.point = -1e-4 * askew, .normal = askew},
                               .mu = 0.3});
  add_surface_contacts(model, {.name = "wall",
                               .nodes = cube.nodes("x+"),
                               .face = {.point = {0.102, 0, 0}, .normal = {-1, 0, 0}},
                               .mu = 0.3});
  const Outcome iterative = run(model, h, steps, LinearSolverKind::gmres);
  expect_same_motion(run(model, h, steps, LinearSolverKind::klu), iterative);
  EXPECT_EQ(iterative.factorizations, 0);
}

TEST(FlexibleBlock, CutAtAPlaneOfSymmetry) {
  // Nodes on the edge in that plane are fixed in one of the friction directions.
  Model model("block");
  const Solid cube = add_cube(model, 90, 0);
  for (const PointNode& node : cube.nodes("y-")) model.fix(node, {Component::y});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = cube.mass_points()});
  const Vec3 normal = Vec3(0.02, 0, 1).normalized();
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.point = -1e-4 * normal, .normal = normal},
                               .mu = 0.3});
  const Outcome iterative = run(model, h, steps, LinearSolverKind::gmres);
  expect_same_motion(run(model, h, steps, LinearSolverKind::klu), iterative);
  EXPECT_EQ(iterative.factorizations, 0);
}

}  // namespace
}  // namespace picus
