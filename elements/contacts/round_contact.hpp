#pragma once

/// Contact between two features of rigid bodies of which one is round: rims and sides of cylinders and cones against
/// points, edges, faces and each other (parts/closest_pair.hpp). In the axes of b, where n from b to a, the gap and
/// the contact point P on a depend only on the relative position x = R_b^T (x_a - x_b) and rotation R = R_b^T R_a,
/// the tangential motion
///
///     g_T = (e_1, e_2) . R_b (x - x_n + psi x ((P + P_n)/2 - (x + x_n)/2)),   psi = log(R R_n^T)
///
/// is the slip of material points at P, dx + dpsi x (P - x), integrated over the step by the trapezoidal rule. It is
/// zero for a common rigid motion, and of third order for rolling; exactly zero for rolling on a plane about an axis
/// of constant direction. With the lever arms l_a = P - x_a and l_b = P - x_b in inertial axes and e_0 = n
///
///     dg_k = e_k . (dx_a + dtheta_a x l_a - dx_b - dtheta_b x l_b)
///
/// are the rows of the gradient, for g_T at q = q_n. The curvature follows from dn and dP.
///
/// Resistance to drilling and rolling (parts/rotation_rows.hpp) acts on R_b psi.
///
/// A point node has no rotation: P is then the centre of its ball, which slides.

#include <picus/element.hpp>
#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/parts/grain.hpp>
#include <picus/elements/contacts/parts/rotation_rows.hpp>
#include <picus/model.hpp>

#include <optional>
#include <string>

namespace picus {

/// A feature of a body.
struct RoundSide {
  Node node;             ///< a frame, or a point with the feature at its origin; not valid(): the ground
  RoundFeature feature;  ///< in the axes of the node
};

class RoundContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    RoundSide a;     ///< not both on the ground, nor both on one node
    RoundSide b;     ///< a plane or any other feature; on a frame or the ground
    int side = 0;    ///< ClosestPair::side for rims that touch at two points; 0: the nearer one
    ContactLaw law;  ///< friction and restitution; drilling and rolling follow from the lengths below
    /// Anisotropic friction, with a grain of one side. Requires friction in two directions.
    std::optional<Grain> grain = std::nullopt;
    /// epsilon, m, >= 0, as for SphereToFaceContact. 0: no resistance to drilling. Requires friction in two directions,
    /// a curved side, and sides that rotate.
    double drilling_radius = 0.0;
    /// c, m, >= 0. 0: no resistance to rolling. Requires friction, a curved side, and sides that rotate.
    double rolling_arm = 0.0;
  };
  RoundContact(const Parameters& parameters, const Model& model);

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
  struct Frame {
    Mat3 R = Mat3::Identity();
    Vec3 x = Vec3::Zero();
  };
  /// The position and rotation of a in the axes of b.
  struct Kinematics {
    Mat3 R;  ///< of a
    Vec3 x;  ///< of a
    ClosestPair pair;
    Vec3 P;
  };
  static Frame frame(const Configuration& q, const Node& node);
  bool turns(const Node& node) const { return node.kind == NodeKind::frame || !node.valid(); }
  Kinematics kinematics(const Configuration& q) const;

  RoundSide a_, b_;
  int side_;
  Index column_a_ = -1;  ///< first column of a; -1 on the ground
  Index column_b_ = -1;
  ContactLaw law_;
  ContactDirections directions_;
  GrainRows grain_;
  RotationRows rotations_;
};

}  // namespace picus
