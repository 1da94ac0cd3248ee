#pragma once

/// An elastic cylinder (plane strain) or ball is pressed against a rigid plane or against an equal body, without
/// friction: Hertz (1881).
///
/// By symmetry half of a slice of the cylinder, or a quarter of the ball, is modelled from the contact to the height of
/// the centre, where the whole section is moved down; of two bodies the lower one has fewer cells, so that the meshes do
/// not match. Displacements grow with the load factor of static equilibrium.
///
/// With the force per length F, a^2 = 4 F R*/(pi E*) and p_0 = 2 F/(pi a) for cylinders; a^3 = 3 F R*/(4 E*) and
/// p_0 = 3 F/(2 pi a^2) for balls. R*/E* is that of one body on a plane in both cases.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct HertzContact {
  enum class Shape { cylinder, ball };
  enum class Other { plane, body };
  Shape shape = Shape::cylinder;
  Other other = Other::plane;
  Index cells = 8;              ///< in each direction, of the upper body
  Index other_cells = 4;        ///< of the lower one, at most as many
  double radius = 1.0;          ///< m
  double half_width = 8e-3;     ///< approximate a of the theory at the end, relative to the radius
  double modulus = 1e6;         ///< Young's modulus, N/m2
  double poissons_ratio = 0.3;  ///< of the material
  bool two_pass = true;         ///< the nodes of each body contact the faces of the other
};

/// Solids `body` and, if there are two, `other`, with surfaces of the same names, or surface `plane`; contact set `all`.
Model make_hertz_contact(const HertzContact& parameters = {});

/// Measures half-width and pressure at the end, relative to the theory at the same force.
Measures hertz_contact_measures(const RunInfo& run, const HertzContact& parameters);

/// "force" on the modelled part of the body, "half_width" and "pressure" relative to the theory, minus 1 (0 without a
/// force), and energy. The half-width is that of the second moment of the nodal forces, F a^2/4 for a cylinder and
/// 2/5 F a^2 for a ball, the pressure that of the node in the middle.
Signals hertz_contact_signals(const RunInfo& run, const HertzContact& parameters);

RegisteredModel registered_hertz_contact();

}  // namespace picus::models
