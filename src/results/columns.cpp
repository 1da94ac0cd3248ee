#include "columns.hpp"

#include "element_columns.hpp"
#include "energy_columns.hpp"
#include "node_columns.hpp"
#include "observations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace picus::results {
namespace {

/// Indices of the nonempty names.
template <class Names>
std::vector<std::size_t> places_of(const Names& names) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) places.push_back(i);
  }
  return places;
}

/// Adds one column of several numbers, one for each name; the description begins with the names. No column if there are
/// no names.
template <class T, class Names, class Numbers>
void add_named(std::vector<Column>& columns, const std::string& name, const Names& names,
               const std::string& unit, const std::string& description, Numbers numbers) {
  const std::vector<std::size_t> places = places_of(names);
  if (places.empty()) return;
  std::vector<std::string_view> labels;
  for (const std::size_t i : places) labels.push_back(names[i]);
  columns.push_back(make_column<T>(name, {count_of(places)}, unit,
                                   fmt::format("{}: {}", fmt::join(labels, ", "), description),
                                   [places, numbers](const Sample& sample, T* row) {
                                     for (const std::size_t i : places) *row++ = numbers(sample.work)[i];
                                   }));
}

void add_solver(std::vector<Column>& columns, const TimeIntegrator& integrator) {
  const SubproblemNames names = integrator.subproblem_names();
  for (const std::size_t i : places_of(names)) {
    columns.push_back(make_column<std::int32_t>(
        fmt::format("solver/iterations_{}", names[i]), {}, "1", "largest of a step since the last record",
        [i](const Sample& sample, std::int32_t* row) { *row = sample.work.iterations[i]; }));
  }
  add_named<double>(
      columns, "solver/residuals", names, "tolerance", "largest at the end of a step since the last record",
      [](const SolverWork& work) -> const auto& { return work.residuals; });
  add_named<std::int32_t>(
      columns, "solver/line_searches", names, "1", "number since the last record",
      [](const SolverWork& work) -> const auto& { return work.line_searches; });
  add_named<std::int32_t>(
      columns, "solver/fallbacks", integrator.fallback_names(), "1", "number since the last record",
      [](const SolverWork& work) -> const auto& { return work.fallbacks; });
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
  for (std::size_t i = 0; i < max_fallbacks; ++i) fallbacks[i] += report.fallbacks[i];
  accepted_residual = std::max(accepted_residual, report.accepted_residual);
}

std::size_t Column::row_bytes() const {
  std::size_t bytes = size_of(number);
  for (const Index length : shape) bytes *= length;
  return bytes;
}

Column make_time_column(const std::string& unit, std::string name, std::string_view of) {
  const std::string_view what = unit == "1" ? "load factors" : unit == "Hz" ? "frequencies" : "instants";
  return make_column<double>(std::move(name), {}, unit,
                             fmt::format("{} of the {}; as many as there are complete {}", what, of, of),
                             [](const Sample& sample, double* row) { *row = sample.state.time; });
}

std::vector<Column> make_columns(const System& system, double h, const TimeIntegrator& integrator,
                                 bool energy_details) {
  std::vector<Column> columns;
  add_node_columns(columns, system);
  add_contact_columns(columns, system);
  add_constraint_columns(columns, system, h);
  add_observation_columns(columns, system.model());
  add_solver(columns, integrator);
  add_energy_columns(columns, system, energy_details);
  return columns;
}

}  // namespace picus::results
