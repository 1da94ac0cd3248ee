#pragma once

/// Writing of columns to a file: rows are buffered in memory and written chunk by chunk.

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

/// Number of rows of a chunk. Few large chunks are fast, as long as buffers are small and no more rows are expected
/// than `expected`.
std::int64_t choose_chunk_rows(const std::vector<Column>& columns, double expected);

/// Data sets that grow together, row by row. The first one is the last to grow on disk, so that its length is the
/// number of complete rows, unless this number is given by another table.
///
/// A full chunk is compressed, in a separate thread, and written when the next one is full or all data must be written.
/// A chunk that must be written before it is full remains uncompressed: it then keeps its position in the file, where
/// rows are appended without changing previous ones.
class SeriesTable {
 public:
  /// Where the number of complete rows is stored.
  enum class Completion : std::uint8_t { first_column, elsewhere };

  /// Creates empty data sets. `level` as for deflate.
  SeriesTable(Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows, int level,
              Completion completion = Completion::first_column);

  SeriesTable(const SeriesTable&) = delete;
  SeriesTable& operator=(const SeriesTable&) = delete;

  /// Adds a row; writes to the file, and allocates, only if that fills a chunk.
  void append(const Sample& sample);
  /// Adds the first `rows` rows of an earlier part of the run; the table must be empty. Throws FileError if that file
  /// does not have them.
  void append(const RecordedRun& earlier, std::int64_t rows);
  /// The bytes of the row last added, column by column.
  std::vector<std::byte> last_row() const;
  /// Passes all rows to the file, whose commit() writes them to disk. The last chunk is compressed only if `is_last`:
  /// then no rows may follow.
  void write_out(bool is_last);

  std::int64_t rows() const { return rows_; }
  /// Offsets of the rows of a plain column from the beginning of the file, bytes; all rows must have been written.
  std::vector<std::uint64_t> find_rows(std::string_view name) const;
  /// Whether no chunk is partly filled.
  bool at_chunk_end() const { return rows_ % chunk_rows_ == 0; }
  void close();

 private:
  struct Series {
    Column column;
    std::size_t row_bytes;
    bool may_pack;
    std::vector<std::byte> chunk;  ///< being filled, or full and being compressed
    std::vector<std::byte> spare;  ///< the next one while the chunk is compressed
    Hdf5Handle set;
  };

  const std::byte* last_row(const Series& series) const;
  std::int64_t chunk_begin() const { return (rows_ - 1) / chunk_rows_ * chunk_rows_; }
  void start_packing();
  /// Writes the chunk being compressed, if there is one.
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
    std::int64_t rows;  ///< number of rows of the table including this chunk
  };
  std::optional<Packing> packing_;
  std::vector<PackingJob> jobs_;  ///< jobs of the series that may be compressed
  std::optional<PackingThread> thread_;
};

}  // namespace picus::results
