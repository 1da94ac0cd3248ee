/// A rope of beam elements that slides over a drum, against the closed form of the belt and that of a chain.

#include <picus/models/capstan.hpp>
#include <picus/models/references/capstan_exact.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/step_callback.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace picus::capstan_test {
namespace {

using models::Capstan;

/// Of T_2/T_1 while all of the rope slides, over that of the closed form.
double mean_ratio(const Capstan& p) {
  const Model model = models::make_capstan(p);
  DecoupledNsga integrator({.step = 1e-3});
  const Node end = model.find_node(fmt::format("rope[{}]", model.nodes().size() - 1));
  const double exact = std::exp(p.wrap * models::capstan_exponent(p.mu, p.drum_radius, p.rope_radius));
  double sum = 0;
  int count = 0;
  StepCallback watch([&](const Snapshot& at) {
    if (at.state.time < 0.25) return;
    for (const ContactState contact : at.state.contact_state) EXPECT_NE(contact, ContactState::stick);
    sum += -at.state.reaction[end.v + 1] / p.tension / exact;
    ++count;
  });
  const RunSummary summary = simulate(model, integrator, {.until = 0.4}, {&watch});
  EXPECT_LT(summary.worst_penetration, 1e-9 * p.drum_radius);
  EXPECT_EQ(summary.search.misses, 0);
  return sum / count;
}

// Thin ropes obey Euler; the root of the equation for thick ones is put in.
TEST(CapstanExact, ExponentSolvesItsEquation) {
  EXPECT_DOUBLE_EQ(models::capstan_exponent(0.3, 1.0, 0.0), 0.3);
  const double mu = 0.7, R = 1.0, rho = 0.4, r = R + rho;
  const double lambda = models::capstan_exponent(mu, R, rho);
  EXPECT_NEAR(lambda * (1 + lambda * mu * rho / r), mu * R / r, 1e-15);
}

// A link carries T t at its ends and half of p (n - mu t) at either: equilibrium of all of its joints, written out.
TEST(CapstanExact, ChainIsInEquilibriumAtEachJoint) {
  const double mu = 0.4, angle = 0.3, q = std::exp(angle * models::capstan_exponent_of_chain(mu, angle));
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  // Along and normal to the bisector, with T = 1 and p before the joint, q and q p after it.
  const double p = 2 * (1 + q) * s / ((c - mu * s) + q * (c + mu * s));
  EXPECT_NEAR((q - 1) * c + 0.5 * p * (-(s + mu * c) + q * (s - mu * c)), 0.0, 1e-14);
}

// The polygon has less friction than the arc: ln(T_2/T_1) is less by angle^2 (1 + mu^2)/6 of itself to first order. Beside that the
// ends of the rope, where links lift off and come to lie, cost up to half as much; they vary as links pass there.
TEST(Capstan, ForcesConvergeToTheClosedFormAsThoseOfAChain) {
  const bool is_full = std::getenv("PICUS_FULL_TESTS") != nullptr;
  double last = 1;
  for (const Index elements : is_full ? std::vector<Index>{8, 16, 32, 64} : std::vector<Index>{8, 16}) {
    SCOPED_TRACE(fmt::format("{} elements", elements));
    const Capstan p{.elements = elements};
    const double error = 1 - mean_ratio(p);
    const double angle = p.wrap / static_cast<double>(elements);
    const double of_chain = 1 - std::exp(p.wrap * (models::capstan_exponent_of_chain(p.mu, angle) - p.mu));
    EXPECT_GT(error, 0.9 * of_chain);  // measured 1.40, 1.48, 1.13
    EXPECT_LT(error, 1.7 * of_chain);
    EXPECT_LT(error, last / 3);  // second order: 3.7, 5.2
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

TEST(Capstan, ForcesAreThoseOfTheClosedFormForAllAnglesAndCoefficients) {
  struct Case {
    double mu, wrap;
    Index elements;
  };
  constexpr double pi = std::numbers::pi;
  for (const auto& [mu, wrap, elements] : {Case{0.15, pi, 12}, Case{0.5, pi, 16}, Case{0.3, pi / 2, 8}}) {
    SCOPED_TRACE(fmt::format("mu {}, wrap {}", mu, wrap));
    EXPECT_NEAR(mean_ratio({.elements = elements, .wrap = wrap, .mu = mu, .speed = 0.05}), 1.0, 0.02);
  }
}

}  // namespace
}  // namespace picus::capstan_test
