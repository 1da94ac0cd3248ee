#pragma once

/// Contact between a feature spanned by points of deformable bodies and a round feature of a rigid one: a line through
/// two points, with a radius rho, such as a segment of a rope or an edge of a mesh, against rims, sides, edges and
/// corners; or the plane of three points, of a triangle, against rims and corners. Lines and planes are unbounded.
///
/// The closest points (parts/closest_pair.hpp) give the unit normal n from the rigid body to the points, the closest
/// point c = sum w_i x_i of the spanned feature, sum w_i = 1, and the contact point P = c - rho n. With the rotations
/// theta_i of the nodes (frames only), those of the body theta and its position x
///
///     dg_k = e_k . (sum w_i (dx_i + theta_i x (P - c)) - dx - theta x (P - x)),    e_0 = n,
///
/// are the rows of the gradient: the rates of w_i cancel in that of the gap, and both sides have their forces at P. The
/// tangential motion over a step is that of the material point that was closest at its start, in the axes of the body,
///
///     g_T = (e_1, e_2) . R (c' - c'_n + psi x ((P' + P'_n)/2 - (c' + c'_n)/2)),   c' = R^T (sum w_i(q_n) x_i - x)
///
/// with P' = R^T (P - x) and psi = sum w_i(q_n) log(R'_i R'_i,n^T), R'_i = R^T R_i, the mean rotation of the nodes
/// relative to the body. It is zero for a common rigid motion.
///
/// Curvature: for a line with direction u and length L, and for a plane with normal m, the points move the feature as
/// the rigid motion with
///
///     omega = u x (dx_2 - dx_1)/L      or      omega = m x dm,      and the displacement dx_1 of x_1,
///
/// up to motions within itself, so that dn and dP are those of two rigid features, and dw_i follows from dc.

#include <picus/element.hpp>
#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/parts/grain.hpp>
#include <picus/elements/contacts/parts/rotation_rows.hpp>
#include <picus/elements/contacts/round_contact.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace picus {

class NodesToRoundContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    /// Two, of a line, or three, of a plane, counterclockwise as seen from outside; on different nodes.
    std::vector<MaterialPoint> points;
    double radius = 0.0;  ///< rho of the line, m, >= 0; 0 for a plane
    /// On a frame that has none of the points, or on the ground; for a plane a circle or a point without radius.
    RoundSide body;
    int side = 0;    ///< ClosestPair::side for rims that touch at two points; 0: the nearer one
    ContactLaw law;  ///< friction and restitution; drilling and rolling follow from the lengths below
    /// Anisotropic friction, with a grain of the body. Requires friction in two directions.
    std::optional<Grain> grain = std::nullopt;
    /// epsilon, m, >= 0, as for RoundContact. Requires points on frames.
    double drilling_radius = 0.0;
    /// c, m, >= 0, likewise.
    double rolling_arm = 0.0;
  };
  NodesToRoundContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// The contact point P.
  std::optional<Vec3> contact_point(const Configuration& q) const override;
  bool has_path_dependent_slip() const override { return law_.friction_directions > 0; }
  bool has_structural_zeros() const override { return false; }

 private:
  static constexpr std::size_t max_points = 3;
  static constexpr int max_dofs = 6 * (static_cast<int>(max_points) + 1);
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, max_dofs>;
  using WeightRows =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_points, max_dofs>;

  /// Positions are relative to that of the body, in inertial axes.
  struct Kinematics {
    Mat3 R = Mat3::Identity();            ///< of the body
    Vec3 x = Vec3::Zero();                ///< of the body, inertial
    std::array<Vec3, max_points> points;  ///< x_i
    std::array<double, max_points> w{};   ///< w_i
    RoundFeature spanned;                 ///< the line or the plane
    ClosestPair pair;                     ///< first the line, or the feature of the body on a plane
    Vec3 n = Vec3::UnitZ();               ///< from the body to the points
    Vec3 c = Vec3::Zero();                ///< closest point of the spanned feature
    Vec3 P = Vec3::Zero();                ///< contact point
  };
  /// Rates with respect to the local velocities.
  struct Rates {
    Rows n, P, c;
    WeightRows w;
  };
  bool is_plane() const { return count_ == 3; }
  Kinematics kinematics(const Configuration& q) const;
  Rates rates(const Configuration& q, const Kinematics& now) const;
  /// dx_i/dq
  Rows motion(const Configuration& q, std::size_t i) const;
  /// sum w_i theta_i
  Rows mean_rotation(const Configuration& q, const Kinematics& now) const;
  Rows body_motion() const;
  Rows body_rotation(const Kinematics& now) const;

  std::array<MaterialPoint, max_points> points_;
  std::array<Index, max_points> columns_{};  ///< first columns of their nodes; -1 on the ground
  std::size_t count_;
  double radius_;
  RoundSide body_;
  Index body_column_ = -1;
  int side_;
  ContactLaw law_;
  ContactDirections directions_;
  GrainRows grain_;
  RotationRows rotations_;
};

}  // namespace picus
