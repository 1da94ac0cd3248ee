// Static equilibrium and vibration modes of beams and solids by the sparse analyses, compared with exact and
// published solutions.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/contacts/surface_contacts.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/face_traction.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/vibration_modes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus {
namespace {

constexpr double pi = std::numbers::pi;

State equilibrium(const Model& model, const StaticEquilibriumOptions& options) {
  StaticEquilibrium statics(options);
  return simulate(model, statics, {.until = 1.0}).final_state;
}

const Section square = Section::constants(
    {.EA = 1e4, .GA1 = 5e3, .GA2 = 5e3, .GJ = 10, .EI1 = 8, .EI2 = 8, .mass = 1, .I1 = 1e-3, .I2 = 1e-3});

TEST(FlexibleStatics, AnEndMomentRollsACantileverIntoACircle) {
  Model model("circle");
  const auto beam = make_beam(model, {.name = "beam", .section = square, .to = Vec3(1, 0, 0), .elements = 6});
  model.fix(beam.first());
  model.add<NodalMoment>(
      {.name = "moment", .node = beam.last(), .moment = Vec3(0, 0, 2 * pi * 8), .follower = true});
  const State state = equilibrium(model, {.increments = 8});
  // Exact for any number of elements; the solver stops at 1e-8 of the forces, times a compliance of L/EI.
  EXPECT_LT(state.q.position(beam.last()).norm(), 1e-8);
  EXPECT_LT((state.q.rotation(beam.last()) - Mat3::Identity()).norm(), 1e-7);
}

/// Bathe and Bolourchi (1979): radius 100, unit square, E = 1e7, nu = 0, 600 out of the plane, torsion with the polar
/// moment of area.
TEST(FlexibleStatics, FindsTheBendOfBatheAndBolourchi) {
  Model model("bend");
  const Section section = Section::constants({.EA = 1e7,
                                              .GA1 = 5e6,
                                              .GA2 = 5e6,
                                              .GJ = 5e6 / 6,
                                              .EI1 = 1e7 / 12,
                                              .EI2 = 1e7 / 12,
                                              .mass = 1,
                                              .I1 = 0.1,
                                              .I2 = 0.1});
  const auto beam =
      make_beam(model, {.name = "beam",
                        .section = section,
                        .centreline = arc({.from = {0, 0, 0}, .centre = {-100, 0, 0}, .angle = pi / 4}),
                        .elements = 8});
  model.fix(beam.first());
  model.add<NodalForce>({.name = "load", .point = beam.last(), .force = {0, 0, 600}});
  const State state = equilibrium(model, {.increments = 6});
  const Vec3 tip = state.q.position(beam.last());
  EXPECT_NEAR(-tip.x(), 15.8, 0.01 * 15.8);
  EXPECT_NEAR(tip.y(), 47.2, 0.01 * 47.2);
  EXPECT_NEAR(tip.z(), 53.4, 0.01 * 53.4);
}

TEST(FlexibleModes, OfASlenderCantileverAreThoseOfEulerAndBernoulli) {
  Model model("cantilever");
  const Section thin = Section::rectangle(0.01, 0.01, {.E = 2e11, .nu = 0.3, .density = 7800});
  const auto beam = make_beam(model, {.name = "beam", .section = thin, .to = Vec3(1, 0, 0), .elements = 60});
  model.fix(beam.first());
  const System system(model);
  const VibrationModes modes = find_vibration_modes(system, find_equilibrium(system), {.count = 6});
  const double unit = std::sqrt(2e11 * 1e-8 / 12 / (7800 * 1e-4)) / (2 * pi);
  constexpr std::array roots = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const double exact = roots[k] * roots[k] * unit;
    // Every mode twice, in both planes. Second order in 1/60; shear and rotary inertia are of order 1e-4.
    for (std::size_t i : {2 * k, 2 * k + 1}) EXPECT_NEAR(modes.frequencies[i] / exact, 1.0, 4e-3) << i;
  }
}

TEST(FlexibleStatics, ASolidBarStretchesByHooke) {
  Model model("bar");
  const auto mesh = make_box_mesh({.size = {1, 0.2, 0.2}, .divisions = {6, 2, 2}});
  const Solid bar =
      add_solid(model, mesh,
                {.name = "bar", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.0, .density = 1000}});
  bar.fix(model, "x-");
  add_traction(model, {.name = "pull", .faces = bar.faces("x+"), .traction = Vec3(1e3, 0, 0)});
  const State state = equilibrium(model, {.increments = 2});
  // Saint Venant-Kirchhoff in one dimension: traction = E/2 (l^2 - 1) l.
  double stretch = 1.0;
  for (int i = 0; i < 50; ++i) {
    stretch -= (0.5e6 * (stretch * stretch - 1) * stretch - 1e3) / (0.5e6 * (3 * stretch * stretch - 1));
  }
  for (const PointNode& node : bar.nodes("x+")) EXPECT_NEAR(state.q.position(node).x(), stretch, 1e-9);
}

TEST(FlexibleModes, OfASolidBarAreAxialWaves) {
  Model model("bar");
  const auto mesh = make_box_mesh({.size = {1, 0.1, 0.1}, .divisions = {40, 1, 1}});
  const Solid bar =
      add_solid(model, mesh,
                {.name = "bar", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.0, .density = 1000}});
  for (const PointNode& node : bar.nodes()) model.fix(node, {Component::y, Component::z});
  bar.fix(model, "x-");
  const System system(model);
  const VibrationModes modes = find_vibration_modes(system, find_equilibrium(system), {.count = 30});
  const double wave_speed = std::sqrt(1e6 / 1000);
  const double exact = wave_speed / 4;  // quarter wave, Hz
  // Consistent mass: (pi/2/40)^2/24 too high.
  EXPECT_NEAR(modes.frequencies[0] / exact, 1 + std::pow(pi / 80, 2) / 24, 1e-6);
}

/// A block on the ground under its weight, constrained laterally only by contact: the ground carries the weight.
TEST(FlexibleStatics, AFrictionalContactCarriesASolid) {
  Model model("block");
  const auto mesh = make_box_mesh({.size = {0.4, 0.4, 0.4}, .divisions = {2, 2, 2}});
  const Solid block = add_solid(
      model, mesh,
      {.name = "block", .material = {.youngs_modulus = 1e5, .poissons_ratio = 0.3, .density = 1000}});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -10}, .bodies = block.mass_points()});
  std::vector<MaterialPoint> bottom;
  for (const PointNode& node : block.nodes("z-")) bottom.emplace_back(node);
  add_surface_contacts(model,
                       {.name = "floor", .nodes = bottom, .face = {.normal = Vec3::UnitZ()}, .mu = 0.5});
  const State state = equilibrium(model, {.increments = 4});
  double carried = 0;
  const System system(model);
  for (const auto& contact : system.contacts()) carried += state.contact_impulse[contact.first_row];
  EXPECT_NEAR(carried, 640.0, 640 * 1e-7);  // 64 kg
}

}  // namespace
}  // namespace picus
