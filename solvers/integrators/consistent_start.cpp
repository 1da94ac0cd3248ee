#include <picus/error.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/integrators/consistent_start.hpp>
#include <picus/solvers/integrators/linear_start.hpp>
#include <picus/solvers/integrators/start_projection.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Time derivatives that are not provided are finite differences over this fraction of the step, which is short
/// relative to the time scales of the motion: for sin(w t) with w h = 1, central differences have a truncation error of
/// (w dt)^2/6 = 2e-5 and a rounding error of eps/(w dt) = 2e-14; one-sided ones, in time, (w dt)^2/12 = 1e-7 and 2e-12.
constexpr double central_part = 1e-2;
constexpr double one_sided_part = 1e-3;

/// Every free component must have mass or appear in a constraint; otherwise its motion is undetermined.
void require_determined_motion(const System& system, const MassMatrix& mass) {
  std::vector<bool> is_constrained(system.velocity_count(), false);
  for (const GradientEntry& e : system.constraint_entries()) is_constrained[e.dof] = true;
  for (const Index dof : system.free_dofs()) {
    if (mass.diagonal(dof) > 0 || is_constrained[dof]) continue;
    throw SolverError(fmt::format("nothing determines {}: it has neither mass nor a constraint that holds it",
                                  system.describe_dof(dof)));
  }
}

/// d(G v + g_t)/dt without the term G dv/dt, to be balanced by the acceleration. Functions are not evaluated for t < 0.
Vector convective_rate(const System& system, const Configuration& q, const Vector& v, double h) {
  const double dt = central_part * h;
  const double later = one_sided_part * h;
  Vector rate = Vector::Zero(system.row_count());
  std::vector<double> H, local_v, local_rate;
  for (const auto& block : system.constraints()) {
    const std::size_t n = block.dofs;
    const std::size_t m = block.rows;
    H.assign(m * n, 0.0);
    local_v.clear();
    for (const Node& node : block.element->nodes()) {
      for (Index i = 0; i < velocity_size(node.kind); ++i) local_v.push_back(v[node.v + i]);
    }
    block.role->rate_jacobian(q, 0.0, local_v, H);
    auto part = rate.segment(block.first_row, block.rows);
    part = Eigen::Map<Eigen::MatrixXd>(H.data(), block.rows, block.dofs) *
           Eigen::Map<Eigen::VectorXd>(local_v.data(), block.dofs);
    if (!block.role->is_rheonomic()) continue;
    // Explicit time dependence: G changes by d(g_t)/dq, g_t directly; differences of g_t along the motion and in time.
    Vector increment = dt * v;
    const auto partial_rate = [&](double sign, double time) {
      Configuration moved = q;
      retract(system.nodes(), q, sign * increment, moved);
      local_rate.assign(m, 0.0);
      block.role->partial_rate(moved, time, local_rate);
      return Vector(Eigen::Map<Vector>(local_rate.data(), block.rows));
    };
    const Vector along = (partial_rate(1, 0.0) - partial_rate(-1, 0.0)) / (2 * dt);
    const Vector in_time =
        (4.0 * partial_rate(0, 0.5 * later) - 3.0 * partial_rate(0, 0.0) - partial_rate(0, later)) / later;
    part += along + in_time;
  }
  return rate;
}

/// A constraint that the given start violates by more than this fraction of the size of its group of bodies (or of one
/// radian) indicates a mistake in the model, a smaller violation data rounded to three digits. The woodpecker's hinge,
/// open by 16 micrometres in 0.2 m, is of the latter kind.
constexpr double notable_part = 1e-3;

/// By how much a constraint is violated.
struct LargestViolation {
  double distance = 0.0;  ///< in rows of positions, m
  double rest = 0.0;      ///< in other rows: rad, or the unit of a scalar
};

/// Violation at the start as given. A row is one of positions if its gradient has a translational part.
LargestViolation find_largest_violation(const RowBlock<BilateralConstraint>& block, const Configuration& q,
                                        const Vector& g) {
  const std::size_t m = block.rows;
  std::vector<double> G(m * block.dofs, 0.0);
  block.role->gradient(q, 0.0, G);
  std::vector<bool> is_length(m, false);
  std::size_t column = 0;
  for (const Node& node : block.element->nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i, ++column) {
      if (node.kind == NodeKind::scalar || i >= 3) continue;
      for (std::size_t row = 0; row < m; ++row) is_length[row] = is_length[row] || G[column * m + row] != 0;
    }
  }
  LargestViolation violation;
  for (std::size_t row = 0; row < m; ++row) {
    double& sum = is_length[row] ? violation.distance : violation.rest;
    sum = std::hypot(sum, g[block.first_row + static_cast<Index>(row)]);
  }
  return violation;
}

/// A sentence about the constraint or contact that the given start violates most; empty if no violation is notable.
std::string describe_moved_start(const System& system, const BodyGroups& groups) {
  const Configuration& given = system.model().initial_configuration();
  Vector g = Vector::Zero(system.row_count());
  Vector gap = Vector::Zero(system.contact_row_count());
  system.evaluate_constraint_residual(given, 0.0, g);
  system.evaluate_gaps(given, given, gap);
  double worst = notable_part;
  double size_of_worst = 0.0;
  int others = -1;
  std::string sentence;
  const auto see = [&](double part, double size, const auto& describe) {
    if (!(part > notable_part)) return;
    ++others;
    if (part <= worst) return;
    worst = part;
    size_of_worst = size;
    sentence = describe();
  };
  for (const auto& block : system.constraints()) {
    const LargestViolation violation = find_largest_violation(block, given, g);
    const double size = groups.length(groups.of_row(block.first_row));
    see(std::max(violation.distance / size, violation.rest), size, [&] {
      const bool is_distance = violation.distance / size >= violation.rest;
      return fmt::format("constraint \"{}\" is open by {:.3g} {} in the model as given",
                         block.element->name(), is_distance ? violation.distance : violation.rest,
                         is_distance ? "m" : "rad or its unit");
    });
  }
  for (std::size_t i = 0; i < system.contacts().size(); ++i) {
    const auto& contact = system.contacts()[i];
    const double depth = -gap[contact.first_row];
    const double size = std::min(groups.length(groups.of_contact(i)), groups.length(groups.of_other_side(i)));
    see(depth / size, size, [&] {
      return fmt::format("contact \"{}\" is {:.3g} m deep in the model as given", contact.element->name(),
                         depth);
    });
  }
  if (sentence.empty()) return "";
  const std::string more = others == 0 ? "" : fmt::format(" (and {} more)", others);
  return fmt::format(
      "{}{}, of bodies {:.3g} m in size: the start has moved their nodes to where this is closed", sentence,
      more, size_of_worst);
}

/// A sentence about the first constraint that the velocities of the model as given contradict; empty if there is none,
/// or if the velocities of its nodes are not given.
std::string describe_changed_velocities(const System& system, const BodyGroups& groups, const State& start) {
  const std::span<const double> as_given = system.model().initial_velocity();
  const Vector v = Eigen::Map<const Vector>(as_given.data(), count_of(as_given));
  Gradients G = system.make_constraint_gradients();
  Vector rate = Vector::Zero(system.row_count()), partial = rate;
  system.evaluate_gradients(start.q, start.time, G);
  System::multiply(system.constraint_entries(), G, v, rate);
  if (system.is_rheonomic()) system.evaluate_partial_rates(start.q, start.time, partial);
  rate += partial;
  const Element* first = nullptr;
  double by = 0.0;
  int others = -1;
  for (const auto& block : system.constraints()) {
    const double length = groups.length(groups.of_row(block.first_row));
    double given = 0.0;  // m/s, rad/s or the unit of a scalar
    for (const Node& node : block.element->nodes()) {
      const Index size = velocity_size(node.kind);
      given = std::max(given, v.segment(node.v, std::min<Index>(3, size)).norm());
      if (node.kind == NodeKind::frame)
        given = std::max(given, std::max(1.0, length) * v.segment<3>(node.v + 3).norm());
    }
    const double violation = rate.segment(block.first_row, block.rows).norm();
    if (!(violation > notable_part * given) || given == 0) continue;
    if (++others > 0) continue;
    first = block.element;
    by = violation;
  }
  if (first == nullptr) return "";
  return fmt::format(
      "the velocities of the model as given contradict constraint \"{}\" by {:.3g} m/s, rad/s or its unit{}: "
      "the "
      "start has changed them",
      first->name(), by, others == 0 ? "" : fmt::format(" (and {} more)", others));
}

}  // namespace

StartFindings check_start(const System& system, const BodyGroups& groups, const State& start) {
  StartFindings found = check_constraints(system, start.q, start.time);
  const std::string moved = describe_moved_start(system, groups);
  if (!moved.empty()) found.warnings.push_back(moved);
  const std::string changed = describe_changed_velocities(system, groups, start);
  if (!changed.empty()) found.warnings.push_back(changed);
  return found;
}

State make_consistent_start(const System& system, StepData& data, double h, PositionProblem& projection,
                            const ProjectionSolve& solve) {
  const Index n = system.velocity_count();
  require_determined_motion(system, data.mass);
  project_configuration(system, data, projection, solve);
  data.mass.assemble(data.q);
  system.evaluate_gradients(data.q, 0.0, data.G);
  system.evaluate_contact_gradients(data.q, data.contact_G);
  LinearStart linear(system, data);
  linear.factorize();

  State state;
  state.q = data.q;
  const auto given_velocity = system.model().initial_velocity();
  state.v = Eigen::Map<const Vector>(given_velocity.data(), n);
  Vector momentum(n);
  data.mass.multiply(state.v, momentum);
  Vector rate = Vector::Zero(system.row_count());
  system.evaluate_partial_rates(state.q, 0.0, rate);
  rate = -rate;
  Vector impulse = Vector::Zero(system.row_count());
  linear.solve(momentum, rate, state.v, impulse);

  Vector f = Vector::Zero(n);
  system.add_forces({state.q, state.v, 0.0}, 1.0, f);
  state.acceleration = Vector::Zero(n);
  if (system.has_driven_dofs()) {
    Vector unused_dq = Vector::Zero(n);
    Vector unused_v = Vector::Zero(n);
    const double short_time = one_sided_part * h;
    system.prescribe(short_time, -short_time, unused_dq, unused_v, state.acceleration);
  }
  state.constraint_force = Vector::Zero(system.row_count());
  linear.solve(f, -convective_rate(system, state.q, state.v, h), state.acceleration, state.constraint_force);

  state.auxiliary = state.acceleration;
  system.clear_prescribed(state.auxiliary);
  state.constraint_impulse = Vector::Zero(system.row_count());
  state.contact_impulse = Vector::Zero(system.contact_row_count());
  state.contact_rate = Vector::Zero(system.contact_row_count());
  System::multiply(system.contact_entries(), data.contact_G, state.v, state.contact_rate);
  state.contact_slip = Vector::Zero(system.contact_row_count());
  state.position_multiplier = Vector::Zero(system.contact_row_count());
  state.contact_impulse_change = state.position_multiplier_change = state.position_multiplier;
  state.contact_state.assign(system.contacts().size(), ContactState::gap);
  state.reaction = Vector::Zero(n);
  return state;
}

}  // namespace picus::solvers
