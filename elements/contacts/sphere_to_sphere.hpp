#pragma once

/// External contact between two spheres. With D = x_b - x_a between the centres, l = |D|, n = D/l:
///
///     g_N = l - r_a - r_b
///     g_T = (e_1, e_2) . (D(q) - exp(psi^) D(q_n)),   psi = alpha psi_a + beta psi_b
///
/// psi_i = log(R_i(q) R_i(q_n)^T) is the rotation of a sphere over the step in inertial axes, alpha = r_a/(r_a + r_b)
/// and beta = r_b/(r_a + r_b), so that g_T is the path of one centre around the other minus that of rolling. At
/// q = q_n
///
///     dg_T,k = e_k . (dD - (alpha R_a dTheta_a + beta R_b dTheta_b) x D),
///
/// the relative motion of both bodies at their common point x_a + alpha D; these are the rows of the gradient. They
/// vanish for a common rigid motion, and the forces are in equilibrium. As for SphereToFaceContact, rolling is not
/// holonomic: for q != q_n the derivative of g_T differs from G by terms of the order of psi, and for pure rolling
/// g_T is of third order in the step.
///
/// A sphere on a point node cannot rotate and cannot carry the moment of friction: it is then represented by its
/// centre, and all of psi is assigned to the other sphere (alpha or beta = 1). Two such spheres can have no friction.
///
/// Resistance to drilling and rolling (parts/rotation_rows.hpp) acts on psi_b - psi_a; the law is that of
/// SphereToFaceContact.
///
/// e_1, e_2: parts/contact_directions.hpp.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/parts/rotation_rows.hpp>
#include <picus/elements/contacts/sphere.hpp>
#include <picus/elements/point_pair.hpp>
#include <picus/model.hpp>

#include <array>
#include <string>

namespace picus {

class SphereToSphereContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    Sphere a;           ///< on a frame or a point node, or on the ground
    Sphere b;           ///< likewise, on another node; at most one of them is on the ground
    Friction mu = 0.0;  ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;   ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;   ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    /// 1 (models in the x-y plane) or 2. There is none if mu = 0.
    Index friction_directions = 2;
    /// epsilon, m, >= 0: the moment about the normal is at most mu epsilon times the normal force. 0: none. Requires
    /// friction in two directions and spheres on frame nodes or the ground.
    double drilling_radius = 0.0;
    /// c, m, >= 0: the moment against rolling is at most c times the normal force. 0: none. Requires friction and
    /// spheres on frame nodes or the ground.
    double rolling_arm = 0.0;
    /// Whether the spheres are drawn; better false for many contacts that share a sphere.
    bool drawn = true;
  };
  SphereToSphereContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  /// The point of sphere a on the line between the centres, or that of b if a is on the ground.
  std::optional<Vec3> contact_point(const Configuration& q) const override;
  bool has_path_dependent_slip() const override { return law_.friction_directions > 0; }

  /// n, e_1 and e_2 at q as columns, in inertial axes; e_2 is zero for one friction direction.
  Mat3 directions(const Configuration& q) const;

  /// Both spheres, on a frame or the ground with three great circles.
  std::vector<MaterialPoint> points() const override { return shape_.points; }
  std::vector<std::vector<Index>> polylines() const override { return shape_.polylines; }
  std::vector<DrawnSphere> spheres() const override { return shape_.spheres; }

 private:
  struct Kinematics;
  Kinematics kinematics(const Configuration& q) const;
  Vec3 relative_rotation(const Configuration& q_n, const Configuration& q) const;
  Vec3 mean_rotation(const Configuration& q_n, const Configuration& q) const;

  PointPair centres_;
  std::array<double, 2> radii_;
  std::array<double, 2> levers_{};  ///< alpha and beta
  ContactLaw law_;
  ContactDirections directions_;
  RotationRows rotations_;
  Wireframe shape_;
};

}  // namespace picus
