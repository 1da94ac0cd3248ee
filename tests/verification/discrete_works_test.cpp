// Works of dampers and loads are those of the forces used by a scheme, with steps that resolve the motion and with
// others.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::discrete_works_test {
namespace {

constexpr double m = 2.0;
constexpr double place = 1.2;  ///< initial position; the equilibrium is at 1 m

/// A mass on a spring and a damper, with an unsteady load.
struct Oscillator {
  Oscillator(double w, double damping_ratio, double load, double anchor) : k(m * w * w) {
    mass = model.add_point("mass", {.position = {place, 0, 0}});
    model.fix(mass, {Component::y, Component::z});
    model.add<PointMass>({.name = "mass", .node = mass, .mass = m});
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(Vec3(-anchor, 0, 0)),
                             .b = mass,
                             .stiffness = k,
                             .damping = 2 * damping_ratio * m * w,
                             .free_length = anchor + 1.0});
    if (load != 0) {
      model.add<NodalForce>({.name = "load", .point = mass, .force = [load](double t) {
                               return Vec3(load * std::sin(7 * t), 0, 0);
                             }});
    }
  }
  Model model{"oscillator"};
  PointNode mass;
  double k;
};

class DiscreteWorks : public testing::TestWithParam<const char*> {};

// The kinetic energy changes by the works of damper, load and spring; that of the spring follows here from the
// formula of the scheme.
TEST_P(DiscreteWorks, AccountForTheKineticEnergyExactly) {
  const Oscillator one(20.0, 0.1, 30.0, 0.0);
  const System system(one.model);
  constexpr double h = 5e-3;
  const auto integrator = make_integrator(GetParam(), {.step = h, .tolerance = 1e-12});
  State state = integrator->start(system);
  EnergyAudit audit(system, state);
  const auto spring = [&] { return -one.k * (state.q.position(one.mass).x() - 1.0); };
  double f = spring();
  double F = f;
  double work = 0;
  for (int i = 0; i < 400; ++i) {
    const double v = state.v[0];
    const double f_n = f;
    const double F_n = F;
    integrator->step(state);
    audit.add_step(state, h, integrator->step_forces());
    const StepForces& rule = integrator->step_forces().front();
    f = spring();
    F = ((1 - rule.alpha_f) * f + rule.alpha_f * f_n - rule.alpha_m * F_n) / (1 - rule.alpha_m);
    work += (rule.last * F_n + rule.next * F) * 0.5 * (v + state.v[0]);
    const Energies energies = audit.energies(state);
    ASSERT_NEAR(energies.kinetic, work + energies.work_of_dampers + energies.work_of_loads,
                1e-10 * 0.5 * one.k * 0.04)
        << i;
  }
}

TEST_P(DiscreteWorks, NoEnergyIsInventedWhereStepsDoNotResolveTheMotion) {
  // From an unresolved initial displacement the other schemes overshoot in the first steps, by a multiple of its
  // energy, which the damper dissipates: the works are those of the computed motion.
  const std::string_view scheme = GetParam();
  const bool overshoots = scheme != "newmark" && scheme != "moreau-jean";
  for (const double wh : {3.0, 30.0, 300.0}) {
    if (overshoots && wh > 3) break;
    constexpr double h = 1e-3;
    // Newton's iteration starts from the predicted acceleration, (w h)^2/10 m away: not beyond the other end of the
    // spring.
    const Oscillator one(wh / h, 0.2, 0.0, wh * wh);
    const System system(one.model);
    const auto integrator = make_integrator(GetParam(), {.step = h});
    State state = integrator->start(system);
    EnergyAudit audit(system, state);
    const double E = 0.5 * one.k * 0.04;
    double most = E;
    for (int i = 0; i < 500; ++i) {
      integrator->step(state);
      audit.add_step(state, h, integrator->step_forces());
      const Energies energies = audit.energies(state);
      // Only existing energy may be lost.
      most = std::max(most, energies.kinetic + energies.potential);
      EXPECT_LE(std::abs(energies.balance), 1.5 * most) << wh << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, DiscreteWorks,
                         testing::Values("ds", "cs", "chen", "newmark", "hht", "newmark-implicit",
                                         "moreau-jean", "ds:rho_inf=0", "mixed:base=generalized-alpha"));

}  // namespace
}  // namespace picus::discrete_works_test
