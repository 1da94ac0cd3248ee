#pragma once

/// The constraints of a system with limited reactions (LoadLimited).

#include <picus/load_limited.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus {

class LoadLimits {
 public:
  /// `system` must outlive it.
  explicit LoadLimits(const System& system);

  /// "element NAME carries ..." for the first constraint beyond its limit under `factor` times these multipliers of all
  /// rows, N and N m; otherwise empty.
  std::string overload(const Vector& multipliers, double factor = 1.0) const;

 private:
  struct Bounded {
    const RowBlock<BilateralConstraint>* block;
    const LoadLimited* limit;
  };
  std::vector<Bounded> limited_;
};

}  // namespace picus
