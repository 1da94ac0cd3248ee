/// A soft block that flies and spins freely, integrated by DecoupledNsga.

#include <picus/picus.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace picus {
namespace {

struct Momenta {
  Vec3 linear = Vec3::Zero();   ///< kg m/s
  Vec3 angular = Vec3::Zero();  ///< about the origin, kg m2/s
  double energy = 0;            ///< J
};

struct Flight {
  Momenta start;
  Momenta end;
};

Flight fly(double step, HexahedronFormulation formulation, SolidLaw law) {
  Model model("flight");
  const auto mesh =
      make_box_mesh({.size = {1, 0.4, 0.3}, .divisions = {3, 1, 1}, .origin = {-0.5, -0.2, -0.15}});
  const Solid block =
      add_solid(model, mesh,
                {.name = "block",
                 .material = {.youngs_modulus = 2e4, .poissons_ratio = 0.3, .density = 100, .law = law},
                 .formulation = formulation,
                 .lumped_mass = true,
                 .velocity = {1, 2, -1},
                 .angular_velocity = {2, 1, 3}});
  const auto momenta = [&](const State& state) {
    Momenta result;
    const System system(model);
    result.energy = system.potential_energy(state.q, state.time);
    for (const auto& [point, mass] : block.mass_points()) {
      const Vec3 u = state.v.segment<3>(point.node.v);
      result.linear += mass * u;
      result.angular += mass * state.q.position(point.node).cross(u);
      result.energy += mass * u.squaredNorm() / 2;
    }
    return result;
  };
  const System system(model);
  DecoupledNsga integrator({.step = step, .tolerance = 1e-10}, {.rho_inf = 1.0});
  State state = integrator.start(system);
  Flight flight{momenta(state), {}};
  const auto steps = static_cast<int>(std::lround(0.4 / step));
  for (int i = 0; i < steps; ++i) integrator.step(state);
  flight.end = momenta(state);
  return flight;
}

class FlyingBlockTest : public ::testing::TestWithParam<std::tuple<HexahedronFormulation, SolidLaw>> {};

TEST_P(FlyingBlockTest, KeepsMomentaAndEnergyToTheOrderOfTheScheme) {
  const auto [formulation, law] = GetParam();
  const Flight coarse = fly(4e-3, formulation, law);
  const Flight fine = fly(2e-3, formulation, law);
  // The internal forces have no resultant: rounding and the tolerance of the solver remain.
  EXPECT_LT((fine.end.linear - fine.start.linear).norm(), 1e-9 * fine.start.linear.norm());
  // Angular momentum and energy are not invariants of the scheme, which is of second order.
  const double angular_error = (fine.end.angular - fine.start.angular).norm();
  const double energy_error = std::abs(fine.end.energy - fine.start.energy);
  EXPECT_LT(angular_error, 2e-3 * fine.start.angular.norm());
  EXPECT_LT(energy_error, 2e-3 * fine.start.energy);
  EXPECT_GT((coarse.end.angular - coarse.start.angular).norm(), 3 * angular_error);
  EXPECT_GT(std::abs(coarse.end.energy - coarse.start.energy), 2.5 * energy_error);
}

INSTANTIATE_TEST_SUITE_P(
    All, FlyingBlockTest,
    ::testing::Combine(::testing::Values(HexahedronFormulation::full, HexahedronFormulation::enhanced),
                       ::testing::Values(SolidLaw::saint_venant_kirchhoff, SolidLaw::neo_hooke)));

}  // namespace
}  // namespace picus
