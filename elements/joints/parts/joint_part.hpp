#pragma once

/// All types of equations that joints are composed of.

#include <picus/elements/joints/parts/axis_displacement.hpp>
#include <picus/elements/joints/parts/coincident_points.hpp>
#include <picus/elements/joints/parts/perpendicular_directions.hpp>
#include <picus/elements/joints/parts/point_distance.hpp>
#include <picus/elements/joints/parts/rotation_angle.hpp>
#include <picus/elements/joints/parts/screw_relation.hpp>

#include <utility>
#include <variant>

namespace picus {

/// One of these equations.
struct JointPart {
  template <class Part>
  JointPart(Part part) : equations(std::move(part)) {}  // NOLINT: a part is given as what it is

  std::variant<CoincidentPoints, PerpendicularDirections, RotationAngle, AxisDisplacement, ScrewRelation,
               PointDistance>
      equations;
};

}  // namespace picus
