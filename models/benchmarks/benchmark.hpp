#pragma once

/// A benchmark of the literature: which runs and convergence studies of a model it takes, which figures the
/// paper draws of them, and what they must show. `picus report` runs them, the tests hold them against their
/// baselines.

#include <picus/models/study/amplification.hpp>
#include <picus/models/study/convergence_study.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// `quick`: what is needed to see that all is well, seconds for a benchmark; `full`: all that the paper shows.
enum class Effort : std::uint8_t { quick, full };

/// How a run, a study or a benchmark ended.
enum class Ending : std::uint8_t {
  complete,
  failed_step,  ///< a step that no fallback could solve, which may be what the benchmark shows
  not_run,      ///< something was wrong with it: it threw
  interrupted,  ///< the user stopped before it was done
};

/// One simulation: what it is, and once it was run what it gave.
struct Run {
  std::string id;                          ///< how rows and figures refer to it, "case-III"
  std::string label;                       ///< how legends name it, "case III"
  std::string model;                       ///< as registered
  std::vector<std::string> settings = {};  ///< NAME=VALUE
  std::string scheme = "ds";
  double step = 0.0;   ///< s; 0: that of the model
  double until = 0.0;  ///< s; 0: that of the model
  std::vector<std::string> signals = {"*"};
  std::int64_t every = 1;  ///< keep every so many steps
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial

  Ending ending = Ending::complete;
  TrialResult result = {};  ///< with why it is not complete; without its signals once the benchmark is judged
  double cpu_seconds = 0.0;
};

/// What a study gave of one scheme.
struct SchemeStudy {
  std::string scheme;
  Ending ending = Ending::complete;
  std::string failure = {};       ///< of the whole study: its reference run failed
  ConvergenceResult result = {};  ///< empty unless complete
};

/// One convergence study, for each of its schemes. Its three figures (errors and iterations against the step, errors
/// against the computing time) need no mention among the figures.
struct Study {
  std::string id;
  std::string title;  ///< of its figures
  std::string model;
  std::vector<std::string> settings = {};
  std::vector<std::string> schemes = {"ds"};
  std::vector<double> steps;  ///< s
  double until = 0.0;         ///< s; 0: that of the model
  std::vector<std::string> quantities;
  double reference_step = 0.0;  ///< as in ConvergencePlan
  std::string reference_scheme = "ds";
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial

  std::vector<SchemeStudy> results = {};  ///< of each scheme
};

/// Spectral radius and period error of a scheme on a linear oscillator, against the step over the period.
struct SpectrumRun {
  std::string id;     ///< how rows and figures refer to it; no run has it
  std::string label;  ///< how legends name it
  std::string scheme = "ds";
  std::vector<double> h_over_period;

  std::string failure = {};
  Spectrum result = {};
};

/// A line of a figure: signal y over signal x of a run. "time", and "iterations" as y (linear solves of each
/// step), are known beside the signals. A spectrum has "spectral-radius" and "period-error" over "h/T" and knows them exactly.
struct Curve {
  std::string run;  ///< or a spectrum
  std::string y;
  std::string label =
      {};  ///< empty: the label of the run, or the meaning of y where a run has several curves
  std::string x = "time";
  double y_factor = 1.0;  ///< what is drawn is this times y, e.g. 1000 for millimetres
  bool exact = false;     ///< the exact solution of y instead of the computed one
};

/// Curves in one pair of axes.
struct Panel {
  std::string y_label;  ///< with unit, "height, m"
  std::vector<Curve> curves;
  std::string x_label = "time, s";
  std::optional<std::pair<double, double>> x_range = {};
  std::optional<std::pair<double, double>> y_range = {};
  bool has_log_x = false, has_log_y = false;  ///< logarithmic axes
};

/// Panels one below another under one title.
struct Figure {
  std::string id;       ///< "gaps"
  std::string title;    ///< "Gaps of both supports (thesis, figure 4.9)"
  std::string caption;  ///< what the eye should find
  std::vector<Panel> panels;
};

/// What a benchmark computes and draws. Whoever asks for a result gets one that is complete, or an Error that tells why
/// there is none.
struct Experiments {
  std::vector<Run> runs;
  std::vector<Study> studies = {};
  std::vector<SpectrumRun> spectra = {};
  std::vector<Figure> figures = {};

  /// Whatever became of it; throws Error when there is no run of that name.
  const Run& find(std::string_view id) const;
  const TrialResult& run(std::string_view id) const;
  const ConvergenceResult& study(std::string_view id, std::string_view scheme = "ds") const;
  const Spectrum& spectrum(std::string_view id) const;
};

enum class Verdict : std::uint8_t {
  met,     ///< the claim holds
  missed,  ///< it does not
  shown,   ///< a measured number that nothing is claimed of
};

/// One statement that a benchmark must show, with what Picus found.
struct Row {
  std::string id;     ///< "slip-end": its name in baselines; unique in the benchmark
  std::string claim;  ///< "slip ends at"
  std::optional<double> value = {};
  std::string unit = {};
  std::string expected = {};             ///< "0.3716 s +- 0.5 %", "<= 1e-9 m", "3 to 5"
  std::optional<double> reference = {};  ///< where the claim has a number; then the difference is shown
  std::string source = {};               ///< of the reference, "thesis 4.2.1", "exact"
  Verdict verdict = Verdict::shown;
  std::string note = {};  ///< the reason of the tolerance; of a difference, its explanation
};

using Rows = std::vector<Row>;

struct Benchmark {
  std::string name;    ///< "rocking-rod"
  std::string title;   ///< "A rod that rocks on two supports"
  std::string source;  ///< "Galvez 2020, section 4.2.2"
  std::string
      setting;  ///< a paragraph: geometry, parameters, start, what is settled where the paper is silent
  std::string reference;  ///< what the results are compared with, "exact solution", "own run, h = 1e-6 s"
  Experiments (*plan)(Effort);
  /// What the experiments show, each adding its rows. One that throws, because a run that it needs failed, leaves a missed
  /// row that says so: see judge().
  std::vector<void (*)(Rows&, const Experiments&, Effort)> rows;
};

/// All of them, in the order of the papers.
const std::vector<Benchmark>& benchmarks();
/// Throws OptionError that offers the nearest name.
const Benchmark& find_benchmark(std::string_view name);

// Makers of rows. Numbers are compared as they are; `note` gives the reason of a tolerance.

/// |value - reference| <= relative * |reference|.
Row expect_within(std::string id, std::string claim, double value, double reference, double relative,
                  std::string unit, std::string source, std::string note = {});
/// |value - reference| <= absolute.
Row expect_near(std::string id, std::string claim, double value, double reference, double absolute,
                std::string unit, std::string source, std::string note = {});
Row expect_at_most(std::string id, std::string claim, double value, double limit, std::string unit,
                   std::string source, std::string note = {});
Row expect_at_least(std::string id, std::string claim, double value, double limit, std::string unit,
                    std::string source, std::string note = {});
/// A statement that holds or not, e.g. "CS fails from h = 0.01 s on".
Row expect_true(std::string id, std::string claim, bool holds, std::string source, std::string note = {});
Row show(std::string id, std::string claim, double value, std::string unit, std::string note = {});

/// Rows that every study must show: the order of each quantity is at least `least` over the step sizes of the study.
void add_orders(Rows& rows, const Experiments& outcomes, std::string_view study, double least,
                std::string_view scheme = "ds");
/// Rows that every run of the decoupled scheme must show: no failed step, no fallback, constraints kept and no
/// penetration beyond the tolerances (m).
void add_soundness(Rows& rows, const Experiments& outcomes, std::string_view run, double violation = 1e-9,
                   double penetration = 1e-9);
/// Rows that a robust scheme must show in a study: every run is complete; how often a fallback was needed in all.
void add_robustness(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme = "ds");
/// Numbers of a study at its largest step: mean and worst iterations of each sub-problem.
void add_iterations(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme = "ds");

}  // namespace picus::models
