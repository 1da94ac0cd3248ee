#pragma once

/// Constraints that are valid for bounded reactions only. Optional.

#include <span>
#include <string>

namespace picus {

/// The role of a bilateral constraint with a limited reaction, e.g. of a part whose deformation follows from linear
/// theory.
class LoadLimited {
 public:
  virtual ~LoadLimited() = default;
  /// How the multipliers lambda of its rows, N and N m, exceed their limits, as the remainder of a sentence that begins
  /// with the element's name; empty if they do not. Called once per step.
  virtual std::string overload(std::span<const double> lambda) const = 0;
};

}  // namespace picus
