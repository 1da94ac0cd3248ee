#pragma once

/// What a sweep has computed so far, in a file that survives a kill.

#include <picus/finding.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace picus::program {

/// What one point of a sweep gave.
struct SweepOutcome {
  std::string failure;  ///< empty: its run is complete
  double wall_seconds = 0.0;
  std::int64_t steps = 0;
  std::int64_t fallbacks = 0;
  Findings findings;  ///< of a complete run

  /// One line without its end, for pipes and files.
  std::string text() const;
  /// Nullopt for a text that text() has not written.
  static std::optional<SweepOutcome> read(std::string_view text);
};

/// A text file: a head that tells which sweep it is, then a line for each point that is done.
class SweepJournal {
 public:
  /// Goes on with a file that has the same head and drops a last line that was cut off; replaces another one if `replaces`.
  /// Throws FileError for one of another sweep, and where none can be written.
  SweepJournal(std::filesystem::path path, const std::string& head, bool replaces);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  /// By the number of the point.
  const std::map<std::size_t, SweepOutcome>& outcomes() const { return outcomes_; }
  /// On disk when it returns. Throws FileError.
  void add(std::size_t point, const SweepOutcome& outcome);
  /// Forgets points that failed.
  void forget_failures();
  /// Removes the file: the sweep is complete.
  void remove();

 private:
  void write(std::string_view text) const;
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::map<std::size_t, SweepOutcome> outcomes_;
};

}  // namespace picus::program
