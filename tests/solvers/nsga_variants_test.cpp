// Variants of the three sub-problems: without force changes, without friction at position level, coupled.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/mixed_model.hpp>

#include <numbers>

namespace picus::nsga_variants_test {
namespace {

constexpr double g = 9.81;

/// The contact normal is z, the friction directions are x and y.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// A chain of equal masses and linear springs along z, the lattice of an elastic bar of length 1, wave speed 1 and
/// mass 1 that hits a wall at speed 1.
class Chain {
 public:
  class LinearSpring : public Element, public Force {
   public:
    struct Parameters {
      std::string name;
      PointNode a, b;
      double length = 0.0;
      double stiffness = 0.0;
    };
    LinearSpring(const Parameters& p, const Model&) : Element(p.name, {p.a, p.b}), p_(p) {}
    Traits traits() const override {
      return {.depends_on_velocity = false, .has_potential = true, .is_conservative = true};
    }
    double stretch(const Configuration& q) const {
      return q.position(p_.b).z() - q.position(p_.a).z() - p_.length;
    }
    void force(const Motion& motion, std::span<double> f) const override {
      f[2] = p_.stiffness * stretch(motion.q);
      f[5] = -f[2];
    }
    void tangents(const Motion&, std::span<double> storage, std::span<double>) const override {
      auto K = support::as_matrix(storage, 6, 6);
      K(2, 2) = K(5, 5) = p_.stiffness;
      K(2, 5) = K(5, 2) = -p_.stiffness;
    }
    double potential_energy(const Configuration& q, double) const override {
      return p_.stiffness * stretch(q) * stretch(q) / 2;
    }

   private:
    Parameters p_;
  };

  explicit Chain(int masses) {
    const double length = 1.0 / masses;
    for (int i = 0; i < masses; ++i) {
      const std::string name = std::to_string(i);
      const auto node =
          model.add_point("node " + name, {.position = {0, 0, 0.105 + length * i}, .velocity = {0, 0, -1}});
      model.fix(node, {Component::x, Component::y});
      model.add<support::PointMass>({.name = "mass " + name, .node = node, .mass = length});
      if (i > 0) {
        model.add<LinearSpring>({.name = "spring " + name,
                                 .a = nodes.back(),
                                 .b = node,
                                 .length = length,
                                 .stiffness = 1 / length});
      }
      nodes.push_back(node);
    }
    model.add<support::PlaneContact>(
        {.name = "wall", .point = nodes[0], .axes = upwards(), .law = {.friction_directions = 0}});
  }
  Model model;
  std::vector<PointNode> nodes;
};

int iterations(const StepReport& report) {
  return report.subproblems[0].iterations + report.subproblems[1].iterations +
         report.subproblems[2].iterations;
}

TEST(NsgaVariants, AgreeWithoutImpactsWhereForcesAreConstant) {
  // U and W then involve no force changes: one solution, whatever the scheme.
  Model model;
  const auto block = model.add_point("block", {.position = {0, 0, 0.01}, .velocity = {1, 0.5, -1}});
  model.add<support::PointMass>({.name = "mass", .node = block, .gravity = {0, 0, -g}});
  model.add<support::PlaneContact>(
      {.name = "floor", .point = block, .axes = upwards(), .law = {.mu = 0.4, .e_n = 0.5}});
  const System system(model);
  const State ds = run(system, "ds", {.step = 1e-3}, 0.5);
  for (const char* scheme : {"dsn", "cs"}) {
    const State state = run(system, scheme, {.step = 1e-3}, 0.5);
    // To the tolerance of the sub-problems: 1e-8 of the motion of a step, 500 times.
    EXPECT_LE((state.q.position(block) - ds.q.position(block)).norm(), 1e-8) << scheme;
    EXPECT_LE((state.v - ds.v).norm(), 1e-8) << scheme;
    EXPECT_LE((state.contact_impulse - ds.contact_impulse).norm(), 1e-8) << scheme;
  }
}

TEST(NsgaVariants, AgreeWithoutConstraintsAndContacts) {
  Model model;
  const auto body = model.add_frame("body", {.angular_velocity = {2, -1, 3}});
  model.add<support::OffsetBody>(
      {.name = "mass", .node = body, .centre = {0.3, 0, 0.1}, .gravity = {0, 0, -g}});
  const System system(model);
  const State ds = run(system, "ds", {.step = 1e-2}, 1.0);
  for (const char* scheme : {"dsn", "ds-np", "cs"})
    EXPECT_TRUE(identical(run(system, scheme, {.step = 1e-2}, 1.0), ds)) << scheme;
}

TEST(NsgaVariants, WithoutPositionFrictionAStickingBlockCreepsByHalfTheStepSquared) {
  // Each step moves it by h^2 a / 2 along the plane, a = g sin 15 degrees, and corrects the normal direction only
  // (Galvez 2020, fig. 4.4b).
  const double angle = std::numbers::pi / 12;
  Model model;
  const auto block = model.add_point("block");
  model.add<support::PointMass>(
      {.name = "mass", .node = block, .gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle))});
  model.add<support::PlaneContact>({.name = "plane", .point = block, .axes = upwards(), .law = {.mu = 0.3}});
  const System system(model);
  for (const double h : {1e-2, 1e-3}) {
    const State creeping = run(system, "ds-np", {.step = h}, 1.0);
    EXPECT_NEAR(creeping.q.position(block).x(), h * g * std::sin(angle) / 2, 1e-7);
    EXPECT_LE(std::abs(creeping.q.position(block).z()), 1e-10) << "the normal direction is corrected";
    EXPECT_LE(creeping.v.norm(), 1e-8);
    EXPECT_EQ(creeping.contact_state[0], ContactState::stick);
    for (const char* scheme : {"ds", "dsn", "cs"})
      EXPECT_LE(run(system, scheme, {.step = h}, 1.0).q.position(block).norm(), 1e-8) << scheme;
  }
}

TEST(NsgaVariants, ReactionsAreThoseOfTheFullImpulse) {
  // A fixed plate with a block on it: smooth and corrected parts in one problem or in two.
  Model model;
  const auto plate = model.add_frame("plate");
  model.fix(plate);
  const auto block = model.add_point("block", {.position = {0.4, -0.3, 0}});
  model.add<support::PointMass>({.name = "mass", .node = block, .mass = 2, .gravity = {0, 0, -g}});
  model.add<support::PointMass>({.name = "load", .node = model.add_point("other"), .mass = 1});
  model.add<support::OffsetBody>({.name = "plate mass", .node = plate, .mass = 3, .gravity = {0, 0, -g}});
  model.add<support::FaceContact>(
      {.name = "contact", .point = block, .face = plate, .axes = upwards(), .law = {.mu = 0.5}});
  const System system(model);
  for (const char* scheme : {"ds", "dsn", "ds-np", "cs"}) {
    const State state = run(system, scheme, {.step = 1e-3}, 0.1);
    EXPECT_NEAR(state.reaction[plate.v + 2], 5 * g, 1e-6) << scheme;
  }
}

TEST(NsgaVariants, TheCoupledSchemeTakesMoreAndFailsForLargeStepsOnAnElasticChain) {
  // The smooth motion undoes the position correction through the springs; each joint iteration recovers the ratio of
  // the compliances with and without springs, g S^-1 g^T / g M^-1 g^T, which is small if waves travel through many
  // masses in a step (Galvez 2020, section 3.3.2: diverges from h = 1e-2, which is six of its elements).
  const Chain chain(50);
  const System system(chain.model);
  for (const double h : {0.002, 0.005}) {
    const auto cs = make_integrator("cs", {.step = h, .max_iterations = 1000});
    const auto ds = make_integrator("ds", {.step = h});
    int most_cs = 0, most_ds = 0;
    const int steps = static_cast<int>(std::lround(1.0 / h));
    const State coupled = run(system, *cs, steps, [&](const State&, const StepReport& report) {
      most_cs = std::max(most_cs, iterations(report));
    });
    const State decoupled = run(system, *ds, steps, [&](const State&, const StepReport& report) {
      most_ds = std::max(most_ds, iterations(report));
    });
    EXPECT_LE(most_ds, 4) << "one solve each, one more where the contact changes";
    EXPECT_GE(most_cs, 2 * most_ds);
    // Two first-order schemes, which differ in the effect of the correction on the springs.
    EXPECT_NEAR(coupled.q.position(chain.nodes[20]).z(), decoupled.q.position(chain.nodes[20]).z(), 2 * h);
  }
  EXPECT_THROW(run(system, "cs", {.step = 0.12}, 1.0), SolverError);
  run(system, "ds", {.step = 0.12}, 1.0);
}

TEST(NsgaVariants, TheCoupledSchemeKeepsConstraintsAtBothLevelsToSecondOrder) {
  // With bilateral constraints only: gradients, masses and forces at the total motion.
  support::Random random(21);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  std::vector<double> steps, differences;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const State cs = run(system, "cs", {.step = h}, 0.2);
    const State ds = run(system, "ds", {.step = h}, 0.2);
    Vector violation = Vector::Zero(system.row_count());
    system.evaluate_constraint_residual(cs.q, cs.time, violation);
    EXPECT_LE(violation.lpNorm<Eigen::Infinity>(), 1e-9);
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), cs.q, ds.q, apart);
    steps.push_back(h);
    differences.push_back(apart.norm());
  }
  EXPECT_GE(fitted_order(steps, differences), 1.8) << "the corrections are of third order a step";
}

}  // namespace
}  // namespace picus::nsga_variants_test
