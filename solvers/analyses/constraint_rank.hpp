#pragma once

/// When rows of constraints count as linearly dependent.

#include <picus/system.hpp>

namespace picus::solvers {

/// A row is redundant if its distance from the span of others is at most this fraction of its length: above the
/// rounding error of the start and its projection, below any intended angle.
inline constexpr double dependent = 1e-8;

/// Units of all velocity components, so that lengths of rows compare: the size of the model for translations, 1 for
/// angles and scalar nodes.
inline Vector unit_of_components(const System& system) {
  Vector unit = Vector::Ones(system.velocity_count());
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::scalar) unit.segment<3>(node.v).setConstant(system.length_scale());
  }
  return unit;
}

}  // namespace picus::solvers
