/// `picus converge MODEL`: errors as a function of the step size, as a table, a CSV file and a figure.

#include "../printable.hpp"
#include "command_line.hpp"
#include "converge_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "scripts.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace picus::program {
namespace {

using models::ConvergenceQuantity;
using models::ConvergenceResult;
using models::ConvergenceRow;

/// Description of the reference solution of the errors.
std::string reference_text(const ConvergenceResult& result, const std::string& scheme) {
  if (result.reference_step == 0.0) return "the exact solution";
  return fmt::format("a run of {} with h = {} s ({})", scheme, number_text(result.reference_step),
                     duration_text(result.reference_seconds));
}

/// NaN without the sign that it may have.
std::string error_text(double error, int decimals) {
  return std::isnan(error) ? "nan" : fmt::format("{:.{}e}", error, decimals);
}

std::string table_text(const ConvergenceResult& result) {
  std::vector<std::string> titles = {"h, s"};
  for (const ConvergenceQuantity& quantity : result.quantities) titles.push_back(quantity.name);
  for (const std::string& name : result.subproblems) {
    if (!name.empty()) titles.push_back(name);
  }
  titles.insert(titles.end(), {"fallbacks", "time"});

  Table table(titles, std::vector<bool>(titles.size(), true));
  for (const ConvergenceRow& row : result.rows) {
    std::vector<std::string> cells = {number_text(row.step)};
    for (std::size_t k = 0; k < result.quantities.size(); ++k) {
      cells.push_back(row.errors.empty() ? "failed" : error_text(row.errors[k], 3));
    }
    for (std::size_t i = 0; i < result.subproblems.size(); ++i) {
      if (result.subproblems[i].empty()) continue;
      cells.push_back(fmt::format("{:.2f} / {}", row.mean_iterations[i], row.worst_iterations[i]));
    }
    cells.push_back(fmt::format("{}", row.fallbacks));
    cells.push_back(fmt::format("{:.3g} s", row.wall_seconds));
    table.add(cells);
  }
  std::vector<std::string> orders = {"order"};
  for (const ConvergenceQuantity& quantity : result.quantities) {
    orders.push_back(quantity.order ? fmt::format("{:.2f} ± {:.2f}", *quantity.order, quantity.order_error)
                                    : "-");
  }
  orders.resize(titles.size());
  table.add(orders);
  return table.text();
}

std::string failures_text(const ConvergenceResult& result) {
  std::string text;
  for (const ConvergenceRow& row : result.rows) {
    if (row.failure.empty()) continue;
    text += fmt::format("h = {} s failed: {}\n", number_text(row.step), detail::printable(row.failure));
  }
  return text;
}

/// "h = 0.01, 0.005 s": the runs of a text.
class RunNames {
 public:
  void add(double step) {
    if (step == last_) return;  // another phase of it
    steps_ += fmt::format("{}{}", steps_.empty() ? "h = " : ", ", number_text(step));
    last_ = step;
  }
  void add_reference() { has_reference_ = true; }
  bool is_empty() const { return steps_.empty() && !has_reference_; }
  std::string text() const {
    if (steps_.empty()) return "reference";
    return fmt::format("{} s{}", steps_, has_reference_ ? ", reference" : "");
  }

 private:
  std::string steps_;
  double last_ = 0.0;
  bool has_reference_ = false;
};

/// One line about the errors that are inf or nan, which are excluded from the orders; empty without such
/// errors.
std::string infinite_errors_text(const ConvergenceResult& result) {
  std::string text;
  for (std::size_t k = 0; k < result.quantities.size(); ++k) {
    RunNames runs;
    for (const ConvergenceRow& row : result.rows) {
      if (!row.errors.empty() && !std::isfinite(row.errors[k])) runs.add(row.step);
    }
    if (runs.is_empty()) continue;
    text +=
        fmt::format("{}{} ({})", text.empty() ? "errors that are not finite, which no order counts: " : "; ",
                    result.quantities[k].name, runs.text());
  }
  return text;
}

/// Each warning of the runs once, with the runs that gave it.
std::vector<std::pair<std::string, RunNames>> warnings_by_text(const ConvergenceResult& result) {
  std::vector<std::pair<std::string, RunNames>> found;
  const auto runs_of = [&](const std::string& warning) -> RunNames& {
    for (auto& [text, runs] : found) {
      if (text == warning) return runs;
    }
    return found.emplace_back(warning, RunNames{}).second;
  };
  for (const ConvergenceRow& row : result.rows) {
    for (const std::string& warning : warnings_of(row.warnings, row.findings)) runs_of(warning).add(row.step);
  }
  for (const std::string& warning : warnings_of(result.reference_warnings, result.reference_findings))
    runs_of(warning).add_reference();
  return found;
}

/// All reasons to doubt the errors, one sentence each.
std::vector<std::string> doubts_of(const ConvergenceResult& result) {
  std::vector<std::string> doubts;
  for (const auto& [text, runs] : warnings_by_text(result))
    doubts.push_back(fmt::format("{}: {}", runs.text(), text));
  if (std::string infinite = infinite_errors_text(result); !infinite.empty())
    doubts.push_back(std::move(infinite));
  return doubts;
}

/// Throws if no quantity has an order because runs have failed or have errors that are not finite.
void require_an_order(const ConvergenceResult& result) {
  const auto is_whole = [](const ConvergenceRow& row) {
    return row.failure.empty() && std::ranges::all_of(row.errors, [](double e) { return std::isfinite(e); });
  };
  const auto has_order = [](const ConvergenceQuantity& quantity) { return quantity.order.has_value(); };
  if (std::ranges::any_of(result.quantities, has_order) || std::ranges::all_of(result.rows, is_whole)) return;
  throw Error("no order can be told: it takes two runs with errors that are finite and above rounding");
}

/// One line for each step size; the orders are in lines that begin with '#', which most readers skip.
std::string csv_text(const std::string& model, const models::ConvergencePlan& plan,
                     const ConvergenceResult& result) {
  std::string text =
      fmt::format("# model: {}\n# scheme: {}\n# until: {} s\n# reference: {}\n", model, plan.scheme,
                  number_text(plan.until), reference_text(result, plan.reference_scheme));
  if (plan.phases > 1) text += fmt::format("# phases: {}\n", plan.phases);
  for (const auto& [name, value] : plan.scenario.parameters) text += fmt::format("# {} = {}\n", name, value);
  for (const ConvergenceQuantity& quantity : result.quantities) {
    if (!quantity.order) continue;
    text += fmt::format("# order of {}: {:.4f}\n# standard error of the order of {}: {:.4f}\n", quantity.name,
                        *quantity.order, quantity.name, quantity.order_error);
  }
  for (const std::string& doubt : doubts_of(result)) text += fmt::format("# warning: {}\n", doubt);
  text += "h";
  for (const ConvergenceQuantity& quantity : result.quantities) text += ",error:" + quantity.name;
  for (const std::string& name : result.subproblems) {
    if (!name.empty()) text += fmt::format(",mean:{0},worst:{0}", name);
  }
  text += ",fallbacks,seconds\n";
  for (const ConvergenceRow& row : result.rows) {
    text += number_text(row.step);
    for (std::size_t k = 0; k < result.quantities.size(); ++k) {
      text += ',' + (row.errors.empty() ? "" : error_text(row.errors[k], 8));
    }
    for (std::size_t i = 0; i < result.subproblems.size(); ++i) {
      if (result.subproblems[i].empty()) continue;
      text += fmt::format(",{:.6f},{}", row.mean_iterations[i], row.worst_iterations[i]);
    }
    text += fmt::format(",{},{:.6f}\n", row.fallbacks, row.wall_seconds);
  }
  return text;
}

void converge(const ConvergeOptions& options) {
  quit_on_stop_signals();  // nothing is to be kept before there are errors, and a step may be long
  const models::ConvergencePlan& plan = options.plan;
  const models::ConvergenceStudy study(plan);  // errors in the options are reported before files are touched
  { const NewFile unwritable(options.table); }

  int done = 0;
  const auto report = [&](const std::string& label) {
    ++done;
    if (!options.quiet) fmt::print(stderr, "picus: {}: {} done, {} so far\n", options.model, label, done);
  };
  const ConvergenceResult result = models::study_convergence(plan, options.workers, report, options.threads);

  const auto has_failed = [](const ConvergenceRow& row) { return !row.failure.empty(); };
  if (std::ranges::all_of(result.rows, has_failed)) {
    if (!options.quiet) print("{}", failures_text(result));
    throw Error(fmt::format("all {} runs failed; the first, with h = {} s: {}", result.rows.size(),
                            number_text(result.rows.front().step), result.rows.front().failure));
  }
  catch_stop_signals();
  NewFile table(options.table);
  table.publish(csv_text(options.model, plan, result));
  if (!options.quiet) {
    const std::string phases = plan.phases > 1 ? fmt::format(", means of {} phases", plan.phases) : "";
    print("{}, scheme {}, until {} s: L1 errors against {}{}\n\n", options.model, plan.scheme,
          number_text(plan.until), reference_text(result, plan.reference_scheme), phases);
    print("{}\n", table_text(result));
    print(
        "sub-problems: mean / most iterations in a step; order: slope of the best line through all errors\n");
    print("{}", failures_text(result));
  }
  for (const std::string& doubt : doubts_of(result)) {
    if (options.quiet)
      write_error_text(fmt::format("{}: warning: {}\n", program_name(), doubt));
    else
      print("warning: {}\n", doubt);
  }
  run_script("plot_convergence.py", {options.table.string(), options.figure.string()});
  if (!options.quiet) print("written: {}, {}\n", shown(options.table), shown(options.figure));
  require_an_order(result);
}

}  // namespace

void add_converge_command(CLI::App& app, Models models, Action& action) {
  CLI::App* command = app.add_subcommand("converge", "Study how errors vanish with the step size");
  const auto words = std::make_shared<ConvergeWords>();
  words->model.models = models;
  add_converge_options(*command, *words);
  command->final_callback(
      [&action, words] { action = [words] { converge(read_converge_options(*words)); }; });
}

}  // namespace picus::program
