#pragma once

/// Units in which motions of different components compare.

#include <picus/system.hpp>

namespace picus {

/// For each velocity component a motion that is large: the size of the model (m), a radian, or one unit of a scalar.
/// Scalars that constraints tie to other components move these no farther than that at the initial configuration:
/// coordinates of the shapes of a light body move it by thousands of metres for each unit, beside which its other motions
/// would seem to vanish.
Vector component_units(const System& system);

}  // namespace picus
