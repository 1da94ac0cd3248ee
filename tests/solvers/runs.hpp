#pragma once

/// Runs, with the decoupled scheme unless another is named, and quantities that tests evaluate on them.

#include <picus/solvers/integrators/schemes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace picus {

/// Starts and performs `steps` steps; `visit(state, report)` is called after each.
template <class Visit>
State run(const System& system, TimeIntegrator& integrator, int steps, Visit&& visit) {
  State state = integrator.start(system);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = integrator.step(state);
    visit(state, report);
  }
  return state;
}
inline State run(const System& system, TimeIntegrator& integrator, int steps) {
  return run(system, integrator, steps, [](const State&, const StepReport&) {});
}
inline State run(const System& system, const SchemeOptions& options, double until,
                 const DecoupledNsgaOptions& own = {}) {
  DecoupledNsga integrator(options, own);
  return run(system, integrator, static_cast<int>(std::lround(until / options.step)));
}

inline State run(const System& system, std::string_view scheme, const SchemeOptions& options, double until) {
  const auto integrator = make_integrator(scheme, options);
  return run(system, *integrator, static_cast<int>(std::lround(until / options.step)));
}

/// The slope of log(error) over log(h), by least squares.
inline double fitted_order(const std::vector<double>& h, const std::vector<double>& error) {
  const auto n = static_cast<double>(h.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    x += std::log(h[i]);
    y += std::log(error[i]);
    xx += std::log(h[i]) * std::log(h[i]);
    xy += std::log(h[i]) * std::log(error[i]);
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Bitwise equality of everything in a state.
inline bool identical(const State& a, const State& b) {
  return a.time == b.time && a.step == b.step && a.q == b.q && a.v == b.v &&
         a.acceleration == b.acceleration && a.auxiliary == b.auxiliary &&
         a.constraint_force == b.constraint_force && a.constraint_impulse == b.constraint_impulse &&
         a.contact_impulse == b.contact_impulse && a.contact_rate == b.contact_rate &&
         a.contact_slip == b.contact_slip && a.contact_state == b.contact_state &&
         a.position_multiplier == b.position_multiplier &&
         a.contact_impulse_change == b.contact_impulse_change &&
         a.position_multiplier_change == b.position_multiplier_change && a.reaction == b.reaction;
}

inline int count_of(const StepReport& report, Fallback fallback) {
  return report.fallbacks[place_of(fallback)];
}

}  // namespace picus
