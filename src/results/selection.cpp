#include "selection.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::results {
namespace {

/// Whether the pattern matches the name or a parent group of it.
bool covers(std::string_view pattern, std::string_view name) {
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  for (std::size_t end = name.find('/'); end != std::string_view::npos; end = name.find('/', end + 1)) {
    if (matches(pattern, name.substr(0, end))) return true;
  }
  return matches(pattern, name);
}

bool any_covers(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return covers(pattern, name); });
}

/// Candidates for a mistyped pattern: data sets, groups, and contents of groups.
std::vector<std::string> names_and_groups(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Column& column : columns) {
    for (std::size_t end = column.name.find('/'); end != std::string::npos;
         end = column.name.find('/', end + 1)) {
      add(column.name.substr(0, end));
      add(column.name.substr(0, end) + "/*");
    }
    add(column.name);
  }
  return names;
}

void require_use(const std::vector<Column>& columns, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    const bool is_used = std::any_of(columns.begin(), columns.end(),
                                     [&](const Column& column) { return covers(pattern, column.name); });
    if (!is_used) {
      throw OptionError(fmt::format("nothing that can be recorded is called \"{}\"{}", pattern,
                                    suggestion(pattern, names_and_groups(columns))));
    }
  }
}

}  // namespace

std::vector<Column> choose(std::vector<Column> columns, const std::vector<std::string>& include,
                           const std::vector<std::string>& exclude) {
  require_use(columns, include);
  require_use(columns, exclude);
  std::erase_if(columns, [&](const Column& column) {
    return (!include.empty() && !any_covers(include, column.name)) || any_covers(exclude, column.name);
  });
  return columns;
}

}  // namespace picus::results
