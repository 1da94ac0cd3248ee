#pragma once

/// Elements that depend on the distance of two material points: a rod, a spring with damper.

#include <picus/model.hpp>
#include <support/material_kinematics.hpp>

#include <utility>

namespace picus::support {

/// e = (|d|^2 - l^2)/(2 l) with d = x_b - x_a, metres: zero at the distance l, and quadratic.
struct Stretch {
  MaterialPoint a, b;
  double length = 1.0;

  Index n_a() const { return a.dof_count(); }
  Index n_b() const { return b.dof_count(); }
  Vec3 separation(const Configuration& q) const { return b.position(q) - a.position(q); }
  double value(const Configuration& q) const {
    return (separation(q).squaredNorm() - length * length) / (2 * length);
  }
  /// B with dd = B dq.
  LocalGradient separation_gradient(const Configuration& q) const {
    LocalGradient B(3, n_a() + n_b());
    B.leftCols(n_a()) = -position_gradient(a, q);
    B.rightCols(n_b()) = position_gradient(b, q);
    return B;
  }
  /// de/dq as a column.
  LocalVector gradient(const Configuration& q) const {
    return separation_gradient(q).transpose() * separation(q) / length;
  }
  /// d(de/dq)/dq.
  LocalMatrix curvature(const Configuration& q) const {
    const LocalGradient B = separation_gradient(q);
    const Vec3 d = separation(q);
    LocalMatrix K = B.transpose() * B;
    K.topLeftCorner(n_a(), n_a()) += geometric_stiffness(a, q, -d);
    K.bottomRightCorner(n_b(), n_b()) += geometric_stiffness(b, q, d);
    return K / length;
  }
  /// d(de/dq v)/dq as a column, v held constant.
  template <class Velocity>
  LocalVector rate_jacobian(const Configuration& q, const Velocity& v) const {
    const LocalGradient B = separation_gradient(q);
    const Vec3 rate = B * v;
    LocalGradient H(3, n_a() + n_b());
    H.leftCols(n_a()) = -support::rate_jacobian(a, q, v.head(n_a()));
    H.rightCols(n_b()) = support::rate_jacobian(b, q, v.tail(n_b()));
    return (B.transpose() * rate + H.transpose() * separation(q)) / length;
  }
};

/// A massless rigid rod: e = 0. The multiplier is the thrust (positive pushes the ends apart) for |d| = l.
class Rod : public Element, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a, b;
    double length = 1.0;
  };
  Rod(const Parameters& p, const Model&) : Element(p.name, {p.a.node, p.b.node}), e_{p.a, p.b, p.length} {}

  Index row_count() const override { return 1; }
  void residual(const Configuration& q, double, std::span<double> g) const override { g[0] = e_.value(q); }
  void gradient(const Configuration& q, double, std::span<double> G) const override {
    as_vector(G) = e_.gradient(q);
  }
  void geometric_stiffness(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const override {
    as_matrix(K, dof_count(), dof_count()) = lambda[0] * e_.curvature(q);
  }
  void rate_jacobian(const Configuration& q, double, std::span<const double> v,
                     std::span<double> H) const override {
    as_vector(H) = e_.rate_jacobian(q, as_vector(v));
  }

 private:
  Stretch e_;
};

/// A spring with damper: V = k e^2/2 + k_3 e^4/4, and the force -c de/dt along e.
class Spring : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a, b;
    double length = 1.0;
    double stiffness = 0.0;
    double cubic = 0.0;
    double damping = 0.0;
  };
  Spring(const Parameters& p, const Model&)
      : Element(p.name, {p.a.node, p.b.node}), p_(p), e_{p.a, p.b, p.length} {}

  Traits traits() const override {
    return {.depends_on_configuration = true,
            .depends_on_velocity = p_.damping != 0,
            .has_potential = true,
            .is_conservative = p_.damping == 0};
  }
  double potential_energy(const Configuration& q, double) const override {
    const double e = e_.value(q);
    return p_.stiffness * e * e / 2 + p_.cubic * e * e * e * e / 4;
  }
  void conservative_force(const Configuration& q, double, std::span<double> f) const override {
    as_vector(f) = -tension(q) * e_.gradient(q);
  }
  void force(const Motion& motion, std::span<double> f) const override {
    const LocalVector G = e_.gradient(motion.q);
    as_vector(f) = -(tension(motion.q) + p_.damping * G.dot(local(motion.v))) * G;
  }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override {
    const LocalVector G = e_.gradient(motion.q);
    const LocalVector v = local(motion.v);
    const double e = e_.value(motion.q);
    const double slope = p_.stiffness + 3 * p_.cubic * e * e;
    const LocalVector change = slope * G + p_.damping * e_.rate_jacobian(motion.q, v);
    as_matrix(K, dof_count(), dof_count()) =
        G * change.transpose() + (tension(motion.q) + p_.damping * G.dot(v)) * e_.curvature(motion.q);
    as_matrix(C, dof_count(), dof_count()) = p_.damping * G * G.transpose();
  }

 private:
  double tension(const Configuration& q) const {
    const double e = e_.value(q);
    return p_.stiffness * e + p_.cubic * e * e * e;
  }
  LocalVector local(const Vector& v) const {
    LocalVector result(dof_count());
    result.head(e_.n_a()) = v.segment(e_.a.node.v, e_.n_a());
    result.tail(e_.n_b()) = v.segment(e_.b.node.v, e_.n_b());
    return result;
  }

  Parameters p_;
  Stretch e_;
};

}  // namespace picus::support
