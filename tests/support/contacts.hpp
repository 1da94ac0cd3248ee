#pragma once

/// Contacts of a material point with a plane at rest and with a face that moves with a frame.

#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/material_kinematics.hpp>

namespace picus::support {

/// Normal and two tangents as columns; the first `rows` of them are the rows of a contact.
inline Mat3 axes_of(const Vec3& normal) {
  Mat3 axes;
  axes.col(0) = normal.normalized();
  axes.col(1) = axes.col(0).unitOrthogonal();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

/// A point above the plane through `origin`: g_N = n . (x_P - origin).
class PlaneContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;
    Vec3 origin = Vec3::Zero();
    Mat3 axes = Mat3::Identity();  ///< normal, first and second friction direction as columns
    ContactLaw law = {};
  };
  PlaneContact(const Parameters& p, const Model&) : Element(p.name, {p.point.node}), p_(p) {}

  const ContactLaw& law() const override { return p_.law; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override {
    const Vec3 x = p_.point.position(q);
    const Vec3 motion = p_.axes.transpose() * (x - p_.point.position(q_n));
    g[0] = p_.axes.col(0).dot(x - p_.origin);
    for (Index i = 1; i < row_count(); ++i) g[i] = motion[i];
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    as_matrix(G, row_count(), dof_count()) =
        p_.axes.leftCols(row_count()).transpose() * position_gradient(p_.point, q);
  }
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override {
    as_matrix(K, dof_count(), dof_count()) =
        support::geometric_stiffness(p_.point, q, p_.axes.leftCols(row_count()) * as_vector(p));
  }

 private:
  Parameters p_;
};

/// A slave point above a face of a master frame. With y = R^T (x_P - x) in the axes of the master:
/// g_N = n . y - height, g_T = t . (y(q) - y(q_n)).
class FaceContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;
    FrameNode face;
    double height = 0.0;
    Mat3 axes = Mat3::Identity();  ///< in the axes of the master
    ContactLaw law = {};
  };
  FaceContact(const Parameters& p, const Model&) : Element(p.name, {p.point.node, p.face}), p_(p) {}

  const ContactLaw& law() const override { return p_.law; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override {
    const Vec3 y = p_.axes.transpose() * relative(q);
    const Vec3 motion = y - p_.axes.transpose() * relative(q_n);
    g[0] = y[0] - p_.height;
    for (Index i = 1; i < row_count(); ++i) g[i] = motion[i];
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    as_matrix(G, row_count(), dof_count()) = p_.axes.leftCols(row_count()).transpose() * relative_gradient(q);
  }
  /// G^T p = [A^T R P; -R P; P x y] with P = axes p.
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> storage) const override {
    auto K = as_matrix(storage, dof_count(), dof_count());
    const Vec3 P = p_.axes.leftCols(row_count()) * as_vector(p);
    const Mat3 R = q.rotation(p_.face);
    const Mat3 turn = R * so3::skew(P);
    const Index n = p_.point.dof_count();
    K.topLeftCorner(n, n) = support::geometric_stiffness(p_.point, q, R * P);
    K.topRightCorner(n, 3) = -position_gradient(p_.point, q).transpose() * turn;
    K.block<3, 3>(n, n + 3) = turn;
    K.bottomRows<3>() = so3::skew(P) * relative_gradient(q);
  }

 private:
  Vec3 relative(const Configuration& q) const {
    return q.rotation(p_.face).transpose() * (p_.point.position(q) - q.position(p_.face));
  }
  /// dy = R^T (A dq - dx) + y x dTheta.
  LocalGradient relative_gradient(const Configuration& q) const {
    const Mat3 R = q.rotation(p_.face);
    LocalGradient result(3, dof_count());
    result.leftCols(p_.point.dof_count()) = R.transpose() * position_gradient(p_.point, q);
    result.middleCols<3>(p_.point.dof_count()) = -R.transpose();
    result.rightCols<3>() = so3::skew(relative(q));
    return result;
  }

  Parameters p_;
};

}  // namespace picus::support
