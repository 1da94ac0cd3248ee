#pragma once

/// Cylinders and cones with surfaces in a model.

#include "boxes.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace picus {

/// Another position, orientation and scale, on which results must not depend.
struct OtherFrame {
  Mat3 Q = Mat3::Identity();
  Vec3 x = Vec3::Zero();
  double scale = 1.0;
};
inline std::vector<OtherFrame> frames() {
  return {{},
          {so3::exp(Vec3(0.7, -1.1, 0.4)), Vec3(3, -2, 1), 1.0},
          {so3::exp(Vec3(-0.2, 0.5, 2.4)), Vec3(-8, 5, 4), 20.0}};
}

/// A scene with round bodies along z of their frames.
struct RoundScene : Scene {
  FrameNode add_cylinder(const std::string& name, double mass, double radius, double length,
                         const FrameStart& start) {
    const FrameNode node = add_body(name, mass, inertia::cylinder(mass, radius, length, 2), start);
    model.add<Surface>({.name = name, .of = shapes::Cylinder{length, radius}, .on = node});
    return node;
  }
  /// With its centre of mass at the node, a quarter of its length above the base at -z.
  FrameNode add_cone(const std::string& name, double mass, double radius, double length,
                     const FrameStart& start) {
    const double across = 3.0 / 80 * mass * (4 * radius * radius + length * length);
    const FrameNode node =
        add_body(name, mass, inertia::diagonal(across, across, 0.3 * mass * radius * radius), start);
    model.add<Surface>({.name = name,
                        .of = shapes::Cone{.length = length, .bottom_radius = radius},
                        .on = node,
                        .position = {0, 0, length / 4}});
    return node;
  }
};

/// Steady motion of a body of revolution that rolls with its rim on a plane z = 0 in a circle: the axis is inclined
/// by `tilt` to the vertical (pi/2: upright wheel) and precesses at the rate `precession`. In the precessing frame
/// everything is at rest,
///
///     v = -omega x rho,   m Omega z x v + m g z = F,   rho x F = Omega z x H,   omega = Omega z + sigma a,
///
/// with rho from the centre to the contact point. The last equation is linear in the spin sigma.
struct SteadyRolling {
  Vec3 axis, rho;       ///< at the start; the axis has no component along y
  Vec3 omega, v;        ///< of the body
  double circle = 0.0;  ///< radius of the path of the centre, m

  SteadyRolling(double mass, double I_across, double I_along, double radius, double half_length, double tilt,
                double precession) {
    const Vec3 z = Vec3::UnitZ();
    axis = Vec3(std::sin(tilt), 0, std::cos(tilt));
    const Vec3 lowest = (-z + axis.z() * axis).normalized();
    rho = radius * lowest - half_length * axis;
    const auto imbalance = [&](double spin) {
      const Vec3 w = precession * z + spin * axis;
      const Vec3 F = mass * (precession * z.cross(Vec3(-w.cross(rho))) + g * z);
      const Vec3 H = I_across * (w - w.dot(axis) * axis) + I_along * w.dot(axis) * axis;
      return (rho.cross(F) - precession * z.cross(H)).y();
    };
    const double at_0 = imbalance(0), at_1 = imbalance(1);
    const double spin = -at_0 / (at_1 - at_0);
    omega = precession * z + spin * axis;
    v = -omega.cross(rho);
    circle = v.norm() / std::abs(precession);
  }
};

}  // namespace picus
