#pragma once

/// A function that is called at the start of a run and after every step:
///
///     picus::StepCallback watch([&](const picus::Snapshot& at) { highest = std::max(highest, height(at.state)); });
///     picus::simulate(model, integrator, {.until = 1.0}, {&recorder, &watch});
///
/// An exception from it ends the run, as one from any recorder does. Its data is not stored in checkpoints.

#include <picus/recorder.hpp>

#include <functional>

namespace picus {

/// A recorder that calls a function.
class StepCallback : public Recorder {
 public:
  /// Throws OptionError for an empty function.
  explicit StepCallback(std::function<void(const Snapshot&)> call);

  void begin(const RunInfo& /*run*/) override {}
  void record(const Snapshot& snapshot) override { call_(snapshot); }
  void finish(const std::string& /*outcome*/) override {}

 private:
  std::function<void(const Snapshot&)> call_;
};

}  // namespace picus
