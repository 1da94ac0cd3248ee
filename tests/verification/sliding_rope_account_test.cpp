// A rope that slides on a drum: with impulses for friction the velocities of `ds` are not the rates of its positions. The
// energy that results is called work of corrections in the account. Here it is computed from positions, velocities and
// the potential alone.

#include <picus/energy.hpp>
#include <picus/models/registry.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/stepper.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace picus::sliding_rope_account_test {
namespace {

struct Works {
  /// Increase of the potential beyond the work along the velocities, J.
  double invented = 0.0;
  Energies account;
};

Works pull(double h) {
  const std::vector<std::string> settings = {"elements=16"};
  const Model model = models::find_model("capstan").configure(settings).build();
  const auto integrator = make_integrator("ds", {.step = h});
  Stepper stepper(model, *integrator);
  State state = stepper.start();
  const System& system = stepper.system();
  EnergyAudit audit(system, state);
  Configuration at = state.q;
  Vector increment;
  // Derivative of the potential along v, times h.
  const auto work_along = [&](const Configuration& q, const Vector& v, double t) {
    constexpr double part = 1e-4;
    const auto potential = [&](double sign) {
      increment = sign * part * h * v;
      retract(system.nodes(), q, increment, at);
      return system.potential_energy(at, t);
    };
    return (potential(1) - potential(-1)) / (2 * part);
  };
  Works works;
  for (int i = 0; i < std::lround(0.2 / h); ++i) {
    const Configuration q_n = state.q;
    const Vector v_n = state.v;
    stepper.step(state);
    if (stepper.has_changed_contacts()) audit.change_contacts(stepper.begin());
    audit.add_step(state, h, integrator->step_forces());
    const Vector v = 0.5 * (v_n + state.v);
    works.invented += system.potential_energy(state.q, state.time) -
                      system.potential_energy(q_n, state.time) -
                      0.5 * (work_along(q_n, v, state.time) + work_along(state.q, v, state.time));
  }
  works.account = audit.energies(state);
  return works;
}

TEST(SlidingRopeAccount, NamesWhatVelocitiesMissOfTheMotion) {
  const Works coarse = pull(1e-3), fine = pull(5e-4);
  for (const Works& one : {coarse, fine}) {
    const double corrections = one.account.work_of_corrections;
    EXPECT_GT(corrections, 0.1);
    EXPECT_NEAR(one.invented, corrections + one.account.numerical, 1e-4 * corrections);
    EXPECT_NEAR(one.account.balance, corrections, 1e-3 * corrections);
  }
  // Velocities are wrong by h a, a being the acceleration without friction.
  EXPECT_NEAR(std::log2(coarse.account.work_of_corrections / fine.account.work_of_corrections), 1.0, 0.2);
}

}  // namespace
}  // namespace picus::sliding_rope_account_test
