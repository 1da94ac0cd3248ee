#include <picus/local_dofs.hpp>
#include <picus/system.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using support::message_of;
using support::PointMass;
using support::Random;

class SystemTest : public testing::Test {
 protected:
  Random random{21};
  Model model = support::make_mixed_model(random);
  System system{model};
  Configuration q = moved_freely(system, model.initial_configuration(), random, 1.0);
  Vector v = random.vector(system.velocity_count());
  double t = 0.4;

  /// The gradients of all rows as a dense matrix in natural layout, idle rows and structural zeros included.
  template <class Role, class Evaluate>
  Eigen::MatrixXd dense_gradient(std::span<const RowBlock<Role>> blocks, Index rows, Evaluate&& evaluate) {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(rows, system.velocity_count());
    for (const auto& block : blocks) {
      std::vector<double> local(block.rows * block.dofs, 0.0);
      evaluate(*block.role, local);
      for_each_dof(*block.element, [&](Index c, Index dof) {
        for (Index r = 0; r < block.rows; ++r) G(block.first_row + r, dof) = local[c * block.rows + r];
      });
    }
    return G;
  }
  Eigen::MatrixXd dense_constraints() {
    return dense_gradient(
        system.constraints(), system.row_count(),
        [&](const BilateralConstraint& role, std::span<double> G) { role.gradient(q, t, G); });
  }
  Eigen::MatrixXd dense_contacts() {
    return dense_gradient(system.contacts(), system.contact_row_count(),
                          [&](const Contact& role, std::span<double> G) { role.gradient(q, G); });
  }
};

TEST_F(SystemTest, NumbersTheFreeComponentsInNaturalOrder) {
  std::vector<Index> expected;
  for (Index dof = 0; dof < model.velocity_count(); ++dof) {
    if (!model.is_fixed(dof) && !model.driven().contains(dof)) expected.push_back(dof);
  }
  EXPECT_EQ(std::vector<Index>(system.free_dofs().begin(), system.free_dofs().end()), expected);
  for (Index dof = 0; dof < model.velocity_count(); ++dof) {
    const Index place = system.free_index()[dof];
    const bool is_free = std::find(expected.begin(), expected.end(), dof) != expected.end();
    ASSERT_EQ(place >= 0, is_free) << model.describe_dof(dof);
    if (!is_free) continue;
    EXPECT_EQ(system.free_dofs()[place], dof);
  }
}

TEST_F(SystemTest, NumbersRowsInTheOrderOfTheModel) {
  Index row = 0;
  for (std::size_t e = 0; e < model.constraints().size(); ++e) {
    EXPECT_EQ(system.constraints()[e].element, model.constraints()[e].element);
    EXPECT_EQ(system.constraints()[e].first_row, row);
    row += system.constraints()[e].rows;
  }
  EXPECT_EQ(system.row_count(), row);
  row = 0;
  for (const auto& block : system.contacts()) {
    EXPECT_EQ(block.first_row, row);
    EXPECT_EQ(block.rows, 1 + block.role->law().friction_directions);
    row += block.rows;
  }
  EXPECT_EQ(system.contact_row_count(), row);
}

TEST_F(SystemTest, RefusesAModelInWhichNothingCanMove) {
  Model rigid("statue");
  rigid.fix(rigid.add_frame("base"));
  EXPECT_EQ(message_of<ModelError>([&] { (void)System(rigid); }),
            "model \"statue\" has no free component: nothing can move");
}

TEST_F(SystemTest, MultiplyAppliesTheWholeGradient) {
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, t, G);
  Vector rate = Vector::Zero(system.row_count());
  System::multiply(system.constraint_entries(), G, v, rate);
  support::expect_near(rate, dense_constraints() * v, 1e-14, "G v of constraints");

  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_contact_gradients(q, contact_G);
  Vector contact_rate = Vector::Zero(system.contact_row_count());
  System::multiply(system.contact_entries(), contact_G, v, contact_rate);
  support::expect_near(contact_rate, dense_contacts() * v, 1e-14, "G v of contacts");
}

TEST_F(SystemTest, TransposeIsTheAdjointOfMultiply) {
  const auto check = [&](std::span<const GradientEntry> entries, const Gradients& G, Index rows) {
    const Vector p = random.vector(rows);
    Vector rate = Vector::Zero(rows);
    System::multiply(entries, G, v, rate);
    Vector force = Vector::Zero(v.size());
    System::add_transpose(entries, G, p, 1.0, force);
    EXPECT_NEAR(p.dot(rate), v.dot(force), 1e-13);
    Vector doubled = force;
    System::add_transpose(entries, G, p, -3.0, doubled);
    support::expect_near(doubled, -2.0 * force, 1e-14, "adds, scaled");
  };
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, t, G);
  check(system.constraint_entries(), G, system.row_count());
  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_contact_gradients(q, contact_G);
  check(system.contact_entries(), contact_G, system.contact_row_count());
}

TEST_F(SystemTest, RatesAreDerivativesAlongTheMotion) {
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, t, G);
  Vector rate = Vector::Zero(system.row_count());
  Vector partial = rate;
  System::multiply(system.constraint_entries(), G, v, rate);
  system.evaluate_partial_rates(q, t, partial);
  EXPECT_TRUE(system.is_rheonomic());
  const Vector by_differences = support::derivative([&](double s) {
    Configuration moved = q;
    retract(system.nodes(), q, s * v, moved);
    Vector g = Vector::Zero(system.row_count());
    system.evaluate_constraint_residual(moved, t + s, g);
    return g;
  });
  support::expect_near(rate + partial, by_differences, support::difference_tolerance, "dg/dt");
}

TEST_F(SystemTest, ForcesOfAConservativeModelAreMinusTheGradientOfItsEnergy) {
  const Vector at_rest = Vector::Zero(v.size());
  Vector f = Vector::Zero(v.size());
  system.add_forces({q, at_rest, t}, -0.5, f);  // at rest the dampers exert no force
  const auto energy = [&](const Configuration& at) {
    return Vector::Constant(1, system.potential_energy(at, t));
  };
  const Eigen::MatrixXd slope = support::derivative_on_group(system.nodes(), q, v.size(), energy);
  support::expect_near(f, 0.5 * slope.transpose(), support::difference_tolerance, "-f/2");
}

TEST_F(SystemTest, PrescribesIncrementsRatesAndAccelerations) {
  ASSERT_TRUE(system.has_driven_dofs());
  const Node belt = model.find_node("belt");
  const auto turn = support::swing(0.8, 1.3);
  constexpr double h = 0.05;
  const Vector before = random.vector(v.size());
  Vector dq = before;
  Vector rate = before;
  Vector a = before;
  system.prescribe(t, h, dq, rate, a);
  EXPECT_NEAR(dq[belt.v], 0.7 * h, 1e-16);
  EXPECT_EQ(rate[belt.v], 0.7);
  EXPECT_EQ(a[belt.v], 0.0);
  EXPECT_EQ(dq[belt.v + 5], turn.displacement(t + h) - turn.displacement(t));
  EXPECT_EQ(rate[belt.v + 5], turn.rate(t + h));
  EXPECT_EQ(a[belt.v + 5], turn.acceleration(t + h));
  for (const Index dof : system.free_dofs()) {
    EXPECT_EQ(dq[dof], before[dof]);
    EXPECT_EQ(rate[dof], before[dof]);
    EXPECT_EQ(a[dof], before[dof]);
  }
  const Node ground = model.find_node("ground");
  EXPECT_TRUE(dq.segment<6>(ground.v).isZero(0) && rate.segment<6>(ground.v).isZero(0) &&
              a.segment<6>(ground.v).isZero(0));
}

TEST_F(SystemTest, ClearsWhatIsPrescribedOnly) {
  const Vector before = random.vector(v.size());
  Vector x = before;
  system.clear_prescribed(x);
  for (Index dof = 0; dof < x.size(); ++dof) {
    const bool is_free = system.free_index()[dof] >= 0;
    EXPECT_EQ(x[dof], is_free ? before[dof] : 0.0) << model.describe_dof(dof);
  }
}

TEST_F(SystemTest, DifferencesTheRateOfAMotionThatGivesNoAcceleration) {
  Model driven;
  const auto node = driven.add_point("shaker");
  PrescribedMotion motion = support::swing(1, 2);
  motion.acceleration = {};
  driven.drive(node, Component::y, motion);
  const System one(driven);
  Vector dq = Vector::Zero(3);
  Vector rate = dq;
  Vector a = dq;
  const auto exact = support::swing(1, 2).acceleration;
  // (h/2)^2/3 of the third derivative of the rate, at most 2^4 = 16, forwards and backwards.
  for (const double h : {0.1, -0.1, 1e-3}) {
    one.prescribe(0.3, h, dq, rate, a);
    EXPECT_NEAR(a[1], exact(0.3 + h), h * h / 12 * 16 + 1e-12 / std::abs(h)) << h;
    EXPECT_EQ(rate[1], motion.rate(0.3 + h));
  }
  one.prescribe(0.3, 0.1, dq, rate, a);
  EXPECT_GT(std::abs(a[1] - exact(0.4)), 1e-5);  // finite differences are in use
}

TEST_F(SystemTest, JumpsOfTheRateAddUpToThemselves) {
  for (const double jump : {0.3 + 0.02, 0.3 + 0.08}) {  // in the first and in the second half of a step
    Model driven;
    const auto belt = driven.add_point("belt");
    driven.drive(belt, Component::x,
                 {.displacement = [](double) { return 0.0; },
                  .rate = [=](double at) { return at < jump ? 0.0 : 2.0; },
                  .acceleration = {}});
    const System one(driven);
    double sum = 0;
    for (int step = 0; step < 10; ++step) {
      Vector dq = Vector::Zero(3);
      Vector rate = dq;
      Vector a = dq;
      one.prescribe(0.1 * step, 0.1, dq, rate, a);
      sum += 0.1 * a[0];
    }
    EXPECT_NEAR(sum, 2.0, 1e-12);
  }
}

TEST_F(SystemTest, AConstantRateHasNoAcceleration) {
  Model driven;
  const auto node = driven.add_point("belt");
  PrescribedMotion motion = PrescribedMotion::constant_speed(0.7);
  motion.acceleration = {};
  driven.drive(node, Component::y, motion);
  const System one(driven);
  Vector x = Vector::Ones(3);
  one.prescribe(0.3, 1e-5, x, x, x);
  EXPECT_EQ(x[1], 0.0);
}

TEST_F(SystemTest, RefusesAMotionThatStopsBeingFinite) {
  Model driven;
  const auto node = driven.add_point("shaker");
  const auto lost = [](double at) { return at > 1 ? std::numeric_limits<double>::quiet_NaN() : 0.0; };
  driven.drive(node, Component::z, {.displacement = lost, .rate = lost, .acceleration = {}});
  const System one(driven);
  Vector x = Vector::Zero(3);
  EXPECT_NO_THROW(one.prescribe(0.5, 0.25, x, x, x));
  EXPECT_EQ(message_of<SolverError>([&] { one.prescribe(1.0, 0.25, x, x, x); }),
            "the motion that drives z of node \"shaker\" is not finite at t = 1.25");
}

TEST_F(SystemTest, DescribesRowsForMessages) {
  EXPECT_EQ(system.describe_row(1), "row 1 of constraint \"other to ground\"");
  EXPECT_EQ(system.describe_contact_row(2), "row 3 of contact \"body on plane\"");
  EXPECT_EQ(system.describe_contact_row(3), "row 1 of contact \"point on plane\"");
  EXPECT_EQ(system.describe_dof(0), "x of node \"ground\"");
}

TEST_F(SystemTest, KnowsALengthThatIsTypical) {
  Model line;
  line.add_point("a", {.position = {1, 0, 0}});
  line.add_point("b", {.position = {4, 4, 0}});
  line.add_scalar("s", {.value = 1000});
  const double length = System(line).length_scale();
  EXPECT_GE(length, 5.0) << "at least the diagonal of the box";
  EXPECT_LE(length, 6.0);
  Model spot;
  spot.add_point("origin");
  EXPECT_EQ(System(spot).length_scale(), 1.0);
}

}  // namespace
}  // namespace picus
