#pragma once

/// The result of a run in one self-describing HDF5 file, with an XDMF file beside it for ParaView. The layout
/// is in docs/results.md.
///
///     picus::Hdf5Recorder recorder("woodpecker.h5", {.every = 10, .overwrite = true});
///     picus::simulate(model, integrator, {.until = 1.5}, {&recorder});

#include <picus/finding.hpp>
#include <picus/recorder.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace picus {

/// What goes into the file, how often and how it is packed.
struct Hdf5RecorderOptions {
  /// Steps from one record to the next, >= 1; start and last step are always recorded.
  std::int64_t every = 1;
  bool overwrite = false;         ///< replace an existing file; otherwise it is refused
  std::string command_line = {};  ///< what was typed to get the run, kept in the file
  /// What to record: patterns of data sets or groups below the root, such as "nodes/bird/*", "contacts" or
  /// "*/velocity". '*' stands for any characters, '?' for one. Empty: everything. /time is always recorded.
  std::vector<std::string> include = {};
  std::vector<std::string> exclude = {};  ///< patterns of what not to record of that
  bool energy_details = false;            ///< energies of each element and works of each contact, too
  double flush_seconds = 1.0;  ///< wall time after which records are on disk at the latest, s, >= 0
  int compression = 1;         ///< deflate level, 0 (none) to 9; 1 stands for run lengths only, which is fast
  bool xdmf = true;            ///< record what is drawn, and write the XDMF file
  /// Instants at which the motion is drawn: records evenly chosen, about as many in a run to the final time that is known
  /// at its begin (all if there are fewer), and the last one; >= 2. They show forces of contacts as means since the one before.
  std::int64_t frames = 600;
  /// Asked when the run is complete, before other recorders are finished: what it has found out, for /findings. May be empty.
  std::function<Findings()> findings = {};
};

/// Writes as the run goes. Records are gathered in memory and reach the file in large pieces. The file on
/// disk is whole at any time after begin(), also when the process is killed: the length of /time tells how
/// many records are complete. A failed or interrupted run leaves a file that ends at its last step.
///
/// All failures of files are FileErrors of one line with the file and the reason. After one, the file keeps
/// what it had before.
class Hdf5Recorder : public Recorder {
 public:
  /// What the constructor takes.
  using Options = Hdf5RecorderOptions;

  /// Throws OptionError for an option out of its range, or a path that ends in .xdmf.
  explicit Hdf5Recorder(std::filesystem::path path, Options options = {});
  /// Finishes a run that nobody finished.
  ~Hdf5Recorder() override;

  const std::filesystem::path& path() const { return path_; }
  /// The same with the extension .xdmf.
  std::filesystem::path xdmf_path() const;

  /// Creates the files. Throws FileError when one exists already or cannot be written, OptionError for a
  /// pattern that matches nothing.
  void begin(const RunInfo& run) override;
  /// What the snapshot refers to must live until finish(), which records the last step if it was skipped.
  /// Allocates nothing unless it is time to write.
  void record(const Snapshot& snapshot) override;
  /// Adds to the attribute `warnings`.
  void warn(std::span<const std::string> warnings) override;
  /// Writes what is left, with the outcome, and closes. Does nothing when there is nothing to finish.
  void finish(const std::string& outcome) override;
  /// Brings all records on disk, where a checkpoint needs them.
  void serialize(Archive& archive) override;
  /// Begins a new file with the records up to the checkpoint, which it takes from the file at path(); both have room
  /// for a moment, then the new one replaces the old. Options that say what is recorded are those of the run before.
  /// Throws FileError when that file is missing, has too few records or is of another run, and leaves it as it is.
  void resume(const RunInfo& run, const Snapshot& last, Archive& archive) override;

 private:
  struct Run;
  struct Progress;
  void abandon();

  std::filesystem::path path_;
  Options options_;
  std::unique_ptr<Run> run_;
};

}  // namespace picus
