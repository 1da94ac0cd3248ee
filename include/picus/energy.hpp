#pragma once

/// Where the energy of a run is and where it went.

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <string_view>

namespace picus {

/// Joules. Works are summed from the start of the run, positive when they add to the system's energy.
struct Energies {
  double kinetic = 0.0;
  double potential = 0.0;        ///< gravity, springs, strain
  double work_of_loads = 0.0;    ///< forces without potential: loads, dampers (trapezoidal rule)
  double work_of_motions = 0.0;  ///< reactions of driven components
  double work_of_contacts =
      0.0;  ///< impacts and friction: impulse times mean gap rate, <= 0 for passive contacts
  /// kinetic + potential - their start - all works: what the integrator gained or lost.
  double balance = 0.0;
};

class EnergyAudit {
 public:
  /// Takes the start of a run as the zero of the balance.
  EnergyAudit(const System& system, const State& start);
  /// Adds the works of the step of size h that led to `state`.
  void add_step(const State& state, double h);
  /// Energies at `state`, which must be the one last added.
  Energies energies(const State& state) const;

 private:
  double power_of_loads(const State& state) const;
  double work_of_reactions(const State& state, double h) const;

  const System* system_;
  double initial_energy_ = 0.0;
  double last_load_power_ = 0.0;
  double work_of_loads_ = 0.0;
  double work_of_motions_ = 0.0;
  double work_of_contacts_ = 0.0;
  Vector last_contact_rate_;
  Vector last_velocity_;
  mutable Vector force_;
};

}  // namespace picus
