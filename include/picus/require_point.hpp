#pragma once

#include <picus/checks.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

/// Throws ModelError unless `point` moves with a frame or point node of the model; `what` is its role.
inline void require_point(const Culprit& who, const std::string& what, const MaterialPoint& point,
                          const Model& model) {
  model.require_node(point.node, who.text(), what);
  if (point.node.kind == NodeKind::scalar) {
    throw ModelError(who.text() + ": " + what + " is a scalar node, must be a frame or a point");
  }
  require_finite(who, "offset of " + what, point.offset, "m");
  if (!point.on_frame() && !point.offset.isZero(0.0)) {
    throw ModelError(who.text() + ": " + what + " has an offset from a point node, which has no axes");
  }
}

/// Throws ModelError unless `point` is given and is a point of the model, as above, or of the ground.
inline void require_place(const Culprit& who, const std::string& what, const MaterialPoint& point,
                          const Model& model) {
  if (!point.is_given()) throw ModelError(who.text() + ": " + what + " is not given");
  if (point.is_ground()) {
    require_finite(who, "position of " + what, point.offset, "m");
  } else {
    require_point(who, what, point, model);
  }
}

/// As require_point(), and it must be a frame node that moves with it.
inline void require_frame_point(const Culprit& who, const std::string& what, const MaterialPoint& point,
                                const Model& model) {
  require_point(who, what, point, model);
  if (!point.on_frame())
    throw ModelError(who.text() + ": " + what + " is on a point node, must be on a frame");
}

}  // namespace picus
