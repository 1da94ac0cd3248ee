// While a contact stays closed, on faces that are curved or rotate, with friction or without, positions, velocities
// and impulses are of second order. References: equations in reduced form, or of a point with explicit contact
// forces.

#include "closed_contacts.hpp"

#include <picus/solvers/integrators/schemes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace picus::closed_contacts_test {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Le;

struct Errors {
  double position, velocity;  ///< at the end
  double force;               ///< of the impulse divided by h compared with the force, root mean square
};

/// The part of the step after which the impulse divided by h is the force: the multipliers of ds-a are forces at its end.
double part_of_force(const std::string& scheme) {
  return scheme == "ds-a" ? 1.0 : 0.5;
}

Errors errors(const ClosedContact& contact, const std::string& scheme, double h, double tolerance) {
  const Model model = contact.build();
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h, .tolerance = tolerance});
  State state = integrator->start(system);
  Reduced y = contact.start;
  const auto steps = std::llround(contact.until / h);
  double square = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    const double t = state.time;
    const StepReport report = integrator->step(state);
    EXPECT_THAT(report.fallbacks, testing::Each(0));
    const Reduced at_force = contact.advance(y, t, part_of_force(scheme) * h);
    const double difference =
        state.contact_impulse[0] / h - contact.normal_force(t + part_of_force(scheme) * h, at_force);
    if (2 * i >= steps) square += 2 * difference * difference / static_cast<double>(steps);
    y = contact.advance(y, t, h);
  }
  const Reduced error = contact.read(model, state) - y;
  const auto half = y.size() / 2;
  return {
      .position = error.head(half).norm(), .velocity = error.tail(half).norm(), .force = std::sqrt(square)};
}

// A constant force is exact up to the tolerance.
void expect_second_order(const std::vector<ClosedContact>& contacts, const std::string& scheme,
                         double tolerance) {
  constexpr double h = 1.25e-3;
  for (const ClosedContact& contact : contacts) {
    SCOPED_TRACE(contact.name);
    const Errors coarse = errors(contact, scheme, h, tolerance);
    const Errors fine = errors(contact, scheme, h / 4, tolerance);
    const auto order = [](double a, double b) { return std::log(a / b) / std::log(4.0); };
    EXPECT_THAT(order(coarse.position, fine.position), AllOf(Ge(1.9), Le(2.1)));
    EXPECT_THAT(order(coarse.velocity, fine.velocity), AllOf(Ge(1.9), Le(2.1)));
    if (coarse.force > 1e-7) {
      EXPECT_THAT(order(coarse.force, fine.force), Ge(1.9));
    } else {
      EXPECT_LT(fine.force, 1e-7);
    }
  }
}

class ClosedContacts : public testing::TestWithParam<const char*> {};

TEST_P(ClosedContacts, AreOfSecondOrder) {
  expect_second_order(closed_contacts(), GetParam(), 1e-8);
}

// The mass matrix turns with the body: with that at the end of the step the scheme is of first order. With the default
// tolerance steps of 0.3 ms save iterations that are worth 1e-6.
class ClosedContactsOfOffsetBodies : public testing::TestWithParam<const char*> {};

TEST_P(ClosedContactsOfOffsetBodies, AreOfSecondOrder) {
  expect_second_order(closed_contacts_of_offset_bodies(), GetParam(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ClosedContactsOfOffsetBodies, testing::Values("ds", "cs", "ds-a"),
                         [](const auto& scheme) {
                           return scheme.param == std::string("ds-a") ? "ds_a" : scheme.param;
                         });

// dsn does not see the centrifugal forces of its corrections.
TEST(ClosedContacts, OfAnEccentricBallAreOfFirstOrderWithoutForcesOfCorrections) {
  const ClosedContact ball = closed_contacts_of_offset_bodies().back();
  const double coarse = errors(ball, "dsn", 1.25e-3, 1e-11).position;
  const double fine = errors(ball, "dsn", 1.25e-3 / 4, 1e-11).position;
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 1.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ClosedContacts, testing::Values("ds", "dsn", "cs", "ds-a"),
                         [](const auto& scheme) {
                           return scheme.param == std::string("ds-a") ? "ds_a" : scheme.param;
                         });

// A pendulum formed by a contact: the energy oscillates with the motion and does not drift.
TEST(ClosedContacts, APointInABowlKeepsItsEnergyOverAHundredPeriods) {
  constexpr double h = 5e-3;
  const Model model = make_bowl({.mu = 0.0, .spatial = true});
  const System system(model);
  const auto integrator = make_integrator("ds:rho_inf=1", {.step = h});
  State state = integrator->start(system);
  const auto energy = [&] {
    return 0.5 * state.v.squaredNorm() + g * state.q.position(model.nodes()[0]).z();
  };
  const double start = energy();
  const double period = 2 * std::numbers::pi / std::sqrt(g);  // of a small swing; this one takes longer
  double first = 0;
  double last = 0;
  while (state.time < 100 * period) {
    integrator->step(state);
    double& worst = state.time < 10 * period ? first : last;
    worst = std::max(worst, std::abs(energy() - start));
  }
  EXPECT_LT(first, 10 * h * h * g);
  EXPECT_LT(last, 2 * first);
}

}  // namespace
}  // namespace picus::closed_contacts_test
