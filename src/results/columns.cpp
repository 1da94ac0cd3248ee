#include "columns.hpp"

#include "element_columns.hpp"
#include "energy_columns.hpp"
#include "node_columns.hpp"
#include "observations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace picus::results {
namespace {

void add_solver(std::vector<Column>& columns, const SubproblemNames& names) {
  std::vector<std::size_t> numbers;  // of the sub-problems that the scheme has
  std::vector<std::string_view> own_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    numbers.push_back(i);
    own_names.push_back(names[i]);
    columns.push_back(make_column<std::int32_t>(
        fmt::format("solver/iterations_{}", names[i]), {}, "1", "largest of a step since the last record",
        [i](const Sample& sample, std::int32_t* row) { *row = sample.work.iterations[i]; }));
  }
  if (!numbers.empty()) {
    const auto count = static_cast<Index>(numbers.size());
    const std::string label = fmt::format("{}", fmt::join(own_names, ", "));
    columns.push_back(make_column<double>("solver/residuals", {count}, "tolerance",
                                          label + ": largest at the end of a step since the last record",
                                          [numbers](const Sample& sample, double* row) {
                                            for (std::size_t i = 0; i < numbers.size(); ++i)
                                              row[i] = sample.work.residuals[numbers[i]];
                                          }));
    columns.push_back(make_column<std::int32_t>("solver/line_searches", {count}, "1",
                                                label + ": number since the last record",
                                                [numbers](const Sample& sample, std::int32_t* row) {
                                                  for (std::size_t i = 0; i < numbers.size(); ++i)
                                                    row[i] = sample.work.line_searches[numbers[i]];
                                                }));
  }
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

Column make_time_column(std::string unit, std::string name, std::string description) {
  return make_column<double>(std::move(name), {}, std::move(unit), std::move(description),
                             [](const Sample& sample, double* row) { *row = sample.state.time; });
}

std::vector<Column> make_columns(const System& system, double h, const SubproblemNames& subproblems,
                                 bool energy_details) {
  std::vector<Column> columns;
  add_node_columns(columns, system);
  add_contact_columns(columns, system);
  add_constraint_columns(columns, system, h);
  add_observation_columns(columns, system.model());
  add_solver(columns, subproblems);
  add_energy_columns(columns, system, energy_details);
  return columns;
}

}  // namespace picus::results
