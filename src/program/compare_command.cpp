/// `picus compare MODEL...`: the same models with several schemes, as a table and a CSV file.

#include "../printable.hpp"
#include "command_line.hpp"
#include "compare_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "stop_signals.hpp"
#include "terminal.hpp"
#include <picus/error.hpp>
#include <picus/models/study/side_by_side.hpp>
#include <picus/text_values.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace picus::program {
namespace {

using models::SchemeOutcome;
using models::TrialResult;

/// The outcomes of a model; empty if it was not run.
using Outcomes = std::vector<std::vector<SchemeOutcome>>;

/// How often a step was cut, and all other remedies.
struct Remedies {
  std::int64_t cuts = 0;
  std::int64_t others = 0;
};

Remedies remedies_of(const RunSummary& summary) {
  Remedies remedies;
  for (std::size_t i = 0; i < max_fallbacks; ++i)
    (summary.fallback_names[i] == "step cut" ? remedies.cuts : remedies.others) += summary.fallbacks[i];
  return remedies;
}

std::string solves_text(const TrialResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.summary.subproblems.size(); ++i) {
    if (result.summary.subproblems[i].name.empty()) continue;
    text += fmt::format("{}{:.2f} / {}", text.empty() ? "" : ", ", result.mean_iterations(i),
                        result.worst_iterations(i));
  }
  return text;
}

/// Why the run did not reach its end; empty if it did.
std::string note_of(const SchemeOutcome& outcome, bool is_first) {
  const TrialResult& result = outcome.result;
  if (!result.is_complete()) {
    if (result.summary.steps == 0) return detail::printable(result.failure);
    return fmt::format("failed at t = {:.4g} s: {}", outcome.reached(), detail::printable(result.failure));
  }
  if (!result.is_cut_short) return "";
  return is_first ? "the run took longer than its limit"
                  : fmt::format("at t = {:.4g} s it took longer than its limit", outcome.reached());
}

std::string table_text(const CompareOptions& options, const Outcomes& outcomes) {
  Table table({"model", "until, s", "scheme", "CPU, s", "ratio", "linear solves", "remedies", "cuts",
               "distance, m", "balance, J", ""},
              {false, true, false, true, true, false, true, true, true, true, false});
  for (std::size_t m = 0; m < outcomes.size(); ++m) {
    for (const SchemeOutcome& outcome : outcomes[m]) {
      const bool is_first = &outcome == &outcomes[m].front();
      const TrialResult& result = outcome.result;
      const Remedies remedies = remedies_of(result.summary);
      const bool has_end = result.is_complete();
      table.add({is_first ? options.models[m].name : "", is_first ? fmt::format("{:.4g}", outcome.until) : "",
                 outcome.scheme, fmt::format("{:.3g}", result.step_seconds),
                 outcome.time_ratio ? fmt::format("{:.2f}", *outcome.time_ratio) : "", solves_text(result),
                 fmt::format("{}", remedies.others), fmt::format("{}", remedies.cuts),
                 outcome.distance ? fmt::format("{:.1e}", *outcome.distance) : "",
                 has_end ? fmt::format("{:.1e}", result.summary.energies.balance) : "",
                 note_of(outcome, is_first)});
    }
  }
  return table.text();
}

/// One line for each run; fields without a value are empty.
std::string csv_text(const CompareOptions& options, const Outcomes& outcomes) {
  std::string text =
      "model,scheme,h,until,reached,steps,seconds,ratio,mean:1,worst:1,mean:2,worst:2,mean:3,worst:3,"
      "remedies,cuts,distance,balance,failure\n";
  const auto field = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.8g}", *value) : std::string();
  };
  for (std::size_t m = 0; m < outcomes.size(); ++m) {
    for (const SchemeOutcome& outcome : outcomes[m]) {
      const TrialResult& result = outcome.result;
      text += fmt::format("{},\"{}\",{},{},{},{},{:.6f},{}", options.models[m].name, outcome.scheme,
                          number_text(options.models[m].comparison.step), number_text(outcome.until),
                          number_text(outcome.reached()), result.summary.steps, result.step_seconds,
                          field(outcome.time_ratio));
      for (std::size_t i = 0; i < result.summary.subproblems.size(); ++i) {
        if (result.summary.subproblems[i].name.empty())
          text += ",,";
        else
          text += fmt::format(",{:.6f},{}", result.mean_iterations(i), result.worst_iterations(i));
      }
      const Remedies remedies = remedies_of(result.summary);
      std::string failure = detail::printable(result.failure);
      std::ranges::replace(failure, '"', '\'');
      text += fmt::format(",{},{},{},{},\"{}\"\n", remedies.others, remedies.cuts, field(outcome.distance),
                          result.is_complete() ? fmt::format("{:.8g}", result.summary.energies.balance) : "",
                          failure);
    }
  }
  return text;
}

/// Throws if no run of any model reached its end.
void require_an_end(const Outcomes& outcomes) {
  for (const auto& of_model : outcomes) {
    for (const SchemeOutcome& outcome : of_model) {
      if (outcome.result.is_complete()) return;
    }
  }
  throw Error("all runs failed");
}

void compare(const CompareOptions& options) {
  quit_on_stop_signals();
  if (!options.table.empty()) const NewFile unwritable(options.table);
  const std::atomic<bool>& stop = catch_stop_signals();

  Outcomes outcomes(options.models.size());
  std::mutex printing;
  std::size_t done = 0;
  std::vector<std::function<void()>> tasks;
  for (std::size_t m = 0; m < options.models.size(); ++m) {
    tasks.emplace_back([&, m] {
      models::SchemeComparison comparison = options.models[m].comparison;
      comparison.stop_request = &stop;
      outcomes[m] = models::compare_schemes(comparison);
      const std::lock_guard lock(printing);
      ++done;
      if (!options.quiet)
        write_error_text(
            fmt::format("picus: {} of {} done: {}\n", done, tasks.size(), options.models[m].name));
    });
  }
  std::exception_ptr interruption;
  try {
    models::run_side_by_side(tasks, options.workers);
  } catch (const Interrupted&) {
    interruption = std::current_exception();  // models completed before are shown
  }
  print("{}", table_text(options, outcomes));
  if (!options.quiet) {
    print(
        "\nCPU: time of the steps on one thread; ratio: over that of the first scheme; linear solves of\n"
        "each sub-problem in a step: mean / most; distance: largest of a node from its place with the\n"
        "first one, at the end; balance: energy that the scheme gained. The run with the first scheme\n"
        "ends after {:g} s of CPU time, and the others where it does.\n",
        options.limit);
  }
  if (!options.table.empty()) {
    NewFile table(options.table);
    table.publish(csv_text(options, outcomes));
    if (!options.quiet) print("\nwritten: {}\n", shown(options.table));
  }
  if (interruption) std::rethrow_exception(interruption);
  require_an_end(outcomes);
}

}  // namespace

void add_compare_command(CLI::App& app, Models models, Action& action) {
  CLI::App* command =
      app.add_subcommand("compare", "Run models with several schemes and tell what each takes");
  const auto words = std::make_shared<CompareWords>();
  words->models = models;
  add_compare_options(*command, *words);
  command->final_callback([&action, words] { action = [words] { compare(read_compare_options(*words)); }; });
}

}  // namespace picus::program
