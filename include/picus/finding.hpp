#pragma once

/// Quantities that a run has determined, with reference values.

#include <optional>
#include <string>
#include <vector>

namespace picus {

/// A quantity as computed by Picus, and its value in the literature or an exact solution.
struct Finding {
  std::string quantity;             ///< its name, such as "fall per cycle"; unique in a run
  std::string unit;                 ///< empty for a pure number
  std::optional<double> value;      ///< empty when the run was too short to tell
  std::optional<double> reference;  ///< empty when none is known for these parameters
  std::string source;               ///< source of the reference, e.g. "thesis 5.3.5"
};

/// All findings of a run.
using Findings = std::vector<Finding>;

}  // namespace picus
