#pragma once

/// Ties a node to a point of a ReducedBody, so that every joint, force and contact can act there:
///
///     x_N - x - R (X + Phi eta) = 0                                         3 equations
///     axial(Q) = 0,  Q = (R A exp((Psi eta)^))^T R_N                        3 equations, none if the node is a point
///
/// with X, A, Phi and Psi of the ReducedPoint, and axial(Q) = (Q_32 - Q_23, Q_13 - Q_31, Q_21 - Q_12)/2. The node needs
/// no mass.

#include <picus/drawable.hpp>
#include <picus/elements/reduced/reduced_body.hpp>

namespace picus {

class ReducedAttachment : public Element, public BilateralConstraint, public Drawable {
 public:
  struct Parameters {
    std::string name;
    const ReducedBody* body = nullptr;  ///< the body to which the node is attached
    std::string point;                  ///< name of an interface or node of its basis
    Node node;  ///< a frame if its orientation is to follow (frames of the basis only), or a point
  };
  ReducedAttachment(const Parameters& parameters, const Model& model);

  /// The interface or node of the basis.
  const ReducedPoint& point() const { return point_; }

  Index row_count() const override { return turns_ ? 6 : 3; }
  void residual(const Configuration& q, double t, std::span<double> g) const override;
  void gradient(const Configuration& q, double t, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                           std::span<double> K) const override;
  void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override;

  /// A line from the frame of the body to the node.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  struct Kinematics;

  ReducedPoint point_;
  FrameNode frame_;
  std::vector<ScalarNode> coordinates_;
  Node node_;
  bool turns_;
};

}  // namespace picus
