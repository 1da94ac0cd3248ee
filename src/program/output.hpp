#pragma once

/// Text for the user: results on standard output, errors on standard error.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace picus::program {

/// Name of the program in messages and hints: "picus" unless set.
const std::string& program_name();
void set_program_name(std::string name);

/// Writes to standard output; flush_output() reports errors.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// Throws FileError if output to standard output was lost (a full disk).
void flush_output();

/// "NAME: MESSAGE", with the name of the program, on standard error, further lines indented.
void print_error(std::string_view message);

/// A table with columns aligned under their titles, the first to the left, the others according to `right`; indented by
/// two. Long texts are cut, except in the last column.
class Table {
 public:
  explicit Table(std::vector<std::string> titles, std::vector<bool> right = {});
  void add(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

/// `text` in lines of at most `width` characters, broken at spaces; all except the first begin with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// The name of a file without control characters.
std::string shown(const std::filesystem::path& file);

/// "1.5 s", or "1.5" without a unit.
std::string with_unit(std::string_view value, std::string_view unit);

/// "512 B", "1.2 MB".
std::string file_size_text(double bytes);

/// "42 s", "3:07", "1:02:45" for a duration in seconds.
std::string duration_text(double seconds);

}  // namespace picus::program
