#pragma once

/// A direction that a parameter s rotates within one end, and a direction of the other end:
///
///     h(q, s) = f . beta = rho sin(theta - s),   alpha(s) = cos s t_2 - sin s t_1
///
/// where theta is the angle about t_1 x t_2 from t_1 to the other direction, and rho the length of the projection of
/// that direction onto the plane of t_1 and t_2. Either A carries t_1 and t_2: f = alpha, beta = P b; or B carries
/// them: f = b, beta = P alpha. All in the axes of A, so that
///
///     dh   = n . (dTheta_A - P dTheta_B) + h_s ds,   n = f x beta,   h_s = f_s . beta + f . beta_s
///     dh_s = n_s . (dTheta_A - P dTheta_B) - h ds,   n_s = f_s x beta + f x beta_s

#include <picus/elements/joints/parts/joint_stiffness.hpp>

#include <cmath>

namespace picus {

enum class Carrier : std::uint8_t { A, B };

struct RotationPair {
  Vec3 t_1 = Vec3::UnitX();  ///< unit vector in the axes of the carrier
  Vec3 t_2 = Vec3::UnitY();  ///< unit vector in the axes of the carrier, perpendicular to t_1
  Vec3 b = Vec3::UnitX();    ///< unit vector in the axes of the other end
  Carrier carrier = Carrier::A;

  /// theta in (-pi, pi].
  double angle(const JointKinematics& at) const {
    const Vec3 other = carrier == Carrier::A ? Vec3(at.P * b) : Vec3(at.P.transpose() * b);
    return std::atan2(t_2.dot(other), t_1.dot(other));
  }
};

/// The directions at one configuration and one s.
struct RotationDirections {
  RotationDirections(const RotationPair& pair, const JointKinematics& at, double s) {
    const double cos_s = std::cos(s);
    const double sin_s = std::sin(s);
    const Vec3 alpha = cos_s * pair.t_2 - sin_s * pair.t_1;
    const Vec3 alpha_s = -cos_s * pair.t_1 - sin_s * pair.t_2;
    if (pair.carrier == Carrier::A) {
      f = alpha;
      f_s = alpha_s;
      beta = at.P * pair.b;
    } else {
      f = pair.b;
      beta = at.P * alpha;
      beta_s = at.P * alpha_s;
    }
  }

  double h() const { return f.dot(beta); }
  double h_s() const { return f_s.dot(beta) + f.dot(beta_s); }
  Vec3 n() const { return f.cross(beta); }
  Vec3 n_s() const { return f_s.cross(beta) + f.cross(beta_s); }
  /// dn/dt seen from the inertial frame.
  Vec3 n_rate(const JointKinematics& at, JointVelocity v, double s_rate) const {
    const Vec3 f_rate = at.A.angular_velocity(v).cross(f) + s_rate * f_s;
    const Vec3 beta_rate = (at.P * at.B.angular_velocity(v)).cross(beta) + s_rate * beta_s;
    return f_rate.cross(beta) + f.cross(beta_rate);
  }

  Vec3 f;
  Vec3 beta;
  Vec3 f_s = Vec3::Zero();
  Vec3 beta_s = Vec3::Zero();
};

}  // namespace picus
