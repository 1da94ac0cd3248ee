#pragma once

#include <picus/solvers/subproblems/stage.hpp>

namespace picus::solvers {

/// Velocities before an impact in the configuration at the end of its step: of those that the constraints at q permit,
/// the nearest to v in the metric of the mass,
///
///     M W - G^T Lambda = 0,   G (v + W) + g_t = 0
///
/// v is permitted at t_n, and W is of the order of h; where constraints are at rest and masses constant, velocity() has
/// the energy of v to the order of h^2. Without it contact points on links of their own would have other rates than
/// points of the body. Driven components keep their velocities.
class VelocityProjection : public Stage {
 public:
  explicit VelocityProjection(StepData& data)
      : Stage(data, "velocities before impacts", KktAssembler::Rows::bilateral) {}

  /// Starts from v, which must exist until the next begin(), at the q, G and M of the step data.
  void begin(const Vector& v) {
    Stage::begin(
        {.mass = data_,
         .force_point = data_,
         .constraint_point = data_,
         .v = {.constant = &v, .own = 1.0},
         .tolerances = {.momentum = 1, .row = 1, .momentum_floor = 1 / data_->h, .row_floor = 1 / data_->h}});
  }
};

}  // namespace picus::solvers
