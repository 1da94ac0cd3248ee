#pragma once

/// Contact of a material point with a plane face (Galvez 2020, section 4.1).
///
///     d(q) = R_A^T (x_S - x_A) - P              slave point S in the axes of the master A, from the point P
///     g_N  = N . d(q)                           eq. 4.12
///     g_T  = (T_1, T_2) . (d(q) - d(q_n))       eq. 4.13
///
/// On the ground R_A = I and x_A = 0. With e_k = R_A E_k the row of E_k = N, T_1, T_2 is (eq. 4.27 and 4.33,
/// here also for a slave point at X in the axes of its frame R_S)
///
///     G_k = [ e_k^T   (X x R_S^T e_k)^T   -e_k^T   (E_k x D)^T ],   D = d + P,
///
/// in the order slave, master. For w = sum p_k E_k the derivatives of G^T p (eq. 4.37 and 4.38) are, with
/// F = R_A w, in the rows of
///
///     slave u, and with the other sign master u:   -R_A w^ dTheta_A
///     slave Omega:    X^ (R_S^T F)^ dTheta_S - X^ R_S^T R_A w^ dTheta_A
///     master Omega:   w^ R_A^T (dx_S - R_S X^ dTheta_S - dx_A) + w^ D^ dTheta_A

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <optional>
#include <string>

namespace picus {

/// A plane face of a body or of the ground. It has no borders.
struct Face {
  std::optional<FrameNode> node = std::nullopt;  ///< the body; none: the ground
  Vec3 point = Vec3::Zero();   ///< P, any of the plane, in the axes of the node (inertial on the ground), m
  Vec3 normal = Vec3::Zero();  ///< from the body to the free side, same axes, of any length but zero
  /// T_1 is the part of it in the plane; T_2 = N x T_1. By default normal x z, which for a normal in the
  /// plane x-y is in that plane too, or the part of x in the face if the normal is along z.
  std::optional<Vec3> tangent = std::nullopt;
};

class NodeToFaceContact : public Element, public Contact, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint slave;
    Face face;         ///< of another node than the slave's
    double mu = 0.0;   ///< coefficient of friction, >= 0
    double e_n = 0.0;  ///< normal restitution, in [0, 1]
    double e_t = 0.0;  ///< tangential restitution, in [0, 1]
    /// 1 (along the tangent, for planar models) or 2. The contact has none when mu = 0.
    Index friction_directions = 2;
  };
  NodeToFaceContact(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void gap(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void curvature(const Configuration& q, std::span<const double> p, std::span<double> K) const override;

  /// N, T_1 and T_2 as columns, in the axes of the master.
  const Mat3& directions() const { return directions_; }

  /// A line from the slave's node to the slave point; the face has no borders to draw.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  Vec3 slave_in_master(const Configuration& q) const;

  MaterialPoint slave_;
  Node master_;  ///< invalid on the ground
  Vec3 P_;
  Mat3 directions_;
  ContactLaw law_;
};

}  // namespace picus
