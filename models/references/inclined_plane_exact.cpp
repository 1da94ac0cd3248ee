#include <picus/models/references/inclined_plane_exact.hpp>

#include <cmath>
#include <limits>

namespace picus::models {

InclinedPlaneExact::InclinedPlaneExact(double speed, double slope, double mu, double gravity)
    : speed_(speed), normal_force_(gravity * std::cos(slope)), sticking_force_(gravity * std::sin(slope)) {
  const double friction = mu * normal_force_;
  sticks_ = friction >= sticking_force_;
  slipping_force_ = speed > 0.0 ? -friction : friction;
  first_acceleration_ = slipping_force_ - sticking_force_;
  later_acceleration_ = sticks_ ? 0.0 : friction - sticking_force_;
  slip_end_ = 0.0;
  if (speed != 0.0) {
    const double duration = -speed / first_acceleration_;
    slip_end_ = duration > 0.0 ? duration : std::numeric_limits<double>::infinity();
  }
}

double InclinedPlaneExact::position(double t) const {
  const double first = std::fmin(t, slip_end_);
  const double later = t - first;
  return speed_ * first + first_acceleration_ * first * first / 2.0 +
         later_acceleration_ * later * later / 2.0;
}

double InclinedPlaneExact::velocity(double t) const {
  return t < slip_end_ ? speed_ + first_acceleration_ * t : later_acceleration_ * (t - slip_end_);
}

}  // namespace picus::models
