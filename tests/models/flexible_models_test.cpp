/// The flexible pendulum and the soft cube.

#include <picus/models/flexible_cube.hpp>
#include <picus/models/flexible_pendulum.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models::flexible_models_test {
namespace {

TrialResult run_model(const RegisteredModel& model, const std::vector<std::string>& settings, double step,
                      double until) {
  Trial trial{.scenario = model.configure(settings), .until = until};
  trial.options.step = step;
  return run(trial);
}

/// The time at which a rigid rod that falls from the horizontal has its tip at sqrt(2)/2: the integral of
/// d(theta)/sqrt(3 g sin theta) from 0 to pi/4, with theta = s^2.
double time_of_rigid_rod(double g) {
  constexpr int cells = 1000;
  const double end = std::sqrt(std::atan(1.0));
  double sum = 0.0;
  for (int i = 0; i < cells; ++i) {
    const double s = end * (i + 0.5) / cells;
    sum += 2.0 * s / std::sqrt(3.0 * g * std::sin(s * s));
  }
  return sum * end / cells;
}

TEST(FlexiblePendulum, HitsTheWallWhenARigidRodWould) {
  for (const char* setting : {"gravity=9.81", "gravity=10"}) {
    const double g = std::stod(std::string(setting).substr(8));
    const TrialResult pendulum = run_model(registered_flexible_pendulum(), {setting}, 2e-4, 0.34);
    // It bends by 4 mm initially, over a path of 0.8 m, and the tip moves at 4 m/s.
    EXPECT_NEAR(*pendulum.findings[0].value, time_of_rigid_rod(g), 1e-3 + 2e-4);
    EXPECT_LT(*pendulum.findings[1].value, 1e-4) << "energy before the impact";
    EXPECT_LT(*pendulum.findings[2].value, -0.1) << "loss of the impact";
  }
}

TEST(FlexiblePendulum, KeepsItsTipOnTheFreeSide) {
  for (const char* restitution : {"restitution=0", "restitution=0.8"}) {
    const TrialResult pendulum =
        run_model(registered_flexible_pendulum(), {"elements=4", "gravity=10", restitution}, 2e-4, 0.6);
    ASSERT_TRUE(pendulum.is_complete()) << pendulum.failure;
    EXPECT_GE(std::ranges::min(pendulum.find("wall.gap").values), -1e-9);
    EXPECT_EQ(pendulum.fallback_count(), 0);
  }
}

TEST(FlexiblePendulum, RecoversFromStepsThatHadToBeCut) {
  // Without numerical damping some steps after the impact must be cut. Vibrations left by their parts would count 256
  // times as much at the full step size: unless the parts annihilate them, the run ends 40 ms later.
  Trial trial{.scenario = registered_flexible_pendulum().configure(
                  std::vector<std::string>{"elements=4", "restitution=0.8", "gravity=10"}),
              .until = 0.6};
  trial.options.step = 1e-3;
  trial.scheme = "ds:rho_inf=1";
  const TrialResult pendulum = run(trial);
  EXPECT_TRUE(pendulum.is_complete()) << pendulum.failure;
  EXPECT_GT(pendulum.fallback_count(), 0) << "the test needs a step that is cut";
  EXPECT_LT(std::ranges::max(pendulum.find("energy").values), 0.01);
}

TEST(FlexiblePendulum, NeedsNoFallbackAtStepsThatResolveNoVibration) {
  // Chen's pendulum at his larger step (Chen 2013, section 5.4). If predicted with the acceleration of the previous
  // step, which an impact has raised to 1e5 m/s2 and which has changed sign since, Newton's method diverges at 0.346
  // s.
  const TrialResult pendulum =
      run_model(registered_flexible_pendulum(), {"elements=4", "restitution=0.8", "gravity=10"}, 1e-3, 1.0);
  EXPECT_TRUE(pendulum.is_complete()) << pendulum.failure;
  EXPECT_EQ(pendulum.fallback_count(), 0);
}

TEST(FlexiblePendulum, AStiffOneMovesAsARigidRod) {
  const TrialResult pendulum =
      run_model(registered_flexible_pendulum(), {"elements=2", "youngs_modulus=2.1e15"}, 1e-3, 0.3);
  // Energy of a rod at the angle where its tip is: v^2 = 3 g y.
  const double y = pendulum.find("tip.y").values.back();
  const double speed =
      std::hypot(pendulum.find("tip.vx").values.back(), pendulum.find("tip.vy").values.back());
  EXPECT_NEAR(speed, std::sqrt(-3.0 * 9.81 * y), 1e-2);
}

TEST(FlexiblePendulum, ADampedMaterialTakesTheVibrationOfTheStart) {
  // The sudden release makes the beam vibrate about its sag, in the first mode at 230 rad/s: a relaxation time of 1
  // ms gives a damping ratio of 0.12, which leaves e^-8 of it before the wall is near.
  const auto energies = [](const char* setting) {
    return run_model(registered_flexible_pendulum(), {setting}, 1e-4, 0.3).find("energy").values;
  };
  const std::vector<double> damped = energies("relaxation_time=0.001");
  EXPECT_LT(damped.back(), energies("relaxation_time=0").back() - 5e-5);
  EXPECT_LT(damped.back(), damped[damped.size() / 2]);
  for (std::size_t i = 1; i < damped.size(); ++i) EXPECT_LT(damped[i], damped[i - 1] + 1e-6) << i;
}

TEST(FlexiblePendulum, StartsInFallWithTheEnergyOfARod) {
  const TrialResult pendulum =
      run_model(registered_flexible_pendulum(), {"inclination=0.783117", "rate=4.5619"}, 1e-6, 6e-4);
  const double mass = 7800 * 1e-4;
  EXPECT_NEAR(pendulum.find("kinetic").values.front(), mass / 3 * 4.5619 * 4.5619 / 2, 1e-3);
  EXPECT_NEAR(pendulum.find("tip.y").values.front(), -std::sin(0.783117), 1e-12);
  // At the wall after half a millisecond.
  EXPECT_NEAR(*pendulum.findings[0].value, 5e-4, 5e-6);
}

TEST(FlexibleCube, FallsFreelyUntilItTouches) {
  const TrialResult cube = run_model(registered_flexible_cube(), {"divisions=2"}, 1e-3, 0.28);
  EXPECT_NEAR(*cube.findings[0].value, std::sqrt(2.0 * 0.3 / 9.81), 1e-3);
  EXPECT_NEAR(cube.find("x_1.z").values[200], 0.3 - 0.5 * 9.81 * 0.04, 1e-6);
}

TEST(FlexibleCube, GetsTheMomentumOfTheFloor) {
  const double h = 5e-4;
  const TrialResult cube =
      run_model(registered_flexible_cube(), {"divisions=2", "height=1e-3", "downward=1"}, h, 0.06);
  double impulse = 0.0;
  for (const double force : cube.find("floor.force").values) impulse += h * force;
  ASSERT_TRUE(cube.findings[1].value) << "it has left the floor";
  // The cube of 1 g arrives at 1.01 m/s: it receives that momentum once if stopped, twice if elastic.
  const double gained = impulse - 1e-3 * 9.81 * 0.06;
  EXPECT_GT(gained, 1.01e-3);
  EXPECT_LT(gained, 2.02e-3);
}

TEST(FlexibleCube, SticksAndSlipsWithFriction) {
  const TrialResult cube =
      run_model(registered_flexible_cube(),
                {"divisions=3", "mu=0.3", "height=1e-4", "downward=1", "sideways=0.6"}, 2e-4, 4e-3);
  ASSERT_TRUE(cube.is_complete()) << cube.failure;
  EXPECT_EQ(cube.find("floor.slipping").values[1], 16.0) << "all slip at first";
  EXPECT_GT(std::ranges::max(cube.find("floor.sticking").values), 0.0);
  EXPECT_EQ(cube.fallback_count(), 0);
  // Friction only decelerates: the bottom corner never exceeds its initial speed.
  for (const double vx : cube.find("x_1.vx").values) EXPECT_LT(vx, 0.6 + 1e-9);
}

struct Sliding {
  State state;
  double position = 0.0;  ///< iterations of a step, in the mean
  double velocity = 0.0;
  double inner = 0.0;  ///< of the linear solvers
};

/// A cube on the floor, whose contacts all slide at first; some stick later.
Sliding slide(int divisions, LinearSolverKind solver) {
  constexpr int first = 2;  // from here on all contacts are closed
  constexpr int steps = 8;
  const Model model = make_flexible_cube(
      {.divisions = divisions, .mu = 0.3, .height = 1e-5, .sideways = 0.1, .downward = 0.1});
  const System system(model);
  DecoupledNsga integrator({.step = 1e-3, .linear_solver = solver});
  Sliding sliding{.state = integrator.start(system)};
  const auto inner = [&] {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += static_cast<double>(integrator.linear_statistics(i).iterations);
    return sum / steps;
  };
  for (int i = 0; i < first + steps; ++i) {
    const StepReport report = integrator.step(sliding.state);
    for (const int count : report.fallbacks) EXPECT_EQ(count, 0);
    if (i == first - 1) sliding.inner = -inner();
    if (i < first) continue;
    sliding.position += report.subproblems[1].iterations / double{steps};
    sliding.velocity += report.subproblems[2].iterations / double{steps};
  }
  sliding.inner += inner();
  return sliding;
}

TEST(FlexibleCube, TellsWhichContactsSlideFromTheirSurroundings) {
  const Sliding cube = slide(10, LinearSolverKind::automatic);
  // From the states of the last step alone, with linear problems solved to 1e-3: 7.0, 4.8 and 129.
  EXPECT_LE(cube.position, 6.4);
  EXPECT_LE(cube.velocity, 3.6);
  EXPECT_LE(cube.inner, 110);
}

TEST(FlexibleCube, MovesTheSameWhetherOrNotItsSlidingIsPredicted) {
  const Sliding cube = slide(7, LinearSolverKind::automatic);
  // Without iterative solvers nothing is predicted; both solve each step to 1e-8 of its motion.
  const Sliding direct = slide(7, LinearSolverKind::umfpack);
  EXPECT_GT(cube.inner, 0);
  EXPECT_EQ(direct.inner, 0);
  EXPECT_EQ(cube.state.contact_state, direct.state.contact_state);
  EXPECT_LE((cube.state.v - direct.state.v).norm(), 1e-6 * direct.state.v.norm());
}

}  // namespace
}  // namespace picus::models::flexible_models_test
