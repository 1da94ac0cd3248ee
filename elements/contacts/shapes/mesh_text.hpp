#pragma once

/// Reads the text of a mesh file word by word.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace picus {

class MeshText {
 public:
  /// `name` is the name of the file; text and name must outlive this object.
  MeshText(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// Throws FileError with the position of the word read last, or of the end of the file if there is none.
  [[noreturn]] void fail(std::string_view message) const {
    throw FileError(fmt::format("mesh file \"{}\", line {}: {}", name_, line_, message));
  }
  /// The same for a truncated file.
  [[noreturn]] void fail_cut_off() const { fail("the file is cut off"); }

  /// The next word, on whatever line; empty at the end.
  std::string_view word() {
    while (at_ < text_.size() && is_blank(text_[at_])) step();
    return rest_of_word();
  }
  /// The next word on this line; empty at its end.
  std::string_view word_of_line() {
    while (at_ < text_.size() && text_[at_] != '\n' && is_blank(text_[at_])) step();
    if (at_ < text_.size() && text_[at_] == '#') return {};
    return rest_of_word();
  }
  /// Skips the rest of this line.
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  /// The value of a word, which must be a finite number.
  double number(std::string_view word) const {
    const std::string_view digits = without_sign(word);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
      fail(fmt::format("a finite number is expected, not \"{}\"", shortened(word)));
    return value;
  }
  /// The same for an integer.
  long long integer(std::string_view word, std::string_view all) const {
    const std::string_view digits = without_sign(word);
    long long value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("the number of a point is expected, not \"{}\"", shortened(all)));
    return value;
  }
  /// A word as shown in messages.
  static std::string_view shortened(std::string_view word) { return word.substr(0, 40); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  /// std::from_chars does not accept a plus sign.
  static std::string_view without_sign(std::string_view word) {
    return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
  }
  void step() {
    if (text_[at_++] == '\n') ++line_;
  }
  std::string_view rest_of_word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace picus
