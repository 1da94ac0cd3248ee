#include "output.hpp"

#include "../printable.hpp"
#include <picus/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

namespace picus::program {
namespace {

/// Number of characters on a screen: the bytes that are not UTF-8 continuation bytes.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

/// The text if it has at most `width` characters, otherwise its beginning and "...".
std::string cut_after(std::string text, std::size_t width) {
  if (text.size() <= width || display_width(text) <= width) return text;
  std::size_t end = 0;
  for (std::size_t left = width - 2; end < text.size(); ++end) {
    if ((text[end] & '\xC0') != '\x80' && --left == 0) break;
  }
  return text.substr(0, end) + "...";
}

std::string& name_of_program() {
  static std::string name = "picus";
  return name;
}

}  // namespace

const std::string& program_name() {
  return name_of_program();
}

void set_program_name(std::string name) {
  if (!name.empty()) name_of_program() = std::move(name);
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw FileError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void print_error(std::string_view message) {
  const std::string indent(program_name().size() + 2, ' ');
  std::string text = program_name() + ": ";
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    text += detail::printable(message.substr(0, end));  // may contain names and texts of files
    message.remove_prefix(std::min(end + 1, message.size()));
    if (!message.empty()) text += '\n' + indent;
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Table::Table(std::vector<std::string> titles, std::vector<bool> right) : right_(std::move(right)) {
  right_.resize(titles.size(), false);
  add(std::move(titles));
}

void Table::add(std::vector<std::string> cells) {
  constexpr std::size_t widest = 120;  // names in files of others may have 60000 characters
  cells.resize(right_.size());
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) cells[i] = cut_after(std::move(cells[i]), widest);
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(right_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_end = i + 1 == row.size() && !right_[i];
      const std::string padding(is_end ? 0 : widths[i] - display_width(row[i]), ' ');
      line += "  " + (right_[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > indent && column + 1 + display_width(word) > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += display_width(word);
  }
  return result;
}

std::string shown(const std::filesystem::path& file) {
  return detail::printable(file.string());
}

std::string with_unit(std::string_view value, std::string_view unit) {
  return unit.empty() ? std::string(value) : fmt::format("{} {}", value, unit);
}

std::string file_size_text(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000.0 && unit + 1 < units.size(); ++unit) bytes /= 1000.0;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e8) return "?";
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace picus::program
