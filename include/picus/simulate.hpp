#pragma once

/// The run: start, step, record, until the final time.

#include <picus/checkpoint.hpp>
#include <picus/model.hpp>
#include <picus/recorder.hpp>
#include <picus/stepper.hpp>

#include <atomic>
#include <initializer_list>

namespace picus {

/// How long a run lasts.
struct SimulationOptions {
  double until = 1.0;                               ///< final time, s, > 0
  const std::atomic<bool>* stop_request = nullptr;  ///< set to true elsewhere (a signal) to end the run
  /// Number of threads that share the loops of the run, as for System: 0 for all cores where the model is large enough. Results have
  /// the same bits for any number.
  int threads = 0;
  /// Checkpoints of a new run. One that goes on keeps the file, the distance and the notes of its checkpoint.
  CheckpointOptions checkpoint = {};
  /// Null, or where to go on instead of at the start of the model; must outlive the call. Model, integrator and
  /// recorders are those of the run before (in the same order; recorders that keep nothing may be left
  /// out or added at the end), `until` may be another time after that of the checkpoint.
  const Checkpoint* resume = nullptr;
  Profile* profile =
      nullptr;  ///< null, or to be told where the time goes; results keep it. Must outlive the call
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

/// What a run took; of one that goes on from a checkpoint the whole.
struct RunSummary {
  std::int64_t steps = 0;  ///< taken
  /// Those without a name belong to no sub-problem of the scheme.
  std::array<SubproblemStatistics, 3> subproblems;
  /// How often each fallback was used, in the order of TimeIntegrator::fallback_names().
  std::array<std::int64_t, most_fallbacks> fallbacks{};
  /// What the scheme calls them; empty where it has none.
  std::array<std::string, most_fallbacks> fallback_names;
  /// Largest residual accepted above its tolerance in any step, in units of that; 0: none was.
  double worst_accepted_residual = 0.0;
  double worst_violation = 0.0;    ///< largest |g| of the bilateral rows over all steps, m or rad
  double worst_penetration = 0.0;  ///< largest -g_N over all contacts and steps, m
  SearchStatistics search;         ///< of contacts that are found as bodies move
  Energies energies;               ///< at the end
  double wall_seconds = 0.0;       ///< of the whole run, recorders included
  /// Of the integrator's start, and what makes the results doubtful (docs/troubleshooting.md), a sentence each.
  std::vector<std::string> warnings;
  State final_state;  ///< at the end
};

/// Runs `model` from its start to options.until (the step is kept, the last step ends at or just after it).
/// When a step fails (SolverError), a recorder or a checkpoint fails (FileError) or stop_request is set (Interrupted), every
/// recorder is finished first, so that nothing computed is lost, and the exception goes on to the caller. The model does not
/// change during the run (ModelError), and the integrator is the run's alone (SolverError). Runs may go on at the same
/// time in several threads, each with an integrator and recorders of its own (docs/library.md). A null recorder is an
/// OptionError. A checkpoint that belongs to another run is a FileError before anything is touched, one after `until` an OptionError.
RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::span<Recorder* const> recorders);
/// The same with the recorders in braces: `simulate(model, integrator, {.until = 4.0}, {&recorder})`.
RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::initializer_list<Recorder*> recorders = {});

}  // namespace picus
