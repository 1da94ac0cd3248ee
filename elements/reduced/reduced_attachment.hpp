#pragma once

/// Ties a node to a point of a ReducedBody, so that every joint, force and contact can act there:
///
///     x_N - x - R y = 0                               3 equations
///     axial(Q) = 0,  Q = (R A exp(theta^))^T R_N      3 equations, none if the node is a point
///
/// with y = X + Phi eta and theta = Psi eta plus terms of second order (ReducedPoint::stiffening), and
/// axial(Q) = (Q_32 - Q_23, Q_13 - Q_31, Q_21 - Q_12)/2. The terms of second order are what makes the reaction stiffen
/// the body. The node needs no mass.

#include <picus/drawable.hpp>
#include <picus/elements/reduced/reduced_body.hpp>
#include <picus/load_limited.hpp>

namespace picus {

class ReducedAttachment : public Element, public BilateralConstraint, public LoadLimited, public Drawable {
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
  void residual(const Configuration& q, double t, std::span<double> storage) const override;
  void gradient(const Configuration& q, double t, std::span<double> storage) const override;
  void geometric_stiffness(const Configuration& q, double t, std::span<const double> multipliers,
                           std::span<double> storage) const override;
  void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> storage) const override;

  /// Reports a reaction beyond the largest force or moment of the basis, where the point has no stiffening.
  std::string overload(std::span<const double> lambda) const override;

  /// A line from the frame of the body to the node.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  struct Kinematics;
  /// Subtracts the parts of second order that belong to stiffening[first + c] from rows c of a derivative, and half
  /// their product with eta from a value.
  void add_second_order(std::size_t first, const Eigen::Ref<const Vector>& eta,
                        Eigen::Ref<Eigen::Matrix3Xd> rows, Vec3* value) const;
  void add_stiffening(std::size_t first, const Vec3& load, Eigen::Ref<Eigen::MatrixXd> K) const;

  std::shared_ptr<const ReducedBasis> basis_;
  ReducedPoint point_;
  FrameNode frame_;
  std::vector<ScalarNode> coordinates_;
  Node node_;
  bool turns_;
};

}  // namespace picus
