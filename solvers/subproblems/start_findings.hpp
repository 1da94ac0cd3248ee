#pragma once

/// Findings about a model at its start.

#include <picus/step_forces.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace picus {

/// A redundancy of constraints: a vector y with G^T y = 0.
struct Redundancy {
  /// Rows of the System with nonzero y, and their values (largest 1).
  std::vector<std::pair<Index, double>> rows;
  double violation = 0.0;             ///< y . g, m or rad
  double rate = 0.0;                  ///< y . g_t, m/s or rad/s
  bool is_singular_position = false;  ///< the rows are independent in nearby configurations
  bool ends_off_constraints = false;  ///< whether redundancies end where constraints are violated
};

/// The end of the motion with the averaged accelerations of an overdamped start
/// (solvers::average_overdamped_start()); the quadrature of the forces in the first step begins with the
/// forces there.
struct AveragedStart {
  Configuration q;
  Vector v, constraint_force;
  ForceRestart restart;  ///< refers to these three
};

struct StartFindings {
  std::vector<std::string> warnings;        ///< TimeIntegrator::warnings()
  std::vector<std::string> redundancies;    ///< TimeIntegrator::redundancies()
  std::vector<Redundancy> lasting;          ///< redundancies in all configurations of the mechanism
  std::shared_ptr<AveragedStart> averaged;  ///< null: the accelerations are those of the start
};

}  // namespace picus
