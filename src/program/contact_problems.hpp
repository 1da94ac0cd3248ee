#pragma once

/// `picus run --contact-problems`: a file in FCLIB's format for the contacts of each step.

#include <picus/recorder.hpp>

#include <filesystem>

namespace picus::program {

/// Writes FOLDER/step_NUMBER.hdf5 for the step that follows that number of steps, every so many steps, where contacts may close.
class ContactProblemFiles : public Recorder {
 public:
  ContactProblemFiles(std::filesystem::path folder, std::int64_t every, bool overwrite);

  /// Makes the folder. Throws FileError if it cannot be made.
  void begin(const RunInfo& run) override;
  void record(const Snapshot& snapshot) override;
  void finish(const std::string& /*outcome*/) override {}

 private:
  std::filesystem::path folder_;
  std::int64_t every_;
  bool overwrite_;
  double h_ = 0.0;
};

}  // namespace picus::program
