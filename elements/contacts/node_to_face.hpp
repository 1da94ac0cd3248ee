#pragma once

/// Contact of a material point with a plane face (Galvez 2020, section 4.1).
///
///     g_N  = N . (D(q) - P)                     eq. 4.12
///     g_T  = (T_1, T_2) . (D(q) - D(q_n))       eq. 4.13
///
/// with D = R_A^T (x_S - x_A) the slave point S in the axes of the master A (the inertial ones on the ground).
/// Gradients and curvature: parts/point_on_face.hpp.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/parts/point_on_face.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class NodeToFaceContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint slave;  ///< the contact point, on a node, or on the ground for a face of a body
    Face face;            ///< on another node than the slave
    Friction mu = 0.0;    ///< coefficient of friction, >= 0, or a law (friction_law.hpp)
    double e_n = 0.0;     ///< normal coefficient of restitution, in [0, 1]
    double e_t = 0.0;     ///< tangential coefficient of restitution, in [0, 1]
    /// The impact law to which e_n refers: Newton's, Poisson's, or that of Liu, Zhao and Brogliato.
    ImpactLaw impact_law = {};
    /// 1 (along the tangent, for planar models) or 2. There is none if mu = 0.
    Index friction_directions = 2;
    /// a > 0: along T_2 the coefficient is a mu, and friction lies in an ellipse with the slip normal to it, as where it
    /// dissipates most. The row of T_2 is then a times the displacement, with a force that is the friction over a.
    double anisotropy = 1.0;
  };
  NodeToFaceContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;
  std::optional<Vec3> contact_point(const Configuration& q) const override {
    return place_.slave.position(q);
  }

  /// N, T_1 and T_2 as columns, in the axes of the master; T_2 times the anisotropy.
  const Mat3& directions() const { return place_.directions; }

  /// A line from the slave's node to the slave point; the face is unbounded and not drawn.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  PointOnFace place_;
  ContactLaw law_;
};

}  // namespace picus
