/// Drives whose parts are triangle meshes: the motion transmitted by teeth, pins and slots is known from their
/// geometry.

#include "boxes.hpp"
#include <picus/models/geneva_drive.hpp>
#include <picus/models/mesh_bodies.hpp>
#include <picus/models/spur_gears.hpp>
#include <picus/models/surface_depth.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::mesh_drives_test {
namespace {

constexpr double pi = std::numbers::pi;

// Each passing tooth advances the other gear by one tooth, and the work of the motor equals that of the load: over
// whole teeth the ratio of the angles is that of the numbers of teeth, and so is that of the mean torques.
TEST(MeshDrives, SpurGearsTurnInTheRatioOfTheirTeeth) {
  const models::SpurGears p;
  constexpr double h = 1e-3;
  const int steps_of_tooth = static_cast<int>(std::lround(p.tooth_time / h));
  const double speed = models::spur_gears_speed(p);
  const double distance = 0.5 * p.module * static_cast<double>(p.driver_teeth + p.driven_teeth);
  const Model model = models::make_spur_gears(p);
  const Node driver = model.find_node("driver");
  const Node driven = model.find_node("driven");
  const models::SurfaceSampler sampler(model, 3);
  DecoupledNsga integrator({.step = h});
  double turned = 0, last = 0, work = 0, at_first_tooth = 0, work_at_first_tooth = 0, penetration = 0;
  int steps = 0;
  constexpr int teeth = 5;
  const Seen seen =
      run_found(model, integrator, (teeth + 1) * p.tooth_time,
                [&](const Stepper&, const State& state, const StepReport&) {
                  const double angle = models::turn_about_z(
                      model.initial_configuration().rotation(driven).transpose() * state.q.rotation(driven));
                  turned += std::remainder(angle - last, 2 * pi);
                  last = angle;
                  work += state.reaction[driver.v + 5] * speed * h;
                  if (++steps == steps_of_tooth) {
                    at_first_tooth = turned;
                    work_at_first_tooth = work;
                  }
                  if (steps % (3 * steps_of_tooth) == 0)
                    penetration = std::max(penetration, sampler.deepest(state.q).depth);
                });
  const double angle = at_first_tooth - turned;
  const double ratio = static_cast<double>(p.driver_teeth) / static_cast<double>(p.driven_teeth);
  const double expected = ratio * speed * teeth * p.tooth_time;
  EXPECT_NEAR(angle, expected, 1e-7 * expected);
  // Where one chord of the flanks follows another the speed jumps slightly, which dissipates energy: 1.4e-3 here.
  EXPECT_GT(work - work_at_first_tooth, p.load * angle * (1 - 1e-6));
  EXPECT_LT(work - work_at_first_tooth, p.load * angle * (1 + 3e-3));
  EXPECT_LT(penetration, 1e-6 * distance);
  EXPECT_LT(seen.penetration, 1e-9 * distance);
}

// A Geneva wheel with four slots: the pin enters a slot, rotates the wheel by a quarter turn while the crank does so,
// and leaves; for the rest of the turn the disc of the driver holds the wheel, within the play.
TEST(MeshDrives, GenevaDriveIndexesAndDwells) {
  const models::GenevaDrive p;
  const Model model = models::make_geneva_drive(p);
  const Node wheel = model.find_node("wheel");
  DecoupledNsga integrator({.step = 2e-3});
  double turned = 0, last = 0;
  double worst_dwell = 0, worst_index = 0;
  constexpr int turns = 2;
  const double distance = p.crank * std::sqrt(2.0);
  const Seen seen = run_found(
      model, integrator, turns * 2 * pi / p.speed,
      [&](const Stepper&, const State& state, const StepReport&) {
        const double angle = models::turn_about_z(state.q.rotation(wheel));
        turned += std::remainder(angle - last, 2 * pi);
        last = angle;
        const double total = pi + p.speed * state.time;  // of the crank
        const double from_middle = std::remainder(total, 2 * pi);
        const double indexed = std::round(total / (2 * pi) - 1) * 0.5 * pi;  // up to the middle of this turn
        if (std::abs(from_middle) < 0.25 * pi) {
          const double exact =
              std::atan2(p.crank * std::sin(from_middle), distance - p.crank * std::cos(from_middle));
          worst_index = std::max(worst_index, std::abs(-turned - (indexed + 0.25 * pi) - exact));
        } else {
          const double after = indexed + (from_middle > 0 ? 0.5 * pi : 0.0);
          worst_dwell = std::max(worst_dwell, std::abs(-turned - after));
        }
      });
  const models::GenevaLimits limits = models::geneva_limits(p);
  EXPECT_NEAR(-turned, turns * 0.5 * pi, limits.dwell);
  EXPECT_LT(worst_index, limits.index);
  EXPECT_LT(worst_dwell, limits.dwell);
  EXPECT_LT(seen.penetration, 1e-9 * distance);
}

}  // namespace
}  // namespace picus::mesh_drives_test
