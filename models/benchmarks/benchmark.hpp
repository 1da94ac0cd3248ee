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

/// One simulation.
struct PlannedRun {
  std::string id;                          ///< how rows and figures refer to it, "case-III"
  std::string label;                       ///< how legends name it, "case III"
  std::string model;                       ///< as registered
  std::vector<std::string> settings = {};  ///< NAME=VALUE
  std::string scheme = "ds";
  double step = 0.0;   ///< s; 0: that of the model
  double until = 0.0;  ///< s; 0: that of the model
  std::vector<std::string> signals = {"*"};
  std::int64_t every = 1;  ///< keep every so many steps
  double rho_inf = 0.8;
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial
};

/// One convergence study, for each of its schemes. Its three figures (errors and iterations against the step, errors
/// against the computing time) need no mention among the figures.
struct PlannedStudy {
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
  double rho_inf = 0.8;
  double tolerance = 1e-8;
  std::optional<int> max_iterations = {};  ///< as in Trial
};

/// Spectral radius and period error of a scheme on a linear oscillator, against the step over the period.
struct PlannedSpectrum {
  std::string id;     ///< how rows and figures refer to it; no run has it
  std::string label;  ///< how legends name it
  std::string scheme = "ds";
  double rho_inf = 0.8;
  std::vector<double> h_over_period;
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

struct Plan {
  std::vector<PlannedRun> runs;
  std::vector<PlannedStudy> studies = {};
  std::vector<PlannedSpectrum> spectra = {};
  std::vector<Figure> figures = {};
};

enum class Verdict : std::uint8_t {
  met,      ///< the claim holds
  missed,   ///< it does not
  pending,  ///< it needs a scheme that this version does not have
  shown,    ///< a measured number that nothing is claimed of
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

/// What a study of one scheme gave; empty result when the scheme is not there, or with a failure.
struct StudyOutcome {
  bool is_available = true;
  std::string failure;  ///< of the whole study: its reference run failed
  ConvergenceResult result;
};

struct RunOutcome {
  bool is_available = true;  ///< whether this version has the scheme
  TrialResult result;
};

struct SpectrumOutcome {
  bool is_available = true;
  std::string failure;
  Spectrum result;
};

/// What the runs of a benchmark gave.
class Outcomes {
 public:
  std::map<std::string, RunOutcome, std::less<>> runs;  ///< by id
  std::map<std::string, std::map<std::string, StudyOutcome, std::less<>>, std::less<>>
      studies;                                                  ///< id, scheme
  std::map<std::string, SpectrumOutcome, std::less<>> spectra;  ///< by id

  /// The result of a run that must be complete; throws Error that tells why it is not.
  const TrialResult& run(std::string_view id) const;
  /// The result of a study; throws Error that tells why there is none.
  const ConvergenceResult& study(std::string_view id, std::string_view scheme = "ds") const;
  const Spectrum& spectrum(std::string_view id) const;
  /// Of a run or a spectrum.
  bool has_scheme_of(std::string_view id) const;
  bool has_study(std::string_view id, std::string_view scheme) const;
};

struct Benchmark {
  std::string name;    ///< "rocking-rod"
  std::string title;   ///< "A rod that rocks on two supports"
  std::string source;  ///< "Galvez 2020, section 4.2.2"
  std::string
      setting;  ///< a paragraph: geometry, parameters, start, what is settled where the paper is silent
  std::string reference;  ///< what the results are compared with, "exact solution", "own run, h = 1e-6 s"
  Plan (*plan)(Effort);
  /// What the outcomes show. A row whose numbers could not be had (Outcomes threw) becomes a missed one: see judge().
  Rows (*rows)(const Outcomes&, Effort);
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
/// A claim without the run that it needs: pending when this version lacks the scheme, missed when it has it, so that the run
/// failed.
Row pending(std::string id, std::string claim, std::string scheme, std::string source);
Row show(std::string id, std::string claim, double value, std::string unit, std::string note = {});

/// Rows that every study must show: the order of each quantity is at least `least` over the step sizes of the study.
void add_orders(Rows& rows, const Outcomes& outcomes, std::string_view study, double least,
                std::string_view scheme = "ds");
/// Rows that every run of the decoupled scheme must show: no failed step, no fallback, constraints kept and no
/// penetration beyond the tolerances (m).
void add_soundness(Rows& rows, const Outcomes& outcomes, std::string_view run, double violation = 1e-9,
                   double penetration = 1e-9);
/// Rows that a robust scheme must show in a study: every run is complete; how often a fallback was needed in all.
void add_robustness(Rows& rows, const Outcomes& outcomes, std::string_view study,
                    std::string_view scheme = "ds");
/// Numbers of a study at its largest step: mean and worst iterations of each sub-problem.
void add_iterations(Rows& rows, const Outcomes& outcomes, std::string_view study,
                    std::string_view scheme = "ds");

}  // namespace picus::models
