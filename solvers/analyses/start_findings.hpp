#pragma once

/// What a start has found out about a model.

#include <string>
#include <vector>

namespace picus {

struct StartFindings {
  std::vector<std::string> warnings;      ///< TimeIntegrator::warnings()
  std::vector<std::string> redundancies;  ///< TimeIntegrator::redundancies()
};

}  // namespace picus
