/// Problems with known solutions, and the order of convergence of the hexahedra.

#include <picus/elements/forces/face_traction.hpp>
#include <picus/elements/solids/solid.hpp>
#include <support/solid_statics.hpp>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace picus {
namespace {

using enum HexahedronFormulation;
using std::numbers::pi;

/// Solves with n, 2 n, 4 n ... elements and prints the values, for the documentation.
template <class Solve>
std::vector<double> refine(const std::string& what, std::initializer_list<int> sizes, const Solve& solve) {
  std::vector<double> values;
  for (const int n : sizes) {
    values.push_back(solve(n));
    fmt::print("{}: n = {}, {:.6g}\n", what, n, values.back());
  }
  return values;
}

double order(double coarse_error, double fine_error) {
  return std::log2(std::abs(coarse_error / fine_error));
}

// ---- Cook's membrane ----

struct Cook {
  double youngs_modulus;
  double poissons_ratio;
  bool is_plane_strain;
  double load;  ///< on the whole right edge, N for a thickness of 1 m
};

/// The vertical displacement of the middle of the right edge according to linear theory: a trapezium clamped at the
/// left (height 44), loaded by a shear force along the right edge (48 away, height 16, 44 up).
double cook_deflection(const Cook& cook, HexahedronFormulation formulation, int n) {
  Model model("cook");
  const auto mesh =
      make_box_mesh({.size = {48, 44, 1}, .divisions = {n, n, 1}, .map = [](const Vec3& X) -> Vec3 {
                       const double part = X.x() / 48;
                       return {X.x(), 44 * part + X.y() * (1 - part * 28 / 44), X.z()};
                     }});
  const Solid membrane = add_solid(model, mesh,
                                   {.name = "membrane",
                                    .material = {.youngs_modulus = cook.youngs_modulus,
                                                 .poissons_ratio = cook.poissons_ratio,
                                                 .density = 1},
                                    .formulation = formulation});
  for (const PointNode& node : membrane.nodes()) {
    const double z = model.initial_configuration().position(node).z();
    if (cook.is_plane_strain || z == 0) model.fix(node, {Component::z});
  }
  for (const PointNode& node : membrane.nodes("x-")) model.fix(node, {Component::x, Component::y});
  add_traction(model, {.name = "shear", .faces = membrane.faces("x+"), .traction = {0, cook.load / 16, 0}});
  const Vector u = support::solve_linear_statics(model);
  const auto tip = mesh.points_where([](const Vec3& X) { return (X - Vec3(48, 52, 0)).norm() < 1e-9; });
  EXPECT_EQ(tip.size(), 1U);
  return u[membrane.nodes()[tip[0]].v + 1];
}

TEST(HexahedronConvergence, CooksMembraneInPlaneStress) {
  // E = 1, nu = 1/3, F = 1: 23.96 (Simo and Rifai 1990, and many others since).
  const Cook cook{1, 1.0 / 3, false, 1};
  const double reference = 23.96;
  const auto relaxed = refine("Cook, plane stress, enhanced", {4, 8, 16, 32},
                              [&](int n) { return cook_deflection(cook, enhanced, n); });
  const auto locking = refine("Cook, plane stress, full", {4, 8, 16, 32},
                              [&](int n) { return cook_deflection(cook, full, n); });
  EXPECT_NEAR(relaxed[1], reference, 0.03 * reference);
  EXPECT_NEAR(relaxed[3], reference, 0.003 * reference);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(locking[i], relaxed[i]);
  EXPECT_LT(locking[1], 0.92 * reference);
  EXPECT_NEAR(locking[3], reference, 0.02 * reference);
}

TEST(HexahedronConvergence, CooksMembraneNearlyIncompressible) {
  // Plane strain, lambda = 7500, G = 0.375 (nu = 0.499975), F = 1: 16.4326, by Richardson extrapolation of
  // nodally integrated quadratic triangles (P. Krysl, example Cook_3D_strain of SOFEA).
  const double nu = 0.5 * 7500 / (7500 + 0.375);
  const Cook cook{2 * 0.375 * (1 + nu), nu, true, 1};
  const double reference = 16.4326;
  const auto relaxed = refine("Cook, incompressible, enhanced", {4, 8, 16, 32},
                              [&](int n) { return cook_deflection(cook, enhanced, n); });
  const auto locking = refine("Cook, incompressible, full", {8, 16, 32},
                              [&](int n) { return cook_deflection(cook, full, n); });
  EXPECT_NEAR(relaxed[1], reference, 0.04 * reference);
  EXPECT_NEAR(relaxed[3], reference, 0.005 * reference);
  // The corner of the clamp leaves the order of a singularity, between 1 and 2; extrapolated with the observed one.
  const double ratio = (relaxed[2] - relaxed[1]) / (relaxed[3] - relaxed[2]);
  EXPECT_GT(ratio, 2.0);
  EXPECT_NEAR(relaxed[3] + (relaxed[3] - relaxed[2]) / (ratio - 1), reference, 0.001 * reference);
  EXPECT_LT(locking[2], 0.75 * reference) << "the full formulation is expected to lock";
}

// ---- Thin cantilever ----

/// Tip deflection of a cantilever of 1 x h x h under a small tip force, relative to beam theory. Half of it is
/// modelled, from the symmetry plane z = 0. The root is either held flat, or free to become a trapezium.
double cantilever_deflection(double h, double nu, HexahedronFormulation formulation, int n) {
  Model model("cantilever");
  const double E = 1e6;
  const auto mesh = make_box_mesh({.size = {1, h, h / 2}, .divisions = {n, 1, 1}, .origin = {0, -h / 2, 0}});
  const Solid beam = add_solid(model, mesh,
                               {.name = "beam",
                                .material = {.youngs_modulus = E, .poissons_ratio = nu, .density = 1},
                                .formulation = formulation});
  for (const PointNode& node : beam.nodes("z-")) model.fix(node, {Component::z});
  for (const PointNode& node : beam.nodes("x-")) {
    model.fix(node, {Component::x});
    const bool is_in_the_middle = model.initial_configuration().position(node).z() == 0;
    if (nu == 0 || is_in_the_middle) model.fix(node, {Component::y});
  }
  const double force = 1e-6;
  add_traction(model, {.name = "tip", .faces = beam.faces("x+"), .traction = {0, force / (h * h), 0}});
  const Vector u = support::solve_linear_statics(model);
  double tip = 0;
  for (const PointNode& node : beam.nodes("x+")) tip += u[node.v + 1] / 4;
  const double bending = force / (3 * E * std::pow(h, 4) / 12);
  return tip / bending;
}

TEST(HexahedronConvergence, ThinCantilever) {
  // Euler-Bernoulli; shear adds (6/5)(1 + nu)/2 h^2 < 1e-4 of it. Linear curvature approximated by elements of
  // constant curvature leaves an error of 1/(4 n^2).
  const double h = 0.01;
  const auto relaxed = refine("cantilever 1:100, enhanced", {4, 8, 16, 32},
                              [&](int n) { return cantilever_deflection(h, 0.3, enhanced, n); });
  for (std::size_t i = 0; i < 4; ++i) {
    const double n = 4 << i;
    // The trapezoidal root disturbs the first element.
    EXPECT_NEAR(relaxed[i], 1 - 1 / (4 * n * n), 1e-3);
  }
  // Ten times the slenderness makes no difference: no locking.
  EXPECT_NEAR(cantilever_deflection(h / 10, 0.3, enhanced, 4), relaxed[0], 1e-3);
  EXPECT_LT(cantilever_deflection(h, 0.3, full, 4), 0.01) << "the full formulation is expected to lock";
}

TEST(HexahedronConvergence, CantileverBySecondOrder) {
  // 1:5, nu = 0, where the trilinear section is that of Timoshenko's beam with the shear area A: both formulations
  // converge to 1 + E h^2/(4 G) = 1 + h^2/2, the full one from far below.
  const double h = 0.2;
  const double exact = 1 + h * h / 2;
  const auto relaxed = refine("cantilever 1:5, enhanced", {4, 8, 16},
                              [&](int n) { return cantilever_deflection(h, 0, enhanced, n); });
  const auto locking = refine("cantilever 1:5, full", {32, 64, 128},
                              [&](int n) { return cantilever_deflection(h, 0, full, n); });
  for (std::size_t i = 0; i + 1 < 3; ++i) {
    EXPECT_NEAR(order(relaxed[i] - exact, relaxed[i + 1] - exact), 2.0, 0.1);
    EXPECT_NEAR(order(locking[i] - exact, locking[i + 1] - exact), 2.0, 0.1);
  }
}

// ---- Natural frequencies ----

/// Angular frequencies of a model about its initial configuration, in ascending order.
Vector natural_frequencies(const Model& model) {
  const System system(model);
  const Configuration& q = model.initial_configuration();
  const Eigen::MatrixXd K = support::free_stiffness(system, q);
  const Eigen::MatrixXd M = support::free_mass(system, q);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseMax(0.0)
      .cwiseSqrt();
}

TEST(HexahedronConvergence, AxialFrequenciesOfABar) {
  // Clamped-free, laterally fixed: omega = pi/2 c/L with c^2 = (lambda + 2 mu)/rho. The mode within one element is
  // linear, so the consistent mass overestimates by (pi/(2 n))^2/24, the lumped one underestimates by as much.
  const SolidMaterial material{.youngs_modulus = 2e5, .poissons_ratio = 0.3, .density = 8};
  const double length = 2.0;
  const double exact = pi / 2 * std::sqrt((material.lambda() + 2 * material.mu()) / 8) / length;
  for (const bool lumped : {false, true}) {
    const auto errors = refine(lumped ? "bar, lumped mass" : "bar, consistent mass", {4, 8, 16}, [&](int n) {
      Model model("bar");
      const auto mesh = make_box_mesh({.size = {length, 0.1, 0.1}, .divisions = {n, 1, 1}});
      const Solid bar = add_solid(model, mesh, {.name = "bar", .material = material, .lumped_mass = lumped});
      bar.fix(model, "x-");
      for (const PointNode& node : bar.nodes()) model.fix(node, {Component::y, Component::z});
      return natural_frequencies(model)[0] / exact - 1;
    });
    for (std::size_t i = 0; i < 3; ++i) {
      const double n = 4 << i;
      const double expected = (lumped ? -1 : 1) * std::pow(pi / (2 * n), 2) / 24;
      EXPECT_NEAR(errors[i] / expected, 1.0, 0.02);
    }
  }
}

TEST(HexahedronConvergence, BendingFrequenciesOfAFreeBeam) {
  // 1 x 0.02 x 0.02 m, nu = 0: Euler-Bernoulli free-free modes, (4.73004, 7.85320)^2 sqrt(E I/(rho A))/L^2, each
  // twice; shear and rotary inertia lower them by a few (k h)^2/12 < 1 %.
  const double h = 0.02;
  Model model("beam");
  const auto mesh = make_box_mesh({.size = {1, h, h}, .divisions = {24, 1, 1}});
  add_solid(model, mesh,
            {.name = "beam", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.0, .density = 100}});
  const Vector omega = natural_frequencies(model);
  const double unit = std::sqrt(1e6 / 100.0 * h * h / 12);
  // Rigid motions: rounding of the largest eigenvalue, 1e-16 (omega_max)^2 with omega_max = 3e4 rad/s.
  EXPECT_LT(omega[5], 1e-2);
  EXPECT_NEAR(omega[6] / (unit * 4.73004 * 4.73004), 1.0, 0.01);
  EXPECT_NEAR(omega[7], omega[6], 1e-6 * omega[6]);
  EXPECT_NEAR(omega[8] / (unit * 7.85320 * 7.85320), 1.0, 0.015);
}

// ---- Large displacements ----

/// The tip of a cantilever of 1 x 0.02 x 0.02 m under a dead load with P L^2/(E I) = 2.
Vec3 elastica_tip(SolidLaw law, double nu, int load_steps) {
  const double h = 0.02;
  Model model("elastica");
  const auto mesh = make_box_mesh({.size = {1, h, h}, .divisions = {20, 1, 1}, .origin = {0, -h / 2, 0}});
  const Solid beam = add_solid(
      model, mesh,
      {.name = "beam", .material = {.youngs_modulus = 1e6, .poissons_ratio = nu, .density = 1, .law = law}});
  beam.fix(model, "x-");
  const double load = 2 * 1e6 * std::pow(h, 4) / 12;
  add_traction(model, {.name = "tip", .faces = beam.faces("x+"), .traction = {0, load / (h * h), 0}});
  const Configuration q = support::solve_statics(model, load_steps);
  Vec3 tip = Vec3::Zero();
  for (const PointNode& node : beam.nodes("x+")) tip += q.position(node) / 4;
  return tip;
}

TEST(HexahedronConvergence, NonlinearCantileverIsTheElastica) {
  // 0.83936 L along and 0.49346 L across (Mattiasson 1981, table 1). The strains are below 2 %, so that the law
  // matters little; the clamp prevents the contraction of the root, over a length of h = 0.02 L.
  const Vec3 hooke = elastica_tip(SolidLaw::saint_venant_kirchhoff, 0.0, 4);
  EXPECT_NEAR(hooke.x(), 0.83936, 2e-3);
  EXPECT_NEAR(hooke.y(), 0.49346, 2e-3);
  for (const double nu : {0.3, 0.49}) {
    const Vec3 rubber = elastica_tip(SolidLaw::neo_hooke, nu, 10);
    EXPECT_NEAR(rubber.x(), 0.83936, 5e-3) << nu;
    EXPECT_NEAR(rubber.y(), 0.49346, 5e-3) << nu;
  }
}

}  // namespace
}  // namespace picus
