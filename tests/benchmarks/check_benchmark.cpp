/// Runs one benchmark and compares its rows with the baseline of an earlier version.
///
/// Usage: check_benchmark BENCHMARK quick|full BASELINE.json [--write]
///
/// A baseline contains, for each effort, the rows with a claim, by id: {"verdict", "value", "tolerance", "reason"}; the
/// value may be missing (a claim without number), and so may the tolerance (a number that differs from run to run, such
/// as a time). --write adds rows that the file lacks, with the tolerances of propose(), and removes those that the
/// benchmark does not have; existing entries are not changed. A row whose claim is missed is an error unless its entry
/// states the reason: "missed_because".

#include <picus/error.hpp>
#include <picus/models/benchmarks/execution.hpp>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace {

using namespace picus::models;
using Json = nlohmann::ordered_json;

/// How far a value may change without an error, and why. Edit it in the file where a benchmark has better
/// information.
struct Tolerance {
  double value;
  std::string reason;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::optional<Tolerance> propose(const Row& row) {
  const double size = std::abs(*row.value);
  if (row.claim.starts_with("time of ") || contains(row.claim, ": time of a step")) return {};
  if (contains(row.id, "order"))
    return Tolerance{0.05, "slope of a fitted line: an impact that falls into another step moves it"};
  if (contains(row.id, "-mean"))
    return Tolerance{0.1 + 0.1 * size, "mean iterations: the last one of a solve depends on rounding"};
  if (contains(row.id, "-worst") || contains(row.id, "-most"))
    return Tolerance{std::max(2.0, 0.5 * size), "most iterations of all steps: a single step decides"};
  if (size > 0.0 && size < 1e-8) {
    return Tolerance{std::max(10.0 * size, 1e-11),
                     "at the level of rounding and of the tolerance of the sub-problems"};
  }
  if (size == 0.0) return Tolerance{0.0, "a count that is zero"};
  return Tolerance{5e-3 * size, "reproducible up to the step in which contacts open and close"};
}

Json entry_of(const Row& row) {
  Json entry;
  entry["verdict"] = name_of(row.verdict);
  if (!row.value) return entry;
  entry["value"] = *row.value;
  if (const auto tolerance = propose(row)) {
    entry["tolerance"] = tolerance->value;
    entry["reason"] = tolerance->reason;
  }
  return entry;
}

/// What is wrong with a row; empty if nothing is.
std::string compare(const Row& row, const Json& entry) {
  if (entry.at("verdict") != name_of(row.verdict)) {
    return fmt::format("verdict {} instead of {} ({})", name_of(row.verdict),
                       entry.at("verdict").get<std::string>(), row.note);
  }
  if (row.verdict == Verdict::missed && !entry.contains("missed_because"))
    return "missed, and the baseline does not say why: missed_because";
  if (!entry.contains("tolerance")) return "";
  if (!row.value) return "no value";
  const double expected = entry.at("value");
  const double tolerance = entry.at("tolerance");
  if (std::abs(*row.value - expected) <= tolerance) return "";
  return fmt::format("{:.10g} instead of {:.10g} +- {:.3g}", *row.value, expected, tolerance);
}

Json read(const std::string& file) {
  std::ifstream stream(file);
  return stream ? Json::parse(stream) : Json::object();
}

void write(const std::string& file, const Json& baseline) {
  std::ofstream stream(file);
  stream << baseline.dump(2) << '\n';
  if (!stream.flush()) throw picus::FileError(fmt::format("cannot write \"{}\"", file));
}

/// The rows of `old` that still exist, then new ones, in the order of the benchmark.
Json merged(const Rows& rows, const Json& old) {
  Json entries = Json::object();
  for (const Row& row : rows) entries[row.id] = old.contains(row.id) ? old.at(row.id) : entry_of(row);
  return entries;
}

/// Numbers without a claim may change with any modification.
Rows claims_of(Rows rows) {
  std::erase_if(rows, [](const Row& row) { return row.verdict == Verdict::shown; });
  return rows;
}

/// The number of rows that differ from their baseline.
int check(const Rows& rows, const Json& entries) {
  int failures = 0;
  const auto fail = [&](const std::string& id, const std::string& what) {
    fmt::print("{}: {}\n", id, what);
    ++failures;
  };
  for (const Row& row : rows) {
    if (!entries.contains(row.id)) {
      fail(row.id, "not in the baseline; --write adds it");
      continue;
    }
    const std::string difference = compare(row, entries.at(row.id));
    if (!difference.empty()) fail(row.id, difference);
  }
  for (const auto& [id, entry] : entries.items()) {
    const bool is_there = std::ranges::any_of(rows, [&id = id](const Row& row) { return row.id == id; });
    if (!is_there) fail(id, "in the baseline, but the benchmark has no such row");
  }
  return failures;
}

int check_benchmark(const std::vector<std::string>& words) {
  const bool writes = words.size() == 4 && words[3] == "--write";
  if ((words.size() != 3 && !writes) || (words[1] != "quick" && words[1] != "full")) {
    fmt::print(stderr, "usage: check_benchmark BENCHMARK quick|full BASELINE.json [--write]\n");
    return 2;
  }
  const Benchmark& benchmark = find_benchmark(words[0]);
  const Effort effort = words[1] == "full" ? Effort::full : Effort::quick;
  const BenchmarkResult result = execute({&benchmark, 1}, {.effort = effort}).front();
  for (const std::string& failure : result.failures) fmt::print("{}\n", failure);
  if (result.ending != Ending::complete) return 1;
  const Rows rows = claims_of(result.rows);

  Json baseline = read(words[2]);
  if (writes) {
    baseline[words[1]] = merged(rows, baseline.value(words[1], Json::object()));
    write(words[2], baseline);
  }
  const int failures = check(rows, baseline.value(words[1], Json::object()));
  fmt::print("{} of {} rows differ from the baseline; {:.1f} s of CPU\n", failures, rows.size(),
             result.summary.cpu_seconds);
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return check_benchmark({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "check_benchmark: {}\n", error.what());
    return 1;
  }
}
