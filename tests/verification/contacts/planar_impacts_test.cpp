// Impacts of one contact with friction in a plane, by Newton's and by Poisson's law, against the closed forms of Glocker and
// Pfeiffer (1995): as plain data, of a rod that hits a floor, and of Kane's double pendulum.

#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/models/kane_pendulum.hpp>
#include <picus/models/references/planar_impact.hpp>
#include <picus/solvers/contact/poisson_impact.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::planar_impacts_test {
namespace {

using Eigen::Vector2d;
using models::PlanarImpact;

constexpr ImpactLaw::Kind newton = ImpactLaw::Kind::newton, poisson = ImpactLaw::Kind::poisson;

/// A rod that falls on a floor with its lower end, in the plane x-y.
struct FallingRod {
  double mass, inertia, mu, e;
  Vec3 arm;       ///< from the centre of mass to the end, m
  Vec3 velocity;  ///< of the centre of mass
  double spin;

  /// Its impact, normal along y and friction along x.
  PlanarImpact impact() const {
    PlanarImpact result{.W = {}, .u_0 = {}, .mu = mu, .e = e};
    const double x = arm.x(), y = arm.y();
    result.W << 1 / mass + x * x / inertia, -x * y / inertia, -x * y / inertia, 1 / mass + y * y / inertia;
    result.u_0 = {velocity.y() + spin * x, velocity.x() - spin * y};
    return result;
  }
};

FallingRod random_rod(support::Random& random) {
  const double length = random.uniform(0.5, 2), mass = random.uniform(0.5, 2);
  const double angle = random.uniform(-1.3, 1.3);  // to the vertical
  return {.mass = mass,
          .inertia = mass * length * length / 12 * random.uniform(0.7, 1.5),
          .mu = random.uniform(0, 1.5),
          .e = random.uniform(0, 1),
          .arm = 0.5 * length * Vec3(std::sin(angle), -std::cos(angle), 0),
          .velocity = {random.uniform(-2, 2), random.uniform(-2, 0), 0},
          .spin = random.uniform(-2, 2)};
}

// Where the closed form would gain energy the solver returns less in the expansion (poisson_impact.hpp).
TEST(PlanarImpacts, PoissonsLawIsThatOfTheClosedForm) {
  support::Random random(5);
  solvers::PoissonImpact law;
  Vector P;
  int compared = 0, slides_back = 0;
  for (int k = 0; k < 100000; ++k) {
    const PlanarImpact rod = random_rod(random).impact();
    if (!(rod.u_0[0] < -0.01)) continue;
    solvers::Impact impact;
    impact.contacts.push_back({.first_row = 0, .rows = 2, .mu = rod.mu, .e = rod.e});
    impact.W = rod.W;
    impact.u_0 = rod.u_0;
    const solvers::PoissonReport report = law.solve(impact, P);
    const double before = 0.5 * rod.u_0.dot(rod.W.inverse() * rod.u_0);
    ASSERT_LE(impact.energy_change(P), 1e-12 * before) << k;
    const Vector2d exact = rod.impulse(poisson);
    if (rod.energy_change(exact) > 0) continue;
    ASSERT_TRUE(report.converged) << k;
    ASSERT_LT((P - exact).norm(), 1e-8 * exact.norm()) << k;
    ++compared;
    const Vector2d u = rod.u_0 + rod.W * exact;
    slides_back += u[1] * rod.u_0[1] < -1e-6 ? 1 : 0;
  }
  EXPECT_GT(compared, 50000);
  EXPECT_GT(slides_back, 100) << "impacts after which the end slides the other way";
}

/// Velocity and spin after an impact in one short step.
Vec3 after_impact(const FallingRod& rod, ImpactLaw::Kind law) {
  Model model("rod");
  const PlanarBody body = add_planar_body(model, {.name = "rod",
                                                  .position = -rod.arm + Vec3(0, 1e-9, 0),
                                                  .velocity = rod.velocity,
                                                  .angular_velocity = rod.spin,
                                                  .mass = rod.mass,
                                                  .inertia = rod.inertia});
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = body.at(rod.arm),
                                .face = {.normal = Vec3::UnitY(), .tangent = Vec3(Vec3::UnitX())},
                                .mu = rod.mu,
                                .e_n = rod.e,
                                .impact_law = {.kind = law},
                                .friction_directions = 1});
  const System system(model);
  DecoupledNsga integrator({.step = 1e-6});
  State state = integrator.start(system);
  integrator.step(state);
  return {state.v[body.node.v], state.v[body.node.v + 1], state.v[body.node.v + 5]};
}

TEST(PlanarImpacts, ARodHitsTheFloor) {
  support::Random random(6);
  for (const ImpactLaw::Kind law : {newton, poisson}) {
    int compared = 0;
    while (compared < 300) {
      const FallingRod rod = random_rod(random);
      const PlanarImpact impact = rod.impact();
      // Slow ones would not arrive within the step.
      if (!(impact.u_0[0] < -0.01)) continue;
      const Vector2d P = impact.impulse(law);
      if (impact.energy_change(P) > 0) continue;
      ++compared;
      const Vec3 exact = Vec3(rod.velocity.x() + P[1] / rod.mass, rod.velocity.y() + P[0] / rod.mass,
                              rod.spin + (rod.arm.x() * P[0] - rod.arm.y() * P[1]) / rod.inertia);
      // In the step of 1e-6 s the rod turns by up to 1e-5 rad.
      ASSERT_LT((after_impact(rod, law) - exact).norm(), 1e-4) << compared;
    }
  }
}

TEST(PlanarImpacts, KanesPendulumKeepsWhatTheClosedFormSays) {
  for (const ImpactLaw::Kind law : {newton, poisson}) {
    for (const double mu : {0.0, 0.1, 0.3, 0.6, 1.0}) {
      for (const double e : {0.0, 0.3, 0.6, 0.9}) {
        const models::KanePendulum parameters{.mu = mu, .restitution = e, .law = law};
        const PlanarImpact impact = models::kane_pendulum_impact(parameters);
        const Vector2d P = impact.impulse(law);
        if (law == poisson && impact.energy_change(P) > 0) continue;
        const Model model = models::make_kane_pendulum(parameters);
        const System system(model);
        DecoupledNsga integrator({.step = 1e-5});
        State state = integrator.start(system);
        const Node rod = model.find_node("rod[1]");
        for (int i = 0; i < 3; ++i) integrator.step(state);
        const Vec3 arm = state.q.rotation(rod) * Vec3(0, -0.5, 0);
        const Vec3 end = state.v.segment<3>(rod.v) + state.v[rod.v + 5] * Vec3::UnitZ().cross(arm);
        const Vector2d exact = impact.u_0 + impact.W * P;
        EXPECT_NEAR(end.y(), exact[0], 2e-5) << mu << " " << e;
        EXPECT_NEAR(end.x(), exact[1], 2e-5) << mu << " " << e;
      }
    }
  }
}

}  // namespace
}  // namespace picus::planar_impacts_test
