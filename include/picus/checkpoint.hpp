#pragma once

/// Checkpoints: files from which a run goes on as if it had never stopped. SimulationOptions::checkpoint has a run write
/// them, SimulationOptions::resume has another one go on:
///
///     picus::simulate(model, integrator, {.until = 1.0, .checkpoint = {.file = "ball.checkpoint", .every = 100}},
///                     {&recorder});
///
///     const picus::Checkpoint checkpoint = picus::read_checkpoint("ball.checkpoint");
///     picus::simulate(model, integrator, {.until = 2.0, .resume = &checkpoint}, {&recorder});
///
/// The second run, with a model, an integrator and recorders made as before, ends with the same states, results
/// and summary, bit for bit, as one run to 2 s with the same checkpoints. For that the integrator starts afresh
/// at every checkpoint, in the run that is not interrupted as well: pivots, factors of earlier tangents
/// and the like are no part of a State, and later steps depend on them to the tolerance of the iterations.

#include <picus/state.hpp>
#include <picus/time_integrator.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace picus {

/// The version of the layout of checkpoints; it changes with whatever goes into one.
inline constexpr std::int32_t checkpoint_format = 5;

/// Where and how often checkpoints are written.
struct CheckpointOptions {
  std::filesystem::path file = {};  ///< empty: no checkpoints
  std::int64_t every = 1000;        ///< steps from one to the next, >= 1; there is one of the start as well
  bool overwrite = false;           ///< replace a file that exists; otherwise it is refused
  TextEntries notes = {};           ///< kept in the file for whoever makes model and integrator anew
};

/// What a run is known by: the names, options and parameters that were told of it, its nodes and elements, and
/// sums of masses, forces, constraints and contacts near the start, which change with every parameter of an
/// element.
struct RunFingerprint {
  std::vector<std::pair<std::string, std::string>> texts;  ///< what each is, and its value
  std::vector<std::pair<std::string, double>> sums;        ///< what each is, and its value

  template <class Archive>
  void serialize(Archive& archive) {
    archive(texts, sums);
  }
};

/// What a run of this system by this integrator is known by.
RunFingerprint make_fingerprint(const System& system, const TimeIntegrator& integrator);
/// How a run differs from that of a checkpoint, as `parameter mu is 0.3, in the checkpoint 0.35`; empty if it does
/// not. Sums are compared to 1e-9, so that another machine may round differently.
std::string difference_of(const RunFingerprint& run, const RunFingerprint& checkpoint);

/// All that a run needs to go on after a step, apart from its model and its integrator.
struct Checkpoint {
  std::filesystem::path file;                     ///< where it is kept; not part of the content
  std::int64_t every = 0;                         ///< steps between checkpoints
  TextEntries notes;                              ///< of CheckpointOptions
  RunFingerprint run;                             ///< of the run that wrote it
  double start_time = 0.0;                        ///< of the run, s
  State state;                                    ///< at the end of the step
  std::vector<std::byte> audit;                   ///< an Archive of the EnergyAudit
  std::vector<std::byte> summary;                 ///< an Archive of the statistics in RunSummary
  std::vector<std::vector<std::byte>> recorders;  ///< one Archive of each Recorder

  template <class Archive>
  void serialize(Archive& archive) {
    archive(every, notes, run, start_time, state, audit, summary, recorders);
  }
};

/// Replaces the file at once: it holds the old or the new checkpoint whenever the process or the machine
/// stops. Throws FileError with the reason; the old checkpoint is then still there.
void write_checkpoint(Checkpoint& checkpoint);

/// Throws FileError for a file that is missing, no checkpoint, damaged (it carries a checksum), or written by another
/// version of Picus.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace picus
