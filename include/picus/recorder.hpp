#pragma once

/// Recorders observe a run: result files, sensors, progress displays. They read states and never change them.

#include <picus/archive.hpp>
#include <picus/contact_reading.hpp>
#include <picus/energy.hpp>
#include <picus/row_values.hpp>
#include <picus/time_integrator.hpp>

#include <atomic>
#include <string>
#include <string_view>

namespace picus {

struct SearchStatistics;

/// Information available when a run begins.
struct RunInfo {
  const System& system;              ///< numbering and names; valid until finish()
  const TimeIntegrator& integrator;  ///< name and options; valid until finish()
  double until;                      ///< final time, s
  /// "s", or the unit of the quantity that replaces time: "1" for load factors of equilibria, "Hz" for frequencies of
  /// modes.
  std::string time_unit = "s";
  /// Set when the run is to stop; null if nothing can stop it. A recorder with long computations checks it and throws
  /// Interrupted.
  const std::atomic<bool>* stop_request = nullptr;
  /// Statistics of the contact search up to the last step, valid until finish(). Null where there are no steps.
  const SearchStatistics* search = nullptr;
  /// Profile of the run so far, valid until finish(). Null unless requested.
  const Profile* profile = nullptr;
};

/// The result of one step; for the start (state.step == 0) the report is empty.
struct Snapshot {
  const System& system;      ///< the same in all snapshots of a run
  const State& state;        ///< at the end of the step
  const StepReport& report;  ///< iterations and fallbacks of the step
  const EnergyAudit& audit;  ///< energies at, and work up to, the end of the step
  const RowValues& rows;     ///< gaps and violations at the end of the step
  double h = 1.0;            ///< impulses divided by h are mean forces: step size, s; 1 in a static analysis

  /// Reads a contact. Throws ModelError for one of another model.
  ContactReading contact(const InRole<Contact>& contact) const {
    return read_contact(system, state, h, contact);
  }
  /// Load of a contact on one of its nodes. Also throws ModelError for a node that it does not have.
  ContactLoad contact_load(const InRole<Contact>& contact, const Node& on) const {
    return read_contact_load(system, state, h, contact, on);
  }
  /// Linear momentum, and angular momentum about the origin.
  Momentum momentum() const { return audit.momentum(state); }
};

/// A recorder is passed to simulate(), which calls begin() once, record() for the start and every step, and finish()
/// once.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// If it throws, finish() is not called.
  virtual void begin(const RunInfo& run) = 0;
  /// Called in place of begin() when a run is resumed from a checkpoint that contains data of the recorder. `last` is
  /// what it recorded last before the checkpoint, with an empty report; `archive` contains the data that serialize()
  /// wrote.
  virtual void resume(const RunInfo& run, const Snapshot& last, Archive& archive);
  /// Called for the start and after every step. The objects that the snapshot refers to are valid until
  /// finish().
  virtual void record(const Snapshot& snapshot) = 0;
  /// Called before finish() with the warnings about the results of the run (RunSummary::warnings without those of the
  /// integrator's start), one sentence each. Ignored by default.
  virtual void warn(std::span<const std::string> /*warnings*/) {}
  /// Called exactly once, also when the run fails or is interrupted: writes all data and closes files. `outcome` is
  /// "complete", or the message of the error that stopped the run.
  virtual void finish(const std::string& outcome) = 0;
  /// Writes to a checkpoint, or reads from it, everything that later records depend on besides their snapshots; pending
  /// output to files is written first. A recorder that depends on the present state only has nothing to store.
  virtual void serialize(Archive& /*archive*/) {}
};

/// Throws OptionError for a recorder of `owner`, such as "the run", that is null or given twice.
void check_recorders(std::span<Recorder* const> recorders, std::string_view owner);

}  // namespace picus
