#include "columns.hpp"

#include "element_columns.hpp"
#include "energy_columns.hpp"
#include "node_columns.hpp"
#include "observations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace picus::results {
namespace {

void add_solver(std::vector<Column>& columns) {
  constexpr std::array<std::string_view, 3> subproblems = {"smooth", "position", "velocity"};
  for (std::size_t i = 0; i < subproblems.size(); ++i) {
    columns.push_back(make_column<std::int32_t>(
        fmt::format("solver/iterations_{}", subproblems[i]), {}, "1",
        "largest of a step since the last record",
        [i](const Sample& sample, std::int32_t* row) { *row = sample.work.iterations[i]; }));
  }
  columns.push_back(make_column<double>(
      "solver/residuals", {3}, "tolerance",
      "smooth, position, velocity: largest at the end of a step since the last record",
      [](const Sample& sample, double* row) { std::copy_n(sample.work.residuals.data(), 3, row); }));
  columns.push_back(make_column<std::int32_t>("solver/line_searches", {3}, "1",
                                              "smooth, position, velocity: number since the last record",
                                              [](const Sample& sample, std::int32_t* row) {
                                                std::copy_n(sample.work.line_searches.data(), 3, row);
                                              }));
  columns.push_back(make_column<std::int32_t>(
      "solver/fallbacks", {static_cast<Index>(fallback_count)}, "1",
      fmt::format("{}: number since the last record", fmt::join(fallback_names, ", ")),
      [](const Sample& sample, std::int32_t* row) {
        std::copy_n(sample.work.fallbacks.data(), fallback_count, row);
      }));
  columns.push_back(
      make_column<double>("solver/accepted_residual", {}, "tolerance",
                          "largest that was accepted above tolerance since the last record; 0: none",
                          [](const Sample& sample, double* row) { *row = sample.work.accepted_residual; }));
}

}  // namespace

void SolverWork::add(const StepReport& report) {
  for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
    const SubproblemReport& solved = report.subproblems[i];
    iterations[i] = std::max(iterations[i], static_cast<std::int32_t>(solved.iterations));
    residuals[i] = std::max(residuals[i], solved.residual);
    line_searches[i] += solved.line_searches;
  }
  for (std::size_t i = 0; i < fallback_count; ++i) fallbacks[i] += report.fallbacks[i];
  accepted_residual = std::max(accepted_residual, report.accepted_residual);
}

std::size_t Column::row_bytes() const {
  std::size_t bytes = size_of(number);
  for (const Index length : shape) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

Column make_time_column(std::string name, std::string description) {
  return make_column<double>(std::move(name), {}, "s", std::move(description),
                             [](const Sample& sample, double* row) { *row = sample.state.time; });
}

std::vector<Column> make_columns(const System& system, double h, bool energy_details) {
  std::vector<Column> columns;
  add_node_columns(columns, system);
  add_contact_columns(columns, system);
  add_constraint_columns(columns, system, h);
  add_observation_columns(columns, system.model());
  add_solver(columns);
  add_energy_columns(columns, system, energy_details);
  return columns;
}

}  // namespace picus::results
