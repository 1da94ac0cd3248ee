#pragma once

#include <picus/material_point.hpp>

namespace picus {

/// Mass and centre of mass of a body, for Gravity.
struct MassPoint {
  MaterialPoint point;  ///< centre of mass
  double mass = 0.0;    ///< kg
};

}  // namespace picus
