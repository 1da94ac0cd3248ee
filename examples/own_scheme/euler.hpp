#pragma once

#include <picus/solvers/integrators/velocity_level_scheme.hpp>

/// Time stepping by the implicit Euler method with all constraints at velocity level (Moreau 1988; Jean 1999):
///
///     v = v_n + h vd + W,    q = q_n o exp(h v),    contacts may close where g_n + h G_c v_n <= 0
class Euler : public picus::VelocityLevelScheme {
 public:
  Euler(const picus::SchemeOptions& options, const picus::VelocityLevelOptions& own)
      : VelocityLevelScheme(options, own), own_(own) {}

  std::string_view name() const override { return "euler"; }
  picus::TextEntries options() const override { return picus::VelocityLevelOptions::table().write(own_); }

 private:
  void begin_step(const picus::State& state, double h, picus::DifferenceFormulas& formulas) const override {
    formulas.smooth.time = h;
    formulas.smooth.force_rate = h;  // of vd in v
    formulas.smooth.dq_own = h;      // of that in dq
    formulas.smooth.v_0 = state.v;
    formulas.smooth.dq_0 = h * state.v;
    formulas.w_rate = h;  // of W in dq
  }
  void predict_gaps(const picus::State& state, double h, const picus::Vector& now,
                    const picus::Vector& /*start*/, picus::Vector& gaps) const override {
    gaps = now + h * state.contact_rate;
  }
  picus::StepForces quadrature(double h) const override {  // for the energies: those of the end count
    picus::StepForces forces;
    forces.h = forces.next = h;
    return forces;
  }
  void advance_auxiliary(const picus::Vector& /*acceleration_n*/, const picus::Vector& acceleration,
                         picus::Vector& auxiliary) const override {
    auxiliary = acceleration;  // the first guess of the next step
  }

  picus::VelocityLevelOptions own_;
};
