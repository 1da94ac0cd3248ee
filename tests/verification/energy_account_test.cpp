// What the energy audit computes from the formulas of a scheme accounts for the energy that the scheme has gained or
// lost: to rounding where forces are linear and directions constant, whatever acts, elsewhere to the order of the scheme.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/user_constraint.hpp>
#include <picus/energy.hpp>
#include <picus/models/registry.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>
#include <support/fault_finder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace picus::energy_account_test {
namespace {

using support::FaultFinder;

constexpr double h = 2e-3;

/// Four masses along x on springs with dampers,
///
///     driven ~~~ 1 ~~~ 2 ~~~ 3    | stop
///                |     |
///              floor   led mass, which keeps a given distance from 2
///
/// with a load on each. Friction acts on mass 1, which its weight presses on the floor.
struct Row {
  explicit Row(bool has_motions, double mu) {
    for (int i = 0; i < 4; ++i) {
      const std::string name = std::to_string(i);
      nodes[i] = model.add_point("point " + name, {.position = {i + 1.0, 0, 0}, .velocity = {0.3 * i, 0, 0}});
      if (i == 1) {
        model.fix(nodes[i], {Component::y});
      } else {
        model.fix(nodes[i], {Component::y, Component::z});
      }
      model.add<PointMass>({.name = "mass " + name, .node = nodes[i], .mass = 1.0 + 0.5 * i});
      model.add<NodalForce>({.name = "load " + name, .point = nodes[i], .force = [i](double t) {
                               return Vec3(20 * std::sin((11.0 + 7 * i) * t), 0, 0);
                             }});
      if (i == 0) continue;
      model.add<SpringDamper>({.name = "spring " + name,
                               .a = nodes[i - 1],
                               .b = nodes[i],
                               .stiffness = 2000.0 + 500 * i,
                               .damping = 3.0,
                               .free_length = 0.95});
    }
    model.add<Gravity>({.name = "weight", .acceleration = {0, 0, -9.81}, .bodies = {{nodes[1], 1.5}}});
    model.add<NodeToFaceContact>({.name = "stop",
                                  .slave = nodes[3],
                                  .face = {.point = {4.002, 0, 0}, .normal = {-1, 0, 0}},
                                  .e_n = 0.6});
    model.add<NodeToFaceContact>({.name = "floor",
                                  .slave = nodes[1],
                                  .face = {.point = {0, 0, 0}, .normal = {0, 0, 1}, .tangent = Vec3(1, 0, 0)},
                                  .mu = mu,
                                  .friction_directions = 1});
    const auto shift = [](double t) { return 0.02 * std::sin(13 * t); };
    const auto rate = [](double t) { return 0.02 * 13 * std::cos(13 * t); };
    if (has_motions) {
      model.drive(nodes[0], Component::x, {shift, rate, {}});
    }
    const PointNode led = model.add_point("led", {.position = {3.0, 0, 1}, .velocity = {0.6, 0, 0}});
    model.fix(led, {Component::y, Component::z});
    model.add<PointMass>({.name = "led mass", .node = led, .mass = 0.8});
    model.add<UserConstraint>({.name = "lead",
                               .nodes = {led, nodes[2]},
                               .residual =
                                   [led, other = nodes[2], shift, has_motions](
                                       const Configuration& q, double t, std::span<double> g) {
                                     g[0] = q.position(led).x() - q.position(other).x() -
                                            (has_motions ? shift(t) : 0.0);
                                   },
                               .gradient =
                                   [](const Configuration&, double, std::span<double> G) {
                                     G[0] = 1.0;
                                     G[3] = -1.0;
                                   },
                               .is_rheonomic = has_motions});
  }
  Model model{"row"};
  std::array<PointNode, 4> nodes;
};

struct Case {
  const char* scheme;
  bool has_motions = true;  ///< false: the rates of its constraints are not those at the ends of steps
  double mu = 0.2;
};

class EnergyAccount : public testing::TestWithParam<Case> {};

TEST_P(EnergyAccount, IsCompleteWhereTheModelIsLinear) {
  const auto& [scheme, has_motions, mu] = GetParam();
  const Row row(has_motions, mu);
  const System system(row.model);
  const auto integrator = make_integrator(scheme, {.step = h, .tolerance = 1e-13, .max_iterations = 100});
  State state = integrator->start(system);
  EnergyAudit audit(system, state);
  double scale = 0, most = 0, unexplained = 0;
  for (int i = 0; i < 1000; ++i) {
    integrator->step(state);
    audit.add_step(state, h, integrator->step_forces());
    const Energies now = audit.energies(state);
    scale = std::max({scale, now.kinetic, std::abs(now.work_of_loads), std::abs(now.work_of_dampers)});
    most = std::max(most, std::abs(now.numerical) + std::abs(now.work_of_corrections));
    unexplained = std::max(unexplained, std::abs(now.unexplained));
  }
  const Energies end = audit.energies(state);
  EXPECT_LT(unexplained, 1e-10 * scale);
  EXPECT_GT(std::abs(end.work_of_impacts), 0.01 * scale);
  EXPECT_GT(most, 1e-5 * scale);  // there is something to account for
  if (has_motions) {
    EXPECT_GT(std::abs(end.work_of_motions), 0.01 * scale);
  }
  if (mu > 0) {
    EXPECT_LT(end.work_of_friction, -0.01 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, EnergyAccount,
    testing::Values(Case{"ds"}, Case{"ds:rho_inf=0"}, Case{"ds:rho_inf=1"}, Case{"dsn"}, Case{"ds-np"},
                    Case{"cs"}, Case{"chen"}, Case{"chen:projection=yes"}, Case{"newmark"},
                    Case{"newmark-implicit"}, Case{"hht:alpha=0.2"}, Case{"newmark:smooth=yes"},
                    Case{"moreau-jean"}, Case{"moreau-jean:theta=0.6,dissipates=yes"}, Case{"mixed"},
                    Case{"mixed:base=bathe"}, Case{"mixed:base=ed-alpha"}, Case{"mixed:base=half-explicit"},
                    Case{"mixed:base=moreau-midpoint", false}, Case{"schatzman-paoli", false, 0.0},
                    Case{"schatzman-paoli:theta=0", false, 0.0}),
    [](const auto& one) {
      std::string name = one.param.scheme;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

/// A free oscillator of frequency w, displaced by 0.2 m, with something beside it that makes steps fail.
struct Oscillator {
  explicit Oscillator(double w, unsigned pattern = 0) : stiffness(w * w) {
    node = model.add_point("mass", {.position = {1.2, 0, 0}});
    model.fix(node, {Component::y, Component::z});
    model.add<PointMass>({.name = "mass", .node = node, .mass = 1.0});
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(Vec3(-anchor, 0, 0)),
                             .b = node,
                             .stiffness = stiffness,
                             .free_length = anchor + 1.0});
    if (pattern == 0) return;
    const PointNode other = model.add_point("other", {.position = {0, 5, 0}});
    model.add<PointMass>({.name = "other mass", .node = other, .mass = 1.0});
    model.add<FaultFinder>({.name = "finder", .node = other, .pattern = pattern});
  }
  double x(const State& state) const { return state.q.position(node).x() - 1.0; }
  static constexpr double anchor = 99.0;  // farther than an unresolved vibration overshoots
  Model model{"oscillator"};
  PointNode node;
  double stiffness;
};

// Rigid bodies on joints that hit their guides. Quadratic potentials and constant masses: only the tolerance remains.
class EnergyAccountOfJoints : public testing::TestWithParam<const char*> {};

TEST_P(EnergyAccountOfJoints, KnowsTheirDirections) {
  const auto& registry = models::registry();
  const auto model = std::ranges::find_if(
      registry, [](const RegisteredModel& one) { return one.info().name == "crank-slider"; });
  ASSERT_NE(model, registry.end());
  for (const double step : {1e-3, 2.5e-4}) {
    const Model slider = model->configure().build();
    const System system(slider);
    const auto integrator =
        make_integrator(GetParam(), {.step = step, .tolerance = 1e-11, .max_iterations = 100});
    State state = integrator->start(system);
    EnergyAudit audit(system, state);
    double scale = 0;
    for (int i = 0; i < std::lround(0.15 / step); ++i) {
      integrator->step(state);
      audit.add_step(state, step, integrator->step_forces());
      const Energies now = audit.energies(state);
      scale = std::max(scale, now.kinetic);
      ASSERT_NEAR(now.unexplained, 0.0, 1e-8 * scale) << step << ", step " << i;
    }
    // Impulses along the directions at the end of steps.
    EXPECT_GT(std::abs(audit.energies(state).work_of_constraints), 1e-4 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EnergyAccountOfJoints,
                         testing::Values("ds", "dsn", "cs", "chen", "newmark:projection=yes", "moreau-jean",
                                         "mixed", "mixed:base=moreau-midpoint"));

// dE = -(theta - 1/2) (|dv|_M^2 + |dq|_K^2), Acary's slides, eq. 43.
TEST(EnergyAccountOfTheTheta, RuleIsItsClosedForm) {
  for (const double theta : {0.5, 0.75, 1.0}) {
    const Oscillator one(30.0);
    const System system(one.model);
    const auto integrator = make_integrator(with_option("moreau-jean", "theta", std::to_string(theta)),
                                            {.step = 5e-3, .tolerance = 1e-13});
    State state = integrator->start(system);
    EnergyAudit audit(system, state);
    double expected = 0;
    for (int i = 0; i < 200; ++i) {
      const double v = state.v[0], x = one.x(state);
      integrator->step(state);
      audit.add_step(state, 5e-3, integrator->step_forces());
      const double dv = state.v[0] - v, dx = one.x(state) - x;
      expected -= (theta - 0.5) * (dv * dv + one.stiffness * dx * dx);
      const Energies now = audit.energies(state);
      ASSERT_NEAR(now.numerical, expected, 1e-11 * one.stiffness) << theta;
      ASSERT_EQ(now.work_of_corrections, 0.0);
    }
  }
}

TEST(EnergyAccountOfCutSteps, KnowsTheirParts) {
  for (const double wh : {0.5, 4.0, 30.0}) {
    for (const unsigned pattern : {0b0000'1000'0100'0010U, 0b0011'0000'0001'1000U}) {
      const double step = 1e-2;
      const Oscillator one(wh / step, pattern);
      const System system(one.model);
      DecoupledNsga integrator({.step = step, .tolerance = 1e-13}, {.step_cuts = 6});
      State state = integrator.start(system);
      EnergyAudit audit(system, state);
      int cuts = 0;
      double scale = 0.02 * one.stiffness;
      for (int i = 0; i < 300; ++i) {
        const StepReport report = integrator.step(state);
        audit.add_step(state, step, integrator.step_forces());
        cuts += report.fallbacks[place_of(Fallback::step_cut)];
        const Energies now = audit.energies(state);
        scale = std::max(scale, now.kinetic);
        ASSERT_NEAR(now.unexplained, 0.0, 1e-10 * scale) << wh << ", step " << i;
      }
      EXPECT_GT(cuts, 20);
    }
  }
}

// Contact forces that friction makes impulses act at once: half of them is not carried on to the next step.
TEST(EnergyAccountOfImpulses, WithoutCollisionGainNothing) {
  const auto& registry = models::registry();
  const auto model = std::ranges::find_if(
      registry, [](const RegisteredModel& one) { return one.info().name == "painleve-rod"; });
  ASSERT_NE(model, registry.end());
  const Model rod = model->configure().build();
  const System system(rod);
  const double step = model->info().step;
  const auto integrator =
      make_integrator("mixed", {.step = step, .max_iterations = find_scheme("mixed").max_iterations});
  State state = integrator->start(system);
  EnergyAudit audit(system, state);
  int impulses = 0;
  double kinetic = 0;
  for (int i = 0; i < std::lround(model->info().until / step); ++i) {
    const StepReport report = integrator->step(state);
    audit.add_step(state, step, integrator->step_forces());
    impulses += report.fallbacks[place_of(Fallback::impulse)];
    const Energies now = audit.energies(state);
    kinetic = std::max(kinetic, now.kinetic);
    ASSERT_NEAR(now.balance, 0.0, 1e-3 * kinetic) << i;
  }
  EXPECT_GT(impulses, 0);
}

}  // namespace
}  // namespace picus::energy_account_test
