#pragma once

/// A step of a random model with all kinds of rows, for tests of tangents: one second at unit speeds, which rotates
/// frames by a radian and more. Its start need not satisfy any equations. The test parameter is the seed.

#include "tangent_comparison.hpp"
#include <picus/solvers/subproblems/contact_masses.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace picus {

class RandomStep : public testing::TestWithParam<unsigned> {
 protected:
  RandomStep() {
    v_n = random.vector(system.velocity_count());
    system.clear_prescribed(v_n);
    set_up(data);
  }

  void set_up(StepData& one) {
    one.q_n = &q_n;
    one.v_n = &v_n;
    one.contact_state_n = &state_n;
    one.contact_rate_n = &rate_n;
    one.h = 1.0;
    one.t = 1.4;
    one.contact_mass = solvers::contact_masses(system, one.mass, one.scales, q_n, 0.0);
  }

  /// Mostly compressive, so that contacts stick often enough.
  Vector pressing_multipliers() {
    Vector P = random.vector(system.contact_row_count(), 0.7);
    for (const auto& block : system.contacts()) P[block.first_row] = random.uniform(-2, 5);
    return P;
  }

  support::Random random{GetParam()};
  Model model = support::make_mixed_model(random);
  System system{model};
  Configuration q_n = model.initial_configuration();
  Vector v_n;
  std::vector<ContactState> state_n = std::vector<ContactState>(system.contacts().size(), ContactState::gap);
  Vector rate_n = support::Random(7).vector(system.contact_row_count());  ///< of contacts
  StepData data{system};
  SeenStates seen{};
};

}  // namespace picus
