#pragma once

/// The contract of a time integration scheme: State in, State out.

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus {

/// The remedies that a step may need, in the order in which they are tried.
enum class Fallback : std::uint8_t {
  smaller_scaling,  ///< k and p a hundred times smaller
  last_active_set,  ///< restart from the contact states of the last step
  first_order,      ///< projected Gauss-Seidel on the contact rows
  step_cut,         ///< the step in two halves
};
/// Number of kinds of fallback.
inline constexpr std::size_t fallback_count = 4;
/// As results and summaries call them, in the order of Fallback.
inline constexpr std::array<std::string_view, fallback_count> fallback_names = {
    "smaller scaling", "last active set", "first-order contact", "step cut"};

/// What solving one sub-problem took, summed over everything that the step tried.
struct SubproblemReport {
  std::string_view name;  ///< "smooth", "impact", "projection"
  int iterations = 0;     ///< linear solves
  double residual = 0.0;  ///< scaled norm at the end (1 = the tolerance)
  int line_searches = 0;  ///< iterations that a line search shortened
};

/// Names of the sub-problems of a scheme in the order of StepReport; those that it does not have are empty.
using SubproblemNames = std::array<std::string_view, 3>;

/// What one step took. A step that no fallback could solve throws SolverError instead.
struct StepReport {
  /// Those without a name belong to no sub-problem of the scheme.
  std::array<SubproblemReport, 3> subproblems;
  std::array<int, fallback_count> fallbacks{};  ///< how often each was used
  int closed_contacts = 0;                      ///< at the end of the step
};

/// Name and value of an option or parameter as text, for results and summaries.
using TextEntries = std::vector<std::pair<std::string, std::string>>;

/// A scheme: start() once, then step() after step. The state between two steps belongs to the caller.
class TimeIntegrator {
 public:
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
  /// What start() found remarkable about the model, a sentence each; for results and summaries.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// Makes everything that is built once a run and returns a consistent start: q_0 on the constraints, v_0 on
  /// their rates, then lambda_0 and dv_0/dt. Throws SolverError when no projection can satisfy the
  /// constraints. `system` must outlive the steps. Whatever earlier steps have left behind is forgotten: after start()
  /// equal states are followed by equal steps, bit for bit, on which checkpoints rely.
  virtual State start(const System& system) = 0;

  /// Advances the state by one step, to time start + n h. On SolverError the state is what it was.
  virtual StepReport step(State& state) = 0;
};

}  // namespace picus
