#pragma once

/// A benchmark from the literature: the runs and convergence studies of a model, the figures that the paper draws
/// from them, and the statements they must confirm. `picus report` runs them, the tests compare them with their
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

/// `quick`: enough to check that everything works, seconds per benchmark; `full`: everything that the paper shows.
enum class Effort : std::uint8_t { quick, full };

/// How a run, a study or a benchmark ended.
enum class Ending : std::uint8_t {
  complete,
  failed_step,  ///< a step that no fallback could solve, which may be what the benchmark is meant to show
  not_run,      ///< it threw an exception
  interrupted,  ///< stopped by the user before it was complete
};

/// One simulation: its definition and, once it has run, its result.
struct Run {
  std::string id;                          ///< used by rows and figures to refer to it, "case-III"
  std::string label;                       ///< used in legends, "case III"
  std::string model;                       ///< registered name
  std::vector<std::string> settings = {};  ///< NAME=VALUE
  std::string scheme = "ds";
  double step = 0.0;   ///< s; 0: the default of the model
  double until = 0.0;  ///< s; 0: the default of the model
  std::vector<std::string> signals = {"*"};
  std::int64_t every = 1;  ///< keep every `every`-th step
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial
  /// Number of instants, evenly spread, at which surfaces are sampled (surface_depth.hpp): the signal "depth"; 0: none.
  std::int64_t sampled_instants = 0;
  /// Intervals between the points along each edge of a triangle, as in SurfaceSampler.
  int sampled_intervals = 6;

  Ending ending = Ending::complete;
  TrialResult result = {};  ///< states why it is incomplete; its signals are freed after judging
  double cpu_seconds = 0.0;
};

/// The result of a study for one scheme.
struct SchemeStudy {
  std::string scheme;
  Ending ending = Ending::complete;
  std::string failure = {};       ///< of the whole study: its reference run failed
  ConvergenceResult result = {};  ///< empty unless complete
};

/// One convergence study, for each of its schemes. Its three figures (errors and iterations over the step size,
/// errors over computing time) are drawn without being listed among the figures.
struct Study {
  std::string id;
  std::string title;  ///< of its figures
  std::string model;
  std::vector<std::string> settings = {};
  std::vector<std::string> schemes = {"ds"};
  std::vector<double> steps;  ///< s
  double until = 0.0;         ///< s; 0: the default of the model
  std::vector<std::string> quantities;
  double reference_step = 0.0;  ///< as in ConvergencePlan
  std::string reference_scheme = "ds";
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial
  int phases = 1;                          ///< as in ConvergencePlan

  std::vector<SchemeStudy> results = {};  ///< of each scheme
};

/// Spectral radius and period error of a scheme for a linear oscillator, over the ratio of step to period.
struct SpectrumRun {
  std::string id;     ///< used by rows and figures to refer to it; different from that of any run
  std::string label;  ///< used in legends
  std::string scheme = "ds";
  std::vector<double> h_over_period;

  std::string failure = {};
  Spectrum result = {};
};

/// A curve in a figure: signal y over signal x of a run. "time", and "iterations" as y (linear solves in each step),
/// are available in addition to the signals. A spectrum has "spectral-radius" and "period-error" over "h/T", and
/// their exact values.
struct Curve {
  std::string run;  ///< or a spectrum
  std::string y;
  std::string label = {};  ///< empty: the label of the run, or the meaning of y if a run has several curves
  std::string x = "time";
  double y_factor = 1.0;  ///< factor applied to y, e.g. 1000 for millimetres
  bool exact = false;     ///< the exact solution of y instead of the computed one
};

/// Curves in one coordinate system.
struct Panel {
  std::string y_label;  ///< including the unit, "height, m"
  std::vector<Curve> curves;
  std::string x_label = "time, s";
  std::optional<std::pair<double, double>> x_range = {};
  std::optional<std::pair<double, double>> y_range = {};
  bool has_log_x = false, has_log_y = false;  ///< logarithmic axes
};

/// Panels stacked vertically under one title.
struct Figure {
  std::string id;       ///< "gaps"
  std::string title;    ///< "Gaps of both supports (thesis, figure 4.9)"
  std::string caption;  ///< what to look for in the figure
  std::vector<Panel> panels;
};

/// The runs, studies and figures of a benchmark. Access to a result returns a complete one, or throws an Error that
/// states why there is none.
struct Experiments {
  std::vector<Run> runs;
  std::vector<Study> studies = {};
  std::vector<SpectrumRun> spectra = {};
  std::vector<Figure> figures = {};

  /// The run, however it ended; throws Error if there is no run of that name.
  const Run& find(std::string_view id) const;
  const TrialResult& run(std::string_view id) const;
  const ConvergenceResult& study(std::string_view id, std::string_view scheme = "ds") const;
  const Spectrum& spectrum(std::string_view id) const;
};

enum class Verdict : std::uint8_t {
  met,     ///< the statement holds
  missed,  ///< it does not
  shown,   ///< a measured number without a claim
};

/// One statement that a benchmark must confirm, with the value that Picus found.
struct Row {
  std::string id;     ///< "slip-end": its name in baselines; unique within the benchmark
  std::string claim;  ///< "slip ends at"
  std::optional<double> value = {};
  std::optional<double> standard_error = {};  ///< of the value, where it is that of a fit
  std::string unit = {};
  std::string expected = {};             ///< "0.3716 s +- 0.5 %", "<= 1e-9 m", "3 to 5"
  std::optional<double> reference = {};  ///< set if the claim contains a number; then the difference is shown
  std::string source = {};               ///< of the reference, "thesis 4.2.1", "exact"
  Verdict verdict = Verdict::shown;
  std::string note = {};  ///< justification of the tolerance, or explanation of a difference
};

using Rows = std::vector<Row>;

struct Benchmark {
  std::string name;       ///< "rocking-rod"
  std::string title;      ///< "A rod that rocks on two supports"
  std::string source;     ///< "Galvez 2020, section 4.2.2"
  std::string setting;    ///< a paragraph: geometry, parameters, start, assumptions where the paper is silent
  std::string reference;  ///< what the results are compared with, "exact solution", "own run, h = 1e-6 s"
  Experiments (*plan)(Effort);
  /// Functions that evaluate the experiments, each adding its rows. One that throws, because a run it needs failed,
  /// leaves a missed row that says so: see judge().
  std::vector<void (*)(Rows&, const Experiments&, Effort)> rows;
};

/// All benchmarks, in the order of the papers.
const std::vector<Benchmark>& benchmarks();
/// Throws OptionError, which suggests the closest name, if there is none.
const Benchmark& find_benchmark(std::string_view name);

// Functions that make rows. Numbers are compared as they are; `note` justifies a tolerance.

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
/// The observed order of a quantity is the integer nearest to `least`: it is at least `least`, and exceeds the integer by
/// at most the same difference, 0.05 or two standard errors, whichever is largest. A higher order than claimed is not
/// accepted either: the steps are then too large to show an order, or the errors are not those of the claim; nor is one
/// with a standard error above 0.25, which does not tell one integer from the next.
Row expect_order(std::string id, std::string claim, const ConvergenceQuantity& quantity, double least,
                 std::string source, std::string note = {});
/// A statement that is true or false, e.g. "CS fails from h = 0.01 s on".
Row expect_true(std::string id, std::string claim, bool holds, std::string source, std::string note = {});
Row show(std::string id, std::string claim, double value, std::string unit, std::string note = {});

/// Rows required for every study: expect_order() for each quantity, over the step sizes of the study.
void add_orders(Rows& rows, const Experiments& outcomes, std::string_view study, double least,
                std::string_view scheme = "ds");
/// The same for a study of first order with impacts whose phases average out where they fall: the order of each
/// quantity is within 0.03 of 1.
void add_averaged_orders(Rows& rows, const Experiments& outcomes, std::string_view study,
                         std::string_view scheme = "ds");
/// Rows required for every run of the decoupled scheme: no failed step, no fallback, constraint violation and
/// penetration within the tolerances (m).
void add_soundness(Rows& rows, const Experiments& outcomes, std::string_view run, double violation = 1e-9,
                   double penetration = 1e-9);
/// Rows required of a robust scheme in a study: every run is complete; total number of fallbacks.
void add_robustness(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme = "ds");
/// Mean and maximum number of iterations of each sub-problem at the largest step of a study.
void add_iterations(Rows& rows, const Experiments& outcomes, std::string_view study,
                    std::string_view scheme = "ds");

}  // namespace picus::models
