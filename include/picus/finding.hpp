#pragma once

/// What a run has found out about its model.

#include <optional>
#include <string>
#include <vector>

namespace picus {

/// A quantity as Picus found it and as the literature or an exact solution has it.
struct Finding {
  std::string quantity;             ///< its name, such as "fall per cycle"; different ones in a run
  std::string unit;                 ///< empty for a pure number
  std::optional<double> value;      ///< empty when the run was too short to tell
  std::optional<double> reference;  ///< empty when none is known for these parameters
  std::string source;               ///< of the reference, e.g. "thesis 5.3.5"
};

/// All of a run.
using Findings = std::vector<Finding>;

}  // namespace picus
