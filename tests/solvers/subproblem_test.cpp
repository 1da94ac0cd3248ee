// Common to all sub-problems: messages, norms, and what they provide to the first-order solver.

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/subproblems/contact_masses.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using support::Random;

/// Applies a NaN force to a scalar.
class Broken : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;
  };
  Broken(const Parameters& p, const Model&) : Element(p.name, {p.node}) {}
  Traits traits() const override { return {}; }
  void force(const Motion&, std::span<double> f) const override {
    f[0] = std::numeric_limits<double>::quiet_NaN();
  }
  void tangents(const Motion&, std::span<double>, std::span<double>) const override {}
};

class SubproblemTest : public testing::Test {
 protected:
  void begin(const System& system, StepData& data) {
    v_n = Vector::Zero(system.velocity_count());
    q_n = system.model().initial_configuration();
    data.q_n = &q_n;
    data.v_n = &v_n;
    data.h = 1e-2;
    data.t = 1e-2;
    data.contact_mass = solvers::contact_masses(system, data.mass, data.scales, q_n, 0.0);
  }
  Configuration q_n;
  Vector v_n;
};

TEST_F(SubproblemTest, ANanAmongManyEquationsIsTheWorstResidual) {
  // Scalars before and after the broken one are in equilibrium.
  Model model;
  const auto first = model.add_scalar("first");
  const auto broken = model.add_scalar("broken");
  const auto last = model.add_scalar("last");
  for (const auto& node : {first, broken, last})
    model.add<support::Oscillator>({.name = "mass " + model.node_name(node), .node = node, .stiffness = 1});
  model.add<Broken>({.name = "broken force", .node = broken});
  const System system(model);
  StepData data(system);
  begin(system, data);
  SmoothProblem problem(data);
  problem.set_scaling(1, 1e-8);
  problem.begin(GeneralizedAlpha::with_spectral_radius(0.8), Vector::Zero(3), Vector::Zero(3),
                Vector::Zero(0));
  Vector r(problem.size());
  const ResidualNorm norm = problem.evaluate(r);
  EXPECT_FALSE(norm.worst <= 1.0);
  EXPECT_TRUE(std::isnan(norm.worst));
  EXPECT_EQ(problem.describe(norm.where), "s of node \"broken\"");

  const auto solver = make_linear_solver(LinearSolverKind::klu, problem.matrix());
  solver->analyze(problem.matrix());
  NewtonWorkspace work(problem.size());
  EXPECT_FALSE(solve_newton(problem, *solver, {}, work).converged);
}

TEST_F(SubproblemTest, DescribesEveryUnknown) {
  Random random(3);
  const Model model = support::make_mixed_model(random);
  const System system(model);
  StepData data(system);
  begin(system, data);
  const PositionProblem problem(data);
  EXPECT_EQ(problem.name(), "position");
  EXPECT_EQ(problem.describe(0), "x of node \"body\"");
  const auto free_count = count_of(system.free_dofs());
  EXPECT_EQ(problem.describe(free_count - 1), "s of node \"angle\"");
  EXPECT_EQ(problem.describe(free_count + 1), "row 1 of constraint \"other to ground\"");
  EXPECT_EQ(problem.describe(problem.first_contact_unknown() + 4), "row 2 of contact \"point on plane\"");
}

TEST_F(SubproblemTest, TheNormIsTheLargestResidualOverItsTolerance) {
  Random random(4);
  const Model model = support::make_mixed_model(random);
  const System system(model);
  StepData data(system);
  begin(system, data);
  SmoothProblem problem(data);
  problem.set_scaling(1, 1e-8);
  const Vector zero = Vector::Zero(system.velocity_count());
  v_n = random.vector(system.velocity_count());
  const auto norm_at = [&](double tolerance) {
    data.tolerance = tolerance;
    problem.begin(GeneralizedAlpha::with_spectral_radius(0.8), zero, zero, Vector::Zero(system.row_count()));
    Vector r(problem.size());
    return problem.evaluate(r);
  };
  const ResidualNorm tight = norm_at(1e-5);
  const ResidualNorm loose = norm_at(1e-3);
  EXPECT_GT(tight.worst, 1.0);
  // Up to the rounding level that is added to the tolerance, 100 eps length / h or 2e-12 m/s.
  EXPECT_NEAR(tight.worst / loose.worst, 100.0, 1e-3);
  EXPECT_NEAR(tight.square / loose.square, 1e4, 0.1);
  EXPECT_GE(tight.square, tight.worst * tight.worst);
}

TEST_F(SubproblemTest, KnowsTheRoundingOfCoordinatesInRowsOfContacts) {
  // Of a mass at (x, 0, 0) on a plane, in parts of the tolerance of its gap.
  const auto rounding_at = [&](double x, double speed) {
    Model model;
    const PointNode point = model.add_point("point", {.position = {x, 0, 0}});
    model.add<support::PointMass>({.name = "mass", .node = point});
    model.add<support::PlaneContact>({.name = "plane", .point = point});
    const System system(model);
    StepData data(system);
    begin(system, data);
    v_n[1] = speed;
    data.groups.begin_step(q_n, v_n, data.h, std::vector{ContactState::stick});
    data.set_speeds(v_n, v_n, v_n);
    PositionProblem problem(data);
    problem.set_scaling(1, 1e-8);
    problem.begin();
    return problem.contact_rounding();
  };
  const double near = rounding_at(10.0, 1.0);
  EXPECT_GT(near, 0.0);
  EXPECT_NEAR(rounding_at(20.0, 1.0) / near, 2.0, 0.01);   // with the distance from the origin
  EXPECT_NEAR(rounding_at(10.0, 10.0) / near, 0.1, 0.01);  // the tolerance is of the displacement in a step
  EXPECT_GT(rounding_at(1e6, 0.0), 0.1);                   // at rest only that of the length stands beside it
  EXPECT_LE(rounding_at(1e6, 0.0), 1.0);
}

TEST_F(SubproblemTest, HeldContactsAreRedundantWhereTheyHaveMoreRowsThanTheirNodesComponents) {
  const auto are_redundant = [](int points, int contacts_of_each) {
    Model model;
    for (int i = 0; i < points; ++i) {
      const std::string number = std::to_string(i);
      const PointNode point = model.add_point("point " + number);
      model.add<support::PointMass>({.name = "mass " + number, .node = point});
      for (int k = 0; k < contacts_of_each; ++k)
        model.add<support::PlaneContact>({.name = "plane " + number + " " + std::to_string(k),
                                          .point = point,
                                          .law = {.mu = 0.3, .friction_directions = 2}});
    }
    // One that nothing touches.
    model.add<support::PointMass>({.name = "free mass", .node = model.add_point("free")});
    const System system(model);
    HeldContacts held(system);
    held.hold_all();
    return held.are_redundant();
  };
  EXPECT_FALSE(are_redundant(1, 1));  // three rows, three components
  EXPECT_FALSE(are_redundant(5, 1));
  EXPECT_TRUE(are_redundant(1, 2));
  EXPECT_TRUE(are_redundant(5, 2));
}

TEST_F(SubproblemTest, HeldMultipliersMoveAsToldAndContactsRespond) {
  Random random(5);
  const Model model = support::make_mixed_model(random);
  const System system(model);
  StepData data(system);
  begin(system, data);
  data.h = 1.0;
  v_n = random.vector(system.velocity_count());
  SmoothProblem smooth(data);
  PositionProblem problem(data);
  for (Subproblem* each : {static_cast<Subproblem*>(&smooth), static_cast<Subproblem*>(&problem)})
    each->set_scaling(0.7, 1e-8);
  const Vector zero = Vector::Zero(system.velocity_count());
  smooth.begin(GeneralizedAlpha::with_spectral_radius(0.8), zero, zero, Vector::Zero(system.row_count()));
  Vector auxiliary;
  Vector r(smooth.size());
  smooth.evaluate(r);
  smooth.finish(auxiliary);
  r.resize(problem.size());
  problem.set_contact_multipliers(random.vector(system.contact_row_count()));
  problem.begin();
  problem.evaluate(r);

  const Eigen::MatrixXd A = support::dense(problem.tangent_with(ContactRows::fixed));
  const Index first = problem.first_contact_unknown();
  const Vector P = problem.contact_multipliers();
  const Vector y = problem.contact_motion();
  for (Index row = 0; row < system.contact_row_count(); ++row) {
    Vector b = Vector::Zero(problem.size());
    b[first + row] = problem.fixed_multiplier_row(row, 0.3);
    const Vector dx = A.partialPivLu().solve(b);
    Vector response(system.contact_row_count());
    problem.evaluate(r);
    problem.contact_response(dx, response);
    const Vector along = support::derivative([&](double s) -> Vector {
      problem.advance(dx, s);
      problem.evaluate(r);
      const Vector moved = problem.contact_motion();
      problem.advance(dx, -s);
      return moved;
    });
    support::expect_near(response, along, 1e-8, "change of gaps");
    problem.advance(dx, 1.0);
    const Vector change = problem.contact_multipliers() - P;
    support::expect_near(change, 0.3 * Vector::Unit(P.size(), row), 1e-12, "one multiplier moves");
    problem.advance(dx, -1.0);
  }
  problem.evaluate(r);
  support::expect_near(problem.contact_motion(), y, 1e-12, "restored");
}

}  // namespace
}  // namespace picus
