#pragma once

/// Anisotropic friction on a surface with a grain, such as wood or brushed metal, for normals in any direction.
///
/// d is the unit direction of the grain in inertial axes, which turns with its body. With c = n x d, the tangent across
/// the grain, whose length is the sine of the angle between normal and grain, and a tangent e of the contact
///
///     w = e + (a - 1) c (c . e)
///
/// is the row of friction: along the grain the coefficient is mu, across it mu (1 + (a - 1) |c|^2), thus a mu where the
/// grain lies in the surface, and mu in all directions where it enters the surface at a right angle (end grain).
/// Friction lies in an ellipse, with the slip normal to it. For f = sum p_k e_k the friction is
/// F = f + (a - 1) c (c . f), with
///
///     dF = df + (a - 1) ((c . f) dc + c (f . dc) + c (c . df)),      dc = dn x d + n x dd,      dd = dtheta x d.

#include <picus/checks.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/material_point.hpp>

#include <optional>
#include <span>

namespace picus {

/// A grain of one side of a contact.
struct Grain {
  Node node;                      ///< frame of the body whose rotation it follows; not valid(): the ground
  Vec3 direction = Vec3::Zero();  ///< in the axes of the node, any length but zero
  double anisotropy = 1.0;        ///< a > 0: coefficient across the grain over that along it
};

class GrainRows {
 public:
  /// Without a grain.
  GrainRows() = default;
  /// With a grain, if one is given, of one of the contact's nodes or of the ground, in the order of its velocities.
  /// Throws ModelError for a node that is no frame of the contact, a direction of no length, a <= 0, and for a != 1
  /// unless friction has two directions.
  GrainRows(const Culprit& who, const std::optional<Grain>& grain, std::span<const Node> nodes,
            Index friction_directions);

  /// Whether friction depends on the direction.
  bool is_given() const { return excess_ != 0.0; }
  /// The row w for the tangent e, with the normal n.
  Vec3 row(const Configuration& q, const Vec3& n, const Vec3& e) const;
  /// The friction F, and its derivatives with respect to n and to the rotation of the body.
  struct Friction {
    Vec3 force;
    Mat3 gradient;
    Mat3 turn;  ///< dF/dTheta
  };
  /// From f and df/dn.
  Friction friction(const Configuration& q, const Vec3& n, const ContactDirections::Friction& plain) const;
  /// Column of the body's first rotation component; -1 on the ground.
  Index column() const { return column_; }

 private:
  Vec3 direction(const Configuration& q) const;

  Node node_;
  Vec3 direction_ = Vec3::Zero();  ///< unit, in the axes of the node
  double excess_ = 0.0;            ///< a - 1
  Index column_ = -1;
};

}  // namespace picus
