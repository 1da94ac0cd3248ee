#pragma once

/// Quantities at any point of an element, not only at its nodes: position, motion, strain and stress. Optional, read by
/// sensors, never used by a solver.

#include <picus/handle.hpp>
#include <picus/observable.hpp>

#include <vector>

namespace picus {

/// The role of an element that reports quantities at its points. A point is given by local coordinates xi, which the
/// element defines and which do not change as it moves and deforms.
class Continuum {
 public:
  virtual ~Continuum() = default;
  /// The quantities of each point; constant over the life of the element; at least one.
  virtual std::vector<Quantity> point_quantities() const = 0;
  /// Whether xi is a point of the element, with a tolerance of 1e-9 of its size for rounding.
  virtual bool contains(const Vec3& xi) const = 0;
  /// All quantities at the point xi, one after another. Allocates nothing.
  virtual void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const = 0;
};

/// A point of an element.
struct ContinuumPoint {
  InRole<Continuum> element;  ///< a handle, such as that of a Beam
  Vec3 xi = Vec3::Zero();     ///< local coordinates
};

}  // namespace picus
