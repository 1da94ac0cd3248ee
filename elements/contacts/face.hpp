#pragma once

/// A plane face of a body or of the ground, the master of a contact.

#include <picus/checks.hpp>
#include <picus/element.hpp>
#include <picus/model.hpp>

#include <optional>

namespace picus {

/// It has no borders.
struct Face {
  std::optional<FrameNode> node = std::nullopt;  ///< the body; none: the ground
  Vec3 point = Vec3::Zero();   ///< P, any of the plane, in the axes of the node (inertial on the ground), m
  Vec3 normal = Vec3::Zero();  ///< from the body to the free side, same axes, of any length but zero
  /// T_1 is the part of it in the plane; T_2 = N x T_1. By default normal x z, which for a normal in the
  /// plane x-y is in that plane too, or the part of x in the face if the normal is along z.
  std::optional<Vec3> tangent = std::nullopt;
};

/// N, T_1 and T_2 as columns. Throws ModelError unless the face has a normal, a tangent that is not along it,
/// a finite point and a node of the model.
Mat3 checked_directions(const Culprit& who, const Face& face, const Model& model);

/// The law of a contact with these parameters, frictionless when mu = 0. Throws ModelError unless mu >= 0,
/// e_n and e_t lie in [0, 1] and friction_directions is 1 or 2.
ContactLaw checked_law(const Culprit& who, double mu, double e_n, double e_t, Index friction_directions);

/// The same with resistance to drilling and rolling, where the lengths (m) are not zero. Throws ModelError unless they are
/// >= 0, and where they are not zero the contact has friction and, for drilling, two directions of it.
ContactLaw checked_law(const Culprit& who, const ContactLaw& sliding, double drilling_radius,
                       double rolling_arm);

}  // namespace picus
