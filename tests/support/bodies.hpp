#pragma once

/// Elements with mass.

#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/material_kinematics.hpp>

namespace picus::support {

/// A mass on a point, in a field of gravity.
class PointMass : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    double mass = 1.0;
    Vec3 gravity = Vec3::Zero();
  };
  PointMass(const Parameters& p, const Model&) : Element(p.name, {p.node}), p_(p) {}

  bool has_constant_mass() const override { return true; }
  void mass(const Configuration&, std::span<double> M) const override {
    matrix_view<3, 3>(M) = p_.mass * Mat3::Identity();
  }
  Traits traits() const override {
    return {.depends_on_configuration = false,
            .depends_on_velocity = false,
            .has_potential = true,
            .is_conservative = true};
  }
  void force(const Motion&, std::span<double> f) const override { vector_view<3>(f) = p_.mass * p_.gravity; }
  void tangents(const Motion&, std::span<double>, std::span<double>) const override {}
  double potential_energy(const Configuration& q, double) const override {
    return -p_.mass * p_.gravity.dot(q.position(p_.node));
  }

 private:
  Parameters p_;
};

/// A rigid body whose centre of mass C lies off its node, so that M depends on the rotation. Kinetic energy
/// m |u + R (Omega x C)|^2/2 + Omega . J Omega/2.
class OffsetBody : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    FrameNode node;
    double mass = 1.0;
    Vec3 inertia = Vec3::Ones();  ///< principal moments about the centre of mass, along the body axes
    Vec3 centre = Vec3::Zero();   ///< C in the body frame
    Vec3 gravity = Vec3::Zero();
  };
  OffsetBody(const Parameters& p, const Model&)
      : Element(p.name, {p.node}), p_(p), J_(p.inertia.asDiagonal()), c_(so3::skew(p.centre)) {}

  bool has_constant_mass() const override { return p_.centre.isZero(); }
  void mass(const Configuration& q, std::span<double> storage) const override {
    auto M = matrix_view<6, 6>(storage);
    const LocalGradient A = position_gradient({p_.node, p_.centre}, q);
    M = p_.mass * A.transpose() * A;
    M.bottomRightCorner<3, 3>() += J_;
  }
  void mass_gradient(const Configuration& q, std::span<const double> w,
                     std::span<double> storage) const override {
    auto K = matrix_view<6, 6>(storage);
    const Mat3 R = q.rotation(p_.node);
    const Vec3 a = vector_view<6>(w).head<3>();
    const Vec3 alpha = vector_view<6>(w).tail<3>();
    K.topRightCorner<3, 3>() = p_.mass * R * so3::skew(p_.centre.cross(alpha));
    K.bottomRightCorner<3, 3>() = p_.mass * c_ * so3::skew(R.transpose() * a);
  }

  /// Gravity does the only work; the other terms are quadratic in the velocity and compensate the change of
  /// M, so that they conserve the energy without being gyroscopic one by one.
  Traits traits() const override {
    return {.depends_on_configuration = true,
            .depends_on_velocity = true,
            .has_potential = true,
            .is_conservative = true};
  }
  void force(const Motion& motion, std::span<double> f) const override {
    const Mat3 R = motion.q.rotation(p_.node);
    const Vec3 omega = motion.v.segment<3>(p_.node.v + 3);
    const Vec3 b = omega.cross(omega.cross(p_.centre));
    const Vec3 weight = p_.mass * p_.gravity;
    vector_view<6>(f).head<3>() = weight - p_.mass * R * b;
    vector_view<6>(f).tail<3>() =
        p_.centre.cross(R.transpose() * weight - p_.mass * b) - omega.cross(J_ * omega);
  }
  void tangents(const Motion& motion, std::span<double> K_storage,
                std::span<double> C_storage) const override {
    auto K = matrix_view<6, 6>(K_storage);
    auto C = matrix_view<6, 6>(C_storage);
    const Mat3 R = motion.q.rotation(p_.node);
    const Vec3 omega = motion.v.segment<3>(p_.node.v + 3);
    const Mat3 W = so3::skew(omega);
    const Vec3 b = W * W * p_.centre;
    const Mat3 db = -so3::skew(W * p_.centre) - W * c_;
    K.topRightCorner<3, 3>() = -p_.mass * R * so3::skew(b);
    K.bottomRightCorner<3, 3>() = -c_ * so3::skew(R.transpose() * (p_.mass * p_.gravity));
    C.topRightCorner<3, 3>() = p_.mass * R * db;
    C.bottomRightCorner<3, 3>() = p_.mass * c_ * db + W * J_ - so3::skew(J_ * omega);
  }
  double potential_energy(const Configuration& q, double) const override {
    return -p_.mass * p_.gravity.dot(MaterialPoint(p_.node, p_.centre).position(q));
  }

 private:
  Parameters p_;
  Mat3 J_, c_;
};

/// m s'' + c s' + k s + k_3 s^3 = 0 on a scalar node.
class Oscillator : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;
    double mass = 1.0;
    double stiffness = 0.0;
    double cubic = 0.0;
    double damping = 0.0;
  };
  Oscillator(const Parameters& p, const Model&) : Element(p.name, {p.node}), p_(p) {}

  bool has_constant_mass() const override { return true; }
  void mass(const Configuration&, std::span<double> M) const override { M[0] = p_.mass; }
  Traits traits() const override { return {.has_potential = true, .is_conservative = p_.damping == 0}; }
  void conservative_force(const Configuration& q, double, std::span<double> f) const override {
    const double s = q.value(p_.node);
    f[0] = -p_.stiffness * s - p_.cubic * s * s * s;
  }
  void force(const Motion& motion, std::span<double> f) const override {
    conservative_force(motion.q, motion.t, f);
    f[0] -= p_.damping * motion.v[p_.node.v];
  }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override {
    const double s = motion.q.value(p_.node);
    K[0] = p_.stiffness + 3 * p_.cubic * s * s;
    C[0] = p_.damping;
  }
  double potential_energy(const Configuration& q, double) const override {
    const double s = q.value(p_.node);
    return p_.stiffness * s * s / 2 + p_.cubic * s * s * s * s / 4;
  }

 private:
  Parameters p_;
};

}  // namespace picus::support
