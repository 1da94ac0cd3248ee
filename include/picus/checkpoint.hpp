#pragma once

/// Checkpoints: files from which a run can be resumed as if it had never stopped. SimulationOptions::checkpoint makes a
/// run write them, SimulationOptions::resume resumes one:
///
///     picus::simulate(model, integrator, {.until = 1.0, .checkpoint = {.file = "ball.checkpoint", .every = 100}},
///                     {&recorder});
///
///     const picus::Checkpoint checkpoint = picus::read_checkpoint("ball.checkpoint");
///     picus::simulate(model, integrator, {.until = 2.0, .resume = &checkpoint}, {&recorder});
///
/// The second run, with a model, an integrator and recorders constructed as before, ends with the same states, results
/// and summary, bit for bit, as a single run to 2 s with the same checkpoints. To this end the integrator restarts at
/// every checkpoint, also in a run that is not interrupted: pivots, factors of earlier tangents and the like are not
/// part of a State, yet later steps depend on them within the tolerance of the iterations.

#include <picus/state.hpp>
#include <picus/time_integrator.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace picus {

/// Version of the checkpoint format; it changes whenever the content does.
inline constexpr std::int32_t checkpoint_format = 8;

/// Where and how often checkpoints are written.
struct CheckpointOptions {
  std::filesystem::path file = {};  ///< empty: no checkpoints
  std::int64_t every = 1000;        ///< steps between checkpoints, >= 1; one is also written at the start
  bool overwrite = false;           ///< replace an existing file; otherwise that is an error
  TextEntries notes = {};           ///< stored in the file, for reconstructing model and integrator
};

/// Identifies a run: its names, options and parameters, its nodes and elements, and sums of masses, forces, constraints
/// and contacts near the start, which change with every parameter of an element.
struct RunFingerprint {
  std::vector<std::pair<std::string, std::string>> texts;  ///< names and values
  std::vector<std::pair<std::string, double>> sums;        ///< names and values

  template <class Archive>
  void serialize(Archive& archive) {
    archive(texts, sums);
  }
};

/// The fingerprint of a run of this system with this integrator.
RunFingerprint make_fingerprint(const System& system, const TimeIntegrator& integrator);
/// How a run differs from that of a checkpoint, e.g. `parameter mu is 0.3, in the checkpoint 0.35`; empty if it does
/// not. Sums are compared to 1e-9, to allow for different rounding on another machine.
std::string difference_of(const RunFingerprint& run, const RunFingerprint& checkpoint);

/// Everything needed to resume a run after a step, apart from its model and its integrator.
struct Checkpoint {
  std::filesystem::path file;                     ///< the file itself; not part of the content
  std::int64_t every = 0;                         ///< steps between checkpoints
  TextEntries notes;                              ///< CheckpointOptions::notes
  RunFingerprint run;                             ///< the run that wrote it
  double start_time = 0.0;                        ///< start of the run, s
  State state;                                    ///< at the end of the step
  std::vector<std::byte> audit;                   ///< archived EnergyAudit
  std::vector<std::byte> summary;                 ///< archived statistics of RunSummary
  std::vector<std::vector<std::byte>> recorders;  ///< one archive per Recorder

  template <class Archive>
  void serialize(Archive& archive) {
    archive(every, notes, run, start_time, state, audit, summary, recorders);
  }
};

/// Replaces the file atomically: it holds the old or the new checkpoint whenever the process or the machine stops.
/// Throws FileError with the reason; the old checkpoint is then intact.
void write_checkpoint(Checkpoint& checkpoint);

/// Throws FileError for a file that is missing, not a checkpoint, damaged (as its checksum shows), or written by
/// another version of Picus.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace picus
