#pragma once

/// Writes values to a checkpoint and reads them back, bit for bit. A class lists its values once, for both directions,
/// so that their order cannot differ:
///
///     void serialize(Archive& archive) override { archive(last_time_, first_impact_, angles_); }

#include <picus/configuration.hpp>
#include <picus/state.hpp>
#include <picus/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace picus {

class Archive {
 public:
  /// An empty archive, for writing.
  Archive() = default;
  /// For reading; the bytes must outlive the archive. Messages name `owner` as the object to which the values
  /// belong.
  Archive(std::span<const std::byte> bytes, std::string owner);

  /// Whether the archive is being read: values are replaced by those stored.
  bool is_reading() const { return is_reading_; }
  /// The bytes written so far.
  const std::vector<std::byte>& bytes() const { return written_; }

  /// Writes the values, or replaces them by those stored: numbers, enumerators, strings, Eigen matrices, containers of
  /// these, and any type with a member serialize(). Vectors are resized to the stored size. Throws FileError when fewer
  /// bytes are left than are needed.
  template <class... Values>
  void operator()(Values&... values) {
    (pass(values), ...);
  }

  /// The same for values whose size is given by the model and which are finite: reading throws FileError for a
  /// different size or a number that is not finite.
  template <class... Values>
  void in_place(Values&... values) {
    is_in_place_ = true;
    (pass(values), ...);
    is_in_place_ = false;
  }

  /// Throws FileError unless all bytes have been read.
  void finish_reading() const;
  /// Throws FileError unless `fits`, the caller's check that the values read are usable.
  void require(bool fits) const {
    if (!fits) refuse();
  }

 private:
  void pass_bytes(void* bytes, std::size_t size);
  /// Writes or reads a number of entries, of at least `entry_bytes` bytes each.
  std::size_t pass_count(std::size_t count, std::size_t entry_bytes);
  [[noreturn]] void refuse() const;
  /// Compares the size that is read with the present one.
  void check_size(std::size_t read, std::size_t present) const {
    if (is_reading_ && is_in_place_) require(read == present);
  }
  template <class T>
  void check_finite(std::span<const T> values) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (is_reading_ && is_in_place_)
        require(std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); }));
    }
  }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void pass(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      auto byte = static_cast<std::uint8_t>(value);
      pass_bytes(&byte, 1);
      require(byte <= 1);
      value = byte == 1;
    } else {
      pass_bytes(&value, sizeof(T));
      check_finite(std::span<const T>(&value, 1));
    }
  }
  void pass(std::string& text);
  void pass(Configuration& q);
  void pass(State& state);

  template <class T, int Rows, int Columns>
  void pass(Eigen::Matrix<T, Rows, Columns>& matrix) {
    auto rows = rows_of(matrix);
    auto columns = columns_of(matrix);
    pass(rows);
    pass(columns);
    const std::size_t count = pass_count(matrix.size(), sizeof(T));
    if (is_reading_) {
      if (rows < 0 || columns < 0 ||
          static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) != count ||
          (Rows >= 0 && rows != Rows) || (Columns >= 0 && columns != Columns)) {
        refuse();
      }
      check_size(count, matrix.size());
      matrix.resize(rows, columns);
    }
    pass_bytes(matrix.data(), count * sizeof(T));
    check_finite(std::span<const T>(matrix.data(), count));
  }
  template <class T>
  void pass(std::vector<T>& values) {
    constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
    const std::size_t count = pass_count(values.size(), is_plain ? sizeof(T) : 1);
    check_size(count, values.size());
    if constexpr (is_plain) {
      if (is_reading_) values.resize(count);
      pass_bytes(values.data(), count * sizeof(T));
      check_finite(std::span<const T>(values));
    } else {
      // One by one: a corrupt count must not allocate memory for entries that do not exist.
      if (is_reading_ && !is_in_place_) values.clear();
      for (std::size_t i = 0; i < count; ++i) {
        if (i == values.size()) values.emplace_back();
        pass(values[i]);
      }
    }
  }
  template <class T, std::size_t n>
  void pass(std::array<T, n>& values) {
    for (T& value : values) pass(value);
  }
  template <class T>
  void pass(std::optional<T>& value) {
    bool has_value = value.has_value();
    pass(has_value);
    if (is_reading_) value = has_value ? std::optional<T>(T{}) : std::nullopt;
    if (has_value) pass(*value);
  }
  template <class A, class B>
  void pass(std::pair<A, B>& values) {
    pass(values.first);
    pass(values.second);
  }
  template <class T>
  requires requires(T& value, Archive& archive) { value.serialize(archive); }
  void pass(T& value) { value.serialize(*this); }

  std::vector<std::byte> written_;
  std::span<const std::byte> unread_;
  bool is_reading_ = false;
  bool is_in_place_ = false;
  std::string owner_;
};

}  // namespace picus
