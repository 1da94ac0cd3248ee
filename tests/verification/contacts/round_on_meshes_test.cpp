/// Cylinders and cones on ropes, triangle meshes and faces of solids: beam theory, exact motions, and a sampler
/// independent of the contact code.

#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/surface_depth.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace picus::round_on_meshes_test {
namespace {

using std::numbers::pi;

/// A support below a horizontal rope along x: the rotation and position of its shape, for its highest point at the
/// origin.
struct Prop {
  std::string name;
  Shape shape;
  Mat3 rotation;
  Vec3 position;
};

// A cantilever of length l, propped at a, a third of an element beside a node in each mesh, with a load F at its end:
// the prop carries
//     R = F (a^2 (3 l - a)/(6 EI) + a/GA)/(a^3/(3 EI) + a/GA).
TEST(RoundOnMeshes, BeamRestsOnSidesAndRimsAsBeamTheorySays) {
  constexpr double length = 1, a = 2.0 / 3, rho = 0.01, load = 1e-3, EI = 100, GA = 4e4;
  const double exact =
      load * (a * a * (3 * length - a) / (6 * EI) + a / GA) / (a * a * a / (3 * EI) + a / GA);
  constexpr double r = 0.1, L = 0.3, tilt = 0.6;
  const double half_angle = std::atan2(r, L);
  const Mat3 along_y = so3::exp(Vec3(pi / 2, 0, 0));
  const Mat3 tilted = so3::exp(Vec3(0, tilt, 0));
  const Mat3 cone = so3::exp(Vec3(pi / 2 - half_angle, 0, 0));  // the upper line of the side is horizontal
  const auto below = [](const Mat3& R, const Vec3& top) -> Vec3 { return -(R * top); };
  const std::vector<Prop> props = {
      {"side of a cylinder", shapes::Cylinder{L, r}, along_y, {0, 0, -r}},
      {"rim of a cylinder", shapes::Cylinder{L, r}, tilted, below(tilted, {-r, 0, L / 2})},
      {"side of a cone", shapes::Cone{L, r, 0.0}, cone, below(cone, {0, r / 2, 0})},
      {"rim of a cone", shapes::Cone{L, 0.02, r}, tilted, below(tilted, {-r, 0, L / 2})}};
  for (const Prop& prop : props) {
    double last = 1;
    for (const int elements : {8, 16, 32}) {
      SCOPED_TRACE(fmt::format("{}, {} elements", prop.name, elements));
      Model model("beam");
      const Section section = Section::constants({.EA = 1e5,
                                                  .GA1 = GA,
                                                  .GA2 = GA,
                                                  .GJ = 80,
                                                  .EI1 = EI,
                                                  .EI2 = EI,
                                                  .mass = 1,
                                                  .I1 = 1e-3,
                                                  .I2 = 1e-3});
      const BeamMesh beam = make_beam(
          model, {.name = "beam", .section = section, .to = Vec3(length, 0, 0), .elements = elements});
      model.fix(beam.first());
      model.add<NodalForce>({.name = "load", .point = beam.last(), .force = Vec3(0, 0, -load)});
      model.add<Surface>({.name = "beam surface", .of = shapes::Rope{beam.nodes, rho}});
      model.add<Surface>({.name = "prop",
                          .of = prop.shape,
                          .position = Vec3(a, 0, -rho) + prop.position,
                          .rotation = prop.rotation});
      model.add<ContactsBetween>({.name = "all"});
      StaticEquilibrium statics({.increments = 2});
      Stepper stepper(model, statics);
      State state = stepper.start();
      for (int i = 0; i < 2; ++i) stepper.step(state);
      double force = 0;
      for (const auto& contact : stepper.system().contacts())
        force += state.contact_impulse[contact.first_row];
      const double error = std::abs(force / exact - 1);
      EXPECT_LT(error, last / 2.8);  // second order in the length of the elements
      last = error;
    }
    EXPECT_LT(last, 2e-3);
  }
}

/// Rolls a can down a slope, x down; `add_floor` makes a floor from x = -0.5 to 1.5 at z = 0.
/// On another face a contact begins anew, and its first step loses up to a h^2/2 of the position: `changes` times.
template <class AddFloor>
void expect_even_rolling(int changes, AddFloor&& add_floor) {
  constexpr double r = 0.1, L = 0.3, slope = 0.3;
  RoundScene scene;
  add_floor(scene.model);
  const FrameNode can = scene.add_cylinder(
      "can", 2.0, r, L, {.position = {0.013, 0, r}, .rotation = so3::exp(Vec3(pi / 2, 0, 0))});
  scene.add_weights(Vec3(g * std::sin(slope), 0, -g * std::cos(slope)));
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  constexpr double h = 2e-3;
  DecoupledNsga integrator({.step = h});
  double bump = 0;
  const Seen seen = run(scene, integrator, 0.8, [&](const Stepper&, const State& state, const StepReport&) {
    bump = std::max(bump, std::abs(state.q.position(can).z() - r));
  });
  const double a = 2.0 / 3.0 * g * std::sin(slope);
  EXPECT_LT(bump, 1e-9 * r);
  EXPECT_NEAR(velocity(seen.state, can).x(), 0.8 * a, 1e-6 * a);
  EXPECT_NEAR(seen.state.q.position(can).x() - 0.013, 0.32 * a, (1e-6 + changes * h * h / 2) * a);
  EXPECT_LT(std::abs(seen.state.q.position(can).y()), 1e-8 * r);
  EXPECT_EQ(seen.fallbacks, 0);
}

// Triangles of one plane form one face.
TEST(RoundOnMeshes, CylinderRollsOverTriangleBordersWithoutBumps) {
  expect_even_rolling(0, [](Model& model) {
    shapes::Mesh floor{.is_closed = false};
    for (int i = 0; i <= 8; ++i) {
      for (int k = 0; k <= 3; ++k) floor.points.emplace_back(-0.5 + 0.25 * i, -0.31 + 0.2 * k, 0);
    }
    for (Index i = 0; i < 8; ++i) {
      for (Index k = 0; k < 3; ++k) {
        const Index at = 4 * i + k;
        floor.triangles.push_back({at, at + 4, at + 5});
        floor.triangles.push_back({at, at + 5, at + 1});
      }
    }
    model.add<Surface>({.name = "floor", .of = floor});
  });
}

TEST(RoundOnMeshes, CylinderRollsOverFacesOfASolidWithoutBumps) {
  constexpr int borders = 8;  // two between cells and two diagonals below each rim, at most
  expect_even_rolling(borders, [](Model& model) {
    auto mesh =
        make_box_mesh({.size = {2, 0.62, 0.1}, .divisions = {8, 3, 1}, .origin = {-0.5, -0.31, -0.1}});
    mesh.face_sets["all"] = mesh.boundary();
    const Solid solid = add_solid(
        model, mesh,
        {.name = "floor", .material = {.youngs_modulus = 1e9, .poissons_ratio = 0.3, .density = 1000}});
    for (const PointNode& node : solid.nodes()) model.fix(node);
    model.add<Surface>({.name = "floor", .of = shapes::Faces{solid.faces("all")}});
  });
}

/// A round body of the mass `mass` laid on a soft block, whose top is at z = 0.
struct OnBlock {
  std::string name;
  Shape shape;
  Mat3 rotation;
  double height;  ///< of the frame over the top, m
};

TEST(RoundOnMeshes, CylindersAndConesLieOnASoftBlockAndAreNotInIt) {
  constexpr double r = 0.1, L = 0.3, mass = 5;
  const double half_angle = std::atan2(r, L);
  const Mat3 lying = so3::exp(Vec3(pi / 2, 0, 0.3));
  const Mat3 lying_cone = so3::exp(Vec3(pi / 2 + half_angle, 0, 0));
  for (const OnBlock& one :
       {OnBlock{"lying cylinder", shapes::Cylinder{L, r}, lying, r},
        OnBlock{"lying cone", shapes::Cone{L, r, 0.0}, lying_cone, r / 2 * std::cos(half_angle)}}) {
    SCOPED_TRACE(one.name);
    RoundScene scene;
    auto mesh = make_box_mesh({.size = {1, 1, 0.5}, .divisions = {5, 5, 3}, .origin = {-0.5, -0.5, -0.5}});
    mesh.face_sets["all"] = mesh.boundary();
    const Solid block =
        add_solid(scene.model, mesh,
                  {.name = "block",
                   .material = {.youngs_modulus = 2e4, .poissons_ratio = 0.3, .density = 1000},
                   .damping_time = 0.02});
    block.fix(scene.model, "z-");
    scene.model.add<Surface>({.name = "block", .of = shapes::Faces{block.faces("all")}});
    const FrameNode body =
        scene.add_body("round", mass, inertia::cylinder(mass, r, L, 2),
                       {.position = {0.013, 0.021, one.height + 1e-3}, .rotation = one.rotation});
    scene.model.add<Surface>({.name = "round", .of = one.shape, .on = body});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.4});
    const models::SurfaceSampler sampler(scene.model, 12);
    DecoupledNsga integrator({.step = 1e-3});
    double depth = 0;
    double upward = 0;
    int step = 0;
    const Seen seen = run(scene, integrator, 0.6, [&](const Stepper&, const State& state, const StepReport&) {
      if (++step % 10 == 0) depth = std::max(depth, sampler.deepest(state.q).relative);
      upward = velocity(state, body).z();
    });
    EXPECT_LT(depth, 1e-6);
    EXPECT_LT(seen.penetration, 1e-9);
    EXPECT_LT(seen.state.q.position(body).z(), one.height - 1e-4);  // it presses the top in
    EXPECT_LT(std::abs(upward), 0.02);
    EXPECT_EQ(seen.fallbacks, 0);
  }
}

}  // namespace
}  // namespace picus::round_on_meshes_test
