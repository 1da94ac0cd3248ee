#pragma once

/// A plane face of a body or of the ground, the master side of a contact.

#include <picus/checks.hpp>
#include <picus/element.hpp>
#include <picus/model.hpp>

#include <optional>
#include <string_view>

namespace picus {

/// An unbounded plane.
struct Face {
  std::optional<FrameNode> node = std::nullopt;  ///< the body; none: the ground
  Vec3 point = Vec3::Zero();   ///< P, any of its points, in the axes of the node (inertial on the ground), m
  Vec3 normal = Vec3::Zero();  ///< outward, same axes, any length but zero
  /// T_1 is the component of this vector in the plane; T_2 = N x T_1. By default normal x z, which for a normal in
  /// the x-y plane also lies in that plane, or the component of x in the face if the normal is along z.
  std::optional<Vec3> tangent = std::nullopt;
};

/// N, T_1 and T_2 as columns. Throws ModelError unless the face has a normal, a tangent not parallel to it, a finite
/// point and a node of the model.
Mat3 checked_directions(const Culprit& who, const Face& face, const Model& model);

/// The contact law with these parameters, frictionless if mu = 0. Throws ModelError unless mu >= 0 (of a law of
/// friction at speeds from 0 to 1000 m/s), e_n and e_t lie in [0, 1], friction_directions is 1 or 2 and the impact
/// law is valid.
ContactLaw checked_law(const Culprit& who, const Friction& mu, double e_n, double e_t,
                       Index friction_directions, const ImpactLaw& impact = {});

/// The same with resistance to drilling and rolling if the lengths (m) are not zero. Throws ModelError unless they
/// are >= 0 and, if they are not zero, the contact has friction with a constant coefficient, for drilling in two
/// directions.
ContactLaw checked_law(const Culprit& who, const ContactLaw& sliding, double drilling_radius,
                       double rolling_arm);

/// What resistance to drilling and rolling requires of a side of a contact.
struct ResistingSide {
  std::string_view name;  ///< for messages
  bool turns = false;     ///< whether it has a rotation: on frames or on the ground
  bool is_round = false;  ///< whether it is rounded or curved
};

/// Throws ModelError unless both sides rotate and at least one of them is round.
void require_resistance(const Culprit& who, const ResistingSide& a, const ResistingSide& b);

}  // namespace picus
