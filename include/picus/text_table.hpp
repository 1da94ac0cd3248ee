#pragma once

/// Reads tables of words and numbers from text files that other programs have written.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// The words of a text file, line by line.
class TextTable {
 public:
  /// Words are separated by spaces, tabs, commas, semicolons and any of `further_separators`; lines whose first word
  /// begins with one of `comment_marks` are passed over. Throws FileError `cannot read file "a.dof": ...`.
  TextTable(const std::filesystem::path& path, std::string_view comment_marks,
            std::string_view further_separators = "");

  /// The words of the next line that has any, valid until the next call; false at the end of the file. Throws FileError
  /// for a line of more than 4096 bytes.
  bool next(std::vector<std::string_view>& words);
  /// A word as a number. Throws FileError `...: line 3: "x" is no number`.
  template <class Number>
  Number number(std::string_view word) const {
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("\"{}\" is no number", word));
    return value;
  }
  /// Throws FileError `cannot read file "a.dof": line 3: WHAT` with the number of the line that was read last.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::filesystem::path path_;
  std::string comment_marks_, separators_;
  std::ifstream stream_;
  std::string line_;
  std::size_t number_ = 0;
};

}  // namespace picus
