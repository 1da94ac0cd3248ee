// The assembled matrix against the derivative of the equations it represents. An entry missing in the pattern shows
// as a wrong zero, so these tests also prove that the pattern is complete.

#include <picus/kkt_assembler.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <tuple>

namespace picus {
namespace {

using support::dense;
using support::difference_tolerance;
using support::Random;

/// A random state of the mixed model, with driven components moved too, in a chart with large rotations.
class KktAssemblerTest : public testing::TestWithParam<unsigned> {
 protected:
  KktAssemblerTest() {
    for (Index dof = 0; dof < x_0.size(); ++dof) {
      if (model.is_fixed(dof)) x_0[dof] = 0;
    }
    retract(system.nodes(), q_n, x_0, q_0);
    chart.update(x_0);
    system.evaluate_gradients(q_0, t, G);
    system.evaluate_contact_gradients(q_0, contact_G);
    kkt.begin(mass);
  }

  /// Free increments in natural layout, zero elsewhere.
  Vector natural(const Vector& z) const {
    Vector x = Vector::Zero(system.velocity_count());
    for (std::size_t i = 0; i < system.free_dofs().size(); ++i) x[system.free_dofs()[i]] = z[i];
    return x;
  }
  Configuration configuration(const Vector& z) const {
    Configuration q = q_n;
    retract(system.nodes(), q_n, x_0 + natural(z), q);
    return q;
  }
  /// Bilateral and contact multipliers of the unknowns, in row layout.
  Vector bilateral(const Vector& z) const {
    Vector y = Vector::Zero(system.row_count());
    for (Index row = 0; row < y.size(); ++row) {
      const Index active = system.active_row()[row];
      if (active >= 0) y[row] = z[kkt.free_count() + active];
    }
    return y;
  }
  Vector contact(const Vector& z) const { return z.tail(kkt.size() - kkt.first_contact_unknown()); }
  /// Momentum in natural layout, rows and contacts as one residual.
  Vector residual(const Vector& momentum, const Vector& rows, const Vector& contacts) const {
    Vector r = Vector::Zero(kkt.size());
    for (Index i = 0; i < kkt.free_count(); ++i) r[i] = momentum[system.free_dofs()[i]];
    for (Index row = 0; row < rows.size(); ++row) {
      const Index active = system.active_row()[row];
      if (active >= 0) r[kkt.free_count() + active] = rows[row];
    }
    r.tail(contacts.size()) = contacts;
    return r;
  }
  template <class F>
  Eigen::MatrixXd jacobian(F&& f) const {
    Eigen::MatrixXd J(kkt.size(), kkt.size());
    for (Index i = 0; i < kkt.size(); ++i)
      J.col(i) = support::derivative([&](double s) { return f(Vector(s * Vector::Unit(kkt.size(), i))); });
    return J;
  }
  Vector no_momentum() const { return Vector::Zero(system.velocity_count()); }
  Vector no_rows() const { return Vector::Zero(system.row_count()); }
  Vector no_contacts() const { return Vector::Zero(system.contact_row_count()); }
  Vector mass_times(const Vector& z) const {
    Vector momentum;
    mass.multiply(natural(z), momentum);
    return momentum;
  }

  Random random{GetParam()};
  Model model = support::make_mixed_model(random);
  System system{model};
  MassMatrix mass{system};
  KktAssembler kkt{system, mass, KktAssembler::Rows::bilateral_and_contacts};
  Chart chart{system};
  Configuration q_n = model.initial_configuration();
  Vector x_0 = random.vector(system.velocity_count(), 1.5);
  Configuration q_0 = q_n;
  Vector v = random.vector(system.velocity_count());
  Vector k = random.vector(system.row_count());
  double t = random.uniform(0, 2);
  Gradients G = system.make_constraint_gradients();
  Gradients contact_G = system.make_contact_gradients();
};

TEST_P(KktAssemblerTest, BeginsWithTheMassAlone) {
  kkt.regularize(k);
  kkt.begin(mass);
  const auto f = [&](const Vector& z) { return residual(mass_times(z), no_rows(), no_contacts()); };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "M");
  for (Index i = 0; i < kkt.size(); ++i) EXPECT_EQ(kkt.diagonal(i), dense(kkt.matrix())(i, i));
}

TEST_P(KktAssemblerTest, ForceTangentsAreDerivativesInTheChart) {
  constexpr double stiffness = 0.7;
  constexpr double damping = 0.3;
  kkt.add_force_tangents({q_0, v, t}, stiffness, damping, chart);
  const auto f = [&](const Vector& z) {
    const Vector moved_v = v + damping / stiffness * natural(z);
    Vector momentum = mass_times(z);
    system.add_forces({configuration(z), moved_v, t}, -stiffness, momentum);
    return residual(momentum, no_rows(), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "a K T + b C");
}

TEST_P(KktAssemblerTest, TakesContactsOutAndAddsThemAnew) {
  kkt.add_force_tangents({q_0, v, t}, 0.7, 0.3, chart);
  const Eigen::MatrixXd without = dense(kkt.matrix());
  const auto add_contacts = [&](double factor) {
    for (Index c = 0; c < count_of(system.contacts()); ++c) {
      const std::size_t m = system.contacts()[c].rows;
      const std::vector<double> scale(m, factor);
      const std::vector<double> block(m * m, factor);
      kkt.add_contact(c, contact_G, scale, contact_G, block, block, &chart);
    }
  };
  add_contacts(2.0);
  const Eigen::MatrixXd with = dense(kkt.matrix());
  ASSERT_NE(with, without);
  kkt.clear_contacts();
  EXPECT_EQ(dense(kkt.matrix()), without);
  add_contacts(3.0);
  kkt.clear_contacts();
  add_contacts(2.0);
  EXPECT_EQ(dense(kkt.matrix()), with);
}

TEST_P(KktAssemblerTest, ForcesAreThoseOfVelocityAndTheOthers) {
  using enum System::ForceSelection;
  const Motion motion{q_0, v, t};
  const Vector twice = 2.0 * v;
  const Motion faster{q_0, twice, t};
  const auto forces = [&](const Motion& at, System::ForceSelection selection) {
    Vector f = no_momentum();
    system.add_forces(at, 0.7, f, 1.0, selection);
    return f;
  };
  const Vector whole = forces(motion, all);
  support::expect_near(Vector(forces(motion, of_velocity) + forces(motion, not_of_velocity)), whole,
                       difference_tolerance, "sum of both");
  EXPECT_EQ(forces(motion, not_of_velocity), forces(faster, not_of_velocity));
  EXPECT_NE(forces(motion, of_velocity), forces(faster, of_velocity));
  EXPECT_GT(forces(motion, not_of_velocity).norm(), 0);
}

TEST_P(KktAssemblerTest, DampingAloneAsksForNoChart) {
  kkt.add_force_tangents({q_0, v, t}, 0.0, 0.6, chart);
  const auto f = [&](const Vector& z) {
    const Vector moved_v = v + 0.6 * natural(z);
    Vector momentum = mass_times(z);
    system.add_forces({q_0, moved_v, t}, -1.0, momentum);
    return residual(momentum, no_rows(), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "b C");
}

TEST_P(KktAssemblerTest, MassGradientIsTheDerivativeOfTheInertialForce) {
  const Vector w = random.vector(system.velocity_count());
  kkt.add_mass_gradient(q_0, w, 0.8, chart);
  const auto f = [&](const Vector& z) {
    MassMatrix moved(system);
    moved.assemble(configuration(z));
    Vector inertial;
    moved.multiply(w, inertial);
    return residual(mass_times(z) + 0.8 * inertial, no_rows(), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "d(M w)/dq");
}

TEST_P(KktAssemblerTest, CurvaturesAreDerivativesOfReactions) {
  const Vector mu = random.vector(system.row_count());
  const Vector p = random.vector(system.contact_row_count());
  kkt.add_constraint_geometric_stiffness(q_0, t, mu, 1.7, chart);
  kkt.add_contact_geometric_stiffness(q_0, p, chart);
  const auto f = [&](const Vector& z) {
    const Configuration q = configuration(z);
    Gradients moved = G;
    Gradients moved_contact = contact_G;
    system.evaluate_gradients(q, t, moved);
    system.evaluate_contact_gradients(q, moved_contact);
    Vector momentum = mass_times(z);
    System::add_transpose(system.constraint_entries(), moved, mu, -1.7, momentum);
    System::add_transpose(system.contact_entries(), moved_contact, p, -1.0, momentum);
    return residual(momentum, no_rows(), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "curvature");
}

TEST_P(KktAssemblerTest, RowsAndColumnsOfConstraintsOnChartIncrements) {
  kkt.add_constraint_columns(G, k);
  kkt.add_constraint_rows(G, k, chart);
  const auto f = [&](const Vector& z) {
    Vector momentum = mass_times(z);
    System::add_transpose(system.constraint_entries(), G, k.cwiseProduct(bilateral(z)), -1.0, momentum);
    Vector g = no_rows();
    system.evaluate_constraint_residual(configuration(z), t, g);
    return residual(momentum, -k.cwiseProduct(g), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "-G^T k and -k G T");
}

TEST_P(KktAssemblerTest, RowsOfConstraintsOnVelocities) {
  kkt.add_constraint_rows(G, k);
  const auto f = [&](const Vector& z) {
    Vector rate = no_rows();
    System::multiply(system.constraint_entries(), G, natural(z), rate);
    return residual(mass_times(z), -k.cwiseProduct(rate), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "-k G");
}

TEST_P(KktAssemblerTest, RateRowsFollowVelocityAndConfiguration) {
  constexpr double weight = 0.4;
  kkt.add_constraint_rate_rows(G, {q_0, v, t}, k, weight, chart);
  const auto f = [&](const Vector& z) {
    const Configuration q = configuration(weight * z);
    Gradients moved = G;
    system.evaluate_gradients(q, t, moved);
    Vector rate = no_rows();
    Vector partial = no_rows();
    System::multiply(system.constraint_entries(), moved, v + natural(z), rate);
    system.evaluate_partial_rates(q, t, partial);
    return residual(mass_times(z), -k.cwiseProduct(rate + partial), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "-k (G + w H T)");
}

TEST_P(KktAssemblerTest, RegularizationIsSubtractedFromTheMultiplierDiagonal) {
  kkt.regularize(k);
  const auto f = [&](const Vector& z) {
    return residual(mass_times(z), -k.cwiseProduct(bilateral(z)), no_contacts());
  };
  support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance, "-epsilon");
}

TEST_P(KktAssemblerTest, ContactsAreLinearisedInGapsAndMultipliers) {
  Gradients columns = contact_G;  // rows and columns may differ
  for (double& value : columns.values) value += random.uniform(-1, 1);
  for (const bool with_chart : {true, false}) {
    kkt.begin(mass);
    std::vector<Eigen::MatrixXd> D, E;
    Vector scale = no_contacts();
    for (Index c = 0; c < count_of(system.contacts()); ++c) {
      const auto& block = system.contacts()[c];
      const std::size_t m = block.rows;
      D.push_back(random.matrix(block.rows, block.rows));
      E.push_back(random.matrix(block.rows, block.rows));
      scale.segment(block.first_row, block.rows) = random.vector(block.rows);
      kkt.add_contact(c, columns, {&scale[block.first_row], m}, contact_G, {D[c].data(), m * m},
                      {E[c].data(), m * m}, with_chart ? &chart : nullptr);
    }
    const auto f = [&](const Vector& z) {
      Vector momentum = mass_times(z);
      System::add_transpose(system.contact_entries(), columns, scale.cwiseProduct(contact(z)), -1.0,
                            momentum);
      Vector y = no_contacts();
      if (with_chart) {
        system.evaluate_gaps(q_n, configuration(z), y);
      } else {
        System::multiply(system.contact_entries(), contact_G, natural(z), y);
      }
      Vector r = no_contacts();
      for (std::size_t c = 0; c < system.contacts().size(); ++c) {
        const auto& block = system.contacts()[c];
        r.segment(block.first_row, block.rows) = D[c] * y.segment(block.first_row, block.rows) +
                                                 E[c] * contact(z).segment(block.first_row, block.rows);
      }
      return residual(momentum, no_rows(), r);
    };
    support::expect_near(dense(kkt.matrix()), jacobian(f), difference_tolerance,
                         with_chart ? "with chart" : "on velocities");
  }
}

INSTANTIATE_TEST_SUITE_P(AtRandomStates, KktAssemblerTest, testing::Range(1u, 6u));

TEST(KktAssembler, HasARowForEachUnknownOnly) {
  Random random(3);
  const Model model = support::make_mixed_model(random);
  const System system(model);
  const MassMatrix mass(system);
  const KktAssembler bilateral(system, mass, KktAssembler::Rows::bilateral);
  const auto free_count = count_of(system.free_dofs());
  EXPECT_EQ(bilateral.free_count(), free_count);
  EXPECT_EQ(bilateral.size(), free_count + system.active_row_count());
  EXPECT_EQ(bilateral.first_contact_unknown(), bilateral.size());
  const KktAssembler all(system, mass, KktAssembler::Rows::bilateral_and_contacts);
  EXPECT_EQ(all.size(), bilateral.size() + system.contact_row_count());
}

}  // namespace
}  // namespace picus
