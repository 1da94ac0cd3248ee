#pragma once

/// The contract of a time integration scheme: State in, State out.

#include <picus/state.hpp>
#include <picus/step_forces.hpp>
#include <picus/system.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// Effort of solving one sub-problem, summed over all attempts of the step.
struct SubproblemReport {
  std::string_view name;  ///< "smooth", "impact", "projection"
  int iterations = 0;     ///< linear solves
  double residual = 0.0;  ///< scaled norm at the end (1 = the tolerance)
  int line_searches = 0;  ///< iterations that a line search shortened
};

/// Names of the sub-problems of a scheme in the order of StepReport; unused entries are empty.
using SubproblemNames = std::array<std::string_view, 3>;

/// Largest number of kinds of fallbacks of a scheme, the measures taken when a solve does not converge.
inline constexpr std::size_t max_fallbacks = 7;
/// Names of the fallbacks of a scheme in the order of StepReport; unused entries are empty.
using FallbackNames = std::array<std::string_view, max_fallbacks>;

/// Report of one step. A step that no fallback could solve throws SolverError instead.
struct StepReport {
  /// Entries without a name are unused.
  std::array<SubproblemReport, 3> subproblems;
  std::array<int, max_fallbacks>
      fallbacks{};  ///< how often each was used, in the order of the scheme's names
  /// Largest residual of an iterate accepted above the tolerance, as a multiple of the tolerance; 0: none.
  double accepted_residual = 0.0;
  int closed_contacts = 0;  ///< at the end of the step
  /// The row with the largest residual in the first solve that needed a fallback: "row 2 of contact "toe"", "rz of node
  /// "beam[6]""; empty if none did.
  std::string culprit;
};

/// Name and value of an option or parameter as text, for results and summaries.
using TextEntries = std::vector<std::pair<std::string, std::string>>;

/// A time integration scheme: start() once, then step() repeatedly. The state between two steps belongs to the caller.
///
/// An integrator is not reentrant: start() or step() from another thread or from within one of its own steps throws
/// SolverError, as does any use other than by simulate() during a run of simulate(). Each thread needs its own
/// integrator.
class TimeIntegrator {
 public:
  TimeIntegrator() = default;
  /// Integrators cannot be copied. (Declared in this way, `Scheme scheme({})` can only mean options.)
  TimeIntegrator(TimeIntegrator&) = delete;
  /// The integrator assigned to must be started again. Throws SolverError when it is in use.
  TimeIntegrator& operator=(const TimeIntegrator& other);
  virtual ~TimeIntegrator() = default;
  /// Name of the scheme, as in `--scheme`: "ds".
  virtual std::string_view name() const = 0;
  /// Step size h, s.
  virtual double step_size() const = 0;
  /// All its options with their values, for results.
  virtual TextEntries options() const = 0;
  /// Whether states are equilibria and time is the load factor: velocities are zero, and work is that of forces along
  /// the path from one equilibrium to the next.
  virtual bool is_static() const { return false; }
  /// Names of the sub-problems of its steps, as in every StepReport. Results contain their statistics under these
  /// names, and nothing for unnamed ones.
  virtual SubproblemNames subproblem_names() const { return {}; }
  /// Names of its fallbacks, without commas: "step cut". Results and summaries state how often each was used under
  /// these names.
  virtual FallbackNames fallback_names() const { return {}; }
  /// The forces of the last step as the scheme applied them, for the energy audit: one entry for each part of a step
  /// that was cut, otherwise a single one. Empty (the default): not known. Valid until the integrator is used again.
  virtual std::span<const StepForces> step_forces() const { return {}; }
  /// Warnings of start() about the model, one sentence each; for results and summaries.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Warnings of the steps since start(), one sentence each; for summaries at the end of a run.
  virtual std::vector<std::string> step_warnings() const { return {}; }
  /// All redundant constraints found at the start, one text for each set of linearly dependent constraints, while a
  /// warning only counts them; for results.
  virtual std::vector<std::string> redundancies() const { return {}; }

  /// Builds all data structures of the run and returns a consistent initial state: q_0 satisfies the constraints, v_0
  /// their rates, then lambda_0 and dv_0/dt. Throws SolverError when no projection can satisfy the constraints.
  /// `system` must outlive the steps. All data of earlier steps is discarded: after start() equal states are followed
  /// by equal steps, bit for bit, on which checkpoints rely.
  virtual State start(const System& system) = 0;

  /// Rebuilds what depends on the detected contacts of the system, after they have changed
  /// (System::set_found_contacts), and with them the rows of `state`, the next to be advanced. As after start(), equal
  /// states are then followed by equal steps. Called by Stepper. Throws SolverError in schemes that do not support such
  /// contacts.
  virtual void change_contacts(const State& state);

  /// Whether surfaces penetrate each other at q whose contacts the system does not have.
  using PathWatch = std::function<bool(const Configuration& q)>;
  /// For schemes that follow long paths within a start or a step: they call the watch on their way and, if it returns
  /// true, end there, since Stepper then adds these contacts and repeats the step. Null: there is none.
  virtual void watch_path(const PathWatch& /*watch*/) {}

  /// Advances the state by one step, to time start + n h. After SolverError the state is unchanged.
  virtual StepReport step(State& state) = 0;

 protected:
  /// Exclusive use of the integrator for one start or step; it ends with the object's lifetime.
  class ExclusiveUse {
   public:
    ExclusiveUse(const ExclusiveUse&) = delete;
    ExclusiveUse& operator=(const ExclusiveUse&) = delete;
    ~ExclusiveUse();

   private:
    friend class TimeIntegrator;
    explicit ExclusiveUse(TimeIntegrator& integrator);
    ExclusiveUse(TimeIntegrator& integrator, const System& system);
    ExclusiveUse(TimeIntegrator& integrator, const State& state);
    TimeIntegrator& integrator_;
    const System* started_ = nullptr;  ///< the system of a start
    int exceptions_;                   ///< uncaught exceptions at its beginning
    std::uint8_t use_;                 ///< value of TimeIntegrator::use_ at its end
  };
  /// To be called first in start() of a scheme. Throws SolverError when the integrator is in use.
  [[nodiscard]] ExclusiveUse begin_start(const System& system);
  /// To be called first in change_contacts() of a scheme; the same errors as begin_step().
  [[nodiscard]] ExclusiveUse begin_change(const State& state) { return begin_step(state); }
  /// The system of the last start().
  const System& system() const { return *system_; }
  /// To be called first in step() of a scheme. Throws SolverError before start() (also after a start that failed and
  /// after simulate() has ended) and when the integrator is in use, ModelError for a state of another system.
  [[nodiscard]] ExclusiveUse begin_step(const State& state);

 private:
  friend class IntegratorReservation;
  std::atomic<std::uint8_t> use_{0};
  const System* system_ = nullptr;  ///< of the last start
};

/// Exclusive use of an integrator for a run: as long as it exists the integrator cannot be started or stepped
/// elsewhere. For functions that implement a run by start() and step(), as simulate() does.
class IntegratorReservation {
 public:
  /// Throws SolverError when the integrator is in use.
  explicit IntegratorReservation(TimeIntegrator& integrator);
  IntegratorReservation(const IntegratorReservation&) = delete;
  IntegratorReservation& operator=(const IntegratorReservation&) = delete;
  /// Detaches the integrator from the system, which may no longer exist.
  ~IntegratorReservation();

  /// TimeIntegrator::start.
  State start(const System& system);
  /// TimeIntegrator::change_contacts.
  void change_contacts(const State& state);
  /// TimeIntegrator::step.
  StepReport step(State& state);

 private:
  TimeIntegrator& integrator_;
};

}  // namespace picus
