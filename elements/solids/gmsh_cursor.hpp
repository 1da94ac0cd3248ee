#pragma once

/// Reads through the text of a Gmsh file, in which the numbers of some sections may be binary.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

namespace picus::gmsh {

class Cursor {
 public:
  Cursor(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}

  bool is_binary = false;
  std::string section = {};  ///< for messages

  /// Position of the next number or line, for fail_at().
  std::size_t place() {
    if (!is_binary) skip_blanks();
    return at_;
  }

  [[noreturn]] void fail(std::string_view message) const { fail_at(at_, message); }
  [[noreturn]] void fail_at(std::size_t at, std::string_view message) const {
    const auto lines = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::string place = is_binary ? fmt::format("byte {}", at) : fmt::format("line {}", lines);
    throw FileError(fmt::format("mesh file \"{}\", {}: {}", name_, place, message));
  }
  [[noreturn]] void fail_cut_off() {
    at_ = text_.size();
    if (section.empty()) fail("the file is cut off");
    fail(fmt::format("the file is cut off in section {}", section));
  }

  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }

  /// The rest of the line after any blanks; also consumes the line break.
  std::string_view line() {
    skip_blanks();
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view result = std::string_view(text_).substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    while (!result.empty() && is_blank(result.back())) result.remove_suffix(1);
    return result;
  }
  /// A name in quotes.
  std::string_view quoted() {
    const std::string_view rest = line();
    if (rest.size() < 2 || rest.front() != '"' || rest.back() != '"') fail("a name in quotes is expected");
    return rest.substr(1, rest.size() - 2);
  }
  void expect_end_of(std::string_view name) {
    if (at_end()) fail_cut_off();
    const std::size_t start = at_;
    if (line() == fmt::format("$End{}", name)) return;
    at_ = start;
    fail(fmt::format("$End{} is expected", name));
  }
  void skip_section(std::string_view name) {
    const std::size_t end = text_.find(fmt::format("$End{}", name), at_);
    if (end == std::string::npos) fail_cut_off();
    at_ = end;
    line();
  }

  int integer() { return is_binary ? binary<std::int32_t>() : token<int>("an integer"); }
  std::size_t size() { return is_binary ? binary<std::uint64_t>() : token<std::size_t>("a count or tag"); }
  double real() { return is_binary ? binary<double>() : token<double>("a number"); }
  /// A count of items of at least one byte each, checked against the rest of the file, so that a wrong count cannot
  /// cause an excessive allocation.
  std::size_t count() {
    const std::size_t result = size();
    if (result > text_.size() - at_) fail_cut_off();
    return result;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  template <class Value>
  Value token(std::string_view what) {
    if (at_end()) fail_cut_off();
    Value value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const std::size_t stop = end - text_.data();
    if (error != std::errc{} || (stop < text_.size() && !is_blank(text_[stop]))) {
      // Truncated within a number or within the mark that ends the section.
      std::size_t word_end = at_;
      while (word_end < text_.size() && !is_blank(text_[word_end])) ++word_end;
      const std::string word = text_.substr(at_, std::min<std::size_t>(word_end - at_, 40));
      if (word_end == text_.size()) fail_cut_off();
      fail(fmt::format("{} is expected, not \"{}\"", what, word));
    }
    at_ = stop;
    return value;
  }

  template <class Value>
  Value binary() {
    Value value{};
    if (text_.size() - at_ < sizeof(Value)) fail_cut_off();
    std::memcpy(&value, text_.data() + at_, sizeof(Value));
    at_ += sizeof(Value);
    return value;
  }

  std::string text_;
  std::string name_;
  std::size_t at_ = 0;
};

}  // namespace picus::gmsh
