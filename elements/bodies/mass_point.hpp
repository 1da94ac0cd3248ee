#pragma once

#include <picus/material_point.hpp>

namespace picus {

/// What gravity needs to know about a body.
struct MassPoint {
  MaterialPoint point;  ///< centre of mass
  double mass = 0.0;    ///< kg
};

}  // namespace picus
