#pragma once

#include <picus/fmu.hpp>

struct Cart {
  double mass = 2.0;        // kg
  double stiffness = 50.0;  // N/m
  double damping = 1.0;     // N s/m
  double offset = 0.0;      // m
  picus::Input force;       // N
  picus::Input speed;       // m/s
};

// The registration, for the program and for the FMU.
picus::ModelParts<Cart> cart();
