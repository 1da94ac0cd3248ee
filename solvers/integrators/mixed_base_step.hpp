#pragma once

#include <picus/solvers/integrators/mixed_base.hpp>
#include <picus/state.hpp>

#include <memory>
#include <vector>

namespace picus {

/// The step of a base scheme, repeated where its contact forces turn out to be impulses without a collision, as where
/// friction jams a rod or a wedged ball (Painleve's paradox). Such forces grow like 1/h. Those of the last step, carried
/// on in the accelerations, and those of inner stages throw bodies apart; where contacts open or come to rest, they do
/// work of order h^3 only. They are impulses if they do more work than the applied forces on bodies at rest.
class MixedBaseStep {
 public:
  /// `scheme` must outlive it.
  MixedBaseStep(SchemeWorkspace& scheme, const MixedOptions& own);

  /// The base scheme.
  const MixedBase& base() const { return *base_; }
  /// As MixedBase::start().
  void start(const State& state);
  /// As MixedBase::step(). If its contact forces are impulses, or there are none, it is repeated: first with
  /// accelerations without contact forces, second without active contacts, so that all of these are treated by the
  /// impact at its end.
  void step(const State& state, std::vector<char>& active, MixedBase::Motion& motion, StepReport& report);

 private:
  void restart(const State& state, const MixedBase::Motion& motion);
  /// One attempt; returns false if contact forces are impulses, of the last step with the part `last`.
  bool try_step(const State& state, double last, const std::vector<char>& active, MixedBase::Motion& motion,
                StepReport& report);
  /// Work of such forces on the rates at the end of the step, where it is positive, J.
  double work_of_impulses(const State& state, double last, const MixedBase::Motion& motion);
  /// Kinetic energy that applied forces and those of joints would give to bodies at rest in the step, J.
  double energy_of_loads(const MixedBase::Motion& motion);

  const StepData& data_;
  std::unique_ptr<MixedBase> base_;
  State restarted_;  ///< with accelerations without contact forces
  ForceRestart restart_;
  Configuration q_free_;  ///< its point: the end of the motion without contact forces
  Vector v_free_;
  std::vector<char> inactive_;
  Vector rate_, force_;
};

}  // namespace picus
