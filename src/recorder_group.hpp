#pragma once

/// The recorders of a run.

#include <picus/checkpoint.hpp>
#include <picus/profile.hpp>
#include <picus/recorder.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace picus::detail {

/// All recorders that have begun are finished exactly once.
class RecorderGroup {
 public:
  /// Throws OptionError for one that is null or given twice. `profile` times recording, unless null.
  RecorderGroup(std::span<Recorder* const> recorders, Profile* profile);

  void begin(const RunInfo& run);
  /// Throws FileError for a checkpoint with data of other recorders.
  void resume(const RunInfo& run, const Snapshot& last, const Checkpoint& checkpoint);
  void record(const Snapshot& snapshot);
  /// The data of each recorder for a checkpoint.
  std::vector<std::vector<std::byte>> keep();
  /// Returns the first failure, if any; every recorder is finished nevertheless.
  std::exception_ptr finish(const std::string& outcome, std::span<const std::string> warnings);

 private:
  std::span<Recorder* const> recorders_;
  Profile* profile_;
  std::size_t begun_ = 0;
};

}  // namespace picus::detail
