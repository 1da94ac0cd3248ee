#pragma once

/// Two material points A and B, their separation, and the layout of its derivatives.
///
///     D = x_B - x_A,   dD = G dq,   G = [ -I   R_A X_A^   I   -R_B X_B^ ]
///
/// Matrices have twelve columns, as for two frames; write() drops those that a point node or the ground does not
/// have. All sizes are fixed, so that nothing is allocated.

#include <picus/checks.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus {

class PointPair {
 public:
  using Rows = Eigen::Matrix<double, 3, 12>;
  using Column = Eigen::Matrix<double, 12, 1>;
  using Square = Eigen::Matrix<double, 12, 12>;

  PointPair(const MaterialPoint& a, const MaterialPoint& b) : a_(a), b_(b) {}

  const MaterialPoint& a() const { return a_; }
  const MaterialPoint& b() const { return b_; }

  /// The nodes of the two points, without the ground.
  std::vector<Node> nodes() const;

  /// Throws ModelError unless A and B are points of two bodies, or of a body and the ground.
  void require(const Culprit& who, const Model& model, const std::string& a = "a",
               const std::string& b = "b") const;

  Vec3 separation(const Configuration& q) const;
  /// dD/dt
  Vec3 rate(const Motion& motion) const;

  /// G
  Rows gradient(const Configuration& q) const;

  /// Adds d(G^T w)/dq, w held constant.
  void add_geometric_stiffness(const Configuration& q, const Vec3& w, Square& K) const;

  /// d(G v)/dq, the velocities held constant.
  Rows rate_jacobian(const Motion& motion) const;

  void write(const Column& column, std::span<double> f) const;
  void write(const Square& square, std::span<double> K) const;
  /// Writes one row of a matrix with `rows` rows.
  void write_row(const Column& values, Index row, Index rows, std::span<double> G) const;

 private:
  static Mat3 turning_rate(const Motion& motion, const MaterialPoint& point);

  MaterialPoint a_;
  MaterialPoint b_;
};

}  // namespace picus
