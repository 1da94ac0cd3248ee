// Steps that are cut occasionally: unresolved vibrations remain bounded.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::cut_steps_test {
namespace {

/// Reports a fault at every attempt of a step whose index modulo 16 is in the pattern.
class FaultFinder : public Element, public Limited {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    unsigned pattern = 0;  ///< bit i: attempt i of 16 is refused
  };
  FaultFinder(const Parameters& parameters, const Model& /*model*/)
      : Element(parameters.name, {parameters.node}), pattern_(parameters.pattern) {}

  std::string fault(const Configuration& /*q*/) const override {
    return (pattern_ >> (attempts_++ % 16) & 1U) != 0 ? "is asked to fail" : "";
  }

 private:
  unsigned pattern_;
  mutable unsigned attempts_ = 0;
};

struct Swing {
  double largest = 0.0;  ///< displacement in the first half of the steps, m
  double later = 0.0;    ///< and in the second
  int cuts = 0;
};

/// An oscillator of frequency w, displaced by 1 m, for `steps` steps.
Swing oscillate(double w, double h, long steps, unsigned pattern, double rho_inf) {
  Model model;
  const PointNode node = model.add_point("mass", {.position = {2, 0, 0}});
  model.fix(node, {Component::y, Component::z});
  model.add<PointMass>({.name = "mass", .node = node, .mass = 1.0});
  model.add<SpringDamper>({.name = "spring",
                           .a = MaterialPoint::on_ground(Vec3::Zero()),
                           .b = node,
                           .stiffness = w * w,
                           .free_length = 1.0});
  model.add<FaultFinder>({.name = "finder", .node = node, .pattern = pattern});
  const System system(model);
  DecoupledNsga integrator({.step = h}, {.rho_inf = rho_inf, .step_cuts = 6});
  State state = integrator.start(system);
  Swing run;
  for (long k = 0; k < steps; ++k) {
    const StepReport report = integrator.step(state);
    run.cuts += report.fallbacks[static_cast<std::size_t>(Fallback::step_cut)];
    double& largest = k < steps / 2 ? run.largest : run.later;
    largest = std::max(largest, std::abs(state.q.position(node).x() - 1));
  }
  return run;
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

}  // namespace
}  // namespace picus::cut_steps_test
