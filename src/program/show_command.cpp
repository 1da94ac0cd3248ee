/// `picus show FILE`: content of a result file and statistics of its run.

#include "../printable.hpp"
#include "command_line.hpp"
#include "output.hpp"
#include "reader_process.hpp"
#include "result_file.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace picus::program {
namespace {

/// Attributes of the root written by Picus itself.
constexpr std::array attributes_of_root = {
    "title",          "format_version", "picus_version", "command_line", "integrator", "step",
    "until",          "every",          "warnings",      "outcome",      "steps",      "wall_seconds",
    "search_changes", "search_repeats", "search_misses", "search_depth"};
/// Those of other objects, except for /integrator, /model/parameters and /findings.
constexpr std::array attributes_of_objects = {"unit",     "description", "name",    "mu",   "e_n",   "e_t",
                                              "interval", "sampling",    "Version", "Type", "NSteps"};

template <std::size_t N>
bool is_one_of(const std::array<const char*, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string entries_text(const std::string& title, const TextEntries& entries) {
  if (entries.empty()) return "";
  Table table({title, ""});
  for (const auto& [name, value] : entries)
    table.add({"  " + detail::printable(name), detail::printable(value)});
  return table.text() + '\n';
}

/// Meaning of /time.
enum class TimeAxis : std::uint8_t { time, load_factor, frequency };

TimeAxis time_axis_of(const ResultFile& file) {
  const std::string unit = file.attribute("time", "unit", "s");
  // In formats before 3 load factors have the unit of time.
  if (unit == "1" || file.attribute("", "integrator", "") == "static") return TimeAxis::load_factor;
  return unit == "Hz" ? TimeAxis::frequency : TimeAxis::time;
}

std::string range_text(TimeAxis axis, double first, double last) {
  constexpr std::array formats = {"from t = {:.6g} to {:.6g} s", "from load factor {:.6g} to {:.6g}",
                                  "from f = {:.6g} to {:.6g} Hz"};
  return fmt::format(fmt::runtime(formats[place_of(axis)]), first, last);
}

TextEntries run_entries(const ResultFile& file, TimeAxis axis) {
  const std::string time_unit = axis == TimeAxis::time ? "s" : "";
  const auto root = [&](const std::string& name, const std::string& unit = "") {
    const std::string value = file.attribute("", name, "");
    return value.empty() ? "-" : with_unit(value, unit);
  };
  // A run that was killed could not write its outcome.
  TextEntries entries = {{"outcome", file.attribute("", "outcome", "unknown: still running, or killed")},
                         {"command line", root("command_line")},
                         {"Picus version", root("picus_version")},
                         {"integrator", root("integrator")}};
  if (axis == TimeAxis::frequency) {
    entries.emplace_back("modes found", root("until"));
  } else {
    entries.emplace_back("step", root("step", time_unit));
    entries.emplace_back(axis == TimeAxis::load_factor ? "load factor asked for" : "final time asked for",
                         root("until", time_unit));
    entries.emplace_back("steps taken", root("steps"));
    entries.emplace_back("record every", root("every", "steps"));
  }
  entries.emplace_back("wall time", root("wall_seconds", "s"));
  if (!file.attribute("", "search_changes", "").empty()) {
    entries.emplace_back(
        "changes of the contacts found",
        fmt::format("in {} steps, {} repeated", root("search_changes"), root("search_repeats")));
    const std::string misses = root("search_misses");
    entries.emplace_back(
        "contacts not found in time",
        misses == "0" ? "none"
                      : fmt::format("in {} steps, at most {} deep", misses, root("search_depth", "m")));
  }
  return entries;
}

bool is_in(const ResultFile::DataSet& set, std::string_view group, std::string_view leaf) {
  return set.name.starts_with(group) && set.name.ends_with(leaf);
}

/// Statistics of the recorded instants that show the quality of the run.
TextEntries statistics(const ResultFile& file, TimeAxis axis, const std::vector<ResultFile::DataSet>& sets) {
  TextEntries entries;
  double violation = 0.0;
  double penetration = 0.0;
  for (const ResultFile::DataSet& set : sets) {
    const bool is_iterations = is_in(set, "/solver/iterations_", "");
    const bool is_fallbacks = set.name == "/solver/fallbacks";
    const bool is_accepted = set.name == "/solver/accepted_residual";
    const bool is_energy = is_in(set, "/energy/", "");
    const bool is_violation = is_in(set, "/constraints/", "/violation");
    const bool is_gap = is_in(set, "/contacts/", "/gap") || is_in(set, "/contact_sets/", "/gap");
    if (!(is_iterations || is_fallbacks || is_accepted || is_energy || is_violation || is_gap ||
          set.name == "/time"))
      continue;
    if (!set.unreadable.empty() || !set.is_numeric) continue;  // reported in the list of data sets

    double first = 0.0, last = 0.0, largest = 0.0, smallest = 0.0, sum = 0.0;
    std::int64_t rows = 0;
    file.for_each_row(set, [&](std::span<const double> row) {
      if (rows++ == 0) first = row[0];
      last = row[0];
      for (const double value : row) {
        largest = std::max(largest, value);
        smallest = std::min(smallest, value);
        sum += value;
      }
    });
    if (rows == 0) continue;
    if (set.name == "/time") {
      entries.insert(entries.begin(),
                     {"records", fmt::format("{}, {}", rows, range_text(axis, first, last))});
    }
    const std::string leaf = set.name.substr(set.name.rfind('/') + 1);
    if (is_iterations) entries.emplace_back("largest " + leaf, fmt::format("{:.0f}", largest));
    if (is_fallbacks) entries.emplace_back("fallbacks", fmt::format("{:.0f}", sum));
    if (is_accepted && largest > 0)
      entries.emplace_back("largest residual accepted", fmt::format("{:.3g} times the tolerance", largest));
    if (is_energy) entries.emplace_back("energy at the end, " + leaf, fmt::format("{:.6e} J", last));
    if (is_violation) violation = std::max({violation, largest, -smallest});
    if (is_gap) penetration = std::max(penetration, -smallest);
  }
  entries.emplace_back("largest constraint violation", fmt::format("{:.2e} m or rad", violation));
  entries.emplace_back("largest penetration", fmt::format("{:.2e} m", penetration));
  return entries;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t length : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", length);
  return text.empty() ? "1" : text;
}

std::string meaning_of(const ResultFile::DataSet& set) {
  if (set.unreadable.empty()) return detail::printable(set.description);
  const std::string note = fmt::format("(not read: {})", detail::printable(set.unreadable));
  return set.description.empty() ? note : detail::printable(set.description) + ' ' + note;
}

/// One line per warning.
std::string warnings_text(const std::string& warnings) {
  std::string text;
  for (std::size_t begin = 0; begin < warnings.size();) {
    const std::size_t end = std::min(warnings.find('\n', begin), warnings.size());
    text += fmt::format("warning: {}\n\n", detail::printable(warnings.substr(begin, end - begin)));
    begin = end + 1;
  }
  return text;
}

/// Findings of the run.
TextEntries finding_entries(const ResultFile& file) {
  TextEntries entries;
  for (const auto& [name, value] : file.attributes("findings")) {
    std::string text = with_unit(value, file.attribute("findings/unit", name, ""));
    const std::string reference = file.attribute("findings/reference", name, "");
    const std::string source = file.attribute("findings/source", name, "");
    if (!reference.empty()) text += fmt::format(", reference {}", reference);
    if (!source.empty()) text += fmt::format(" ({})", source);
    entries.emplace_back(name, std::move(text));
  }
  return entries;
}

/// Attributes of the root and of all objects that were not written by Picus.
TextEntries other_attributes(const ResultFile& file, const ResultFile::Content& content) {
  TextEntries entries;
  const auto add = [&](const std::string& object) {
    for (const auto& [name, value] : file.attributes(object)) {
      const bool is_own =
          object.empty() ? is_one_of(attributes_of_root, name) : is_one_of(attributes_of_objects, name);
      if (!is_own) entries.emplace_back(object.empty() ? name : object + ' ' + name, value);
    }
  };
  add("");
  for (const std::string& group : content.groups) {
    const bool is_finding = group == "/findings" || group.starts_with("/findings/");
    if (group != "/integrator" && group != "/model/parameters" && !is_finding) add(group);
  }
  for (const ResultFile::DataSet& set : content.data_sets) add(set.name);
  return entries;
}

std::string description_of(const std::string& name) {
  const ResultFile file(name);
  const ResultFile::Content content = file.content();
  std::string text =
      fmt::format("{}: {}\n\n", detail::printable(name),
                  detail::printable(file.attribute("model", "name", "a model without a name")));
  const TimeAxis axis = time_axis_of(file);
  text += entries_text("run", run_entries(file, axis));
  text += warnings_text(file.attribute("", "warnings", ""));
  text += entries_text("findings", finding_entries(file));
  text += entries_text("parameters of the model", file.attributes("model/parameters"));
  text += entries_text("options of the integrator", file.attributes("integrator"));
  text += entries_text("other attributes", other_attributes(file, content));
  text += entries_text("statistics of the records", statistics(file, axis, content.data_sets));

  Table table({"data set", "shape", "unit", "meaning"});
  for (const ResultFile::DataSet& set : content.data_sets)
    table.add(
        {detail::printable(set.name), shape_text(set.shape), detail::printable(set.unit), meaning_of(set)});
  text += table.text();
  if (!content.is_complete) text += "\n  There is more, which is nested too deep or too much to be listed.\n";
  return text;
}

void show(const std::string& name) {
  if (name.empty()) throw OptionError(fmt::format("{} show needs the name of a result file", program_name()));
  print("{}", read_apart(name, [&] { return description_of(name); }));
}

}  // namespace

void add_show_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("show", "Tell what a result file holds and how its run went");
  const auto name = std::make_shared<std::string>();
  command->add_option("FILE", *name, "Result file")->type_name("");
  command->final_callback([&action, name] { action = [name] { show(*name); }; });
}

}  // namespace picus::program
