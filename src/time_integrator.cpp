#include <picus/error.hpp>
#include <picus/time_integrator.hpp>

#include <fmt/format.h>

#include <exception>

namespace picus {
namespace {

/// The present user of an integrator.
enum Use : std::uint8_t {
  idle,      ///< none
  reserved,  ///< reserved by a run, between its steps
  lent,      ///< reserved by a run that is about to call start() or step()
  busy,      ///< executing start() or step()
};

[[noreturn]] void refuse(std::string_view scheme) {
  throw SolverError(fmt::format(
      "integrator \"{}\" is in use by a run, by another thread or by the step that this is called from; "
      "each run needs an integrator of its own",
      scheme));
}

}  // namespace

TimeIntegrator::ExclusiveUse::ExclusiveUse(TimeIntegrator& integrator)
    : integrator_(integrator), exceptions_(std::uncaught_exceptions()), use_(idle) {
  if (integrator.use_.compare_exchange_strong(use_, busy)) return;
  if (use_ == lent && integrator.use_.compare_exchange_strong(use_, busy)) {
    use_ = reserved;
    return;
  }
  refuse(integrator.name());
}

TimeIntegrator::ExclusiveUse::~ExclusiveUse() {
  if (started_ != nullptr && std::uncaught_exceptions() == exceptions_) integrator_.system_ = started_;
  integrator_.use_.store(use_);
}

TimeIntegrator& TimeIntegrator::operator=(const TimeIntegrator& /*other*/) {  // NOLINT: nothing is copied
  const ExclusiveUse use(*this);
  system_ = nullptr;
  return *this;
}

// An exception after the delegated constructor has returned calls the destructor.
TimeIntegrator::ExclusiveUse::ExclusiveUse(TimeIntegrator& integrator, const System& system)
    : ExclusiveUse(integrator) {
  integrator.system_ = nullptr;
  started_ = &system;
}

TimeIntegrator::ExclusiveUse::ExclusiveUse(TimeIntegrator& integrator, const State& state)
    : ExclusiveUse(integrator) {
  if (integrator.system_ == nullptr) throw SolverError("step() before start()");
  const System& system = *integrator.system_;
  system.require_state(state);
  if (state.auxiliary.size() == system.velocity_count()) return;
  throw ModelError(
      fmt::format("the state is not one of integrator \"{}\": auxiliary has {} entries, must have {}",
                  integrator.name(), state.auxiliary.size(), system.velocity_count()));
}

void TimeIntegrator::change_contacts(const State& /*state*/) {
  throw SolverError(
      fmt::format("integrator \"{}\" does not know contacts that are found as bodies move", name()));
}

TimeIntegrator::ExclusiveUse TimeIntegrator::begin_start(const System& system) {
  if (system.lacks_search()) {
    throw SolverError(fmt::format(
        "model \"{}\" has contacts that are found as bodies move: run it by simulate() or by a Stepper",
        system.model().name()));
  }
  return {*this, system};
}

TimeIntegrator::ExclusiveUse TimeIntegrator::begin_step(const State& state) {
  return {*this, state};
}

IntegratorReservation::IntegratorReservation(TimeIntegrator& integrator) : integrator_(integrator) {
  std::uint8_t use = idle;
  if (!integrator.use_.compare_exchange_strong(use, reserved)) refuse(integrator.name());
}

IntegratorReservation::~IntegratorReservation() {
  integrator_.system_ = nullptr;
  integrator_.use_.store(idle);
}

State IntegratorReservation::start(const System& system) {
  integrator_.use_.store(lent);
  State state = integrator_.start(system);
  integrator_.use_.store(reserved);  // still lent if the scheme does not call begin_start()
  return state;
}

void IntegratorReservation::change_contacts(const State& state) {
  integrator_.use_.store(lent);
  integrator_.change_contacts(state);
  integrator_.use_.store(reserved);
}

StepReport IntegratorReservation::step(State& state) {
  integrator_.use_.store(lent);
  StepReport report = integrator_.step(state);
  integrator_.use_.store(reserved);
  return report;
}

}  // namespace picus
