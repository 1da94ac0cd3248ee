// The linear oscillator, on which generalized-alpha is known in closed form.

#include "runs.hpp"
#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <support/bodies.hpp>
#include <support/dense_algebra.hpp>

namespace picus::nsga_oscillator_test {
namespace {

/// s'' + w^2 s = 0 with unit mass.
struct Oscillating {
  explicit Oscillating(double w) : stiffness(w * w) {
    node = model.add_scalar("s", {.value = 1});
    model.add<support::Oscillator>({.name = "oscillator", .node = node, .stiffness = stiffness});
  }
  double energy(const State& state) const {
    const double s = state.q.value(node);
    return (state.v[0] * state.v[0] + stiffness * s * s) / 2;
  }
  Model model;
  ScalarNode node;
  double stiffness;
};

TEST(NsgaOscillator, ConservesEnergyWithSpectralRadiusOne) {
  // The trapezoidal rule conserves quadratic energies; only rounding remains, here over 20,000 steps.
  for (const double h_w : {0.01, 0.3, 3.0}) {
    const Oscillating oscillating(10);
    const System system(oscillating.model);
    DecoupledNsga integrator({.step = h_w / 10}, {.rho_inf = 1});
    double worst = 0;
    run(system, integrator, 20000, [&](const State& state, const StepReport&) {
      worst = std::max(worst, std::abs(oscillating.energy(state) / 50 - 1));
    });
    EXPECT_LE(worst, 1e-12) << "h w = " << h_w;
  }
}

TEST(NsgaOscillator, DissipatesMoreTheSmallerTheSpectralRadius) {
  double more = 1.0 + 1e-12;
  for (const double rho : {1.0, 0.9, 0.6, 0.3, 0.0}) {
    const Oscillating oscillating(10);
    const System system(oscillating.model);
    const State state = run(system, {.step = 0.03}, 6.0, {.rho_inf = rho});
    const double left = oscillating.energy(state) / 50;
    EXPECT_LT(left, more) << "rho_inf = " << rho;
    more = left;
  }
}

TEST(NsgaOscillator, NumericalDissipationIsOfThirdOrder) {
  // Energy loss over a fixed time, relative: proportional to (h w)^3 for small steps.
  std::vector<double> steps, losses;
  for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
    const Oscillating oscillating(5);
    const System system(oscillating.model);
    steps.push_back(h);
    losses.push_back(1 - oscillating.energy(run(system, {.step = h}, 10.0, {.rho_inf = 0.5})) / 12.5);
  }
  EXPECT_NEAR(fitted_order(steps, losses), 3.0, 0.1);
}

/// The largest eigenvalue of the step (s, v, vd, a) -> (s, v, vd, a), which is linear, from steps of the scheme
/// itself.
double spectral_radius(double h_w, double rho) {
  const Oscillating oscillating(1);
  const System system(oscillating.model);
  DecoupledNsga integrator({.step = h_w}, {.rho_inf = rho});
  const State start = integrator.start(system);
  // vd = -w^2 s always, so that three numbers determine the state.
  Mat3 step;
  for (Index i = 0; i < 3; ++i) {
    State state = start;
    state.q.value(oscillating.node) = i == 0 ? 1 : 0;
    state.v[0] = i == 1 ? 1 : 0;
    state.acceleration[0] = i == 0 ? -1 : 0;
    state.auxiliary[0] = i == 2 ? 1 : 0;
    integrator.step(state);
    step.col(i) = Vec3(state.q.value(oscillating.node), state.v[0], state.auxiliary[0]);
  }
  return support::spectral_radius(step);
}

TEST(NsgaOscillator, TheSpectralRadiusAtInfinityIsTheOneAskedFor) {
  // The eigenvalues merge into a triple one, which errors e of the matrix spread by e^(1/3): 1/(h w)^2 itself, and
  // rounding.
  for (const double rho : {0.0, 0.3, 0.8, 1.0}) {
    EXPECT_NEAR(spectral_radius(1e3, rho), rho, 0.03) << rho;
    EXPECT_NEAR(spectral_radius(1e4, rho), rho, 0.007) << rho;
  }
}

TEST(NsgaOscillator, IsUnconditionallyStable) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
    for (double h_w = 1e-3; h_w < 1e4; h_w *= 3) {
      EXPECT_LE(spectral_radius(h_w, rho), 1 + 1e-6) << "h w = " << h_w << ", rho_inf = " << rho;
    }
  }
}

TEST(NsgaOscillator, StiffMotionDecaysAtTheSpectralRadius) {
  // s_n = (c_0 + c_1 n + c_2 n^2) (-rho)^n, so that these third differences vanish up to 1/(h w)^2.
  for (const double rho : {0.3, 0.8}) {
    const Oscillating oscillating(1e6);
    const System system(oscillating.model);
    DecoupledNsga integrator({.step = 1e-2}, {.rho_inf = rho});
    std::vector<double> s;
    run(system, integrator, 60,
        [&](const State& state, const StepReport&) { s.push_back(state.q.value(oscillating.node)); });
    int checked = 0;
    for (std::size_t n = 0; n + 3 < s.size(); ++n, ++checked) {
      if (std::abs(s[n]) < 1e-11) break;  // residuals are solved down to rounding at the model's size, 1
      const double combined =
          s[n + 3] + 3 * rho * s[n + 2] + 3 * rho * rho * s[n + 1] + rho * rho * rho * s[n];
      EXPECT_LE(std::abs(combined), 1e-6 * std::abs(s[n])) << "step " << n << ", rho_inf = " << rho;
    }
    EXPECT_GE(checked, 20);
  }
}

TEST(NsgaOscillator, LinearMotionTakesOneSmoothIterationAndNoCorrection) {
  const Oscillating oscillating(3);
  const System system(oscillating.model);
  DecoupledNsga integrator({.step = 0.01});
  run(system, integrator, 100, [&](const State&, const StepReport& report) {
    EXPECT_LE(report.subproblems[0].iterations, 1);
    EXPECT_EQ(report.subproblems[1].iterations, 0);
    EXPECT_EQ(report.subproblems[2].iterations, 0);
  });
  EXPECT_EQ(integrator.linear_statistics(0).factorizations, 1) << "equal matrices are factorised once";
  EXPECT_EQ(integrator.linear_statistics(0).refactorizations, 0);
}

TEST(NsgaOscillator, CoefficientsAreThoseOfChungAndHulbert) {
  const auto check = [](double rho, double alpha_m, double alpha_f, double gamma, double beta) {
    const auto alpha = GeneralizedAlpha::with_spectral_radius(rho);
    EXPECT_DOUBLE_EQ(alpha.alpha_m, alpha_m);
    EXPECT_DOUBLE_EQ(alpha.alpha_f, alpha_f);
    EXPECT_DOUBLE_EQ(alpha.gamma, gamma);
    EXPECT_DOUBLE_EQ(alpha.beta, beta);
  };
  check(1.0, 0.5, 0.5, 0.5, 0.25);
  check(0.0, -1.0, 0.0, 1.5, 1.0);
  check(0.5, 0.0, 1.0 / 3, 5.0 / 6, 4.0 / 9);
}

}  // namespace
}  // namespace picus::nsga_oscillator_test
