#pragma once

/// Columns on their way into a file: rows gather in memory and are written a chunk at a time.

#include "columns.hpp"
#include "packer.hpp"
#include "recorded_run.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace picus::results {

/// Data sets that grow together, row by row. The first one is the last to grow on disk, so that its length
/// there is the number of complete rows.
///
/// A chunk is packed and written once it is full. One that has to be written before stays unpacked: it then
/// keeps its place in the file, where rows are added to it without touching those before.
class SeriesTable {
 public:
  /// Makes empty data sets. `level` as for deflate.
  SeriesTable(Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows, int level);

  /// Adds a row; writes to the file only if that fills a chunk. Allocates nothing otherwise.
  void append(const Sample& sample);
  /// Adds the first `rows` of an earlier part of the run; nothing may have been added before. Throws FileError
  /// where that file does not have them.
  void append(const RecordedRun& earlier, std::int64_t rows);
  /// The bytes of the row last added, column by column.
  std::vector<std::byte> last_row() const;
  /// Brings all rows on disk. The last chunk is packed only if `is_last`: then no rows may follow.
  void write_out(bool is_last);

  std::int64_t rows() const { return rows_; }
  /// Where rows of a plain column are, in bytes from the beginning of the file; rows that were written out.
  std::vector<std::uint64_t> find_rows(std::string_view name, std::span<const std::int64_t> rows) const;
  /// Whether there is no chunk that is only partly filled.
  bool at_chunk_end() const { return rows_ % chunk_rows_ == 0; }
  void close();

 private:
  struct Series {
    Column column;
    std::size_t row_bytes;
    bool may_pack;
    std::vector<std::byte> chunk;
    Hdf5Handle set;
  };

  const std::byte* last_row(const Series& series) const;
  void write_chunk(bool pack);
  void write_chunk(const Series& series, bool pack);
  void extend();

  Hdf5File& file_;
  std::vector<Series> series_;
  std::int64_t chunk_rows_;
  Packer packer_;
  std::int64_t rows_ = 0;
  std::int64_t rows_in_file_ = 0;  ///< extent of the data sets
  bool chunk_has_place_ = false;   ///< the last chunk was written before it was full
};

}  // namespace picus::results
