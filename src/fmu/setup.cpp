#include "setup.hpp"

#include "../printable.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::fmu {
namespace {

/// Calls take(key, value) for each entry; value is a std::string that may be replaced.
template <class AnySetup, class Take>
void for_each_single(AnySetup& setup, const Take& take) {
  take("model", setup.model);
  take("scheme", setup.scheme);
  take("step", setup.step);
  take("until", setup.until);
}
template <class AnySetup, class Take>
void for_each_list(AnySetup& setup, const Take& take) {
  take("set", setup.settings);
  take("input", setup.inputs);
  take("output", setup.outputs);
}

void add_line(std::string& text, std::string_view key, const std::string& value) {
  if (value.find_first_of("\r\n") != std::string::npos)
    throw OptionError(fmt::format("\"{}\" is more than one line", detail::printable(value)));
  text += fmt::format("{} {}\n", key, value);
}

}  // namespace

std::string setup_text(const Setup& setup) {
  std::string text;
  for_each_single(setup, [&](const char* key, const std::string& value) {
    if (!value.empty()) add_line(text, key, value);
  });
  for_each_list(setup, [&](const char* key, const std::vector<std::string>& values) {
    for (const std::string& value : values) add_line(text, key, value);
  });
  return text;
}

Setup read_setup(std::string_view text) {
  Setup setup;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, blank);
    const std::string value(line.substr(std::min(blank + 1, line.size())));
    bool is_known = false;
    for_each_single(setup, [&](const char* known, std::string& single) {
      if (key != known) return;
      single = value;
      is_known = true;
    });
    for_each_list(setup, [&](const char* known, std::vector<std::string>& list) {
      if (key != known) return;
      list.push_back(value);
      is_known = true;
    });
    if (!is_known)
      throw FileError(fmt::format("{} is no setup of an FMU: \"{}\"", setup_file, detail::printable(line)));
  }
  return setup;
}

}  // namespace picus::fmu
