#pragma once

/// Bodies that fly into each other, and the laws that hold whatever their surfaces are.

#include "boxes.hpp"
#include <picus/energy.hpp>

#include <gtest/gtest.h>

namespace picus {

/// Energy is not gained, momentum kept, and nothing passed unseen; how many contacts were closed, summed over the steps.
inline int expect_lawful_collisions(const Scene& scene, TimeIntegrator& integrator, int steps) {
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  EnergyAudit audit(stepper.system(), state);
  const Momentum before = audit.momentum(state);
  const double energy = audit.energies(state).kinetic;
  int closed = 0;
  for (int i = 0; i < steps; ++i) {
    closed += stepper.step(state).closed_contacts;
    // Free rotation keeps it to the order of the scheme.
    EXPECT_LE(audit.energies(state).kinetic, energy * (1 + 1e-5));
    if (::testing::Test::HasFailure()) return closed;
  }
  const Momentum after = audit.momentum(state);
  const double unit = before.linear.norm() + before.angular.norm() + 10;
  EXPECT_LT((after.linear - before.linear).norm(), 1e-8 * unit);
  // A velocity update of the second order keeps angular momentum to the order of the scheme.
  EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * unit);
  EXPECT_EQ(stepper.statistics().misses, 0);
  return closed;
}

}  // namespace picus
