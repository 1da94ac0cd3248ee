#pragma once

/// What an element can tell about any of its points, not only about its nodes: where it is, how it moves, strain and
/// stress there. Optional, read by sensors, never seen by a solver.

#include <picus/handle.hpp>
#include <picus/observable.hpp>

#include <vector>

namespace picus {

/// The role of an element with points of its own. A point is given by local coordinates xi, which the element defines
/// and which stay the same while it moves and deforms.
class Continuum {
 public:
  virtual ~Continuum() = default;
  /// Of each point; the same for the life of the element; at least one.
  virtual std::vector<Quantity> point_quantities() const = 0;
  /// Whether xi is a point of the element. Coordinates may miss it by rounding, 1e-9 of its size.
  virtual bool contains(const Vec3& xi) const = 0;
  /// All quantities of the point xi one after another. Allocates nothing.
  virtual void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const = 0;
};

/// A point of an element.
struct ContinuumPoint {
  InRole<Continuum> element;  ///< a handle, such as that of a Beam
  Vec3 xi = Vec3::Zero();     ///< local coordinates
};

}  // namespace picus
