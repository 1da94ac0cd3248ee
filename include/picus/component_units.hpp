#pragma once

/// Units that make motions of different velocity components comparable.

#include <picus/system.hpp>

namespace picus {

/// For each velocity component, the magnitude of a large motion: the size of the model (m), a radian, or one unit of a
/// scalar. For scalars that constraints couple to other components it is reduced until it moves these, at the initial
/// configuration, by no more than their own magnitudes: one unit of a modal coordinate of a light body may correspond
/// to displacements of thousands of metres, relative to which all other motions would be negligible.
Vector component_units(const System& system);

}  // namespace picus
