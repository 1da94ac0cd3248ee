/// `picus report`: runs the benchmarks and writes a page with their results.

#include "command_line.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "report_options.hpp"
#include "report_progress.hpp"
#include "report_words.hpp"
#include "scripts.hpp"
#include "stop_signals.hpp"
#include <picus/error.hpp>
#include <picus/models/benchmarks/execution.hpp>
#include <picus/models/benchmarks/report_json.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <system_error>

namespace picus::program {
namespace {

namespace fs = std::filesystem;
using models::BenchmarkResult;
using models::BenchmarkSummary;
using models::Verdict;

constexpr const char* page_script = "report_page.py";

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  gmtime_r(&now, &day);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &day);
  return text.data();
}

std::string number_or_dash(const std::optional<BenchmarkSummary::Number>& number, const char* format) {
  return number ? fmt::format(fmt::runtime(format), number->value) : "-";
}

std::string table_text(const std::vector<BenchmarkResult>& results) {
  Table table({"benchmark", "met", "missed", "error", "order", "iterations", "failed steps", "time"},
              {false, true, true, true, true, true, true, true});
  for (const BenchmarkResult& result : results) {
    const BenchmarkSummary& summary = result.summary;
    std::string iterations = "-";
    if (summary.mean_iterations && summary.worst_iterations) {
      iterations = fmt::format("{:.2f} / {}", *summary.mean_iterations, *summary.worst_iterations);
    }
    const auto failed = summary.failed_steps.find("ds");
    table.add({result.benchmark.name, fmt::format("{}", result.count(Verdict::met)),
               fmt::format("{}", result.count(Verdict::missed)), number_or_dash(summary.error, "{:.2e}"),
               number_or_dash(summary.order, "{:.2f}"), iterations,
               failed == summary.failed_steps.end() ? "-" : fmt::format("{}", failed->second),
               fmt::format("{:.3g} s", summary.cpu_seconds)});
  }
  return table.text();
}

/// The failed rows, and benchmarks that could not be run.
std::string complaints_text(const std::vector<BenchmarkResult>& results) {
  std::string text;
  for (const BenchmarkResult& result : results) {
    for (const models::Row& row : result.rows) {
      if (row.verdict != Verdict::missed) continue;
      text += fmt::format("{}: missed: {}", result.benchmark.name, row.claim);
      if (row.value) text += fmt::format(": {}", with_unit(fmt::format("{:.4g}", *row.value), row.unit));
      if (!row.expected.empty()) text += fmt::format(", expected {}", row.expected);
      text += row.note.empty() ? "\n" : fmt::format(" ({})\n", row.note);
    }
    for (const std::string& failure : result.failures) {
      text += fmt::format("{}: {}\n", result.benchmark.name, failure);
    }
  }
  return text;
}

/// Throws Error when a benchmark could not be run.
void refuse_incomplete(const std::vector<BenchmarkResult>& results, bool is_interrupted) {
  std::string names;
  int count = 0;
  for (const BenchmarkResult& result : results) {
    if (result.ending == models::Ending::complete) continue;
    names += fmt::format("{}{}", count == 0 ? "" : ", ", result.benchmark.name);
    ++count;
  }
  if (count == 0) return;
  throw Error(fmt::format("{}{} of {} benchmarks could not be run to the end: {}",
                          is_interrupted ? "interrupted; " : "", count, results.size(), names));
}

void report(const ReportOptions& options, const std::string& typed) {
  const std::atomic<bool>& stop_request = catch_stop_signals();
  std::error_code unwritable;  // reported when the file in it is opened
  fs::create_directories(options.folder, unwritable);
  NewFile numbers(options.folder / "report.json");
  run_script(page_script, {"--check"});  // checks the requirements of the page

  const auto begin = std::chrono::steady_clock::now();
  auto progress = std::make_unique<ReportProgress>();
  const std::vector<BenchmarkResult> results = models::execute(
      options.benchmarks, {.effort = options.effort,
                           .workers = options.workers,
                           .threads = options.threads,
                           .stop_request = &stop_request,
                           .progress = [&](const models::Progress& p) { progress->update(p); }});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  progress->say("drawing the page");
  numbers.publish(models::report_json({.command_line = typed,
                                       .date = today(),
                                       .effort = options.effort,
                                       .cores = models::available_workers(),
                                       .workers = options.workers,
                                       .wall_seconds = seconds},
                                      results));
  const fs::path page = options.folder / "report.html";
  run_script(page_script, {(options.folder / "report.json").string(), page.string()});
  progress.reset();

  print("{}\n", table_text(results));
  print(
      "error: the largest of the finest step of the main study; order: the smallest; iterations: mean / most "
      "in a "
      "step; all with scheme ds\n{}\nwritten in {}: {}\n",
      complaints_text(results), duration_text(seconds), shown(fs::absolute(page).lexically_normal()));
  refuse_incomplete(results, stop_request);
}

}  // namespace

void add_report_command(CLI::App& app, const std::string& typed, Action& action) {
  CLI::App* command = app.add_subcommand(report_command, report_summary);
  const auto words = std::make_shared<ReportWords>();
  add_report_options(*command, *words);
  command->final_callback(
      [&action, words, typed] { action = [words, typed] { report(read_report_options(*words), typed); }; });
}

}  // namespace picus::program
