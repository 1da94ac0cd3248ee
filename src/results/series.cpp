#include "series.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>

namespace picus::results {
namespace {

constexpr std::size_t largest_rank = 32;  // the most that HDF5 has

std::size_t largest_row(const std::vector<Column>& columns) {
  std::size_t largest = 0;
  for (const Column& column : columns) largest = std::max(largest, column.row_bytes());
  return largest;
}

}  // namespace

SeriesTable::SeriesTable(Hdf5File& file, std::vector<Column> columns, std::int64_t chunk_rows, int level)
    : file_(file),
      chunk_rows_(chunk_rows),
      packer_(std::max(level, 1), largest_row(columns) * static_cast<std::size_t>(chunk_rows)) {
  series_.reserve(columns.size());
  for (Column& column : columns) {
    const bool may_pack = level > 0 && !column.is_plain;
    Hdf5Handle set = file.make_growing(column.name, column.number, column.row_shape(),
                                       chunk_rows * column.row_length(), may_pack ? level : 0);
    file.set_attribute(column.name, "unit", column.unit);
    file.set_attribute(column.name, "description", column.description);
    const std::size_t row_bytes = column.row_bytes();
    series_.push_back({std::move(column), row_bytes, may_pack,
                       std::vector<std::byte>(row_bytes * static_cast<std::size_t>(chunk_rows)),
                       std::move(set)});
  }
  file.make_last(series_.front().set);
}

void SeriesTable::append(const Sample& sample) {
  const auto place = static_cast<std::size_t>(rows_ % chunk_rows_);
  for (Series& series : series_) series.column.fill(sample, series.chunk.data() + place * series.row_bytes);
  ++rows_;
  if (at_chunk_end()) {
    write_chunk(!chunk_has_place_);
    chunk_has_place_ = false;
  }
}

void SeriesTable::append(const RecordedRun& earlier, std::int64_t rows) {
  while (rows_ < rows) {
    const std::int64_t count = std::min(chunk_rows_, rows - rows_);
    for (Series& series : series_) {
      earlier.read_rows(series.column, rows_, count,
                        std::span(series.chunk).first(static_cast<std::size_t>(count) * series.row_bytes));
    }
    rows_ += count;
    if (at_chunk_end()) write_chunk(true);
  }
  for (const Series& series : series_) {
    if (rows > 0 && series.column.take_up) series.column.take_up(last_row(series));
  }
}

const std::byte* SeriesTable::last_row(const Series& series) const {
  return series.chunk.data() + static_cast<std::size_t>((rows_ - 1) % chunk_rows_) * series.row_bytes;
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
  if (!at_chunk_end() && rows_in_file_ < rows_) {
    write_chunk(is_last && !chunk_has_place_);
    chunk_has_place_ = true;
  }
  file_.commit();
}

void SeriesTable::write_chunk(bool pack) {
  const QuietHdf5 quiet;
  extend();
  for (Series& series : series_) {
    const auto filled = static_cast<std::size_t>((rows_ - 1) % chunk_rows_ + 1);
    std::fill(series.chunk.begin() + static_cast<std::ptrdiff_t>(filled * series.row_bytes),
              series.chunk.end(), std::byte{0});
    write_chunk(series, pack && series.may_pack);
  }
}

void SeriesTable::write_chunk(const Series& series, bool pack) {
  constexpr std::uint32_t skip_shuffle_and_deflate = 0b11;
  std::span<const std::byte> bytes = series.chunk;
  std::uint32_t skipped = series.may_pack ? skip_shuffle_and_deflate : 0;
  if (pack) {
    const std::span<const std::byte> packed = packer_.pack(bytes, size_of(series.column.number));
    if (!packed.empty()) {
      bytes = packed;
      skipped = 0;
    }
  }
  const std::array<hsize_t, largest_rank> first = {
      static_cast<hsize_t>((rows_ - 1) / chunk_rows_ * chunk_rows_ * series.column.row_length())};
  if (H5Dwrite_chunk(series.set.id(), H5P_DEFAULT, skipped, first.data(), bytes.size(), bytes.data()) < 0) {
    file_.fail();
  }
}

void SeriesTable::extend() {
  for (const Series& series : series_) {
    std::array<hsize_t, largest_rank> size = {static_cast<hsize_t>(rows_ * series.column.row_length())};
    const std::span<const Index> shape = series.column.row_shape();
    std::copy(shape.begin(), shape.end(), size.begin() + 1);
    if (H5Dset_extent(series.set.id(), size.data()) < 0) file_.fail();
  }
  rows_in_file_ = rows_;
}

std::vector<std::uint64_t> SeriesTable::find_rows(std::string_view name,
                                                  std::span<const std::int64_t> rows) const {
  const auto series = std::find_if(series_.begin(), series_.end(),
                                   [&](const Series& candidate) { return candidate.column.name == name; });
  std::vector<std::uint64_t> places;
  std::int64_t known_chunk = -1;
  haddr_t chunk_address = 0;
  for (const std::int64_t row : rows) {
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
