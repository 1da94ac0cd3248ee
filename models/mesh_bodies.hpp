#pragma once

/// Rigid bodies made of triangles: prisms over polygons, and their mass.

#include <picus/elements/contacts/shapes/polyhedron.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus::models {

/// A prism along z, centred in this direction, over a polygon that is counterclockwise in the x-y plane.
shapes::Mesh make_prism(const std::vector<Eigen::Vector2d>& base, double height);

/// A regular polygon inscribed in a circle, counterclockwise.
std::vector<Eigen::Vector2d> make_circle(const Eigen::Vector2d& centre, double radius, int sides);

/// The point at a radius and an angle.
Eigen::Vector2d polar(double radius, double angle);

/// Mass (kg) and inertia about the centre of mass (kg m2).
struct MeshMass {
  double mass = 0.0;
  Mat3 inertia = Mat3::Zero();
};
/// The mass of a closed mesh, whose origin is moved to its centre of mass; the density is in kg/m3.
MeshMass centre_mesh(shapes::Mesh& mesh, double density);

/// A frame `name` with a rigid body `name` + " body" and a surface `name`. The mesh is moved as by centre_mesh().
FrameNode add_mesh_body(Model& model, const std::string& name, shapes::Mesh mesh, const FrameStart& start,
                        double density);

/// Allows only rotation about z.
void hold_in_bearing(Model& model, const FrameNode& node);

/// Angle of a rotation about z, rad, in [-pi, pi].
double turn_about_z(const Mat3& R);

}  // namespace picus::models
