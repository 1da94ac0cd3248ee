#include "series.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>

namespace picus::results {
namespace {

constexpr std::size_t largest_rank = 32;  // the limit of HDF5

std::size_t largest_row(const std::vector<Column>& columns) {
  std::size_t largest = 0;
  for (const Column& column : columns) largest = std::max(largest, column.row_bytes());
  return largest;
}

/// Smaller tables are compressed synchronously: a thread for each of a hundred sensors would be no gain.
constexpr std::size_t bytes_worth_a_thread = 256 * 1024;

std::size_t bytes_of_row(const std::vector<Column>& columns) {
  std::size_t bytes = 0;
  for (const Column& column : columns) bytes += column.row_bytes();
  return bytes;
}

}  // namespace

std::int64_t choose_chunk_rows(const std::vector<Column>& columns, double expected) {
  constexpr double most_rows = 1024;
  constexpr double most_bytes = 4e6;
  const auto row_bytes = static_cast<double>(bytes_of_row(columns));
  return static_cast<std::int64_t>(std::max(1.0, std::min({most_rows, most_bytes / row_bytes, expected})));
}

SeriesTable::SeriesTable(Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows, int level,
                         Completion completion)
    : file_(file), chunk_rows_(chunk_rows) {
  const std::size_t largest_chunk = largest_row(columns) * chunk_rows;
  std::size_t packable = 0;
  series_.reserve(columns.size());
  for (Column& column : columns) {
    const bool may_pack = level > 0 && !column.is_plain;
    Hdf5Handle set = file.make_growing(column.name, column.number, column.row_shape(),
                                       chunk_rows * column.row_length(), may_pack ? level : 0);
    file.set_attribute(column.name, "unit", column.unit);
    file.set_attribute(column.name, "description", column.description);
    const std::size_t row_bytes = column.row_bytes();
    const std::size_t chunk_bytes = row_bytes * chunk_rows;
    if (may_pack) {
      jobs_.push_back({{}, size_of(column.number), std::vector<std::byte>(chunk_bytes), 0});
      packable += chunk_bytes;
    }
    series_.push_back({std::move(column), row_bytes, may_pack, std::vector<std::byte>(chunk_bytes),
                       std::vector<std::byte>(chunk_bytes), std::move(set)});
  }
  if (completion == Completion::first_column) file.make_last(series_.front().set);
  if (!jobs_.empty()) thread_.emplace(level, largest_chunk, packable >= bytes_worth_a_thread);
}

void SeriesTable::append(const Sample& sample) {
  const std::size_t place = rows_ % chunk_rows_;
  if (place == 0 && packing_) {
    for (Series& series : series_) series.chunk.swap(series.spare);
  }
  for (Series& series : series_) series.column.fill(sample, series.chunk.data() + place * series.row_bytes);
  ++rows_;
  if (!at_chunk_end()) return;
  if (chunk_has_place_) {
    write_unpacked_chunk();
    chunk_has_place_ = false;
  } else {
    finish_packing();
    start_packing();
  }
}

void SeriesTable::append(const RecordedRun& earlier, std::int64_t rows) {
  const std::int64_t recorded = earlier.rows(series_.front().column);
  if (recorded < rows) {
    earlier.refuse(fmt::format("its data set {} has {} rows, the checkpoint needs {}",
                               series_.front().column.name, recorded, rows));
  }
  while (rows_ < rows) {
    const std::int64_t count = std::min(chunk_rows_, rows - rows_);
    for (Series& series : series_) {
      earlier.read_rows(series.column, rows_, count, std::span(series.chunk).first(count * series.row_bytes));
    }
    rows_ += count;
    if (at_chunk_end()) {
      start_packing();
      finish_packing();
    }
  }
  for (const Series& series : series_) {
    if (rows > 0 && series.column.resume) series.column.resume(last_row(series));
  }
}

const std::byte* SeriesTable::last_row(const Series& series) const {
  return series.chunk.data() + ((rows_ - 1) % chunk_rows_) * series.row_bytes;
}

std::vector<std::byte> SeriesTable::last_row() const {
  std::vector<std::byte> bytes;
  if (rows_ == 0) return bytes;
  for (const Series& series : series_) {
    const std::byte* const row = last_row(series);
    bytes.insert(bytes.end(), row, row + series.row_bytes);
  }
  return bytes;
}

void SeriesTable::write_out(bool is_last) {
  finish_packing();
  if (at_chunk_end() || rows_in_file_ == rows_) return;
  if (is_last && !chunk_has_place_) {
    clear_after_last_row();
    start_packing();
    finish_packing();
  } else {
    write_unpacked_chunk();
  }
  chunk_has_place_ = true;
}

void SeriesTable::start_packing() {
  auto job = jobs_.begin();
  for (const Series& series : series_) {
    if (series.may_pack) job++->chunk = series.chunk;
  }
  packing_ = {chunk_begin(), rows_};
  if (thread_) thread_->start(jobs_);
}

// Chunks being compressed are in `spare` if further rows were added, which swaps the two.
void SeriesTable::finish_packing() {
  if (!packing_) return;
  if (thread_) thread_->finish();
  const QuietHdf5 quiet;
  extend(packing_->rows);
  const bool rows_followed = rows_ > packing_->rows;
  auto job = jobs_.begin();
  for (const Series& series : series_) {
    std::span<const std::byte> bytes = rows_followed ? series.spare : series.chunk;
    bool is_packed = false;
    if (series.may_pack) {
      if (job->packed_bytes > 0) {
        bytes = std::span(job->packed).first(job->packed_bytes);
        is_packed = true;
      }
      ++job;
    }
    write(series, packing_->first_row, bytes, is_packed);
  }
  packing_.reset();
}

void SeriesTable::write_unpacked_chunk() {
  const QuietHdf5 quiet;
  clear_after_last_row();
  extend(rows_);
  for (const Series& series : series_) write(series, chunk_begin(), series.chunk, false);
}

void SeriesTable::clear_after_last_row() {
  const std::size_t filled = (rows_ - 1) % chunk_rows_ + 1;
  for (Series& series : series_) {
    std::fill(series.chunk.begin() + static_cast<std::ptrdiff_t>(filled * series.row_bytes),
              series.chunk.end(), std::byte{0});
  }
}

void SeriesTable::write(const Series& series, std::int64_t first_row, std::span<const std::byte> bytes,
                        bool is_packed) {
  constexpr std::uint32_t skip_shuffle_and_deflate = 0b11;
  const std::uint32_t skipped = series.may_pack && !is_packed ? skip_shuffle_and_deflate : 0;
  const std::array<hsize_t, largest_rank> first = {
      static_cast<hsize_t>(first_row * series.column.row_length())};
  if (H5Dwrite_chunk(series.set.id(), H5P_DEFAULT, skipped, first.data(), bytes.size(), bytes.data()) < 0) {
    file_.fail();
  }
}

void SeriesTable::extend(std::int64_t rows) {
  for (const Series& series : series_) {
    std::array<hsize_t, largest_rank> size = {static_cast<hsize_t>(rows * series.column.row_length())};
    const std::span<const Index> shape = series.column.row_shape();
    std::copy(shape.begin(), shape.end(), size.begin() + 1);
    if (H5Dset_extent(series.set.id(), size.data()) < 0) file_.fail();
  }
  rows_in_file_ = rows;
}

std::vector<std::uint64_t> SeriesTable::find_rows(std::string_view name) const {
  const auto series = std::find_if(series_.begin(), series_.end(),
                                   [&](const Series& candidate) { return candidate.column.name == name; });
  std::vector<std::uint64_t> places;
  std::int64_t known_chunk = -1;
  haddr_t chunk_address = 0;
  for (std::int64_t row = 0; row < rows_; ++row) {
    const std::int64_t chunk = row / chunk_rows_;
    if (chunk != known_chunk) {
      const std::array<hsize_t, largest_rank> first = {
          static_cast<hsize_t>(chunk * chunk_rows_ * series->column.row_length())};
      unsigned skipped = 0;
      hsize_t size = 0;
      if (H5Dget_chunk_info_by_coord(series->set.id(), first.data(), &skipped, &chunk_address, &size) < 0) {
        file_.fail();
      }
      known_chunk = chunk;
    }
    places.push_back(chunk_address + static_cast<std::uint64_t>(row % chunk_rows_) * series->row_bytes);
  }
  return places;
}

void SeriesTable::close() {
  for (Series& series : series_) series.set.release();
}

}  // namespace picus::results
