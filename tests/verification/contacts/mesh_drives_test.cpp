/// Drives whose parts are triangle meshes: the motion transmitted by teeth, pins and slots is known from their
/// geometry.

#include "meshes.hpp"
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace picus::mesh_drives_test {
namespace {

constexpr double pi = std::numbers::pi;
using Point = Eigen::Vector2d;

Point at(double radius, double angle) {
  return radius * Point(std::cos(angle), std::sin(angle));
}

/// A spur gear with involute flanks of `steps` chords and a pressure angle of 20 degrees, one tooth on the x axis,
/// each thinner by `play` (m) at the pitch circle.
std::vector<Point> make_gear(double module, int teeth, double play, int steps) {
  const double pitch = 0.5 * module * teeth;
  const double base = pitch * std::cos(pi / 9);
  const double tip = pitch + module;
  const double root = pitch - 1.25 * module;
  const auto involute = [](double angle) { return std::tan(angle) - angle; };
  // Half of the angle of a tooth.
  const auto half = [&](double radius) {
    return pi / (2 * teeth) - 0.5 * play / pitch + involute(pi / 9) -
           involute(std::acos(std::min(base / radius, 1.0)));
  };
  std::vector<Point> outline;
  for (int tooth = 0; tooth < teeth; ++tooth) {
    const double middle = 2 * pi * tooth / teeth;
    const double low = std::max(base, root);
    std::vector<std::pair<double, double>> flank;  // radius, half angle
    if (root < base) flank.emplace_back(root, half(base));
    for (int i = 0; i <= steps; ++i) {
      const double radius = low + (tip - low) * i / steps;
      flank.emplace_back(radius, half(radius));
    }
    for (const auto& [radius, angle] : flank) outline.push_back(at(radius, middle - angle));
    std::ranges::reverse(flank);
    for (const auto& [radius, angle] : flank) outline.push_back(at(radius, middle + angle));
  }
  return outline;
}

/// Allows only rotation about z.
void hold_in_bearing(Model& model, const FrameNode& node) {
  model.fix(node, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
}

double turn_of(const Mat3& R) {
  return std::atan2(R(1, 0), R(0, 0));
}

// Each passing tooth advances the other gear by one tooth, and the work of the motor equals that of the load: over
// whole teeth the ratio of the angles is that of the numbers of teeth, and so is that of the mean torques.
TEST(MeshDrives, SpurGearsTurnInTheRatioOfTheirTeeth) {
  constexpr double module = 0.01, load = 5.0, play = 2e-4, h = 1e-3;
  constexpr int teeth_1 = 18, teeth_2 = 27, steps_of_tooth = 175;
  constexpr double speed = 2 * pi / (teeth_1 * steps_of_tooth * h);
  Scene scene;
  shapes::Mesh small = make_prism(make_gear(module, teeth_1, play, 8), 0.03);
  shapes::Mesh large = make_prism(make_gear(module, teeth_2, play, 8), 0.02);
  const double distance = 0.5 * module * (teeth_1 + teeth_2);
  constexpr double ratio = double(teeth_1) / teeth_2;
  const FrameNode driver = add_mesh_body(scene, "driver", small, {.angular_velocity = {0, 0, speed}}, 7800);
  const FrameNode driven = add_mesh_body(scene, "driven", large,
                                         {.position = {distance, 0, 0},
                                          .rotation = so3::exp(Vec3(0, 0, pi + pi / teeth_2)),
                                          .angular_velocity = {0, 0, -ratio * speed}},
                                         7800);
  scene.model.fix(driver, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  scene.model.drive(driver, Component::rz, PrescribedMotion::constant_speed(speed));
  hold_in_bearing(scene.model, driven);
  scene.model.add<NodalMoment>({.name = "load", .node = driven, .moment = {0, 0, load}});
  scene.model.add<ContactsBetween>({.name = "teeth"});
  DecoupledNsga integrator({.step = h});
  double turned = 0, last = 0, work = 0, at_first_tooth = 0, work_at_first_tooth = 0, penetration = 0;
  std::int64_t steps = 0;
  constexpr int teeth = 5;
  const Seen seen =
      run(scene, integrator, (teeth + 1) * steps_of_tooth * h,
          [&](const Stepper&, const State& state, const StepReport&) {
            const double angle = turn_of(scene.model.initial_configuration().rotation(driven).transpose() *
                                         state.q.rotation(driven));
            turned += std::remainder(angle - last, 2 * pi);
            last = angle;
            work += state.reaction[driver.v + 5] * speed * h;
            if (++steps == steps_of_tooth) {
              at_first_tooth = turned;
              work_at_first_tooth = work;
            }
            if (steps % 525 == 0) {
              const MeshPlace a{&small, state.q.rotation(driver), state.q.position(driver)};
              const MeshPlace b{&large, state.q.rotation(driven), state.q.position(driven)};
              penetration = std::max({penetration, sampled_mesh_depth(a, b, 3), sampled_mesh_depth(b, a, 3)});
            }
          });
  const double angle = at_first_tooth - turned;
  const double expected = ratio * speed * teeth * steps_of_tooth * h;
  EXPECT_NEAR(angle, expected, 1e-7 * expected);
  // Where one chord of the flanks follows another the speed jumps slightly, which dissipates energy: 1.4e-3 here.
  EXPECT_GT(work - work_at_first_tooth, load * angle * (1 - 1e-6));
  EXPECT_LT(work - work_at_first_tooth, load * angle * (1 + 3e-3));
  EXPECT_LT(penetration, 1e-6 * distance);
  EXPECT_LT(seen.penetration, 1e-9 * distance);
}

// A Geneva wheel with four slots: the pin enters a slot, rotates the wheel by a quarter turn while the crank does so,
// and leaves; for the rest of the turn the disc of the driver holds the wheel, within the play.
TEST(MeshDrives, GenevaDriveIndexesAndDwells) {
  constexpr double crank = 0.1, pin = 0.01, play = 5e-4, speed = 6.0, h = 2e-3;
  const double distance = crank * std::sqrt(2.0);
  constexpr double disc = 0.8 * crank;
  // The driver: a disc that leaves room for the horns of the wheel on the side of the pin, which is on the x axis.
  const double room = crank + 2e-3;
  const double open = std::acos((distance * distance + disc * disc - room * room) / (2 * distance * disc));
  std::vector<Point> outline;
  constexpr int chords = 90;
  for (int i = 0; i <= chords; ++i) outline.push_back(at(disc, open + (2 * pi - 2 * open) * i / chords));
  const double wide = std::asin(disc * std::sin(open) / room);
  for (int i = 1; i < 20; ++i) {
    const double angle = pi + wide - 2 * wide * i / 20;
    outline.push_back(Point(distance, 0) + at(room, angle));
  }
  shapes::Mesh driver_mesh = make_prism(outline, 0.03);
  shapes::Mesh pin_mesh = make_prism(make_circle({crank, 0}, pin, 24), 0.03);
  // The wheel, a quarter turn from slot to slot, with an arc about the axis of the driver between them.
  const double slot = pin + play;
  const double bottom = distance - crank - pin - 2 * play;
  const double arc = disc + play;
  const double end = std::acos((distance * distance + arc * arc - crank * crank) / (2 * distance * arc));
  std::vector<Point> wheel;
  for (int k = 0; k < 4; ++k) {
    const Mat3 turn = so3::exp(Vec3(0, 0, 0.5 * pi * k));
    const auto add = [&](const Point& x) { wheel.emplace_back((turn * Vec3(x.x(), x.y(), 0)).head<2>()); };
    // From the slot at -45 degrees, whose upper side leads outwards, to the one at 45 degrees.
    const auto side = [&](double angle, double along, double aside) {
      return Point(along * at(1, angle) + aside * at(1, angle + 0.5 * pi));
    };
    const double mouth = std::sqrt(crank * crank - slot * slot);
    add(side(-0.25 * pi, bottom, slot));
    add(side(-0.25 * pi, mouth, slot));
    for (int i = 0; i <= 30; ++i) {
      const double angle = pi + end - 2 * end * i / 30;
      add(Point(distance, 0) + at(arc, angle));
    }
    add(side(0.25 * pi, mouth, -slot));
    add(side(0.25 * pi, bottom, -slot));
  }
  shapes::Mesh wheel_mesh = make_prism(wheel, 0.02);

  Scene scene;
  // The pin starts on the far side.
  const FrameNode driver =
      scene.add_body("driver", 1.0, inertia::sphere(1.0, disc),
                     {.rotation = so3::exp(Vec3(0, 0, pi)), .angular_velocity = {0, 0, speed}});
  scene.model.add<Surface>({.name = "disc", .of = driver_mesh, .on = driver});
  scene.model.add<Surface>({.name = "pin", .of = pin_mesh, .on = driver});
  const FrameNode driven = add_mesh_body(scene, "wheel", wheel_mesh, {.position = {distance, 0, 0}}, 2700);
  scene.model.fix(driver, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  scene.model.drive(driver, Component::rz, PrescribedMotion::constant_speed(speed));
  hold_in_bearing(scene.model, driven);
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.1});
  DecoupledNsga integrator({.step = h});
  double turned = 0, last = 0;
  double worst_dwell = 0, worst_index = 0;
  constexpr int turns = 2;
  const Seen seen = run(
      scene, integrator, turns * 2 * pi / speed, [&](const Stepper&, const State& state, const StepReport&) {
        const double angle = turn_of(state.q.rotation(driven));
        turned += std::remainder(angle - last, 2 * pi);
        last = angle;
        const double total = pi + speed * state.time;  // of the crank
        const double from_middle = std::remainder(total, 2 * pi);
        const double indexed = std::round(total / (2 * pi) - 1) * 0.5 * pi;  // up to the middle of this turn
        if (std::abs(from_middle) < 0.25 * pi) {
          const double exact =
              std::atan2(crank * std::sin(from_middle), distance - crank * std::cos(from_middle));
          worst_index = std::max(worst_index, std::abs(-turned - (indexed + 0.25 * pi) - exact));
        } else {
          const double after = indexed + (from_middle > 0 ? 0.5 * pi : 0.0);
          worst_dwell = std::max(worst_dwell, std::abs(-turned - after));
        }
      });
  EXPECT_NEAR(-turned, turns * 0.5 * pi, play / (distance * std::sin(end)));
  // The pin is thinner than the slot, and polygonal; it acts at least distance - crank from the axis of the wheel.
  const double slack = play + pin * (1 - std::cos(pi / 24));
  EXPECT_LT(worst_index, slack / (distance - crank));
  // The ends of the arcs stop the wheel when the play is used up, in addition to the deviation of their chords.
  const double chord = disc * (1 - std::cos((pi - open) / chords));
  EXPECT_LT(worst_dwell, (play + chord) / (distance * std::sin(end)));
  EXPECT_LT(seen.penetration, 1e-9 * distance);
}

}  // namespace
}  // namespace picus::mesh_drives_test
