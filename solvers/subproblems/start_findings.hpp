#pragma once

/// What a start has found out about a model.

#include <picus/types.hpp>

#include <string>
#include <utility>
#include <vector>

namespace picus {

/// One y with G^T y = 0.
struct Redundancy {
  /// Rows of the System that take part, and y in them (largest 1).
  std::vector<std::pair<Index, double>> rows;
  double violation = 0.0;             ///< y . g, m or rad
  double rate = 0.0;                  ///< y . g_t, m/s or rad/s
  bool is_singular_position = false;  ///< the equations are independent at positions nearby
};

struct StartFindings {
  std::vector<std::string> warnings;      ///< TimeIntegrator::warnings()
  std::vector<std::string> redundancies;  ///< TimeIntegrator::redundancies()
  std::vector<Redundancy> lasting;        ///< those that stay wherever the mechanism goes
};

}  // namespace picus
