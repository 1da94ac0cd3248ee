#include "result_recorder.hpp"

#include "output.hpp"
#include "stop_signals.hpp"

#include <fmt/format.h>

#include <utility>

namespace picus::program {
namespace {

/// After a step of this duration the next one may exceed the time limit after a signal, so that records are written
/// before it.
constexpr std::chrono::milliseconds slow_step(200);

}  // namespace

ResultRecorder::ResultRecorder(std::filesystem::path path, Options options)
    : Hdf5Recorder(std::move(path), std::move(options)) {}

void ResultRecorder::limit_waiting() const {
  catch_stop_signals(
      fmt::format("interrupted within a step; what was computed before is in {}", shown(path())));
}

void ResultRecorder::begin(const RunInfo& run) {
  catch_stop_signals();
  Hdf5Recorder::begin(run);
  limit_waiting();
}

void ResultRecorder::resume(const RunInfo& run, const Snapshot& last, Archive& archive) {
  catch_stop_signals();
  Hdf5Recorder::resume(run, last, archive);
  limit_waiting();
}

void ResultRecorder::record(const Snapshot& snapshot) {
  Hdf5Recorder::record(snapshot);
  const Clock::time_point now = Clock::now();
  if (now - std::exchange(last_record_, now) >= slow_step) flush();
}

void ResultRecorder::finish(const std::string& outcome) {
  catch_stop_signals();  // the file is written to its end
  Hdf5Recorder::finish(outcome);
}

}  // namespace picus::program
