/// A row of dominoes, compared with a train of them with one degree of freedom.

#include <picus/models/dominoes.hpp>
#include <picus/models/references/domino_train.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/step_callback.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace picus::dominoes_test {
namespace {

using models::Dominoes;
using models::DominoTrain;

DominoTrain train_of(const Dominoes& p) {
  return {.height = p.height,
          .thickness = p.thickness,
          .spacing = p.spacing,
          .rate = p.rate,
          .gravity = p.gravity};
}

// The first one falls alone: Newton's law in small Runge-Kutta steps.
TEST(DominoTrain, FirstHitIsThatOfOneThatFalls) {
  const DominoTrain p{.height = 0.05, .thickness = 0.01, .spacing = 0.02, .rate = 5, .gravity = 9.81};
  const double inertia = (p.height * p.height + p.thickness * p.thickness) / 3;
  const auto acceleration = [&](double t) {
    return 0.5 * p.gravity * (p.height * std::sin(t) - p.thickness * std::cos(t)) / inertia;
  };
  double time = 0;
  double angle = 0;
  double rate = p.rate;
  constexpr double h = 1e-5;
  const double last = std::asin(p.spacing / p.height);
  while (angle < last) {
    const double a_1 = acceleration(angle);
    const double a_2 = acceleration(angle + 0.5 * h * rate);
    const double a_3 = acceleration(angle + 0.5 * h * rate + 0.25 * h * h * a_1);
    const double a_4 = acceleration(angle + h * rate + 0.5 * h * h * a_2);
    angle += h * rate + h * h * (a_1 + a_2 + a_3) / 6;
    rate += h * (a_1 + 2 * a_2 + 2 * a_3 + a_4) / 6;
    time += h;
  }
  time -= (angle - last) / rate;
  EXPECT_NEAR(models::domino_hits(p, 1)[0], time, 1e-8);
}

// Without gravity rates are constant between hits of thin, nearly touching dominoes, and decrease as 1, 1/2, 1/3: the
// angular momentum of one is shared by all.
TEST(DominoTrain, ThinDominoesShareTheMomentum) {
  const DominoTrain p{.height = 1, .thickness = 1e-9, .spacing = 1e-3, .rate = 1, .gravity = 0};
  const std::vector<double> hits = models::domino_hits(p, 4);
  const double way = std::asin(p.spacing / p.height);
  // Each waits until it has rotated by `way`, the preceding one by twice as much.
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(hits[i] - (i > 0 ? hits[i - 1] : 0.0), way * (i + 1), 1e-5 * way * (i + 1));
}

// Impact times agree within 0.1 % and a step. Feet stick and there is no other friction, as in the train.
TEST(Dominoes, HitEachOtherWhenTheTrainDoes) {
  for (const double spacing : {0.01, 0.02}) {
    SCOPED_TRACE(spacing);
    const Dominoes p{.count = 10, .spacing = spacing};
    const std::vector<double> exact = models::domino_hits(train_of(p), 9);
    ASSERT_EQ(exact.size(), 9U);
    const Model model = models::make_dominoes(p);
    std::vector<double> hits;
    StepCallback watch([&](const Snapshot& at) {
      if (hits.size() == 9) return;
      const Node next = model.find_node(fmt::format("domino[{}]", hits.size() + 1));
      if (-at.state.v[next.v + 5] > 1e-3 * p.rate) hits.push_back(at.state.time);
    });
    constexpr double h = 2e-4;
    DecoupledNsga integrator({.step = h});
    const RunSummary summary = simulate(model, integrator, {.until = exact.back() + 0.01}, {&watch});
    ASSERT_EQ(hits.size(), 9U);
    for (std::size_t i = 0; i < hits.size(); ++i)
      EXPECT_NEAR(hits[i], exact[i], 2e-3 * exact[i] + h) << "hit " << i;
    EXPECT_LT(summary.worst_penetration, 1e-9 * p.height);
    EXPECT_EQ(summary.search.misses, 0);
  }
}

}  // namespace
}  // namespace picus::dominoes_test
