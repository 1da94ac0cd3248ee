// Steps that are cut occasionally: unresolved vibrations remain bounded.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/system.hpp>
#include <support/fault_finder.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::cut_steps_test {
namespace {

using support::FaultFinder;

struct Swing {
  double largest = 0.0;  ///< displacement in the first half of the steps, m
  double later = 0.0;    ///< and in the second
  int cuts = 0;
};

/// An oscillator of frequency w, displaced by 1 m.
struct Oscillator {
  Oscillator(double w, unsigned pattern) : node(model.add_point("mass", {.position = {2, 0, 0}})) {
    model.fix(node, {Component::y, Component::z});
    model.add<PointMass>({.name = "mass", .node = node, .mass = 1.0});
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(Vec3(-9, 0, 0)),
                             .b = node,
                             .stiffness = w * w,
                             .free_length = 10.0});
    model.add<FaultFinder>({.name = "finder", .node = node, .pattern = pattern});
  }
  Model model;
  PointNode node;
};

/// Its motion for `steps` steps.
Swing oscillate(double w, double h, long steps, unsigned pattern, double rho_inf) {
  const Oscillator one(w, pattern);
  const System system(one.model);
  DecoupledNsga integrator({.step = h}, {.rho_inf = rho_inf, .step_cuts = 6});
  State state = integrator.start(system);
  Swing run;
  for (long k = 0; k < steps; ++k) {
    const StepReport report = integrator.step(state);
    run.cuts += report.fallbacks[place_of(Fallback::step_cut)];
    double& largest = k < steps / 2 ? run.largest : run.later;
    largest = std::max(largest, std::abs(state.q.position(one.node).x() - 1));
  }
  return run;
}

/// The end of its motion.
struct Trace {
  double x, v;
  int cuts;
};

Trace follow(double w, double h, long steps, unsigned pattern, double rho_inf) {
  const Oscillator one(w, pattern);
  const System system(one.model);
  DecoupledNsga integrator({.step = h, .tolerance = 1e-12}, {.rho_inf = rho_inf, .step_cuts = 6});
  State state = integrator.start(system);
  int cuts = 0;
  for (long k = 0; k < steps; ++k) cuts += integrator.step(state).fallbacks[place_of(Fallback::step_cut)];
  return {state.q.position(one.node).x() - 1, state.v[one.node.v], cuts};
}

// About one attempt in five is refused; the halves are not.
constexpr unsigned single_cuts = 0b0000'1000'0100'0010;
constexpr unsigned nested_cuts = 0b0011'0000'0001'1000;

TEST(CutSteps, NoVibrationGrows) {
  for (const double rho_inf : {0.0, 0.5, 0.8, 0.9}) {
    for (const unsigned pattern : {single_cuts, nested_cuts}) {
      for (const double wh : {0.5, 2.0, 4.0, 8.0, 1e2, 1e4}) {
        const Swing run = oscillate(wh / 1e-3, 1e-3, 10000, pattern, rho_inf);
        EXPECT_GT(run.cuts, 100);
        // Vibrations that hardly decay beat with the pattern: the largest displacement of the first half is reached
        // again within a few percent. Growth by 1e-4 a step would be a factor of 1.6.
        EXPECT_LE(run.later, 1.05 * run.largest) << rho_inf << ' ' << pattern << ' ' << wh;
      }
    }
  }
}

// Vibrations that steps resolve are neither damped nor less accurate when a step is cut for another reason.
TEST(CutSteps, KeepTheOrderAndTheAmplitudeOfResolvedMotion) {
  const double w = 2 * M_PI;
  for (const unsigned pattern : {single_cuts, nested_cuts}) {
    for (const double rho_inf : {0.8, 1.0}) {
      double last = 0;
      for (const double h : {2e-2, 1e-2, 5e-3}) {
        const Trace run = follow(w, h, std::lround(10.2 / h), pattern, rho_inf);
        EXPECT_GT(run.cuts, 20);
        const double error = std::hypot(run.x - std::cos(w * 10.2), run.v / w + std::sin(w * 10.2));
        if (last > 0) {
          EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << pattern << ' ' << rho_inf;
        }
        last = error;
        // Of third order with rho_inf < 1; 1 conserves energy, and steps of different size do so up to their order.
        if (rho_inf == 1.0) {
          EXPECT_NEAR(std::hypot(run.x, run.v / w), 1.0, 0.1 * std::pow(w * h, 2));
        }
      }
    }
  }
}

}  // namespace
}  // namespace picus::cut_steps_test
