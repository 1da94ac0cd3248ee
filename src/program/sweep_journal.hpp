#pragma once

/// The results of a sweep so far, in a file that remains valid if the process is killed.

#include <picus/finding.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::program {

/// Result of one point of a sweep.
struct SweepOutcome {
  std::string failure;      ///< message; empty: the run is complete
  bool is_refused = false;  ///< the run could not begin: its options or its model are wrong
  double wall_seconds = 0.0;
  std::int64_t steps = 0;
  std::int64_t fallbacks = 0;
  std::vector<std::string> warnings;  ///< of a complete run, as of all findings that are not finite
  Findings findings;                  ///< of a complete run

  /// The outcome as one line without line break, for pipes and files.
  std::string text() const;
  /// Parses a line written by text(); nullopt if it is invalid.
  static std::optional<SweepOutcome> read(std::string_view text);
};

/// A text file: a head that identifies the sweep, then one line for each completed point.
class SweepJournal {
 public:
  /// Continues a file with the same head, discarding an incomplete last line; replaces one of another sweep if
  /// `replaces`, otherwise throws FileError, also if the file cannot be written.
  SweepJournal(std::filesystem::path path, const std::string& head, bool replaces);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  /// Outcomes by the number of the point.
  const std::map<std::size_t, SweepOutcome>& outcomes() const { return outcomes_; }
  /// Adds an outcome, which is on disk on return. Throws FileError.
  void add(std::size_t point, const SweepOutcome& outcome);
  /// Removes failed points.
  void forget_failures();
  /// Removes the file: the sweep is complete.
  void remove();
  /// Leaves the path as the constructor found it: the sweep of another kind that was replaced, or no file.
  void restore_previous();

 private:
  void write(std::string_view text) const;
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string replaced_;  ///< the file of another sweep
  std::map<std::size_t, SweepOutcome> outcomes_;
};

}  // namespace picus::program
