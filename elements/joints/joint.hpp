#pragma once

/// The common part of all joints. A joint is a list of parts (elements/joints/parts) between two ends A and B, whose
/// equations g(q) = 0 follow one another in the order of the parts. The source of a joint lists its parts; everything
/// else that an element does with its equations is done here.
///
/// An end is a point of a body, given by a frame node and an offset in its axes, or a point of the ground, given by
/// MaterialPoint::on_ground(); joints that do not constrain rotations also accept point nodes. Directions are given
/// in the inertial frame at the start, and relative orientations are those of the start. The points need not coincide
/// at the start; the solution of the equations brings them together.
///
/// Local layout: the components of A (none for the ground), of B, and of the scalar nodes of coordinates.

#include <picus/checks.hpp>
#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/joints/parts/joint_end.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

struct JointPart;
struct RotationPair;

class Joint : public Element, public BilateralConstraint, public Drawable {
 public:
  ~Joint() override;

  Index row_count() const override { return row_count_; }
  void residual(const Configuration& q, double t, std::span<double> g) const override;
  void gradient(const Configuration& q, double t, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                           std::span<double> K) const override;
  void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override;

  /// rad for angles, m for displacements.
  std::string_view unit_of(const Node& scalar) const override;

  /// Lines from both nodes to the joint's points, and between the two points.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override;

 protected:
  /// What the points of a joint may be attached to, besides the ground.
  enum class Ends : std::uint8_t {
    frames,            ///< frame nodes
    frames_or_points,  ///< frame or point nodes
  };
  /// An optional scalar node given by the user, and its role in the joint ("angle").
  struct Scalar {
    std::string_view what;           ///< as messages call it: "angle"
    std::optional<ScalarNode> node;  ///< none: the coordinate has no node
  };
  /// `kind` is the name of the joint type in messages, "hinge", and must outlive the joint.
  Joint(std::string_view kind, const std::string& name, const MaterialPoint& a, const MaterialPoint& b,
        Ends allowed, const Model& model, const std::vector<Scalar>& scalars = {});

  /// The subject of messages.
  Culprit who() const { return {kind_, name()}; }
  /// Positions and rotations of both ends at q.
  JointKinematics kinematics(const Configuration& q) const;
  /// Scalar number i of the constructor's list.
  const JointScalar& scalar(std::size_t i) const { return scalars_[i]; }

  /// Appends the equations of a part (elements/joints/parts/joint_part.hpp); for constructors.
  void add(const JointPart& part);
  /// B keeps its orientation relative to A: a_1 . b_2 = a_2 . b_3 = a_3 . b_1 = 0 with the axes a_i of A and
  /// directions b_i of B that lie along them at the start. Near the solution the gradients are the axes a_3, a_1,
  /// a_2: full rank.
  void lock_rotation(const JointKinematics& start);
  /// The direction axes.col(2) of A stays fixed in B: t_1 . axis_B = t_2 . axis_B = 0.
  void align_axis(const JointKinematics& start, const Mat3& axes);
  /// The point of B stays on the line through the point of A along axes.col(2).
  void keep_on_line(const Mat3& axes);

  /// The right-handed triad (t_1, t_2, axis) in the axes of A, for an axis in the inertial frame at the start. If
  /// `tangent` is given, t_1 is its component perpendicular to the axis.
  Mat3 triad(const JointKinematics& start, const Vec3& axis,
             const std::optional<Vec3>& tangent = std::nullopt) const;

  /// At most two frames and three scalar nodes.
  static constexpr std::size_t max_dofs = 15;
  /// The velocities of the joint's nodes, in the local layout.
  std::array<double, max_dofs> local_velocity(ConstVectorRef v) const;

 private:
  /// Calls action(part, index of its first row) for all parts.
  template <class Action>
  void for_each_part(Action&& action) const;

  std::string_view kind_;
  JointEnd a_;
  JointEnd b_;
  std::vector<JointScalar> scalars_;
  std::vector<JointPart> parts_;
  Index row_count_ = 0;
};

}  // namespace picus
