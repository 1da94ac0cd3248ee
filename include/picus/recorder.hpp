#pragma once

/// What watches a run: result files, sensors, progress displays. Recorders read states and never change them.

#include <picus/archive.hpp>
#include <picus/contact_reading.hpp>
#include <picus/energy.hpp>
#include <picus/row_values.hpp>
#include <picus/time_integrator.hpp>

#include <atomic>
#include <string>

namespace picus {

struct SearchStatistics;

/// What is known when a run begins.
struct RunInfo {
  const System& system;              ///< numbering and names; lives until finish()
  const TimeIntegrator& integrator;  ///< name and options; lives until finish()
  double until;                      ///< final time, s
  /// "s", or of what stands in place of the time: "1" for load factors of equilibria, "Hz" for frequencies of modes.
  std::string time_unit = "s";
  /// Set when the run is to stop; null if nothing can stop it. A recorder that computes for long looks at it and
  /// throws Interrupted.
  const std::atomic<bool>* stop_request = nullptr;
  /// Of the contacts that the run finds as bodies move, up to the last step; lives until finish(). Null where there are no steps.
  const SearchStatistics* search = nullptr;
  /// Where the time of the run goes, up to now; lives until finish(). Null where nobody asked for it.
  const Profile* profile = nullptr;
};

/// One step's outcome; for the start (state.step == 0) the report is empty.
struct Snapshot {
  const System& system;      ///< the same in all snapshots of a run
  const State& state;        ///< at the end of the step
  const StepReport& report;  ///< iterations and fallbacks of the step
  const EnergyAudit& audit;  ///< energies at, and works up to, the end of the step
  const RowValues& rows;     ///< gaps and violations at the end of the step
  double h = 1.0;  ///< impulses over this are mean forces: size of the step, s; 1 in a static analysis

  /// What a contact does. Throws ModelError for one of another model.
  ContactReading contact(const InRole<Contact>& contact) const {
    return read_contact(system, state, h, contact);
  }
  /// What it exerts on one of its nodes. Throws ModelError also for a node that it does not have.
  ContactLoad contact_load(const InRole<Contact>& contact, const Node& on) const {
    return read_contact_load(system, state, h, contact, on);
  }
  /// Momentum, and angular momentum about the origin.
  Momentum momentum() const { return audit.momentum(state); }
};

/// A recorder is handed to simulate(), which calls begin() once, record() for the start and every step, finish()
/// once.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A recorder whose begin() throws is not finished.
  virtual void begin(const RunInfo& run) = 0;
  /// Takes the place of begin() when a run goes on from a checkpoint in which the recorder has kept something. `last` is
  /// what it recorded last before the checkpoint, with an empty report; `archive` holds what serialize() put in.
  virtual void resume(const RunInfo& run, const Snapshot& last, Archive& archive);
  /// Called for the start and after every step. What the snapshot refers to lives until finish().
  virtual void record(const Snapshot& snapshot) = 0;
  /// Called before finish() when the run has found something remarkable about its results (RunSummary::warnings without
  /// those of the integrator's start), a sentence each. Ignored by default.
  virtual void warn(std::span<const std::string> /*warnings*/) {}
  /// Called exactly once, also when the run fails or is interrupted: writes out and closes everything.
  /// `outcome` is "complete", or the message of what stopped the run.
  virtual void finish(const std::string& outcome) = 0;
  /// Puts into a checkpoint, or takes from it, whatever later records depend on beside their snapshots; what must be in
  /// a file by then is brought there. A recorder that only shows the present has nothing to keep.
  virtual void serialize(Archive& /*archive*/) {}
};

}  // namespace picus
