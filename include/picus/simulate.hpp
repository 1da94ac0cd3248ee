#pragma once

/// Time integration of a model from its start to a final time, with recording of results.

#include <picus/checkpoint.hpp>
#include <picus/model.hpp>
#include <picus/recorder.hpp>
#include <picus/stepper.hpp>

#include <atomic>
#include <initializer_list>

namespace picus {

/// Options of a run.
struct SimulationOptions {
  double until = 1.0;  ///< final time, s, or load factor of a static analysis, > 0
  const std::atomic<bool>* stop_request = nullptr;  ///< set to true, e.g. by a signal handler, to stop
  /// Number of threads of the run, as for System: 0 for all cores where the model is large enough. Results are
  /// bit-identical for any number.
  int threads = 0;
  /// Checkpoints of a new run. A resumed run uses the file, the interval and the notes of its checkpoint.
  CheckpointOptions checkpoint = {};
  /// Null, or the checkpoint from which to resume; must outlive the call. Model, integrator and recorders are those of
  /// the previous run (in the same order; recorders without data in the checkpoint may be left out or added at the
  /// end), `until` may be any time after that of the checkpoint.
  const Checkpoint* resume = nullptr;
  Profile* profile =
      nullptr;  ///< null, or the profile to be filled, also stored in results; must outlive the call
};

/// Statistics of one sub-problem over a run.
struct SubproblemStatistics {
  std::string name;                ///< "smooth", "position", "velocity" of the scheme ds
  std::int64_t iterations = 0;     ///< linear solves of all steps
  int worst_iterations = 0;        ///< linear solves of the worst step
  std::int64_t line_searches = 0;  ///< iterations that a line search shortened

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, iterations, worst_iterations, line_searches);
  }
};

/// Statistics of a run; for a resumed run they include the part before the checkpoint.
struct RunSummary {
  std::int64_t steps = 0;  ///< number of steps
  /// Entries without a name are unused.
  std::array<SubproblemStatistics, 3> subproblems;
  /// How often each fallback was used, in the order of TimeIntegrator::fallback_names().
  std::array<std::int64_t, max_fallbacks> fallbacks{};
  /// Their names; empty for unused entries.
  std::array<std::string, max_fallbacks> fallback_names;
  /// Largest residual accepted above its tolerance in any step, as a multiple of the tolerance; 0: none.
  double worst_accepted_residual = 0.0;
  double worst_violation = 0.0;    ///< largest |g| of the bilateral rows over all steps, m or rad
  double worst_penetration = 0.0;  ///< largest -g_N over all contacts and steps, m
  SearchStatistics search;         ///< statistics of the contact search
  Energies energies;               ///< at the end
  double wall_seconds = 0.0;       ///< of the whole run, recorders included
  /// Warnings of the integrator's start, and reasons to doubt the results (docs/troubleshooting.md), one sentence each.
  std::vector<std::string> warnings;
  State final_state;  ///< at the end
};

/// Runs `model` from its start to options.until (the step size is constant, the last step ends at or just after it).
/// When a step fails (SolverError), a recorder or a checkpoint fails (FileError) or stop_request is set (Interrupted),
/// every recorder is finished first, so that no result is lost, and the exception is rethrown. The model cannot be
/// changed during the run (ModelError), and the integrator cannot be used elsewhere (SolverError). Several threads may
/// execute runs at the same time, each with an integrator and recorders of its own (docs/library.md). Throws
/// OptionError for a recorder that is null or given twice, or a checkpoint after `until`, and FileError for a checkpoint
/// of another run, before anything is changed.
RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::span<Recorder* const> recorders);
/// The same with the recorders in braces: `simulate(model, integrator, {.until = 4.0}, {&recorder})`.
RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::initializer_list<Recorder*> recorders = {});

}  // namespace picus
