#pragma once

/// Bodies that fly into each other, and the laws that hold whatever their surfaces.

#include "boxes.hpp"
#include <picus/energy.hpp>

#include <gtest/gtest.h>

namespace picus {

/// Energy does not increase, momentum is conserved, and nothing passes unseen; returns the number of closed contacts,
/// summed over the steps.
inline int expect_lawful_collisions(const Scene& scene, TimeIntegrator& integrator, int steps) {
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  EnergyAudit audit(stepper.system(), state);
  const Momentum before = audit.momentum(state);
  const double energy = audit.energies(state).kinetic;
  int closed = 0;
  for (int i = 0; i < steps; ++i) {
    closed += stepper.step(state).closed_contacts;
    // Free rotation conserves it to the order of the scheme.
    EXPECT_LE(audit.energies(state).kinetic, energy * (1 + 1e-5));
    if (::testing::Test::HasFailure()) return closed;
  }
  const Momentum after = audit.momentum(state);
  const double unit = before.linear.norm() + before.angular.norm() + 10;
  EXPECT_LT((after.linear - before.linear).norm(), 1e-8 * unit);
  // A second-order velocity update conserves angular momentum to the order of the scheme.
  EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * unit);
  EXPECT_EQ(stepper.statistics().misses, 0);
  return closed;
}

}  // namespace picus
