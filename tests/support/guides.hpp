#pragma once

/// Constraints that depend on time.

#include <picus/model.hpp>
#include <support/material_kinematics.hpp>

#include <cmath>

namespace picus::support {

/// A straight wire through the origin that rotates about z with the angular speed w and guides a point:
/// g = n(t) . x_P with n = (-sin wt, cos wt, 0). Without forces the bead moves according to r'' = w^2 r.
class TurningWire : public Element, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;
    double angular_speed = 1.0;
  };
  TurningWire(const Parameters& p, const Model&)
      : Element(p.name, {p.point.node}), point_(p.point), w_(p.angular_speed) {}

  Index row_count() const override { return 1; }
  bool is_rheonomic() const override { return true; }
  void residual(const Configuration& q, double t, std::span<double> g) const override {
    g[0] = normal(t).dot(point_.position(q));
  }
  void gradient(const Configuration& q, double t, std::span<double> G) const override {
    as_vector(G) = position_gradient(point_, q).transpose() * normal(t);
  }
  void geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                           std::span<double> K) const override {
    as_matrix(K, dof_count(), dof_count()) = support::geometric_stiffness(point_, q, lambda[0] * normal(t));
  }
  void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override {
    as_vector(H) = support::rate_jacobian(point_, q, as_vector(v)).transpose() * normal(t) +
                   position_gradient(point_, q).transpose() * normal_rate(t);
  }
  void partial_rate(const Configuration& q, double t, std::span<double> g_t) const override {
    g_t[0] = normal_rate(t).dot(point_.position(q));
  }

 private:
  Vec3 normal(double t) const { return {-std::sin(w_ * t), std::cos(w_ * t), 0}; }
  Vec3 normal_rate(double t) const { return -w_ * Vec3(std::cos(w_ * t), std::sin(w_ * t), 0); }

  MaterialPoint point_;
  double w_;
};

/// The coordinate of a point along a direction follows a prescribed motion: g = n . x_P - s(t).
class LedCoordinate : public Element, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;
    Vec3 direction = Vec3::UnitX();
    PrescribedMotion motion = {};
  };
  LedCoordinate(const Parameters& p, const Model&) : Element(p.name, {p.point.node}), p_(p) {}

  Index row_count() const override { return 1; }
  bool is_rheonomic() const override { return true; }
  void residual(const Configuration& q, double t, std::span<double> g) const override {
    g[0] = p_.direction.dot(p_.point.position(q)) - p_.motion.displacement(t);
  }
  void gradient(const Configuration& q, double, std::span<double> G) const override {
    as_vector(G) = position_gradient(p_.point, q).transpose() * p_.direction;
  }
  void geometric_stiffness(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const override {
    as_matrix(K, dof_count(), dof_count()) =
        support::geometric_stiffness(p_.point, q, lambda[0] * p_.direction);
  }
  void rate_jacobian(const Configuration& q, double, std::span<const double> v,
                     std::span<double> H) const override {
    as_vector(H) = support::rate_jacobian(p_.point, q, as_vector(v)).transpose() * p_.direction;
  }
  void partial_rate(const Configuration&, double t, std::span<double> g_t) const override {
    g_t[0] = -p_.motion.rate(t);
  }

 private:
  Parameters p_;
};

}  // namespace picus::support
