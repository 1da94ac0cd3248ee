#pragma once

/// `picus run --contact-problems`: files in FCLIB's format with the contact problems of steps.

#include <picus/recorder.hpp>

#include <filesystem>

namespace picus::program {

/// Throws FileError unless the folder is writable or can be created, so that this is known before anything is written.
void check_folder(const std::filesystem::path& folder);

/// Writes FOLDER/step_NUMBER.hdf5 with the contact problem of the step after step NUMBER, at every `every`-th step, if
/// contacts may close.
class ContactProblemFiles : public Recorder {
 public:
  ContactProblemFiles(std::filesystem::path folder, std::int64_t every, bool overwrite);

  /// Creates the folder. Throws FileError if that fails.
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
