#pragma once

/// The system of a state outside of a run, for analyses of where a run ended:
///
///     const picus::RunSummary run = picus::simulate(model, statics, {.until = 1.0}, {});
///     const picus::SystemAtState at(model, run.final_state);
///     const picus::VibrationModes modes = picus::find_vibration_modes(at.system(), run.final_state);

#include <picus/contact_searches.hpp>
#include <picus/model.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

namespace picus {

/// Has the detected contacts of a state, which a System alone lacks if the model has contact sets.
class SystemAtState {
 public:
  /// The model must outlive it. `threads` as for System. Throws ModelError for a state of another model.
  SystemAtState(const Model& model, const State& state, int threads = 0);
  SystemAtState(const SystemAtState&) = delete;
  SystemAtState& operator=(const SystemAtState&) = delete;

  /// The system, as long as this object exists.
  const System& system() const { return system_; }

 private:
  System system_;
  ContactSearches searches_;
};

}  // namespace picus
