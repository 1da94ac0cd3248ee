#pragma once

/// Columns on their way into a file: rows gather in memory and are written a chunk at a time.

#include "columns.hpp"
#include "packing_thread.hpp"
#include "recorded_run.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace picus::results {

/// Few large chunks make fast files, as long as the gathering rows take little memory and no more are expected.
std::int64_t choose_chunk_rows(const std::vector<Column>& columns, double expected);

/// Data sets that grow together, row by row. The first one is the last to grow on disk, so that its length
/// there is the number of complete rows, unless another table tells how many there are.
///
/// A chunk is packed once it is full, in a thread of its own, and written when the next one is full or everything has to be.
/// One that has to be written before it is full stays unpacked: it then keeps its place in the file, where rows are added
/// to it without touching those before.
class SeriesTable {
 public:
  /// What tells how many rows are complete.
  enum class Completion : std::uint8_t { first_column, elsewhere };

  /// Makes empty data sets. `level` as for deflate.
  SeriesTable(Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows, int level,
              Completion completion = Completion::first_column);

  SeriesTable(const SeriesTable&) = delete;
  SeriesTable& operator=(const SeriesTable&) = delete;

  /// Adds a row; writes to the file only if that fills a chunk. Allocates nothing otherwise.
  void append(const Sample& sample);
  /// Adds the first `rows` of an earlier part of the run; nothing may have been added before. Throws FileError
  /// where that file does not have them.
  void append(const RecordedRun& earlier, std::int64_t rows);
  /// The bytes of the row last added, column by column.
  std::vector<std::byte> last_row() const;
  /// Hands all rows to the file, whose commit() brings them on disk. The last chunk is packed only if `is_last`: then
  /// no rows may follow.
  void write_out(bool is_last);

  std::int64_t rows() const { return rows_; }
  /// Where the rows of a plain column are, in bytes from the beginning of the file; all must have been written out.
  std::vector<std::uint64_t> find_rows(std::string_view name) const;
  /// Whether there is no chunk that is only partly filled.
  bool at_chunk_end() const { return rows_ % chunk_rows_ == 0; }
  void close();

 private:
  struct Series {
    Column column;
    std::size_t row_bytes;
    bool may_pack;
    std::vector<std::byte> chunk;  ///< that grows, or is full and being packed
    std::vector<std::byte> spare;  ///< the next one while the chunk is packed
    Hdf5Handle set;
  };

  const std::byte* last_row(const Series& series) const;
  std::int64_t chunk_begin() const { return (rows_ - 1) / chunk_rows_ * chunk_rows_; }
  void start_packing();
  /// Writes the chunk that is being packed, if there is one.
  void finish_packing();
  void write_unpacked_chunk();
  void write(const Series& series, std::int64_t first_row, std::span<const std::byte> bytes, bool is_packed);
  void extend(std::int64_t rows);
  void clear_after_last_row();

  Hdf5File& file_;
  std::vector<Series> series_;
  std::int64_t chunk_rows_;
  std::int64_t rows_ = 0;
  std::int64_t rows_in_file_ = 0;  ///< extent of the data sets
  bool chunk_has_place_ = false;   ///< the last chunk was written before it was full

  struct Packing {
    std::int64_t first_row;
    std::int64_t rows;  ///< of the table with this chunk
  };
  std::optional<Packing> packing_;
  std::vector<PackingJob> jobs_;  ///< of the series that may be packed
  std::optional<PackingThread> thread_;
};

}  // namespace picus::results
