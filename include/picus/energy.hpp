#pragma once

/// Where the energy of a run is and where it went.

#include <picus/mass_matrix.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus {

class Archive;

/// Joules. Works are summed from the start of the run, positive when they add to the system's energy.
struct Energies {
  double kinetic = 0.0;          ///< v^T M v / 2
  double potential = 0.0;        ///< gravity, springs, strain
  double work_of_loads = 0.0;    ///< forces without potential: loads, dampers (trapezoidal rule)
  double work_of_motions = 0.0;  ///< reactions of driven components and of constraints that move with time
  /// Impacts and friction: impulse times mean gap rate, <= 0 for passive contacts.
  double work_of_contacts = 0.0;
  /// kinetic + potential - their start - all works: what the integrator gained or lost.
  double balance = 0.0;

  template <class Archive>
  void serialize(Archive& archive) {
    auto& [T, V, loads, motions, contacts, rest] = *this;  // all members, or it does not compile
    archive(T, V, loads, motions, contacts, rest);
  }
};

/// What leads from one state to the next: a motion, or a sequence of equilibria at rest.
enum class Process : std::uint8_t { motion, quasi_static };

/// Works of a motion are powers summed over time. Those of a quasi-static process are forces (the mean of
/// both ends) times the displacement of a step; a load with a potential (gravity) that is applied in part
/// then counts under the potential in full, and what it lacks, (load factor - 1) times its force, under the
/// loads.
class EnergyAudit {
 public:
  /// Takes the start of a run as the zero of the balance. `system` must outlive the audit.
  EnergyAudit(const System& system, const State& start, Process process = Process::motion);
  /// Adds the works of the step of size h (s) that led to `state`. Allocates nothing.
  void add_step(const State& state, double h);
  /// Energies at `state`, which must be the one last added. Allocates nothing.
  Energies energies(const State& state) const;
  /// Everything that later steps depend on, for checkpoints.
  void serialize(Archive& archive);

 private:
  double power_of_loads(const State& state);
  double work_of_driven_components(const State& state, double h) const;
  double work_of_moving_constraints(const State& state, double h);
  void add_displacement(const State& state);
  double mechanical_energy(const State& state) const;

  const System* system_;
  Process process_;
  std::vector<Index> driven_dofs_;
  double initial_energy_ = 0.0;
  double work_of_loads_ = 0.0;
  double work_of_motions_ = 0.0;
  double work_of_contacts_ = 0.0;

  // Values at the end of the last step.
  double load_power_ = 0.0;
  double constraint_power_ = 0.0;
  Vector velocity_;
  Vector contact_rate_;
  Vector partial_rate_;

  // The same for a quasi-static process.
  Configuration q_;
  Vector force_, reaction_, contact_force_;

  Vector displacement_, gap_;  ///< buffers
  Vector loads_;               ///< buffer
  Vector new_rate_;            ///< buffer
  mutable MassMatrix mass_;    ///< M at the configuration last asked for
};

}  // namespace picus
