#pragma once

/// Inertia tensors of homogeneous bodies about their centres of mass, kg m2. Masses in kg, lengths in metres.
/// Numbers are not checked here: RigidBody refuses inertia tensors that no body can have.

#include <picus/types.hpp>

/// Inertia tensors of homogeneous bodies, kg m2.
namespace picus::inertia {

/// Principal moments along the body axes.
Mat3 diagonal(double I_x, double I_y, double I_z);

/// Cuboid whose edges along the body axes have these lengths.
Mat3 box(double mass, const Vec3& lengths);

/// Solid sphere.
Mat3 sphere(double mass, double radius);

/// Solid cylinder about body axis number `axis`; throws ModelError unless that is 0, 1 or 2. Radius 0 makes a thin rod, length 0 a disc.
Mat3 cylinder(double mass, double radius, double length, int axis = 2);

/// A body that moves in the x-y plane, of which only I_z matters: the tensor of a thin disc, (I_z / 2, I_z / 2, I_z).
Mat3 planar(double I_z);

}  // namespace picus::inertia
