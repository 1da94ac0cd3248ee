#pragma once

/// The result file of a command that Ctrl-C may stop.

#include <picus/hdf5_recorder.hpp>

#include <chrono>

namespace picus::program {

/// Until the file exists, while a large model may take long to start, signals end the program at once
/// (quit_on_stop_signals(), which the command has called). From then on they stop the run at the end of a step; a step
/// that takes longer than two seconds is not waited for: the program ends with what was recorded. Therefore records are
/// on disk before a step that may be long.
class ResultRecorder : public Hdf5Recorder {
 public:
  ResultRecorder(std::filesystem::path path, Options options);

  void begin(const RunInfo& run) override;
  void resume(const RunInfo& run, const Snapshot& last, Archive& archive) override;
  void record(const Snapshot& snapshot) override;
  void finish(const std::string& outcome) override;

 private:
  using Clock = std::chrono::steady_clock;

  void limit_waiting() const;

  Clock::time_point last_record_ = Clock::now();
};

}  // namespace picus::program
