#pragma once

/// Contact of two features of surfaces: a point with a point, an edge or a triangle, or two edges. With their points x_i, the
/// closest ones c_a and c_b are D = c_a - c_b = sum w_i(s) x_i = l n apart (parts/closest_points.hpp), n from b to a, and
///
///     g_N = l - rho_a - rho_b
///     g_T = (e_1, e_2) . (sum w_i(s_n) x_i(q) - exp(psi^) D(q_n)),   psi = alpha psi_a + beta psi_b
///
/// The second is the way of the material points that were closest at q_n, one as seen from the other, less that of rolling;
/// psi_a and psi_b are the turns of the sides over the step, means of those of their nodes with the weights w. It is zero for a
/// common rigid motion. alpha and beta go with the radii (half where both are 0) and are 0 for a side of point nodes, which
/// cannot turn. alpha + beta = 1, so that the moments of friction balance. Where neither side turns and no radius bridges l (two
/// solids) both are 0, D(q_n) goes with the normal, and friction leaves the couple of l, which is 0 once they touch.
///
/// The free coordinates s follow from X^T D = 0, X = sum dw_i/ds x_i, and drop out of
///
///     dg_N   = n^T J dq,                                           J = sum w_i dx_i/dq
///     dg_T,k = e_k^T J dq - (D x e_k) . (alpha theta_a + beta theta_b),
///
/// the rows of the gradient. In the curvature they return, with J_s = sum dw_i/ds dx_i/dq, as
///
///     ds = -(X^T X)^-1 (X^T J + D^T J_s) dq
///     dn = -X (X^T X)^-1 (n^T J_s) dq + (I - n n^T - X (X^T X)^-1 X^T) J dq / l
///
/// where the last term vanishes in two free coordinates: there l may be zero. Rolling is not holonomic: for q != q_n the
/// derivative of g_T differs from G by terms of the size of the step's motion. Pure rolling leaves a g_T of third order.
///
/// Sharp edges of bodies with flat faces cross from outside, which a closest point alone cannot tell. `crossing` names that side:
///
///     n = +-(u x v)/|u x v|
///
/// with u and v along a and b, from their first to their second point. Closest are then the points of the lines through both, also
/// beyond the ends, l is negative where a has passed b, and no radius is needed. What is said above holds, with two free coordinates.
/// Nearly parallel lines (parts/closest_points.hpp) have no such n: there l >= 0 is the distance of the edges, as without
/// `crossing`. The gap jumps, so edges that may come this far should change their features before.
///
/// A triangle that is a piece of a larger surface may stand for its plane (`is_plane`), so that nothing changes where a point slides
/// onto the next piece; another contact is for that one.
///
/// Above a face everything is continuous where a closest point passes on to its edge and to a corner; the curvature jumps. A point
/// that goes over the border of a triangle finds the gap open: beside it, and not below; one that goes under it from there is
/// as far inside as it is below. The contact point of edges that become parallel jumps to the middle of where they overlap.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/feature.hpp>
#include <picus/elements/contacts/parts/closest_points.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/model.hpp>

#include <array>
#include <string>

namespace picus {

/// Whether n, from the edge b to the edge a, is along or against u x v of their directions from first to second point; `none` leaves it
/// to the closest points.
enum class Crossing {
  none,     ///< round edges, of which either side is outside
  along,    ///< n = u x v/|u x v|
  against,  ///< n = -u x v/|u x v|
};

class FeatureContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    Feature a;  ///< a point or an edge
    Feature
        b;  ///< a point, an edge, or a triangle for a point; of other nodes than a; not both on the ground
    /// For two edges: on which side of b a is, as edges of boxes need it. They have no ends then, and may have no radius.
    Crossing crossing = Crossing::none;
    /// For a triangle: the plane of it without borders, for a point that is over it when it touches. It passes them without a jump.
    bool is_plane = false;
    double mu = 0.0;   ///< coefficient of friction, >= 0
    double e_n = 0.0;  ///< normal restitution, in [0, 1]
    double e_t = 0.0;  ///< tangential restitution, in [0, 1]
    /// 1 (models in the plane x-y) or 2. The contact has none when mu = 0.
    Index friction_directions = 2;
    /// Whether the features are drawn; better not for each of many pairs that share one.
    bool drawn = true;
  };
  FeatureContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// c_a - alpha D, or c_b + beta D when a is on the ground: where the surfaces meet once the gap is closed.
  std::optional<Vec3> contact_point(const Configuration& q) const override;
  bool has_path_dependent_slip() const override { return law_.friction_directions > 0; }
  bool has_structural_zeros() const override { return false; }

  /// n, e_1 and e_2 at q as columns, in inertial axes; those that there are not are zero.
  Mat3 directions(const Configuration& q) const { return directions_.axes(closest_points(q).n); }

  /// Edges, triangles, and circles of the radius about their points.
  std::vector<MaterialPoint> points() const override { return shape_.points; }
  std::vector<std::vector<Index>> polylines() const override { return shape_.polylines; }

 private:
  static constexpr int most_dofs = 6 * static_cast<int>(ClosestPoints::most_points);
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, most_dofs>;
  using Weights = ClosestPoints::Weights;

  /// One of the points of both features.
  struct Place {
    MaterialPoint point;
    Index column = -1;  ///< of its node; none on the ground
  };

  void check(const Parameters& parameters, const Model& model) const;
  /// Features without an inside are not nearer than this, m: they have no normal there.
  double least_distance() const { return 1e-12 * radius_; }
  void choose_levers(const Parameters& parameters);
  bool is_of_a(std::size_t place) const { return static_cast<Index>(place) < count_a_; }
  double lever(std::size_t place) const { return levers_[is_of_a(place) ? 0 : 1]; }
  /// Weight of a point in the closest one of its side.
  double share(const Weights& w, std::size_t place) const { return is_of_a(place) ? w[place] : -w[place]; }
  ClosestPoints closest_points(const Configuration& q) const;
  /// sum w_i dx_i/dq
  Rows motion(const Configuration& q, const Weights& w) const;
  /// sum lever_i share_i dtheta_i/dq
  Rows turn(const Configuration& q, const Weights& w) const;
  /// psi
  Vec3 mean_turn(const Configuration& q_n, const Configuration& q, const Weights& w) const;

  std::array<Place, ClosestPoints::most_points> places_;  ///< those of a first
  std::size_t place_count_ = 0;
  Index count_a_ = 0;
  double radius_ = 0.0;             ///< rho_a + rho_b
  std::array<double, 2> radii_{};   ///< rho_a and rho_b
  std::array<double, 2> levers_{};  ///< alpha and beta
  Crossing crossing_ = Crossing::none;
  bool is_plane_ = false;
  ContactLaw law_;
  ContactDirections directions_;
  Wireframe shape_;
};

}  // namespace picus
