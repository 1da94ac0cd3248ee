/// The execution of benchmarks: errors in one do not affect the others, and nothing depends on the number of workers.

#include <picus/error.hpp>
#include <picus/models/benchmarks/execution.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <new>
#include <numbers>
#include <set>

namespace picus::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A ball until 0.5 s, with its height at the end as the only row.
Experiments ball_plan(Effort /*effort*/) {
  Experiments plan;
  plan.runs = {{.id = "ball", .label = "ball", .model = "bouncing-ball", .step = 2e-3, .until = 0.5}};
  plan.studies = {{.id = "study",
                   .title = "Study",
                   .model = "bouncing-ball",
                   .steps = {8e-3, 4e-3, 2e-3},
                   .until = 0.5,
                   .quantities = {"ball.y"}}};
  plan.figures = {{.id = "height",
                   .title = "Height",
                   .caption = "",
                   .panels = {{.y_label = "height, m", .curves = {{.run = "ball", .y = "ball.y"}}}}}};
  return plan;
}

void add_end(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  rows.push_back(show("end", "height at the end", outcomes.run("ball").find("ball.y").values.back(), "m"));
}

Benchmark benchmark_of(const std::string& name, Experiments (*plan)(Effort) = ball_plan,
                       void (*rows)(Rows&, const Experiments&, Effort) = add_end) {
  return {.name = name,
          .title = "A ball",
          .source = "none",
          .setting = "A ball.",
          .reference = "none",
          .plan = plan,
          .rows = {rows}};
}

BenchmarkResult execute_alone(const Benchmark& benchmark) {
  return execute({&benchmark, 1}, {.effort = Effort::quick, .workers = 1}).front();
}

/// Everything in a result that must be reproducible.
std::string fingerprint(const BenchmarkResult& result) {
  std::string text = std::string(name_of(result.ending));
  for (const Row& row : result.rows) text += ' ' + row.id + '=' + number_text(row.value.value_or(0.0));
  for (const Run& run : result.experiments.runs) text += ' ' + number_text(run.result.mean_iterations());
  for (const Study& study : result.experiments.studies) {
    for (const SchemeStudy& scheme : study.results) {
      for (const ConvergenceRow& row : scheme.result.rows) {
        for (const double error : row.errors) text += ' ' + number_text(error);
        text += ' ' + number_text(row.mean_total);
      }
    }
  }
  for (const DrawnFigure& figure : result.figures) {
    for (const double y : figure.panels[0].curves[0].y) text += ' ' + number_text(y);
  }
  return text;
}

TEST(Execution, GivesRowsRunsStudiesAndFigures) {
  const BenchmarkResult result = execute_alone(benchmark_of("ball"));
  EXPECT_EQ(result.ending, Ending::complete);
  EXPECT_THAT(result.failures, IsEmpty());
  ASSERT_THAT(result.rows, SizeIs(1));
  EXPECT_EQ(result.rows[0].verdict, Verdict::shown);
  ASSERT_THAT(result.experiments.runs, SizeIs(1));
  const models::Run& run = result.experiments.runs[0];
  EXPECT_EQ(run.result.summary.steps, 250);
  EXPECT_GT(run.cpu_seconds, 0.0);
  EXPECT_THAT(run.result.series, IsEmpty());  // signals are freed when the benchmark is judged
  EXPECT_THAT(run.result.times, IsEmpty());
  ASSERT_THAT(result.experiments.studies, SizeIs(1));
  ASSERT_THAT(result.experiments.studies[0].results, SizeIs(1));
  EXPECT_THAT(result.experiments.studies[0].results[0].result.rows, SizeIs(3));
  ASSERT_THAT(result.figures, SizeIs(1));
  EXPECT_GT(result.figures[0].panels[0].curves[0].x.size(), 10U);
  EXPECT_GT(result.summary.cpu_seconds, 0.0);
  EXPECT_EQ(result.summary.error->of, "ball.y, h = 0.002 s");
}

TEST(Execution, FindsSpectraAndSaysWhichCannotBe) {
  const auto make_plan = [](Effort) {
    Experiments plan;
    plan.spectra = {{.id = "implicit", .scheme = "moreau-jean", .h_over_period = {0.01, 0.1}},
                    {.id = "unknown", .scheme = "no-such-scheme", .h_over_period = {0.1}},
                    {.id = "wrong", .scheme = "moreau-jean:theta=7", .h_over_period = {0.1}}};
    plan.figures = {{.id = "radius",
                     .panels = {{.y_label = "spectral radius",
                                 .curves = {{.run = "implicit", .y = "spectral-radius"},
                                            {.run = "implicit", .y = "period-error", .exact = true},
                                            {.run = "unknown", .y = "spectral-radius"},
                                            {.run = "implicit", .y = "radius"}},
                                 .has_log_x = true}}}};
    return plan;
  };
  const BenchmarkResult result =
      execute_alone(benchmark_of("spectra", make_plan, [](Rows& rows, const Experiments& outcomes, Effort) {
        EXPECT_THROW(outcomes.spectrum("wrong"), Error);
        rows.push_back(
            show("radius", "spectral radius", outcomes.spectrum("implicit").spectral_radius[1], ""));
      }));
  EXPECT_THAT(result.failures, ElementsAre("spectrum unknown: there is no scheme \"no-such-scheme\"",
                                           HasSubstr("spectrum wrong: ")));
  ASSERT_THAT(result.rows, SizeIs(1));
  const double W = 0.2 * std::numbers::pi;
  EXPECT_NEAR(result.rows[0].value.value(), 1 / std::sqrt(1 + W * W), 1e-12);  // implicit Euler
  const auto& curves = result.figures.at(0).panels.at(0).curves;
  EXPECT_TRUE(result.figures[0].panels[0].panel.has_log_x);
  EXPECT_THAT(curves[0].x, ElementsAre(0.01, 0.1));
  EXPECT_NEAR(curves[1].y.at(1), W / std::atan(W) - 1, 1e-12);
  EXPECT_EQ(curves[2].missing, "there is no scheme \"no-such-scheme\"");
  EXPECT_EQ(curves[3].missing, "a spectrum has no \"radius\"");
}

TEST(Execution, TakesStepAndFinalTimeOfTheModel) {
  const BenchmarkResult result = execute_alone(benchmark_of("ball", [](Effort) {
    return Experiments{
        .runs = {{.id = "ball", .label = "", .model = "bouncing-ball"}}, .studies = {}, .figures = {}};
  }));
  EXPECT_EQ(result.experiments.runs[0].step, 1e-3);
  EXPECT_EQ(result.experiments.runs[0].until, 4.0);
  EXPECT_EQ(result.experiments.runs[0].result.summary.steps, 4000);
}

TEST(Execution, DoesNotDependOnTheNumberOfWorkers) {
  const std::vector<Benchmark> benchmarks = {benchmark_of("a"), benchmark_of("b"), benchmark_of("c")};
  const auto alone = execute(benchmarks, {.effort = Effort::quick, .workers = 1});
  const auto side_by_side = execute(benchmarks, {.effort = Effort::quick, .workers = 4});
  for (std::size_t i = 0; i < benchmarks.size(); ++i) {
    EXPECT_EQ(side_by_side[i].benchmark.name, benchmarks[i].name);
    EXPECT_EQ(fingerprint(alone[i]), fingerprint(side_by_side[i]));
  }
}

TEST(Execution, GoesOnWhenABenchmarkCannotBePlanned) {
  const std::vector<Benchmark> benchmarks = {
      benchmark_of("broken", [](Effort) -> Experiments { throw std::bad_alloc(); }), benchmark_of("ball"),
      benchmark_of("twice",
                   [](Effort effort) {
                     Experiments plan = ball_plan(effort);
                     plan.runs.push_back(plan.runs.front());
                     return plan;
                   }),
      benchmark_of("lost", [](Effort effort) {
        Experiments plan = ball_plan(effort);
        plan.figures[0].panels[0].curves[0].run = "bal";
        return plan;
      })};
  const auto results = execute(benchmarks, {.effort = Effort::quick, .workers = 2});
  EXPECT_EQ(results[0].ending, Ending::not_run);
  EXPECT_THAT(results[0].failures, ElementsAre("plan: out of memory"));
  EXPECT_THAT(results[0].rows, IsEmpty());
  EXPECT_EQ(results[1].ending, Ending::complete);
  EXPECT_EQ(results[2].ending, Ending::not_run);
  EXPECT_THAT(results[2].failures, ElementsAre("plan: two runs are called \"ball\""));
  EXPECT_THAT(results[3].failures, ElementsAre("plan: figure \"height\" shows \"bal\", which is no run"));
}

TEST(Execution, GoesOnWhenARunOrStudyCannotBeMade) {
  const BenchmarkResult result = execute_alone(benchmark_of("ball", [](Effort effort) {
    Experiments plan = ball_plan(effort);
    plan.runs.push_back({.id = "unknown", .label = "", .model = "bouncing-bal"});
    plan.runs.push_back({.id = "mute", .label = "", .model = "bouncing-ball", .signals = {"ball.z"}});
    plan.studies.push_back(plan.studies.front());
    plan.studies.back().id = "single";
    plan.studies.back().steps = {1e-3};
    return plan;
  }));
  EXPECT_EQ(result.ending, Ending::not_run);
  EXPECT_THAT(result.failures,
              ElementsAre("run unknown: there is no model \"bouncing-bal\" (did you mean \"bouncing-ball\"?)",
                          HasSubstr("run mute: no quantity is called \"ball.z\""),
                          HasSubstr("study single (ds): a convergence study needs at least two step sizes")));
  EXPECT_EQ(result.experiments.runs[0].ending, Ending::complete);
  EXPECT_EQ(result.experiments.runs[1].ending, Ending::not_run);
  EXPECT_EQ(result.experiments.studies[0].results[0].ending, Ending::complete);
  EXPECT_EQ(result.experiments.studies[1].results[0].ending, Ending::not_run);
  EXPECT_THAT(result.rows, SizeIs(1));  // they need none of these
}

TEST(Execution, SaysWhichSchemesThereAreNot) {
  const BenchmarkResult result = execute_alone(benchmark_of("ball", [](Effort effort) {
    Experiments plan = ball_plan(effort);
    plan.runs.push_back(plan.runs.front());
    plan.runs.back().id = "other";
    plan.runs.back().scheme = "no-such-scheme";
    plan.studies.push_back(plan.studies.front());
    plan.studies.back().id = "referred";
    plan.studies.back().reference_scheme = "no-such-scheme";
    plan.studies[0].schemes = {"ds", "no-such-scheme"};
    return plan;
  }));
  EXPECT_EQ(result.ending, Ending::not_run);
  EXPECT_EQ(result.experiments.runs[1].ending, Ending::not_run);
  EXPECT_EQ(result.experiments.studies[0].results[0].ending, Ending::complete);
  EXPECT_EQ(result.experiments.studies[0].results[1].ending, Ending::not_run);
  EXPECT_THAT(result.failures, testing::Contains("run other: there is no scheme \"no-such-scheme\""));
  EXPECT_THAT(result.failures,
              testing::Contains("study study (no-such-scheme): there is no scheme \"no-such-scheme\""));
  EXPECT_THAT(result.rows, SizeIs(1));
}

/// One set of rows that cannot be computed leaves those of the others.
TEST(Execution, TurnsRowsThatThrowIntoAMissedOne) {
  Benchmark benchmark = benchmark_of("ball", ball_plan, [](Rows& rows, const Experiments& outcomes, Effort) {
    rows.push_back(show("end", "end", outcomes.run("ball").times.back(), "s"));
    rows.push_back(show("lost", "end", outcomes.run("bal").times.back(), "s"));
  });
  benchmark.rows.push_back(add_end);
  const BenchmarkResult result = execute_alone(benchmark);
  EXPECT_EQ(result.ending, Ending::complete);
  ASSERT_THAT(result.rows, SizeIs(3));
  EXPECT_EQ(result.rows[0].value, 0.5);
  EXPECT_EQ(result.rows[1].id, "rows-1");
  EXPECT_EQ(result.rows[1].verdict, Verdict::missed);
  EXPECT_EQ(result.rows[1].note, "there is no run \"bal\"");
  EXPECT_EQ(result.rows[2].verdict, Verdict::shown);
}

TEST(Execution, SaysThatAValueIsNoNumber) {
  const BenchmarkResult result =
      execute_alone(benchmark_of("ball", ball_plan, [](Rows& rows, const Experiments&, Effort) {
        rows.push_back(expect_at_most("x", "x", std::nan(""), 1.0, "m", "none", "measured"));
      }));
  EXPECT_EQ(result.rows[0].verdict, Verdict::missed);
  EXPECT_EQ(result.rows[0].note, "measured; the value is nan");
}

TEST(Execution, TellsHowFarItIs) {
  const std::vector<Benchmark> benchmarks = {benchmark_of("a"), benchmark_of("b")};
  std::size_t ended = 0;
  double fraction = 0.0;
  std::set<std::string> begun;
  execute(benchmarks, {.effort = Effort::quick, .workers = 3, .progress = [&](const Progress& progress) {
                         EXPECT_EQ(progress.simulations, 8U);
                         if (!progress.has_ended) {
                           EXPECT_TRUE(begun.emplace(progress.task).second);
                           return;
                         }
                         EXPECT_EQ(progress.finished, ++ended);
                         EXPECT_GT(progress.fraction, fraction);
                         fraction = progress.fraction;
                       }});
  EXPECT_EQ(ended, 8U);
  EXPECT_NEAR(fraction, 1.0, 1e-12);
  EXPECT_THAT(begun, testing::Contains("a: study (ds), h = 0.004 s"));
}

TEST(Execution, BeginsWithTheLongest) {
  std::vector<std::string> order;
  const Benchmark benchmark = benchmark_of("a");
  execute({&benchmark, 1}, {.effort = Effort::quick, .workers = 1, .progress = [&](const Progress& progress) {
                              if (!progress.has_ended) order.emplace_back(progress.task);
                            }});
  EXPECT_THAT(order, ElementsAre("a: ball", "a: study (ds), h = 0.002 s", "a: study (ds), h = 0.004 s",
                                 "a: study (ds), h = 0.008 s"));
}

TEST(Execution, KeepsWhatWasDoneBeforeAStop) {
  // "long" is a single run and starts first; it requests the stop when it has ended.
  const std::vector<Benchmark> benchmarks = {
      benchmark_of("long",
                   [](Effort) {
                     return Experiments{
                         .runs = {{.id = "ball", .label = "", .model = "bouncing-ball", .until = 1.0}},
                         .studies = {},
                         .figures = {}};
                   }),
      benchmark_of("short")};
  std::atomic<bool> stop = false;
  const auto results = execute(benchmarks, {.effort = Effort::quick,
                                            .workers = 1,
                                            .stop_request = &stop,
                                            .progress = [&](const Progress& progress) {
                                              if (progress.has_ended) stop = true;
                                            }});
  EXPECT_EQ(results[0].ending, Ending::complete);
  EXPECT_THAT(results[0].rows, SizeIs(1));
  EXPECT_EQ(results[1].ending, Ending::interrupted);
  EXPECT_THAT(results[1].rows, IsEmpty());
  EXPECT_EQ(results[1].experiments.runs[0].ending, Ending::interrupted);
  EXPECT_EQ(results[1].experiments.studies[0].results[0].ending, Ending::interrupted);
}

TEST(Execution, EndsARunThatIsAtWork) {
  const Benchmark benchmark = benchmark_of("ball", [](Effort) {
    // Minutes of computing time.
    return Experiments{.runs = {{.id = "ball",
                                 .label = "",
                                 .model = "bouncing-ball",
                                 .until = 3e4,
                                 .signals = {"energy"},
                                 .every = 1000}},
                       .studies = {},
                       .figures = {}};
  });
  std::atomic<bool> stop = false;
  const auto results =
      execute({&benchmark, 1},
              {.workers = 1, .stop_request = &stop, .progress = [&](const Progress&) { stop = true; }});
  EXPECT_EQ(results[0].ending, Ending::interrupted);
  EXPECT_EQ(results[0].experiments.runs[0].ending, Ending::interrupted);
}

TEST(Execution, OfNothingIsNothing) {
  EXPECT_THAT(execute(std::span<const Benchmark>{}, ExecutionOptions{}), IsEmpty());
}

}  // namespace
}  // namespace picus::models
