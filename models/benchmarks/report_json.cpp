#include <picus/models/benchmarks/report_json.hpp>
#include <picus/version.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace picus::models {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json maybe(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json number_json(const std::optional<BenchmarkSummary::Number>& number) {
  if (!number) return nullptr;
  return {{"value", number->value}, {"of", number->of}};
}

Json range_json(const std::optional<std::pair<double, double>>& range) {
  return range ? Json{range->first, range->second} : Json(nullptr);
}

/// Nine digits: more than a figure resolves, and half the length of all digits.
Json points_json(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values)
    array.push_back(std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr));
  return array;
}

Json row_json(const Row& row) {
  Json json = {{"id", row.id},
               {"claim", row.claim},
               {"value", maybe(row.value)},
               {"standard_error", maybe(row.standard_error)},
               {"unit", row.unit},
               {"expected", row.expected},
               {"reference", maybe(row.reference)},
               {"difference", nullptr},
               {"difference_is_relative", false},
               {"verdict", name_of(row.verdict)},
               {"source", row.source},
               {"note", row.note}};
  if (const std::optional<Difference> found = difference(row)) {
    json["difference"] = found->value;
    json["difference_is_relative"] = found->is_relative;
  }
  return json;
}

Json run_json(const Run& run) {
  const TrialResult& result = run.result;
  return {{"id", run.id},
          {"label", run.label},
          {"model", run.model},
          {"settings", run.settings},
          {"scheme", run.scheme},
          {"step", run.step},
          {"until", run.until},
          {"tolerance", run.tolerance},
          {"ending", name_of(run.ending)},
          {"failure", result.failure},
          {"steps", result.summary.steps},
          {"mean_iterations", result.mean_iterations()},
          {"worst_iterations", result.worst_iterations()},
          {"fallbacks", result.fallback_count()},
          {"worst_violation", result.summary.worst_violation},
          {"worst_penetration", result.summary.worst_penetration},
          {"cpu_seconds", run.cpu_seconds}};
}

Json convergence_json(const ConvergenceResult& result) {
  Json quantities = Json::array();
  for (const ConvergenceQuantity& quantity : result.quantities) {
    quantities.push_back({{"name", quantity.name},
                          {"unit", quantity.unit},
                          {"is_exact", quantity.is_exact},
                          {"order", maybe(quantity.order)},
                          {"order_error", quantity.order_error}});
  }
  Json subproblems = Json::array();
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < result.subproblems.size(); ++i) {
    if (result.subproblems[i].empty()) continue;
    subproblems.push_back(result.subproblems[i]);
    used.push_back(i);
  }
  Json rows = Json::array();
  for (const ConvergenceRow& row : result.rows) {
    Json mean = Json::array();
    Json worst = Json::array();
    for (const std::size_t i : used) {
      mean.push_back(row.mean_iterations[i]);
      worst.push_back(row.worst_iterations[i]);
    }
    rows.push_back({{"step", row.step},
                    {"failure", row.failure},
                    {"errors", row.errors},
                    {"mean_iterations", mean},
                    {"worst_iterations", worst},
                    {"mean_total", row.mean_total},
                    {"worst_total", row.worst_total},
                    {"fallbacks", row.fallbacks},
                    {"wall_seconds", row.wall_seconds},
                    {"step_seconds", row.step_seconds}});
  }
  return {{"quantities", quantities},
          {"subproblems", subproblems},
          {"rows", rows},
          {"phases", result.phases},
          {"reference_step", result.reference_step},
          {"reference_seconds", result.reference_seconds}};
}

Json study_json(const Study& study) {
  Json schemes = Json::array();
  for (const SchemeStudy& scheme : study.results) {
    Json json = {{"scheme", scheme.scheme}, {"ending", name_of(scheme.ending)}, {"failure", scheme.failure}};
    json.update(convergence_json(scheme.result));
    schemes.push_back(json);
  }
  return {{"id", study.id},
          {"title", study.title},
          {"model", study.model},
          {"settings", study.settings},
          {"until", study.until},
          {"tolerance", study.tolerance},
          {"reference_scheme", study.reference_scheme},
          {"schemes", schemes}};
}

Json figure_json(const DrawnFigure& figure) {
  Json panels = Json::array();
  for (const DrawnPanel& panel : figure.panels) {
    Json curves = Json::array();
    for (const DrawnCurve& curve : panel.curves) {
      curves.push_back({{"label", curve.label},
                        {"is_exact", curve.is_exact},
                        {"missing", curve.missing},
                        {"x", points_json(curve.x)},
                        {"y", points_json(curve.y)}});
    }
    panels.push_back({{"x_label", panel.panel.x_label},
                      {"y_label", panel.panel.y_label},
                      {"x_range", range_json(panel.panel.x_range)},
                      {"y_range", range_json(panel.panel.y_range)},
                      {"has_log_x", panel.panel.has_log_x},
                      {"has_log_y", panel.panel.has_log_y},
                      {"curves", curves}});
  }
  return {{"id", figure.id}, {"title", figure.title}, {"caption", figure.caption}, {"panels", panels}};
}

Json summary_json(const BenchmarkSummary& summary) {
  Json failed = Json::object();
  for (const auto& [scheme, count] : summary.failed_steps) failed[scheme] = count;
  return {{"error", number_json(summary.error)},
          {"order", number_json(summary.order)},
          {"mean_iterations", maybe(summary.mean_iterations)},
          {"worst_iterations", maybe(summary.worst_iterations)},
          {"failed_steps", failed},
          {"fallbacks", summary.fallbacks},
          {"cpu_seconds", summary.cpu_seconds}};
}

Json counts_json(std::span<const BenchmarkResult> results) {
  Json counts;
  for (const Verdict verdict : {Verdict::met, Verdict::missed, Verdict::shown}) {
    std::int64_t count = 0;
    for (const BenchmarkResult& result : results) count += result.count(verdict);
    counts[std::string(name_of(verdict))] = count;
  }
  return counts;
}

template <class T, class Function>
Json array_of(const std::vector<T>& items, Function json_of) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(json_of(item));
  return array;
}

Json benchmark_json(const BenchmarkResult& result) {
  return {{"name", result.benchmark.name},
          {"title", result.benchmark.title},
          {"source", result.benchmark.source},
          {"setting", result.benchmark.setting},
          {"reference", result.benchmark.reference},
          {"ending", name_of(result.ending)},
          {"failures", result.failures},
          {"counts", counts_json({&result, 1})},
          {"summary", summary_json(result.summary)},
          {"rows", array_of(result.rows, row_json)},
          {"runs", array_of(result.experiments.runs, run_json)},
          {"studies", array_of(result.experiments.studies, study_json)},
          {"figures", array_of(result.figures, figure_json)}};
}

}  // namespace

std::string report_json(const ReportMeta& meta, std::span<const BenchmarkResult> results) {
  Json json = {{"meta",
                {{"version", version},
                 {"command_line", meta.command_line},
                 {"date", meta.date},
                 {"effort", meta.effort == Effort::quick ? "quick" : "full"},
                 {"cores", meta.cores},
                 {"workers", meta.workers},
                 {"wall_seconds", meta.wall_seconds}}},
               {"counts", counts_json(results)},
               {"benchmarks", Json::array()}};
  for (const BenchmarkResult& result : results) json["benchmarks"].push_back(benchmark_json(result));
  // Invalid UTF-8 in a message must not lose the report.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace picus::models
