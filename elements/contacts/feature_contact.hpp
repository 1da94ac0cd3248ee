#pragma once

/// Contact between two features: a point and a point, an edge or a triangle, or two edges. With the points x_i of
/// both features, the closest points c_a and c_b are separated by D = c_a - c_b = sum w_i(s) x_i = l n
/// (parts/closest_points.hpp), where n points from b to a, and
///
///     g_N = l - rho_a - rho_b
///     g_T = (e_1, e_2) . (sum w_i(s_n) x_i(q) - exp(psi^) D(q_n)),   psi = alpha psi_a + beta psi_b
///
/// g_T is the relative displacement of the material points that were closest at q_n, minus the part due to rolling;
/// psi_a and psi_b are the rotations of the two sides over the step, averaged over their nodes with the weights w. It
/// is zero for a common rigid motion. alpha and beta are proportional to the radii (1/2 each if both radii are 0),
/// and 0 for a side of point nodes, which cannot rotate. alpha + beta = 1, so that the moments of friction balance.
/// If neither side can rotate and l is not bridged by radii (two solids), both are 0, D(q_n) is taken along the
/// normal, and friction leaves an unbalanced couple with arm l, which vanishes once they touch.
///
/// The free coordinates s follow from X^T D = 0, X = sum dw_i/ds x_i, and cancel in
///
///     dg_N   = n^T J dq,                                           J = sum w_i dx_i/dq
///     dg_T,k = e_k^T J dq - (D x e_k) . (alpha theta_a + beta theta_b),
///
/// the rows of the gradient. In the curvature they reappear: with J_s = sum dw_i/ds dx_i/dq,
///
///     ds = -(X^T X)^-1 (X^T J + D^T J_s) dq
///     dn = -X (X^T X)^-1 (n^T J_s) dq + (I - n n^T - X (X^T X)^-1 X^T) J dq / l
///
/// where the last term vanishes for two free coordinates: there l may be zero. Rolling is not holonomic: for q != q_n
/// the derivative of g_T differs from G by terms of the order of the motion in the step. Pure rolling leaves a g_T of
/// third order in the step.
///
/// Resistance to drilling and rolling (parts/rotation_rows.hpp) acts on psi_a - psi_b. It is that of a small area
/// between rounded surfaces: sharp features, which touch in a point, have none, and both sides must rotate. With
/// m = sum of the moments of these rows and T_ab the rows of psi_a - psi_b, T_ab^T m is added to G^T p.
///
/// Sharp edges of bodies with flat faces cross from outside, which the closest points alone cannot determine.
/// `crossing` specifies the side:
///
///     n = +-(u x v)/|u x v|
///
/// with u and v along a and b, from the first to the second point. The closest points are then those of the infinite
/// lines through both edges, l is negative where a has passed through b, and no radius is needed. Everything above
/// holds, with two free coordinates. Nearly parallel lines (parts/closest_points.hpp) have no such n: for them l >= 0
/// is the distance between the edges, as without `crossing`. The gap then jumps, so edges that may become parallel
/// should be replaced by other features before.
///
/// A triangle that is part of a larger surface may represent its whole plane (`is_plane`), so that nothing changes
/// when a point slides onto the adjacent triangle, which has a contact of its own.
///
/// Above a face the gap and its gradient are continuous where the closest point passes to an edge and to a corner;
/// the curvature jumps. Below a triangle the gap jumps at the boundary: it is minus the depth for a point under the
/// triangle, and positive for a point beside it. The contact point of edges that become parallel jumps to the middle
/// of their overlap.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/feature.hpp>
#include <picus/elements/contacts/parts/closest_points.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/parts/grain.hpp>
#include <picus/elements/contacts/parts/rotation_rows.hpp>
#include <picus/model.hpp>

#include <array>
#include <optional>
#include <string>

namespace picus {

/// Orientation of n, which points from edge b to edge a, relative to u x v, the product of their directions from the
/// first to the second point; `none` derives it from the closest points.
enum class Crossing {
  none,     ///< rounded edges, which may be on either side of each other
  along,    ///< n = u x v/|u x v|
  against,  ///< n = -u x v/|u x v|
};

class FeatureContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    Feature a;  ///< a point or an edge
    Feature b;  ///< a point, an edge, or a triangle for a point a; on other nodes; not both on the ground
    /// For two edges: the side of b on which a lies, needed for edges of boxes. Both are then infinite lines, and may
    /// have zero radius.
    Crossing crossing = Crossing::none;
    /// For a triangle: its infinite plane, for a point that is over the triangle when it touches; the gap has no jump
    /// at the boundary.
    bool is_plane = false;
    Friction mu = 0.0;  ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;   ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;   ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    /// 1 (models in the x-y plane) or 2. There is none if mu = 0.
    Index friction_directions = 2;
    /// Anisotropic friction, with a grain of one side (parts/grain.hpp). Requires friction in two directions.
    std::optional<Grain> grain = std::nullopt;
    /// epsilon, m, >= 0, as for SphereToFaceContact: the moment about the normal is at most mu epsilon times the normal
    /// force. 0: none. Requires friction in two directions, a radius, and sides that rotate.
    double drilling_radius = 0.0;
    /// c, m, >= 0: the moment against rolling is at most c times the normal force. 0: none. Requires friction, a
    /// radius, and sides that rotate.
    double rolling_arm = 0.0;
    /// Whether the features are drawn; better false for many contacts that share a feature.
    bool drawn = true;
  };
  FeatureContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// c_a - alpha D, or c_b + beta D if a is on the ground: the contact point when the gap is closed.
  std::optional<Vec3> contact_point(const Configuration& q) const override;
  bool has_path_dependent_slip() const override { return law_.friction_directions > 0; }
  bool has_structural_zeros() const override { return false; }

  /// n, e_1 and e_2 at q as columns, in inertial axes, without a grain; absent directions are zero.
  Mat3 directions(const Configuration& q) const { return directions_.axes(closest_points(q).n); }

  /// Edges, triangles, and spheres with the radius about their points.
  std::vector<MaterialPoint> points() const override { return shape_.points; }
  std::vector<std::vector<Index>> polylines() const override { return shape_.polylines; }
  std::vector<DrawnSphere> spheres() const override { return shape_.spheres; }

 private:
  static constexpr int max_dofs = 6 * static_cast<int>(ClosestPoints::max_points);
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, max_dofs>;
  using Weights = ClosestPoints::Weights;

  /// A point of one of the two features.
  struct Vertex {
    MaterialPoint point;
    Index column = -1;  ///< first column of its node; -1 on the ground
  };

  void check(const Parameters& parameters, const Model& model) const;
  /// Below this distance, m, features without an inside have no normal.
  double least_distance() const { return 1e-12 * radius_; }
  void choose_levers(const Parameters& parameters);
  bool is_of_a(Index vertex) const { return vertex < count_a_; }
  double lever(Index vertex) const { return levers_[is_of_a(vertex) ? 0 : 1]; }
  /// Weight of a point in the closest point of its own side.
  double share(const Weights& w, Index vertex) const { return is_of_a(vertex) ? w[vertex] : -w[vertex]; }
  ClosestPoints closest_points(const Configuration& q) const;
  /// sum w_i dx_i/dq
  Rows motion(const Configuration& q, const Weights& w) const;
  /// sum lever_i share_i dtheta_i/dq
  Rows rotation_rows(const Configuration& q, const Weights& w) const;
  /// The mean rotation psi.
  Vec3 mean_rotation(const Configuration& q_n, const Configuration& q, const Weights& w) const;
  /// sum w_i dtheta_i/dq, of psi_a - psi_b.
  Rows relative_rotation_rows(const Configuration& q, const Weights& w) const;
  /// psi_a - psi_b
  Vec3 relative_rotation(const Configuration& q_n, const Configuration& q, const Weights& w) const;

  std::array<Vertex, ClosestPoints::max_points> vertices_;  ///< those of a first
  Index vertex_count_ = 0;
  Index count_a_ = 0;
  double radius_ = 0.0;             ///< rho_a + rho_b
  std::array<double, 2> radii_{};   ///< rho_a and rho_b
  std::array<double, 2> levers_{};  ///< alpha and beta
  Crossing crossing_ = Crossing::none;
  bool is_plane_ = false;
  ContactLaw law_;
  ContactDirections directions_;
  GrainRows grain_;
  RotationRows rotations_;
  Wireframe shape_;
};

}  // namespace picus
