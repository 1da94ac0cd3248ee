#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/models/mesh_bodies.hpp>
#include <picus/models/spur_gears.hpp>
#include <picus/so3.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

constexpr double pressure_angle = std::numbers::pi / 9;

/// The outline of a gear with one tooth on the x axis, counterclockwise.
std::vector<Eigen::Vector2d> outline_of_gear(const SpurGears& p, Index teeth) {
  const auto count = static_cast<double>(teeth);
  const double pitch = 0.5 * p.module * count;
  const double base = pitch * std::cos(pressure_angle);
  const double tip = pitch + p.module;
  const double root = pitch - 1.25 * p.module;
  const auto involute = [](double angle) { return std::tan(angle) - angle; };
  // Half of the angle of a tooth.
  const auto half = [&](double radius) {
    return std::numbers::pi / (2 * count) - 0.5 * p.play / pitch + involute(pressure_angle) -
           involute(std::acos(std::min(base / radius, 1.0)));
  };
  std::vector<std::pair<double, double>> flank;  // radius, half angle
  const double low = std::max(base, root);
  if (root < base) flank.emplace_back(root, half(base));
  for (Index i = 0; i <= p.chords; ++i) {
    const double radius = low + (tip - low) * static_cast<double>(i) / static_cast<double>(p.chords);
    flank.emplace_back(radius, half(radius));
  }
  std::vector<Eigen::Vector2d> outline;
  for (Index tooth = 0; tooth < teeth; ++tooth) {
    const double middle = 2 * std::numbers::pi * static_cast<double>(tooth) / count;
    for (const auto& [radius, angle] : flank) outline.push_back(polar(radius, middle - angle));
    for (auto i = flank.rbegin(); i != flank.rend(); ++i)
      outline.push_back(polar(i->first, middle + i->second));
  }
  return outline;
}

double driven_turn(const Snapshot& at, const Node& driven) {
  return turn_about_z(at.system.model().initial_configuration().rotation(driven).transpose() *
                      at.state.q.rotation(driven));
}

/// Angle of the driven gear, followed over whole turns, and at whole teeth of the driver.
struct GearTurn {
  double turned = 0.0, last = 0.0;
  double at_first = 0.0, at_latest = 0.0;
  double teeth = 0.0;  ///< whole teeth passed
  void serialize(Archive& archive) { archive(turned, last, at_first, at_latest, teeth); }
};

}  // namespace

double spur_gears_speed(const SpurGears& p) {
  return 2 * std::numbers::pi / (static_cast<double>(p.driver_teeth) * p.tooth_time);
}

Model make_spur_gears(const SpurGears& p) {
  Model model("spur-gears");
  const double speed = spur_gears_speed(p);
  const double ratio = static_cast<double>(p.driver_teeth) / static_cast<double>(p.driven_teeth);
  const double distance = 0.5 * p.module * static_cast<double>(p.driver_teeth + p.driven_teeth);
  const FrameNode driver =
      add_mesh_body(model, "driver", make_prism(outline_of_gear(p, p.driver_teeth), 3 * p.module),
                    {.angular_velocity = {0, 0, speed}}, p.density);
  // A gap of the driven gear faces the first tooth of the driver.
  const double turn = std::numbers::pi * (1 + 1 / static_cast<double>(p.driven_teeth));
  const FrameNode driven =
      add_mesh_body(model, "driven", make_prism(outline_of_gear(p, p.driven_teeth), 2 * p.module),
                    {.position = {distance, 0, 0},
                     .rotation = so3::exp(Vec3(0, 0, turn)),
                     .angular_velocity = {0, 0, -ratio * speed}},
                    p.density);
  hold_in_bearing(model, driver);
  model.drive(driver, Component::rz, PrescribedMotion::constant_speed(speed));
  hold_in_bearing(model, driven);
  model.add<NodalMoment>({.name = "load", .node = driven, .moment = Vec3(0, 0, p.load)});
  model.add<ContactsBetween>({.name = "teeth"});
  return model;
}

Signals spur_gears_signals(const RunInfo& run, const SpurGears& /*p*/) {
  const Node driver = run.system.model().find_node("driver");
  const Node driven = run.system.model().find_node("driven");
  return {{"driven", "rad", "angle of the driven gear since the start",
           [driven](const Snapshot& at) { return driven_turn(at, driven); }},
          {"torque", "N m", "moment of the motor",
           [driver](const Snapshot& at) { return at.state.reaction[driver.v + 5]; }},
          energy(run)};
}

Measures spur_gears_measures(const RunInfo& run, const SpurGears& p) {
  Measures measures;
  const Node driven = run.system.model().find_node("driven");
  const GearTurn& turn = measures.accumulate(GearTurn{}, [driven, p](const Snapshot& at, GearTurn& seen) {
    const double angle = driven_turn(at, driven);
    seen.turned += std::remainder(angle - seen.last, 2 * std::numbers::pi);
    seen.last = angle;
    if (at.state.time + 0.5 * at.h < (seen.teeth + 1) * p.tooth_time) return;
    seen.teeth += 1;
    seen.at_latest = seen.turned;
    if (seen.teeth == 1) seen.at_first = seen.turned;
  });
  measures.add(
      "angle of the driven gear over that of the driver, whole teeth", "",
      [&turn, p]() -> std::optional<double> {
        if (turn.teeth < 2) return {};
        const double driver = (turn.teeth - 1) * p.tooth_time * spur_gears_speed(p);
        return (turn.at_first - turn.at_latest) / driver;
      },
      static_cast<double>(p.driver_teeth) / static_cast<double>(p.driven_teeth), "numbers of teeth");
  return measures;
}

RegisteredModel registered_spur_gears() {
  using P = SpurGears;
  auto table =
      ParameterTable<P>()
          .real("module", &P::module, Range::positive(), "m", "pitch diameter over number of teeth")
          .integer("driver_teeth", &P::driver_teeth, {.low = 12, .high = 1000}, "teeth of the driver")
          .integer("driven_teeth", &P::driven_teeth, {.low = 12, .high = 1000}, "teeth of the driven gear")
          .real("play", &P::play, Range::positive(), "m", "by which teeth are thinner at the pitch circle")
          .integer("chords", &P::chords, {.low = 2, .high = 100}, "chords of a flank")
          .real("tooth_time", &P::tooth_time, Range::positive(), "s", "time in which a tooth passes")
          .real("load", &P::load, Range::positive(), "N m", "moment against the motion of the driven gear")
          .real("density", &P::density, Range::positive(), "kg/m3", "density of the gears");
  return ModelParts<P>{
      .info = {.name = "spur-gears",
               .summary = "A spur gear made of triangles drives another one by contacts of their teeth. "
                          "Over whole teeth angles and torques have the ratio of the numbers of teeth.",
               .source = "kinematics",
               .step = 1e-3,
               .until = 1.05},
      .parameters = table,
      .build = make_spur_gears,
      .measures = spur_gears_measures,
      .signals = spur_gears_signals};
}

}  // namespace picus::models
