#include <picus/models/benchmarks/report_json.hpp>
#include <picus/models/benchmarks/result.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace picus::models {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// A study of two quantities at three steps, the smallest of which failed.
SchemeStudy study_of(const std::string& scheme, double factor) {
  SchemeStudy result{.scheme = scheme};
  result.result.quantities = {{"x", "m", true, 1.1}, {"v", "m/s", true, 0.9}};
  result.result.subproblems = {"smooth", "", "velocity"};
  result.result.rows = {{.step = 4e-3, .failure = "", .errors = {4e-2 * factor, 8e-2 * factor}},
                        {.step = 2e-3, .failure = "", .errors = {2e-2 * factor, 4e-2 * factor}},
                        {.step = 1e-3, .failure = "t = 0.4 s: no", .errors = {}}};
  result.result.rows[0].mean_total = 2.5;
  result.result.rows[0].worst_total = 7;
  result.result.rows[1].fallbacks = 3;
  return result;
}

BenchmarkResult result_of_study() {
  BenchmarkResult result;
  result.benchmark.name = "bench";
  result.experiments.studies = {{.id = "study",
                                 .title = "Study",
                                 .model = "m",
                                 .results = {study_of("cs", 10.0), study_of("ds", 1.0)}}};
  return result;
}

TEST(Summary, TakesTheLargestErrorAndTheSmallestOrderOfTheMainStudy) {
  const BenchmarkSummary summary = summarize(result_of_study());
  EXPECT_DOUBLE_EQ(summary.error->value, 4e-2);
  EXPECT_EQ(summary.error->of, "v, h = 0.002 s");
  EXPECT_DOUBLE_EQ(summary.order->value, 0.9);
  EXPECT_EQ(summary.order->of, "v");
}

TEST(Summary, CountsFailedStepsOfEachSchemeAndFallbacksOfTheMainOne) {
  const BenchmarkSummary summary = summarize(result_of_study());
  EXPECT_THAT(summary.failed_steps, ElementsAre(Pair("cs", 1), Pair("ds", 1)));
  EXPECT_EQ(summary.fallbacks, 3);
}

TEST(Summary, TakesIterationsOfTheRunsOrOfTheLargestStep) {
  BenchmarkResult result = result_of_study();
  EXPECT_DOUBLE_EQ(*summarize(result).mean_iterations, 2.5);
  EXPECT_EQ(*summarize(result).worst_iterations, 7);

  const auto run_of = [](std::int64_t steps, std::int64_t iterations, std::uint8_t most) {
    models::Run run{.id = "a", .label = "", .model = "m"};
    run.result.summary.steps = steps;
    run.result.summary.subproblems[1].iterations = iterations;
    run.result.iterations = {{0, most, 0}};
    return run;
  };
  result.experiments.runs = {run_of(100, 300, 5), run_of(300, 1200, 9), run_of(100, 300, 99)};
  result.experiments.runs[2].scheme = "cs";
  EXPECT_DOUBLE_EQ(*summarize(result).mean_iterations, 3.75);
  EXPECT_EQ(*summarize(result).worst_iterations, 9);
}

TEST(Summary, WithoutAStudyTakesTheLargestDifference) {
  BenchmarkResult result;
  EXPECT_FALSE(summarize(result).error.has_value());
  result.rows = {expect_within("a", "first", 1.01, 1.0, 0.1, "m", "paper"),
                 expect_within("b", "second", -1.9, -2.0, 0.1, "m", "paper"),
                 expect_near("c", "zero", 7.0, 0.0, 8.0, "m", "paper")};
  const BenchmarkSummary summary = summarize(result);
  EXPECT_NEAR(summary.error->value, 0.05, 1e-12);
  EXPECT_EQ(summary.error->of, "second");
  EXPECT_FALSE(summary.order.has_value());
}

TEST(DifferenceOfRow, IsRelativeUnlessTheReferenceIsZero) {
  EXPECT_NEAR(difference(expect_within("a", "", -1.9, -2.0, 0.1, "", ""))->value, 0.05, 1e-12);
  const auto absolute = difference(expect_near("a", "", 0.25, 0.0, 1.0, "", ""));
  EXPECT_EQ(absolute->value, 0.25);
  EXPECT_FALSE(absolute->is_relative);
  EXPECT_FALSE(difference(expect_at_most("a", "", 1.0, 2.0, "", "")).has_value());
}

TEST(ReportJson, HoldsRowsWithTheirVerdicts) {
  BenchmarkResult result = result_of_study();
  result.rows = {expect_within("f", "frequency", 7.965, 7.96, 0.015, "Hz", "thesis", "read off"),
                 expect_true("t", "it \"holds\"", false, "paper"),
                 show("nan", "no number", std::nan(""), "m")};
  const auto json = nlohmann::json::parse(report_json(
      {.command_line = "picus report", .date = "2026-01-01", .effort = Effort::quick}, {&result, 1}));
  EXPECT_EQ(json["meta"]["effort"], "quick");
  EXPECT_EQ(json["counts"]["met"], 1);
  EXPECT_EQ(json["counts"]["missed"], 1);
  const auto& rows = json["benchmarks"][0]["rows"];
  EXPECT_EQ(rows[0]["id"], "f");
  EXPECT_EQ(rows[0]["claim"], "frequency");
  EXPECT_EQ(rows[0]["value"], 7.965);
  EXPECT_EQ(rows[0]["unit"], "Hz");
  EXPECT_EQ(rows[0]["expected"], "7.96 Hz ± 1.5 %");
  EXPECT_EQ(rows[0]["reference"], 7.96);
  EXPECT_NEAR(rows[0]["difference"], 0.005 / 7.96, 1e-12);
  EXPECT_EQ(rows[0]["verdict"], "met");
  EXPECT_EQ(rows[0]["source"], "thesis");
  EXPECT_EQ(rows[0]["note"], "read off");
  EXPECT_EQ(rows[1]["verdict"], "missed");
  EXPECT_TRUE(rows[1]["value"].is_null());
  EXPECT_EQ(rows[2]["verdict"], "shown");
  EXPECT_TRUE(rows[2]["value"].is_null());
}

TEST(ReportJson, HoldsStudiesWithTheSubproblemsThatThereAre) {
  const BenchmarkResult result = result_of_study();
  const auto json = nlohmann::json::parse(report_json({.command_line = "", .date = ""}, {&result, 1}));
  const auto& scheme = json["benchmarks"][0]["studies"][0]["schemes"][1];
  EXPECT_EQ(scheme["scheme"], "ds");
  EXPECT_EQ(scheme["subproblems"], nlohmann::json({"smooth", "velocity"}));
  EXPECT_EQ(scheme["rows"][0]["mean_iterations"].size(), 2U);
  EXPECT_EQ(scheme["rows"][2]["failure"], "t = 0.4 s: no");
  EXPECT_EQ(scheme["quantities"][1]["order"], 0.9);
}

TEST(ReportJson, RoundsPointsOfCurvesToNineDigits) {
  BenchmarkResult result;
  result.figures = {{.id = "f",
                     .title = "T",
                     .caption = "",
                     .panels = {{.panel = {.y_label = "y, m", .curves = {}, .x_range = {{0.0, 1.0}}},
                                 .curves = {{.label = "a", .x = {0.1 + 0.2}, .y = {std::nan("")}}}}}}};
  const std::string text = report_json({.command_line = "", .date = ""}, {&result, 1});
  EXPECT_THAT(text, testing::HasSubstr("\"x\":[0.3],\"y\":[null]"));
  EXPECT_THAT(text, testing::HasSubstr("\"x_range\":[0.0,1.0]"));
}

TEST(ExpectOrder, HasTwoSidesAndTwoStandardErrorsAbove) {
  const auto verdict_of = [](double order, double error, double least) {
    return expect_order("a", "",
                        {.name = "q", .unit = "", .is_exact = true, .order = order, .order_error = error},
                        least, "")
        .verdict;
  };
  EXPECT_EQ(verdict_of(1.04, 0.0, 0.95), Verdict::met);
  EXPECT_EQ(verdict_of(1.06, 0.0, 0.95), Verdict::missed);
  EXPECT_EQ(verdict_of(1.06, 0.04, 0.95), Verdict::met);
  EXPECT_EQ(verdict_of(1.7, 0.1, 0.95), Verdict::missed);
  EXPECT_EQ(verdict_of(0.94, 0.2, 0.95), Verdict::missed) << "scatter excuses no order that is too low";
  EXPECT_EQ(verdict_of(2.09, 0.0, 1.9), Verdict::met);
  EXPECT_EQ(verdict_of(1.7, 0.0, 1.9), Verdict::missed);
  EXPECT_EQ(verdict_of(1.95, 0.24, 1.9), Verdict::met);
  EXPECT_EQ(verdict_of(1.95, 0.26, 1.9), Verdict::missed) << "too much scatter to tell an order";
  EXPECT_EQ(verdict_of(1.7, 0.4, 0.95), Verdict::missed);
}

TEST(ExpectOrder, IsMissedWithoutAnOrder) {
  const Row row = expect_order("a", "", {.name = "q", .unit = "", .is_exact = true, .order = {}}, 0.95, "");
  EXPECT_EQ(row.verdict, Verdict::missed);
  EXPECT_EQ(row.note, "too few runs converged");
}

}  // namespace
}  // namespace picus::models
