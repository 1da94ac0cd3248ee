#include <picus/error.hpp>
#include <picus/text_values.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace picus {
namespace {

enum class NumberText : std::uint8_t { whole, no_number, out_of_range };

/// Parses all of `text`, independent of the locale; a leading '+' is allowed.
template <class Number>
NumberText read_whole(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return NumberText::no_number;
  if (error == std::errc::result_out_of_range) return NumberText::out_of_range;
  return error == std::errc{} ? NumberText::whole : NumberText::no_number;
}

/// Whether a number out of the range of double is an underflow.
bool is_tiny(std::string_view text) {
  // strtod accepts the decimal point, since the program never sets a locale.
  return std::abs(std::strtod(std::string(text).c_str(), nullptr)) < 1.0;
}

}  // namespace

bool Range::contains(double value) const {
  return std::isfinite(value) && value <= high && (low_included ? value >= low : value > low);
}

std::string Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "any";
  if (std::isinf(low)) return fmt::format("<= {}", high);
  if (std::isinf(high)) return fmt::format("{} {}", low_included ? ">=" : ">", low);
  return fmt::format("{} to {}{}", low, high, low_included ? "" : fmt::format(", not {}", low));
}

std::string Range::requirement() const {
  if (std::isinf(low) && std::isinf(high)) return "must be a finite number";
  if (std::isinf(low)) return fmt::format("must be at most {}", high);
  if (std::isfinite(high)) return fmt::format("must lie in {}{}, {}]", low_included ? '[' : '(', low, high);
  if (low == 0.0) return low_included ? "must not be negative" : "must be positive";
  return fmt::format("must be {} {}", low_included ? "at least" : "above", low);
}

void require_in_range(std::string_view what, double value, const Range& range) {
  if (!range.contains(value))
    throw OptionError(fmt::format("{} is {}, {}", what, value, range.requirement()));
}

double read_real(std::string_view what, std::string_view text, const Range& range) {
  double value = 0.0;
  switch (read_whole(text, value)) {
    case NumberText::whole:
      break;
    case NumberText::no_number:
      throw OptionError(fmt::format("{} is \"{}\", must be a number", what, text));
    case NumberText::out_of_range:
      if (is_tiny(text))
        throw OptionError(fmt::format("{} is {}, too close to zero for a number of 64 bits", what, text));
      throw OptionError(fmt::format("{} is {}, too large for a number of 64 bits", what, text));
  }
  if (!std::isfinite(value)) throw OptionError(fmt::format("{} is {}, must be a finite number", what, text));
  if (!range.contains(value)) throw OptionError(fmt::format("{} is {}, {}", what, text, range.requirement()));
  return value;
}

Index read_integer(std::string_view what, std::string_view text, const Range& range) {
  Index value = 0;
  switch (read_whole(text, value)) {
    case NumberText::whole:
      break;
    case NumberText::no_number:
      throw OptionError(fmt::format("{} is \"{}\", must be an integer", what, text));
    case NumberText::out_of_range:
      if (text.starts_with('-') && std::isfinite(range.low))
        throw OptionError(fmt::format("{} is {}, {}", what, text, range.requirement()));
      throw OptionError(
          fmt::format("{} is {}, too large: at most {}", what, text,
                      std::min(range.high, static_cast<double>(std::numeric_limits<Index>::max()))));
  }
  if (!range.contains(value)) throw OptionError(fmt::format("{} is {}, {}", what, text, range.requirement()));
  return value;
}

std::size_t read_choice(std::string_view what, std::string_view text,
                        const std::vector<std::string>& choices) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text) return i;
  }
  throw OptionError(fmt::format("{} is \"{}\", must be one of {}{}", what, text, fmt::join(choices, ", "),
                                suggestion(text, choices)));
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::pair<std::string, std::string> split_assignment(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw OptionError(fmt::format("\"{}\" is not a setting; write NAME=VALUE", assignment));
  }
  return {std::string(assignment.substr(0, equals)), std::string(assignment.substr(equals + 1))};
}

}  // namespace picus
