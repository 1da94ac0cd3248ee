#pragma once

/// The data of Hdf5Recorder in checkpoints.

#include "columns.hpp"
#include <picus/archive.hpp>
#include <picus/hdf5_recorder.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace picus {

/// The state of the recording of a run.
struct Hdf5Recorder::Progress {
  std::int64_t calls = 0;
  std::int64_t seen_step = 0;
  double seen_time = 0.0;
  bool is_recorded = true;
  results::SolverWork work;  ///< effort since the last record
  double seconds = 0.0;      ///< wall time so far
  std::int64_t picture_stride = 1;
  bool is_pictured = true;

  struct Table {
    std::int64_t rows = 0;
    std::vector<std::byte> last_row;  ///< to verify that a file belongs to the run
    void serialize(Archive& archive) { archive(rows, last_row); }
  };
  Table records, pictures;
  std::vector<Table> sensors;
  bool has_sets = false;     ///< whether the model has contact sets
  std::vector<Table> found;  ///< tables of the detected contacts

  /// Whether this is consistent with a run that has reached `state`.
  bool fits(const State& state) const {
    const auto is_table = [this](const Table& table) { return table.rows >= 0 && table.rows <= calls + 1; };
    const auto is_count = [](std::int32_t count) { return count >= 0 && count <= 1'000'000'000; };
    const auto all_counts = [&](const auto& counts) {
      return std::all_of(counts.begin(), counts.end(), is_count);
    };
    return calls == state.step + 1 && seen_step == state.step && seen_time == state.time &&
           all_counts(work.iterations) && all_counts(work.line_searches) && all_counts(work.fallbacks) &&
           std::isfinite(seconds) && picture_stride >= 1 && is_table(records) && is_table(pictures) &&
           std::all_of(found.begin(), found.end(), [](const Table& table) { return table.rows >= 0; });
  }

  void serialize(Archive& archive) {
    archive(calls, seen_step, seen_time, is_recorded, work.iterations, work.residuals, work.line_searches,
            work.fallbacks, work.accepted_residual, seconds, picture_stride, is_pictured, records, pictures,
            sensors);
    if (has_sets) archive(found);
  }
};

}  // namespace picus
