#pragma once

#include <picus/types.hpp>

namespace picus::models {

/// Parameters of the model of the chain of masses (models/sliding_masses.hpp) and of its exact motion; the values are
/// those of the thesis, section 4.2.4.
struct SlidingMasses {
  Index count = 21;         ///< n, number of masses
  double mass = 0.0025;     ///< m, kg
  double stiffness = 20.0;  ///< k, N/m
  double spacing = 0.05;    ///< l, free length and initial length of the springs, m
  double force = 0.4;       ///< F, on the first mass along x, N
  double duration = 0.1;    ///< of the force, s
  double mu = 0.3;          ///< coefficient of friction
  double gravity = 9.81;    ///< g, m/s2
};

}  // namespace picus::models
