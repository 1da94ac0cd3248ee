#pragma once

/// Contact between a sphere and a plane face. They touch at the point C = S - r n below the centre S.
///
///     g_N = N . (D(q) - P) - r                                       D = R_A^T (x_S - x_A)
///     g_T = (T_1, T_2) . (D(q) - D(q_n) - psi x r N),   psi = log(R_rel(q) R_rel(q_n)^T),   R_rel = R_A^T R_S
///
/// psi is the rotation of the sphere over the step relative to the face, so that g_T is the displacement of the
/// centre minus that of rolling. At q = q_n
///
///     dg_T,k = T_k . dD - r (N x T_k) . (R_A^T R_S dTheta_S - dTheta_A),
///
/// the motion of the material point of the sphere at C, in the axes of the face; these are the rows of the gradient.
/// Rolling is not holonomic: no g_T(q_n, q) has that derivative for all q. For q != q_n the derivative of g_T differs
/// from G by terms of the order of psi, and for pure rolling g_T is of third order in the step (exactly zero for an
/// axis of constant direction).
///
/// A sphere on a point node has no rotation and does not roll: its surface moves with its centre relative to the
/// face.
///
/// Two moments that a point contact cannot transmit, but the small contact area of real bodies does:
///
///     drilling    g = epsilon N . psi             one more row in the sliding cone: |(P_T, M_N / epsilon)| <= mu P_N
///     rolling     g_k = c/mu (N x T_k) . psi      a separate cone: |M_R| <= c P_N
///
/// The first is the Coulomb-Contensou law with an ellipsoid instead of the surface given by the integrals over the
/// contact disc (Leine and Glocker 2003, A set-valued force law for spatial Coulomb-Contensou friction): both agree
/// for pure sliding, and for pure drilling if epsilon = 2/3 a (uniform pressure on a disc of radius a) or 3 pi/16 a
/// (Hertz pressure). The second is the resistance of a rolling body whose normal force acts at a distance c ahead of
/// its centre.
///
/// Gradients of the centre: parts/point_on_face.hpp. Rolling adds to G^T p, with m = r N x sum p_k T_k - sum p_j
/// (rows of drilling and rolling), the terms -R_S^T R_A m in the rows of the slave's Omega and m in those of the
/// master's.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/parts/point_on_face.hpp>
#include <picus/elements/contacts/sphere.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class SphereToFaceContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint centre;  ///< S, on a frame or a point node
    double radius = 0.0;   ///< r, m, > 0
    Face face;             ///< on another node than the sphere
    Friction mu = 0.0;     ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;      ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;      ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    /// 1 (along the tangent, for planar models) or 2. There is none if mu = 0.
    Index friction_directions = 2;
    /// epsilon, m, >= 0: the moment about the normal is at most mu epsilon times the normal force. 0: none. Requires
    /// friction in two directions and a frame node.
    double drilling_radius = 0.0;
    /// c, m, >= 0: the moment against rolling is at most c times the normal force. 0: none. Requires friction and a
    /// frame node.
    double rolling_arm = 0.0;
    /// a > 0: along T_2 the coefficient is a mu, as for NodeToFaceContact. Requires friction in two directions. Resistance
    /// to drilling and rolling has no directions.
    double anisotropy = 1.0;
  };
  SphereToFaceContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// The point of the sphere nearest to the face, or deepest in it.
  std::optional<Vec3> contact_point(const Configuration& q) const override;
  bool has_path_dependent_slip() const override { return rolls_; }

  /// N, T_1 and T_2 as columns, in the axes of the master; T_2 times the anisotropy.
  const Mat3& directions() const { return place_.directions; }

  /// The sphere, on a frame with three great circles.
  std::vector<MaterialPoint> points() const override { return shape_.points; }
  std::vector<std::vector<Index>> polylines() const override { return shape_.polylines; }
  std::vector<DrawnSphere> spheres() const override { return shape_.spheres; }

 private:
  void add_rotation_rows(const Parameters& parameters);
  Mat3 relative_rotation(const Configuration& q) const;

  PointOnFace place_;  ///< for the centre
  double r_;
  ContactLaw law_;
  bool rolls_;
  std::vector<Vec3> rotation_rows_;  ///< drilling and rolling: times the rotation in the axes of the face, m
  Wireframe shape_;
};

}  // namespace picus
