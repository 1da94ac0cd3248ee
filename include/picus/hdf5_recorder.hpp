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

/// What is recorded, how often, and how it is compressed.
struct Hdf5RecorderOptions {
  /// Steps between records, >= 1; start and last step are always recorded.
  std::int64_t every = 1;
  bool overwrite = false;         ///< replace an existing file; otherwise that is an error
  std::string command_line = {};  ///< command line of the run, stored in the file
  /// What to record: patterns of data sets or groups below the root, such as "nodes/bird/*", "contacts" or
  /// "*/velocity". '*' matches any characters, '?' one. Empty: everything. /time is always recorded.
  std::vector<std::string> include = {};
  std::vector<std::string> exclude = {};  ///< patterns of what to leave out of these
  bool energy_details = false;            ///< also energies of each element and work of each contact
  double flush_seconds = 1.0;             ///< records are on disk after this wall time at the latest, s, >= 0
  int compression = 1;  ///< deflate level, 0 (none) to 9; 1 means run lengths only, which is fast
  bool xdmf = true;     ///< record what can be drawn, and write the XDMF file
  /// Number of frames of the animation, >= 2: about as many records, evenly spaced up to the final time that is known
  /// at the beginning of the run (all if there are fewer), and the last one. Contact forces are shown as means since
  /// the previous frame.
  std::int64_t frames = 600;
  /// Called when the run is complete, before other recorders are finished: its findings, for /findings. May be empty.
  std::function<Findings()> findings = {};
};

/// Writes while the run progresses. Records are buffered in memory and written in large blocks. The file on disk is
/// consistent at any time after begin(), even if the process is killed: the length of /time is the number of complete
/// records. A failed or interrupted run leaves a file that ends at its last step.
///
/// All file failures are FileErrors of one line with the file and the reason. After one, the file keeps its previous
/// content.
class Hdf5Recorder : public Recorder {
 public:
  /// Options of the constructor.
  using Options = Hdf5RecorderOptions;

  /// Throws OptionError for an option out of range, or a path that ends in .xdmf.
  explicit Hdf5Recorder(std::filesystem::path path, Options options = {});
  /// Finishes a run that has not been finished.
  ~Hdf5Recorder() override;

  const std::filesystem::path& path() const { return path_; }
  /// path() with the extension .xdmf.
  std::filesystem::path xdmf_path() const;

  /// Creates the files. Throws FileError if one exists already or cannot be written, OptionError for a pattern that
  /// matches nothing.
  void begin(const RunInfo& run) override;
  /// The objects that the snapshot refers to must exist until finish(), which records the last step if it was skipped.
  /// Allocates nothing unless a block is due to be written.
  void record(const Snapshot& snapshot) override;
  /// Writes all records to disk, where they can be read.
  void flush();
  /// Adds to the attribute `warnings`.
  void warn(std::span<const std::string> warnings) override;
  /// Writes the remaining records and the outcome, and closes. Does nothing if there is nothing to finish.
  void finish(const std::string& outcome) override;
  /// Calls flush() first, since a checkpoint requires the records to be on disk.
  void serialize(Archive& archive) override;
  /// Begins a new file with the records up to the checkpoint, copied from the file at path(); both exist for a moment,
  /// then the new one replaces the old. Options that say what is recorded are those of the previous run. Throws
  /// FileError if that file is missing, has too few records or belongs to another run, and leaves it unchanged.
  void resume(const RunInfo& run, const Snapshot& last, Archive& archive) override;

 private:
  struct Run;
  struct Progress;
  void abandon();
  /// A run in which an action failed writes nothing more.
  template <class Action>
  void attempt(const Action& action);

  std::filesystem::path path_;
  Options options_;
  std::unique_ptr<Run> run_;
};

}  // namespace picus
