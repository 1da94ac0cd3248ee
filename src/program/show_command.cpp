/// `picus show FILE`: what a result file holds and how its run went.

#include "command_line.hpp"
#include "output.hpp"
#include "result_file.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace picus::program {
namespace {

void print_entries(const std::string& title, const TextEntries& entries) {
  if (entries.empty()) return;
  Table table({title, ""});
  for (const auto& [name, value] : entries) table.add({"  " + name, value});
  print("{}\n", table.text());
}

TextEntries run_entries(const ResultFile& file) {
  const auto root = [&](const std::string& name, const std::string& unit = "") {
    const std::string value = file.attribute("", name, "");
    return value.empty() ? "-" : with_unit(value, unit);
  };
  // A run that was killed had no time to say how it ended.
  return {{"outcome", file.attribute("", "outcome", "unknown: still running, or killed")},
          {"command line", root("command_line")},
          {"Picus version", root("picus_version")},
          {"integrator", root("integrator")},
          {"step", root("step", "s")},
          {"final time asked for", root("until", "s")},
          {"steps taken", root("steps")},
          {"record every", root("every", "steps")},
          {"wall time", root("wall_seconds", "s")}};
}

bool is_in(const ResultFile::DataSet& set, std::string_view group, std::string_view leaf) {
  return set.name.starts_with(group) && set.name.ends_with(leaf);
}

/// What the recorded instants say about the quality of the run.
TextEntries statistics(const ResultFile& file, const std::vector<ResultFile::DataSet>& sets) {
  TextEntries entries;
  double violation = 0.0;
  double penetration = 0.0;
  for (const ResultFile::DataSet& set : sets) {
    const bool is_iterations = is_in(set, "/solver/iterations_", "");
    const bool is_fallbacks = set.name == "/solver/fallbacks";
    const bool is_accepted = set.name == "/solver/accepted_residual";
    const bool is_energy = is_in(set, "/energy/", "");
    const bool is_violation = is_in(set, "/constraints/", "/violation");
    const bool is_gap = is_in(set, "/contacts/", "/gap");
    if (!(is_iterations || is_fallbacks || is_accepted || is_energy || is_violation || is_gap ||
          set.name == "/time"))
      continue;

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
    if (set.name == "/time") {
      entries.insert(entries.begin(),
                     {"records", fmt::format("{}, from t = {:.6g} to {:.6g} s", rows, first, last)});
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

void show(const std::string& name) {
  if (name.empty()) throw OptionError("picus show needs the name of a result file");
  const ResultFile file(name);
  const std::vector<ResultFile::DataSet> sets = file.data_sets();

  print("{}: {}\n\n", name, file.attribute("model", "name", "a model without a name"));
  print_entries("run", run_entries(file));
  print_entries("parameters of the model", file.attributes("model/parameters"));
  print_entries("options of the integrator", file.attributes("integrator"));
  print_entries("statistics of the records", statistics(file, sets));

  Table table({"data set", "shape", "unit", "meaning"});
  for (const ResultFile::DataSet& set : sets) {
    table.add({set.name, shape_text(set.shape), set.unit, set.description});
  }
  print("{}", table.text());
}

}  // namespace

void add_show_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("show", "Tell what a result file holds and how its run went");
  const auto name = std::make_shared<std::string>();
  command->add_option("FILE", *name, "Result file")->type_name("");
  command->final_callback([&action, name] { action = [name] { show(*name); }; });
}

}  // namespace picus::program
