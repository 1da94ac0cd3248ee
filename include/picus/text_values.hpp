#pragma once

/// Parsing of numbers, choices and settings typed by a user, with range checks and messages that name the offending
/// item.

#include <picus/types.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// An interval of numbers. Infinity and NaN lie in none.
struct Range {
  double low = -std::numeric_limits<double>::infinity();  ///< lower bound
  double high = std::numeric_limits<double>::infinity();  ///< upper bound, included
  bool low_included = true;                               ///< whether `low` itself is allowed

  /// Greater than zero.
  static constexpr Range positive() { return {.low = 0.0, .low_included = false}; }
  /// Greater than or equal to zero.
  static constexpr Range not_negative() { return {.low = 0.0}; }
  /// From low to high, both included.
  static constexpr Range between(double low, double high) { return {.low = low, .high = high}; }

  /// Whether `value` is finite and within the range.
  bool contains(double value) const;
  /// The range as text: "> 0", ">= 0", "0 to 1", "any".
  std::string text() const;
  /// The end of a message about a value out of range: "must be positive", "must lie in [0, 1]".
  std::string requirement() const;
};

/// Throws OptionError, `WHAT is VALUE, must ...`, unless the value is in the range.
void require_in_range(std::string_view what, double value, const Range& range);

/// Reads a number. `what` names the item in messages, e.g. "parameter mu" or "--step". Throws OptionError unless `text`
/// is a finite number in `range`.
double read_real(std::string_view what, std::string_view text, const Range& range = {});
/// The same for an integer.
Index read_integer(std::string_view what, std::string_view text, const Range& range = {});
/// Index of `text` in `choices`; throws OptionError with the nearest one if there is none.
std::size_t read_choice(std::string_view what, std::string_view text,
                        const std::vector<std::string>& choices);

/// The shortest text that is read back as the same number.
std::string number_text(double value);

/// Splits a setting NAME=VALUE. Throws OptionError if there is no '=' or no name.
std::pair<std::string, std::string> split_assignment(std::string_view assignment);

}  // namespace picus
