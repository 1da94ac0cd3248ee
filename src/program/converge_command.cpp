/// `picus converge MODEL`: errors as a function of the step size, as a table, a CSV file and a figure.

#include "command_line.hpp"
#include "converge_options.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "scripts.hpp"
#include "stop_signals.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

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
      cells.push_back(row.errors.empty() ? "failed" : fmt::format("{:.3e}", row.errors[k]));
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
    orders.push_back(quantity.order ? fmt::format("{:.2f}", *quantity.order) : "-");
  }
  orders.resize(titles.size());
  table.add(orders);
  return table.text();
}

std::string failures_text(const ConvergenceResult& result) {
  std::string text;
  for (const ConvergenceRow& row : result.rows) {
    if (row.failure.empty()) continue;
    text += fmt::format("h = {} s failed: {}\n", number_text(row.step), row.failure);
  }
  return text;
}

/// One line for each step size; the orders are in lines that begin with '#', which most readers skip.
std::string csv_text(const std::string& model, const models::ConvergencePlan& plan,
                     const ConvergenceResult& result) {
  std::string text =
      fmt::format("# model: {}\n# scheme: {}\n# until: {} s\n# reference: {}\n", model, plan.scheme,
                  number_text(plan.until), reference_text(result, plan.reference_scheme));
  for (const auto& [name, value] : plan.scenario.parameters) text += fmt::format("# {} = {}\n", name, value);
  for (const ConvergenceQuantity& quantity : result.quantities) {
    if (quantity.order) text += fmt::format("# order of {}: {:.4f}\n", quantity.name, *quantity.order);
  }
  text += "h";
  for (const ConvergenceQuantity& quantity : result.quantities) text += ",error:" + quantity.name;
  for (const std::string& name : result.subproblems) {
    if (!name.empty()) text += fmt::format(",mean:{0},worst:{0}", name);
  }
  text += ",fallbacks,seconds\n";
  for (const ConvergenceRow& row : result.rows) {
    text += number_text(row.step);
    for (std::size_t k = 0; k < result.quantities.size(); ++k) {
      text += row.errors.empty() ? "," : fmt::format(",{:.8e}", row.errors[k]);
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
  models::ConvergencePlan plan = options.plan;
  plan.stop_request = &catch_stop_signals();
  const models::ConvergenceStudy study(plan);  // errors in the options are reported before files are touched
  NewFile table(options.table);

  int done = 0;
  const auto report = [&](const std::string& label) {
    ++done;
    if (!options.quiet)
      fmt::print(stderr, "{}: {}: {} done, {} so far\n", program_name(), options.model, label, done);
  };
  const ConvergenceResult result = models::study_convergence(plan, options.workers, report, options.threads);

  const auto has_failed = [](const ConvergenceRow& row) { return !row.failure.empty(); };
  if (std::ranges::all_of(result.rows, has_failed)) {
    if (!options.quiet) print("{}", failures_text(result));
    throw Error(fmt::format("all {} runs failed; the first, with h = {} s: {}", result.rows.size(),
                            number_text(result.rows.front().step), result.rows.front().failure));
  }
  table.publish(csv_text(options.model, plan, result));
  if (!options.quiet) {
    print("{}, scheme {}, until {} s: L1 errors against {}\n\n", options.model, plan.scheme,
          number_text(plan.until), reference_text(result, plan.reference_scheme));
    print("{}\n", table_text(result));
    print(
        "sub-problems: mean / most iterations in a step; order: slope of the best line through all errors\n");
    print("{}", failures_text(result));
  }
  run_script("plot_convergence.py", {options.table.string(), options.figure.string()});
  if (!options.quiet) print("written: {}, {}\n", shown(options.table), shown(options.figure));
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
