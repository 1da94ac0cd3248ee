#pragma once

/// A time integrator that needs no solver: unconstrained bodies in uniform gravity.

#include <picus/error.hpp>
#include <picus/time_integrator.hpp>

#include <cstdint>
#include <string>

namespace picus::support {

/// Frames and points fall, frames rotate with a constant angular velocity (as spheres do), scalars move uniformly:
/// exactly, whatever the step. Contacts and constraints are evaluated but have no effect.
class FreeFlight : public TimeIntegrator {
 public:
  struct Options {
    double step = 1e-3;
    Vec3 gravity = {0, 0, -10};
    std::int64_t fails_at = -1;  ///< index of the step that cannot be solved
  };
  explicit FreeFlight(const Options& options) : options_(options) {}

  std::string_view name() const override { return "free flight"; }
  double step_size() const override { return options_.step; }
  SubproblemNames subproblem_names() const override { return {"smooth", "position", "velocity"}; }
  FallbackNames fallback_names() const override { return {"step cut", "", "accepted above tolerance"}; }
  TextEntries options() const override { return {{"gravity", "-10"}, {"note", "exact"}}; }

  State start(const System& system) override {
    const ExclusiveUse use = begin_start(system);
    system_ = &system;
    const Model& model = system.model();
    const Index n = system.velocity_count();
    State state;
    state.q = model.initial_configuration();
    state.v = Eigen::Map<const Vector>(model.initial_velocity().data(), n);
    state.acceleration = Vector::Zero(n);
    for (const Node& node : system.nodes()) {
      if (node.kind != NodeKind::scalar) state.acceleration.segment<3>(node.v) = options_.gravity;
    }
    state.auxiliary = Vector::Zero(n);
    state.constraint_force = Vector::Zero(system.row_count());
    state.constraint_impulse = Vector::Zero(system.row_count());
    state.contact_impulse = Vector::Zero(system.contact_row_count());
    state.contact_rate = Vector::Zero(system.contact_row_count());
    state.contact_slip = Vector::Zero(system.contact_row_count());
    state.contact_state.assign(system.contacts().size(), ContactState::gap);
    state.position_multiplier = Vector::Zero(system.contact_row_count());
    state.contact_impulse_change = state.position_multiplier_change = state.position_multiplier;
    state.reaction = Vector::Zero(n);
    return state;
  }

  /// Reports 1, 2 and n iterations in step n, a step cut in every fourth step, and in the sixth one a residual of 12.5 that was accepted.
  StepReport step(State& state) override {
    const ExclusiveUse use = begin_step(state);
    const double h = options_.step;
    if (state.step + 1 == options_.fails_at) {
      throw SolverError("step " + std::to_string(options_.fails_at) + " was asked to fail");
    }
    const Vector increment = h * state.v + 0.5 * h * h * state.acceleration;
    retract(system_->nodes(), state.q, increment, state.q);
    state.v += h * state.acceleration;
    state.time += h;
    ++state.step;
    const auto n = static_cast<int>(state.step);
    StepReport report;
    report.subproblems[0] = {"smooth", 1, 0.1, 0};
    report.subproblems[1] = {"position", 2, 0.2, 1};
    report.subproblems[2] = {"velocity", n, 1.0 / n, 0};
    report.fallbacks[0] = n % 4 == 0 ? 1 : 0;
    if (n == 6) {
      report.fallbacks[2] = 1;
      report.accepted_residual = 12.5;
    }
    return report;
  }

 private:
  Options options_;
  const System* system_ = nullptr;
};

}  // namespace picus::support
