#include "sweep_results.hpp"

#include "../printable.hpp"
#include "../results/hdf5_file.hpp"
#include "output.hpp"
#include <picus/version.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace picus::program {
namespace {

/// A field of a CSV file (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// "point 2 (speed=1, count=3)".
std::string point_text(const SweepOptions& options, std::size_t point) {
  return fmt::format("point {} ({})", point, fmt::join(options.plan.settings(point), ", "));
}

}  // namespace

std::size_t count_failures(const SweepJournal& journal) {
  return static_cast<std::size_t>(std::ranges::count_if(
      journal.outcomes(), [](const auto& entry) { return !entry.second.failure.empty(); }));
}

std::vector<SweepColumn> columns_of(const SweepOptions& options, const SweepJournal& journal) {
  std::vector<SweepColumn> columns;
  for (const auto& [point, outcome] : journal.outcomes()) {
    for (const Finding& finding : outcome.findings) {
      auto column = std::ranges::find(columns, finding.quantity, &SweepColumn::name);
      if (column == columns.end()) {
        columns.push_back(
            {finding.quantity, finding.unit,
             std::vector<double>(options.plan.values.size(), std::numeric_limits<double>::quiet_NaN())});
        column = columns.end() - 1;
      }
      if (finding.value) column->values[point] = *finding.value;
    }
  }
  return columns;
}

std::string sweep_warnings_text(const SweepOptions& options, const SweepJournal& journal) {
  constexpr int most_shown = 3;
  int count = 0;
  std::string lines;
  for (const auto& [point, outcome] : journal.outcomes()) {
    if (outcome.warnings.empty() || count++ >= most_shown) continue;
    const std::size_t others = outcome.warnings.size() - 1;
    lines += fmt::format("  {}: {}{}\n", point_text(options, point), outcome.warnings.front(),
                         others == 0 ? "" : fmt::format(" (and {} more)", others));
  }
  if (count == 0) return "";
  return fmt::format("{} of {} points {} warnings, such as\n{}", count, journal.outcomes().size(),
                     count == 1 ? "has" : "have", lines);
}

std::string csv_text(const SweepOptions& options, const SweepJournal& journal,
                     const std::vector<SweepColumn>& columns) {
  std::string text = "point";
  for (const std::string& name : options.plan.names) text += ',' + quoted(name);
  for (const SweepColumn& column : columns)
    text +=
        ',' + quoted(column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit));
  text += ",steps,fallbacks,warnings,seconds,failure\n";
  for (const auto& [point, outcome] : journal.outcomes()) {
    text += fmt::format("{}", point);
    for (const std::string& value : options.plan.values[point]) text += ',' + quoted(value);
    for (const SweepColumn& column : columns)
      text += std::isnan(column.values[point]) ? "," : ',' + number_text(column.values[point]);
    text += fmt::format(",{},{},{},{:.6f},{}\n", outcome.steps, outcome.fallbacks, outcome.warnings.size(),
                        outcome.wall_seconds, quoted(outcome.failure));
  }
  return text;
}

void write_data(const SweepOptions& options, const SweepJournal& journal,
                const std::vector<SweepColumn>& columns) {
  const results::QuietHdf5 quiet;
  results::Hdf5File file(options.data, true);
  file.set_attribute("", "title", fmt::format("Picus: sweep of {}", options.model->info().name));
  file.set_attribute("", "picus_version", std::string(version));
  file.set_attribute("", "integrator", options.integrator.scheme);
  file.set_attribute("", "step", options.integrator.options.step);
  file.set_attribute("", "until", options.until);
  const std::size_t count = options.plan.values.size();
  const auto path_of = [](const char* group, std::string name) {
    std::ranges::replace(name, '/', '|');  // a path separator in HDF5
    return fmt::format("{}/{}", group, name);
  };
  const auto infos = options.model->parameters();
  results::TextTable points{options.plan.names, options.plan.values};
  file.write_table("points", points);
  file.make_group("parameters");
  for (std::size_t k = 0; k < options.plan.names.size(); ++k) {
    const ParameterInfo& info = infos[find_parameter(options.plan.names[k], infos)];
    if (info.kind != ParameterKind::real && info.kind != ParameterKind::integer) continue;
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = read_real(info.name, options.plan.values[i][k]);
    file.write_array<double>(path_of("parameters", info.name), values);
    file.set_attribute(path_of("parameters", info.name), "unit", info.unit);
  }
  file.make_group("findings");
  for (const SweepColumn& column : columns) {
    file.write_array<double>(path_of("findings", column.name), column.values);
    file.set_attribute(path_of("findings", column.name), "unit", column.unit);
  }
  std::vector<double> seconds(count, std::numeric_limits<double>::quiet_NaN());
  std::vector<std::int64_t> steps(count, 0), fallbacks(count, 0), warnings(count, 0);
  results::TextTable warning_texts{{"point", "warning"}, {}};
  results::TextTable failures{{"failure"}, std::vector<std::vector<std::string>>(count, {"not run"})};
  for (const auto& [point, outcome] : journal.outcomes()) {
    seconds[point] = outcome.wall_seconds;
    steps[point] = outcome.steps;
    fallbacks[point] = outcome.fallbacks;
    warnings[point] = std::ssize(outcome.warnings);
    for (const std::string& warning : outcome.warnings)
      warning_texts.rows.push_back({fmt::format("{}", point), warning});
    failures.rows[point] = {outcome.failure};
  }
  file.write_array<double>("seconds", seconds);
  file.set_attribute("seconds", "unit", "s");
  file.write_array<std::int64_t>("steps", steps);
  file.write_array<std::int64_t>("fallbacks", fallbacks);
  file.write_array<std::int64_t>("warnings", warnings);
  file.write_table("warning_texts", warning_texts);
  file.write_table("failures", failures);
  file.close();
}

void print_summary(const SweepOptions& options, const SweepJournal& journal,
                   const std::vector<SweepColumn>& columns) {
  double seconds = 0.0;
  for (const auto& [point, outcome] : journal.outcomes()) seconds += outcome.wall_seconds;
  print("{}: {} of {} points, {} failed, {:.3g} s of runs\n\n", options.model->info().name,
        journal.outcomes().size(), options.plan.values.size(), count_failures(journal), seconds);
  if (!columns.empty()) {
    Table table({"quantity", "points", "smallest", "mean", "largest"}, {false, true, true, true, true});
    for (const SweepColumn& column : columns) {
      std::vector<double> known;
      std::ranges::copy_if(column.values, std::back_inserter(known),
                           [](double value) { return !std::isnan(value); });
      std::vector<std::string> cells = {column.name, fmt::format("{}", known.size()), "-", "-", "-"};
      if (!known.empty()) {
        const auto [low, high] = std::ranges::minmax(known);
        const double mean =
            std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
        const auto show = [&](double value) { return with_unit(fmt::format("{:.4g}", value), column.unit); };
        cells = {column.name, cells[1], show(low), show(mean), show(high)};
      }
      table.add(std::move(cells));
    }
    print("{}\n", table.text());
  }
  constexpr int most_shown = 5;
  int shown = 0;
  for (const auto& [point, outcome] : journal.outcomes()) {
    if (outcome.failure.empty() || shown++ >= most_shown) continue;
    print("{} failed: {}\n", point_text(options, point), detail::printable(outcome.failure));
  }
  if (shown > most_shown) print("{} more failed\n", shown - most_shown);
  if (shown > 0) print("\n");
  if (const std::string warned = sweep_warnings_text(options, journal); !warned.empty())
    print("warning: {}\n", warned);
}

}  // namespace picus::program
