#include "run.hpp"

#include "../checkpoint_fit.hpp"
#include "../step_doubts.hpp"
#include "../watch/run_watch.hpp"
#include "../watch/trouble_watch.hpp"
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace picus::fmu {
namespace {

std::unique_ptr<TimeIntegrator> make_scheme_of(const RunOptions& options, double h) {
  SchemeOptions scheme;
  scheme.step = h;
  scheme.max_iterations = find_scheme(options.scheme).max_iterations;
  return make_integrator(options.scheme, scheme);
}

}  // namespace

StepPlan plan_steps(double duration, double h) {
  constexpr double slack = 1e-9;
  constexpr double most = 1e12;  // steps: more than any co-simulation completes
  const double count = duration / h;
  if (!(duration > 0) || !std::isfinite(duration) || !(count <= most))
    throw OptionError(
        fmt::format("a communication step of {} s cannot be made in steps of {} s", duration, h));
  const double whole = std::round(count);
  if (whole >= 1 && std::abs(count - whole) <= slack * whole) return {static_cast<std::int64_t>(whole), h};
  const double more = std::max(1.0, std::ceil(count));
  return {static_cast<std::int64_t>(more), duration / more};
}

/// A Stepper for one step size, and the objects that follow its states.
class Run::Engine {
 public:
  Engine(const Model& model, const std::function<Signals(const RunInfo&)>& signals, const RunOptions& options,
         double h)
      : integrator_(make_scheme_of(options, h)),
        stepper_(model, *integrator_, options.threads),
        state_(stepper_.start()),
        start_(state_),
        audit_(system(), state_, Process::motion),
        rows_(system(), state_),
        watch_(system(), state_, rows_, audit_),
        outputs_(make_outputs(signals, options)) {}

  Outputs& outputs() { return outputs_; }
  double h() const { return integrator_->step_size(); }
  double time() const { return state_.time; }
  std::vector<std::string> warnings() const { return integrator_->warnings(); }
  std::vector<std::string> doubts() const {
    std::vector<std::string> doubts = watch_.warnings(audit_.energies(state_), state_);
    if (auto sentence = troubles_.warning(state_.step)) doubts.push_back(std::move(*sentence));
    if (auto sentence = detail::missed_contacts(stepper_.statistics()))
      doubts.push_back(std::move(*sentence));
    return doubts;
  }

  void step(double end) {
    SearchStatistics& search = stepper_.statistics();
    const std::int64_t misses = search.misses;
    report_ = stepper_.step(state_);
    if (stepper_.has_changed_contacts()) {
      const State& begin = stepper_.begin();
      audit_.change_contacts(begin);
      rows_.evaluate(system(), begin);
      watch_.restart(begin, rows_);
    }
    state_.time = end;  // no accumulation of rounding errors
    detail::check_bounds(system(), state_);
    audit_.add_step(state_, h(), integrator_->step_forces());
    rows_.evaluate(system(), state_);
    const double depth = watch_.record_step(state_, rows_, audit_, h());
    if (depth > 0) search.misses = misses + 1;
    search.worst_depth = std::max(search.worst_depth, depth);
    troubles_.record_step(report_);
    outputs_.record(snapshot());
  }
  void record_start() { outputs_.record(snapshot()); }
  void sample() { outputs_.sample(snapshot()); }

  /// Restarts the scheme at the present state.
  void forget() { stepper_.resume(state_); }
  void save(Archive& archive) {
    archive(state_);
    std::vector<std::byte> audit = archived(audit_);
    std::vector<std::byte> outputs = archived(outputs_);
    archive(audit, outputs, watch_, troubles_, stepper_.statistics());
  }
  /// For an engine that has just started.
  void restore(Archive& archive) {
    State state;
    std::vector<std::byte> audit, outputs;
    archive(state, audit, outputs, watch_, troubles_, stepper_.statistics());
    archive.require(troubles_.is_sound(state.step));
    const bool finds_contacts = !system().model().contact_sets().empty();
    if (finds_contacts || !state.found_contacts.empty()) {
      stepper_.change_contacts(start_, state.found_contacts);
      audit_.change_contacts(start_);
    }
    State checked = state;
    checked.time = start_.time + static_cast<double>(state.step) * h();
    const std::string misfit = detail::misfit_of(checked, start_, system(), state.step, h());
    if (!misfit.empty() || !std::isfinite(state.time))
      throw FileError(fmt::format("the state does not fit: {}", misfit));
    Archive of_audit(audit, "energies of an FMU state");
    audit_.serialize(of_audit);
    of_audit.finish_reading();
    Archive of_outputs(outputs, "outputs of an FMU state");
    outputs_.serialize(of_outputs);
    of_outputs.finish_reading();
    Configuration q = std::move(state_.q);  // belongs to the model
    state_ = std::move(state);
    q.assign({state_.q.data().begin(), state_.q.data().end()});
    state_.q = std::move(q);
    if (finds_contacts) stepper_.resume(state_);
    rows_.evaluate(system(), state_);
    watch_.restart(state_, rows_);
  }
  /// Scales the data that schemes store as impulses of the last step.
  void scale_multipliers(double factor) { state_.position_multiplier *= factor; }

 private:
  const System& system() const { return stepper_.system(); }
  Snapshot snapshot() const { return {system(), state_, report_, audit_, rows_, h()}; }
  Outputs make_outputs(const std::function<Signals(const RunInfo&)>& signals, const RunOptions& options) {
    const RunInfo info{.system = system(),
                       .integrator = *integrator_,
                       .until = std::numeric_limits<double>::infinity(),
                       .search = &stepper_.statistics()};
    return {info, signals(info), options.outputs};
  }
  template <class Part>
  static std::vector<std::byte> archived(Part& part) {
    Archive archive;
    part.serialize(archive);
    return archive.bytes();
  }

  std::unique_ptr<TimeIntegrator> integrator_;
  Stepper stepper_;
  State state_;
  State start_;
  StepReport report_;
  EnergyAudit audit_;
  RowValues rows_;
  watch::RunWatch watch_;
  watch::TroubleWatch troubles_;
  Outputs outputs_;
};

Run::Run(Model model, std::function<Signals(const RunInfo&)> signals, RunOptions options)
    : model_(std::move(model)),
      signals_(std::move(signals)),
      options_(std::move(options)),
      engine_(make_engine(options_.step)),
      begin_(engine_->time()) {
  engine_->record_start();
  engine_->sample();
}

Run::~Run() = default;

std::unique_ptr<Run::Engine> Run::make_engine(double h) const {
  return std::make_unique<Engine>(model_, signals_, options_, h);
}

const Outputs& Run::outputs() const {
  return engine_->outputs();
}

double Run::time() const {
  return engine_->time();
}

std::vector<std::string> Run::warnings() const {
  return engine_->warnings();
}

std::vector<std::string> Run::doubts() const {
  return engine_->doubts();
}

void Run::advance(double duration) {
  const StepPlan steps = plan(duration);
  if (steps.size != engine_->h()) change_step(steps.size);
  for (std::int64_t i = 0; i < steps.count; ++i) {
    engine_->step(begin_ + static_cast<double>(count_ + 1) * steps.size);
    ++count_;
  }
  engine_->sample();
}

void Run::change_step(double h) {
  Archive written;
  engine_->save(written);
  Archive archive(written.bytes(), "the run");
  std::unique_ptr<Engine> next = make_engine(h);
  next->restore(archive);
  next->scale_multipliers(h / engine_->h());
  engine_ = std::move(next);
  begin_ = engine_->time();
  count_ = 0;
}

std::vector<std::byte> Run::save() {
  engine_->forget();
  Archive archive;
  double h = engine_->h();
  archive(h, begin_, count_);
  engine_->save(archive);
  return archive.bytes();
}

void Run::restore(std::span<const std::byte> bytes) {
  Archive archive(bytes, "an FMU state");
  double h = 0.0;
  double begin = 0.0;
  std::int64_t count = 0;
  archive(h, begin, count);
  archive.require(h > 0 && std::isfinite(h) && std::isfinite(begin) && count >= 0);
  std::unique_ptr<Engine> next = make_engine(h);
  next->restore(archive);
  archive.finish_reading();
  engine_ = std::move(next);
  begin_ = begin;
  count_ = count;
}

}  // namespace picus::fmu
