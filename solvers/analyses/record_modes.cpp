#include <picus/error.hpp>
#include <picus/solvers/analyses/record_modes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace picus {
namespace {

/// Presents the modes to recorders as a "run".
class ModesAsRun : public TimeIntegrator {
 public:
  ModesAsRun(const VibrationModes& modes, std::vector<double> factors)
      : modes_(modes), factors_(std::move(factors)) {}
  std::string_view name() const override { return "vibration modes"; }
  double step_size() const override { return 1.0; }
  bool is_static() const override { return true; }
  TextEntries options() const override {
    TextEntries entries = {{"asymmetry", fmt::format("{:.3g}", modes_.asymmetry)}};
    for (Index i = 0; i < modes_.eigenvalues.size(); ++i) {
      entries.emplace_back(fmt::format("eigenvalue_{}", i + 1),
                           fmt::format("{:.15g} 1/s2", modes_.eigenvalues[i]));
      entries.emplace_back(fmt::format("residual_{}", i + 1), fmt::format("{:.3g}", modes_.residuals[i]));
      entries.emplace_back(fmt::format("factor_{}", i + 1), fmt::format("{:.9g}", factors_[i]));
    }
    return entries;
  }
  State start(const System&) override { throw SolverError("vibration modes are no run in time"); }
  StepReport step(State&) override { throw SolverError("vibration modes are no run in time"); }

 private:
  const VibrationModes& modes_;
  std::vector<double> factors_;  ///< by which the shapes are drawn
};

/// The factor that scales the largest motion to `amplitude`.
double factor_of(const System& system, const Vector& shape, double amplitude) {
  double largest = 0;
  for (const Node& node : system.nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) {
      const bool is_length = node.kind != NodeKind::scalar && i < 3;
      largest = std::max(largest, std::abs(shape[node.v + i]) / (is_length ? system.length_scale() : 1.0));
    }
  }
  return largest > 0 ? amplitude / largest : 0.0;
}

}  // namespace

void record_modes(const System& system, const State& state, const VibrationModes& modes,
                  std::initializer_list<Recorder*> recorders, double amplitude) {
  check_recorders({recorders.begin(), recorders.size()}, "the vibration modes");
  if (modes.shapes.rows() != system.velocity_count()) {
    throw ModelError(fmt::format("the vibration modes have {} components, model \"{}\" has {}",
                                 modes.shapes.rows(), system.model().name(), system.velocity_count()));
  }
  const auto count = count_of(modes.eigenvalues);
  std::vector<double> factors;
  for (Index i = 0; i < count; ++i) factors.push_back(factor_of(system, modes.shapes.col(i), amplitude));
  const ModesAsRun run(modes, factors);
  State displaced = state;
  const StepReport report;
  const EnergyAudit audit(system, state, Process::quasi_static);
  RowValues rows(system, state);
  const Snapshot snapshot{system, displaced, report, audit, rows, 1.0};
  std::size_t begun = 0;
  const auto finish = [&](const std::string& outcome) {
    for (Recorder* const recorder : std::span(recorders.begin(), std::exchange(begun, 0)))
      recorder->finish(outcome);
  };
  try {
    for (Recorder* const recorder : recorders) {
      recorder->begin({system, run, static_cast<double>(count), "Hz"});
      ++begun;
    }
    for (Index i = 0; i < count; ++i) {
      displaced.v = modes.shapes.col(i);
      displaced.time = modes.frequencies[i];
      displaced.step = i;
      retract(system.nodes(), state.q, factors[i] * displaced.v, displaced.q);
      rows.evaluate(system, displaced);
      for (Recorder* const recorder : recorders) recorder->record(snapshot);
    }
  } catch (const std::exception& error) {
    finish(error.what());
    throw;
  }
  finish("complete");
}

}  // namespace picus
