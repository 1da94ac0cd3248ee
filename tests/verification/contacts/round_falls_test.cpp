/// Cylinders and cones that fall from a point of their rims until they lie flat.

#include "boxes.hpp"
#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::round_falls_test {
namespace {

// A tilted rotating coin falls onto its lowest point, rolls over its rim as it goes down, and slaps flat: it has one
// contact first, then several. No impact increases its energy.
TEST(RoundFalls, CoinFallsFlatFromItsRim) {
  constexpr double r = 0.0375, L = 0.0064, mass = 0.22;
  for (const double spin : {0.0, 1.0, 5.0, 20.0}) {
    for (const double tilt : {0.02, 0.15, 0.6, 1.0}) {
      if (spin == 20.0 && tilt == 1.0) continue;  // rolls for more than 2 s
      SCOPED_TRACE(fmt::format("spin {}, tilt {}", spin, tilt));
      RoundScene scene;
      scene.add_floor();
      const Mat3 R = so3::exp(Vec3(0.3 * tilt, tilt, 0));
      const double lean = std::acos(R(2, 2));
      const FrameNode coin =
          scene.add_cylinder("coin", mass, r, L,
                             {.position = {0, 0, r * std::sin(lean) + L / 2 * std::cos(lean)},
                              .rotation = R,
                              .angular_velocity = R.transpose() * Vec3(0, 0, spin)});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
      DecoupledNsga integrator({.step = 1e-3});
      Stepper stepper(scene.model, integrator);
      State state = stepper.start();
      EnergyAudit audit(stepper.system(), state);
      const auto energy = [&] {
        const Energies now = audit.energies(state);
        return now.kinetic + now.potential - mass * g * L / 2;
      };
      const double start = energy();
      for (int i = 0; i < 2000; ++i) {
        stepper.step(state);
        ASSERT_LE(energy(), start * (1 + 1e-3) + 1e-9) << "at " << state.time;
      }
      EXPECT_EQ(stepper.statistics().misses, 0);
      EXPECT_NEAR(state.q.position(coin).z(), L / 2, 1e-9);
      EXPECT_LT(std::hypot(state.q.rotation(coin)(0, 2), state.q.rotation(coin)(1, 2)), 1e-7);
    }
  }
}

// Coins, drums and cones on their bases, from a millimetre to metres, on floors of any inclination (with gravity normal to
// them) far from the origin, at steps that resolve how fast the lowest point runs round the rim.
TEST(RoundFalls, RoundBodiesOfAnySizeFallFromTheirRims) {
  support::Random random(11);
  for (int sample = 0; sample < 24; ++sample) {
    const double scale = std::pow(10.0, random.uniform(-2, 2));
    const double r = 0.0375 * scale;
    const double L = r * std::pow(10.0, random.uniform(-1.5, 0));
    const double mass = 0.22 * std::pow(scale, 3);
    const double spin = random.uniform(0, 20) / std::sqrt(scale);
    const double tilt = random.uniform(0.01, 0.8);
    const double mu = random.uniform(0.05, 0.8);
    const bool is_cone = sample % 3 == 0;
    const Mat3 Q = random.rotation();
    const Vec3 place = 100 * scale * random.vec3();
    SCOPED_TRACE(fmt::format("{} {}: r = {:.3g}, L = {:.3g}, spin {:.3g}, tilt {:.3g}, mu = {:.3g}",
                             is_cone ? "cone" : "cylinder", sample, r, L, spin, tilt, mu));
    RoundScene scene;
    scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = place, .rotation = Q});
    const Mat3 R = so3::exp(Vec3(0.3 * tilt, tilt, 0));
    const double below = is_cone ? L / 4 : L / 2;
    // Of the lowest point of the rim of the base, for the place of the body in the axes of the floor.
    const auto lowest = [&](const Vec3& x, const Mat3& rotation) {
      const Vec3 axis = rotation.col(2);
      return x.z() - below * axis.z() - r * std::hypot(axis.x(), axis.y());
    };
    const FrameStart start{.position = place + Q * Vec3(0, 0, -lowest(Vec3::Zero(), R)),
                           .rotation = Q * R,
                           .angular_velocity = R.transpose() * Vec3(0, 0, spin)};
    const FrameNode body =
        is_cone ? scene.add_cone("body", mass, r, L, start) : scene.add_cylinder("body", mass, r, L, start);
    scene.add_weights(Q * Vec3(0, 0, -g));
    scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
    DecoupledNsga integrator({.step = 0.7e-3 * std::sqrt(scale)});
    Stepper stepper(scene.model, integrator);
    State state = stepper.start();
    EnergyAudit audit(stepper.system(), state);
    const double lying = mass * g * (Q.col(2).dot(place) + below);
    const auto energy = [&] {
      const Energies now = audit.energies(state);
      return now.kinetic + now.potential - lying;
    };
    const double given = energy();
    double depth = 0;
    for (int i = 0; i < 600; ++i) {
      stepper.step(state);
      ASSERT_LE(energy(), (1 + 1e-3) * given) << "at " << state.time;
      const Vec3 x = Q.transpose() * (state.q.position(body) - place);
      depth = std::max(depth, -lowest(x, Q.transpose() * state.q.rotation(body)));
    }
    EXPECT_LT(depth, 1e-7 * r);  // a tenth of what is promised
    EXPECT_EQ(stepper.statistics().misses, 0);
  }
}

}  // namespace
}  // namespace picus::round_falls_test
