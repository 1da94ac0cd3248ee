#pragma once

/// Numbers, choices and settings that a user types as text: read, checked against a range, and refused with a message that
/// names the culprit.

#include <picus/types.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// An interval of numbers. Infinity and NaN lie in none.
struct Range {
  double low = -std::numeric_limits<double>::infinity();  ///< smallest
  double high = std::numeric_limits<double>::infinity();  ///< largest
  bool low_included = true;                               ///< whether `low` itself lies within

  /// Above zero.
  static constexpr Range positive() { return {.low = 0.0, .low_included = false}; }
  /// From zero on.
  static constexpr Range not_negative() { return {.low = 0.0}; }
  /// Both ends included.
  static constexpr Range between(double low, double high) { return {.low = low, .high = high}; }

  /// Whether it is a finite number within.
  bool contains(double value) const;
  /// "> 0", ">= 0", "0 to 1", "any".
  std::string text() const;
  /// "must be positive", "must lie in [0, 1]": the end of a message about a value outside.
  std::string requirement() const;
};

/// Throws OptionError, `WHAT is VALUE, must ...`, unless the value is in the range.
void require_in_range(std::string_view what, double value, const Range& range);

/// `what` is the culprit in messages, e.g. "parameter mu" or "--step". Each throws OptionError unless `text`
/// is a finite number in `range`.
double read_real(std::string_view what, std::string_view text, const Range& range = {});
/// The same of an integer.
Index read_integer(std::string_view what, std::string_view text, const Range& range = {});
/// Place of `text` among `choices`; throws OptionError that offers the nearest one.
std::size_t read_choice(std::string_view what, std::string_view text,
                        const std::vector<std::string>& choices);

/// The shortest text that reads back as the same number.
std::string number_text(double value);

/// A setting NAME=VALUE. Throws OptionError when there is no '=' or no name.
std::pair<std::string, std::string> split_assignment(std::string_view assignment);

}  // namespace picus
