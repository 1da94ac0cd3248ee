#include <picus/error.hpp>
#include <picus/solvers/integrators/linear_start.hpp>
#include <picus/solvers/integrators/start_projection.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace picus::solvers {
namespace {

/// Reference of the projection of the start, relative to the size of bodies.
constexpr double start_length = 1e-5;
constexpr int max_projection_iterations = 100;

/// Damped steps towards the constraints end where the violation is this fraction of the given one (Newton's iteration
/// does the rest), after this number of steps, or where no step of at least the smallest fraction reduces it.
constexpr double closed_part = 1e-6;
constexpr int max_damped_steps = 200;
constexpr double smallest_damping = 1e-4;
/// A step must achieve this fraction of the decrease that the gradients predict (Armijo; Nocedal and Wright, Numerical
/// Optimization, 2006, section 3.1).
constexpr double sufficient_part = 1e-4;
/// Rotation of a body in a damped step: gradients of joints describe a motion over less than about half a radian.
constexpr double max_turn = 0.5;

/// Throws SolverError that names the constraint or gap with the largest error, or one that is not a number.
[[noreturn]] void refuse_projection(const System& system, const StepData& data,
                                    const PositionProblem& problem, const NewtonReport& report) {
  Vector g = Vector::Zero(system.row_count());
  Vector gap = Vector::Zero(system.contact_row_count());
  system.evaluate_constraint_residual(data.q, 0.0, g);
  system.evaluate_gaps(data.q, data.q, gap);
  double worst = 0;
  std::string culprit;
  // Written such that NaN is propagated.
  const auto see = [&](double miss, const auto& describe) {
    if (miss <= worst || std::isnan(worst)) return;
    worst = miss;
    culprit = describe();
  };
  for (Index row = 0; row < g.size(); ++row) see(std::abs(g[row]), [&] { return system.describe_row(row); });
  for (const auto& contact : system.contacts())
    see(-gap[contact.first_row], [&] { return system.describe_contact_row(contact.first_row); });
  if (!std::isfinite(worst)) {
    throw SolverError(fmt::format("the start cannot be computed: after {} iterations {} is {}",
                                  report.iterations, culprit, std::abs(worst)));
  }
  if (worst == 0) {
    throw SolverError(fmt::format(
        "the start cannot be computed: all equations hold, but after {} iterations the residual "
        "of {} is {}; masses or lengths of the model are out of range",
        report.iterations, problem.describe(report.residual.where), times_tolerance(report.residual.worst)));
  }
  throw SolverError(
      fmt::format("no start satisfies all constraints: after {} iterations {} is still off by {:.3g}",
                  report.iterations, culprit, worst));
}

/// Twice the energy of closing all constraints at once, each with its effective mass.
double violation_of(const System& system, const StepData& data, const Vector& g) {
  const auto active_row = system.active_row();
  double sum = 0;
  for (Index row = 0; row < g.size(); ++row) {
    if (active_row[row] >= 0) sum += data.scales.row_mass(row) * g[row] * g[row];
  }
  return sum;
}

double largest_turn(const System& system, const Vector& increment) {
  double turn = 0;
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::frame) turn = std::max(turn, increment.segment<3>(node.v + 3).norm());
  }
  return turn;
}

struct Approach {
  Configuration q;
  bool is_closed = false;  ///< otherwise the violation is the smallest that the steps reach
};

/// Gauss-Newton steps from `q` to the constraints, whose length is halved until the violation decreases.
Approach approach_constraints(const System& system, StepData& data, Configuration q) {
  const Index rows = system.row_count();
  Vector g = Vector::Zero(rows);
  system.evaluate_constraint_residual(q, 0.0, g);
  double violation = violation_of(system, data, g);
  const double close = closed_part * closed_part * violation;
  const Vector no_force = Vector::Zero(system.velocity_count());
  LinearStart linear(system, data);
  for (int i = 0; i < max_damped_steps && violation > close; ++i) {
    data.q = q;
    data.mass.assemble(q);
    system.evaluate_gradients(q, 0.0, data.G);
    Vector increment = no_force;
    Vector multiplier = Vector::Zero(rows);
    try {
      linear.factorize();
      linear.solve(no_force, -g, increment, multiplier);
    } catch (const SolverError&) {
      break;  // the gradients of the constraints depend on each other here
    }
    Configuration moved = q;
    double damping = std::min(1.0, max_turn / largest_turn(system, increment));
    double reached = violation;
    for (; damping >= smallest_damping; damping /= 2) {
      retract(system.nodes(), q, damping * increment, moved);
      system.evaluate_constraint_residual(moved, 0.0, g);
      reached = violation_of(system, data, g);
      if (reached <= (1 - 2 * sufficient_part * damping) * violation) break;
    }
    if (damping < smallest_damping) break;
    q = moved;
    violation = reached;
  }
  return {q, violation <= close};
}

}  // namespace

void project_configuration(const System& system, StepData& data, PositionProblem& problem,
                           const ProjectionSolve& solve) {
  Configuration given = system.model().initial_configuration();
  data.q_n = &given;
  data.t = 0.0;
  const auto project = [&] {
    data.smooth.mass.assemble(given);
    return solve(max_projection_iterations,
                 [&problem] { problem.begin_projection(ProjectionUnit::length, start_length); });
  };
  NewtonReport report = project();
  if (!report.converged && system.row_count() > 0) {
    const Approach approach = approach_constraints(system, data, given);
    given = approach.q;
    report = project();
    if (!report.converged && !approach.is_closed) data.q = given;
  }
  if (!report.converged) refuse_projection(system, data, problem, report);
  orthonormalize(system.nodes(), data.q);
}

}  // namespace picus::solvers
