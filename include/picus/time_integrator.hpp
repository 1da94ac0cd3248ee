#pragma once

/// The contract of a time integration scheme: State in, State out.

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// How a scheme sums a force over a step: with f at both ends the impulse h ((1 - gamma) F_n + gamma F_{n+1}), where
/// (1 - alpha_m) F_{n+1} + alpha_m F_n = (1 - alpha_f) f_{n+1} + alpha_f f_n and F_0 = f_0. As it is: trapezoidal rule.
struct ForceRule {
  double alpha_m = 0.0;  ///< weight of F_n
  double alpha_f = 0.0;  ///< weight of f_n
  double gamma = 0.5;    ///< weight of F_{n+1}
};

/// What solving one sub-problem took, summed over everything that the step tried.
struct SubproblemReport {
  std::string_view name;  ///< "smooth", "impact", "projection"
  int iterations = 0;     ///< linear solves
  double residual = 0.0;  ///< scaled norm at the end (1 = the tolerance)
  int line_searches = 0;  ///< iterations that a line search shortened
};

/// Names of the sub-problems of a scheme in the order of StepReport; those that it does not have are empty.
using SubproblemNames = std::array<std::string_view, 3>;

/// No scheme has more kinds of fallbacks, the ways out that a step may take where a solve does not converge.
inline constexpr std::size_t most_fallbacks = 7;
/// Names of the fallbacks of a scheme in the order of StepReport; those that it does not have are empty.
using FallbackNames = std::array<std::string_view, most_fallbacks>;

/// What one step took. A step that no fallback could solve throws SolverError instead.
struct StepReport {
  /// Those without a name belong to no sub-problem of the scheme.
  std::array<SubproblemReport, 3> subproblems;
  std::array<int, most_fallbacks>
      fallbacks{};  ///< how often each was used, in the order of the scheme's names
  /// Largest residual with which an iterate was accepted above its tolerance, in units of that; 0: none was.
  double accepted_residual = 0.0;
  int closed_contacts = 0;  ///< at the end of the step
  /// The row that stood in the way of the first solve that needed a fallback: "row 2 of contact "toe"", "rz of node "beam[6]"";
  /// empty where none did.
  std::string culprit;
};

/// Name and value of an option or parameter as text, for results and summaries.
using TextEntries = std::vector<std::pair<std::string, std::string>>;

/// A scheme: start() once, then step() after step. The state between two steps belongs to the caller.
///
/// An integrator does one thing at a time: start() or step() from another thread or from within one of its own steps, and
/// anything but simulate() itself while it is in a run of simulate(), is a SolverError. Threads have an integrator each.
class TimeIntegrator {
 public:
  TimeIntegrator() = default;
  /// Integrators are not copied. (Said in this way, `Scheme scheme({})` can only mean options.)
  TimeIntegrator(TimeIntegrator&) = delete;
  /// What takes over from another has to be started anew. Throws SolverError when it is in use.
  TimeIntegrator& operator=(const TimeIntegrator& other);
  virtual ~TimeIntegrator() = default;
  /// As in `--scheme`: "ds".
  virtual std::string_view name() const = 0;
  /// h in seconds.
  virtual double step_size() const = 0;
  /// All its options with their values, for results.
  virtual TextEntries options() const = 0;
  /// Whether states are equilibria and time is the load factor: nothing moves, and works are those of forces
  /// along the way from one equilibrium to the next.
  virtual bool is_static() const { return false; }
  /// What the sub-problems of its steps are called, as in every StepReport. Results hold what solving them took under
  /// these names, and nothing of those without.
  virtual SubproblemNames subproblem_names() const { return {}; }
  /// What the scheme calls its fallbacks, without commas: "step cut". Results and summaries hold how often each was used
  /// under these names.
  virtual FallbackNames fallback_names() const { return {}; }
  /// How forces act on the momentum of a step, for works; the trapezoidal rule where a scheme has no formula of this kind.
  virtual ForceRule force_rule() const { return {}; }
  /// What start() found remarkable about the model, a sentence each; for results and summaries.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// All redundant constraints of the start, a text for each set that shares them, where a warning only counts them; for
  /// results.
  virtual std::vector<std::string> redundancies() const { return {}; }

  /// Makes everything that is built once a run and returns a consistent start: q_0 on the constraints, v_0 on
  /// their rates, then lambda_0 and dv_0/dt. Throws SolverError when no projection can satisfy the
  /// constraints. `system` must outlive the steps. Whatever earlier steps have left behind is forgotten: after start()
  /// equal states are followed by equal steps, bit for bit, on which checkpoints rely.
  virtual State start(const System& system) = 0;

  /// The contacts of the system of start() that are found as bodies move have changed (System::set_found_contacts), and the
  /// rows of `state`, the next to be advanced, with them: builds anew what depends on them. As after start(), equal states are
  /// then followed by equal steps. Stepper calls it. Throws SolverError in schemes that do not know such contacts.
  virtual void change_contacts(const State& state);

  /// Advances the state by one step, to time start + n h. On SolverError the state is what it was.
  virtual StepReport step(State& state) = 0;

 protected:
  /// The turn to start or to step; it ends with its life.
  class Turn {
   public:
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    friend class TimeIntegrator;
    explicit Turn(TimeIntegrator& integrator);
    Turn(TimeIntegrator& integrator, const System& system);
    Turn(TimeIntegrator& integrator, const State& state);
    TimeIntegrator& integrator_;
    const System* started_ = nullptr;  ///< the system of a start
    int exceptions_;                   ///< on their way when it began
    std::uint8_t use_;                 ///< when it ends
  };
  /// What start() of a scheme begins with. Throws SolverError when the integrator is in use.
  [[nodiscard]] Turn begin_start(const System& system);
  /// What change_contacts() of a scheme begins with; the same errors as begin_step().
  [[nodiscard]] Turn begin_change(const State& state) { return begin_step(state); }
  /// The system of the last start().
  const System& system() const { return *system_; }
  /// What step() of a scheme begins with. Throws SolverError before start() (also after a start that failed and after
  /// simulate() has ended) and when the integrator is in use, ModelError for a state of another system.
  [[nodiscard]] Turn begin_step(const State& state);

 private:
  friend class IntegratorHold;
  std::atomic<std::uint8_t> use_{0};
  const System* system_ = nullptr;  ///< of the last start
};

/// An integrator for the time of a run: as long as it lives nobody else can start it or step with it. For functions that
/// make a run of start() and step(), as simulate() does.
class IntegratorHold {
 public:
  /// Throws SolverError when the integrator is in use.
  explicit IntegratorHold(TimeIntegrator& integrator);
  IntegratorHold(const IntegratorHold&) = delete;
  IntegratorHold& operator=(const IntegratorHold&) = delete;
  /// The integrator forgets the system, which may be gone.
  ~IntegratorHold();

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
