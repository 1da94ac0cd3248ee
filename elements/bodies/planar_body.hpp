#pragma once

/// A rigid body in planar motion, in the x-y plane; creates node and mass in one line:
///
///     const PlanarBody crank = add_planar_body(model, {.name = "crank", .position = {0.1, 0, 0}, .mass = 0.3, .inertia = 1e-3});
///
/// creates a frame node restricted to the plane and a RigidBody, both of that name.

#include <picus/elements/bodies/rigid_body.hpp>

#include <string>

namespace picus {

/// Parameters of add_planar_body(). Positions may have a constant z; velocities may not.
struct PlanarBodyParameters {
  std::string name;               ///< name of the node and of the element
  Vec3 position = Vec3::Zero();   ///< of the centre of mass, m
  double angle = 0.0;             ///< of the body axes about z, rad
  Vec3 velocity = Vec3::Zero();   ///< m/s, in the plane
  double angular_velocity = 0.0;  ///< about z, rad/s
  double mass = 0.0;              ///< kg, > 0
  double inertia = 0.0;           ///< about z through the centre of mass, kg m2, >= 0
};

struct PlanarBody {
  FrameNode node;          ///< at the centre of mass
  Handle<RigidBody> body;  ///< for `body->mass_point()`

  /// The body-fixed point at X in body axes, m.
  MaterialPoint at(const Vec3& X) const { return {node, X}; }
};

/// Throws ModelError as Model::add_frame and RigidBody do, and for a velocity out of the plane or an angle that is
/// not finite.
PlanarBody add_planar_body(Model& model, const PlanarBodyParameters& parameters);

}  // namespace picus
