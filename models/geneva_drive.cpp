#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/models/geneva_drive.hpp>
#include <picus/models/mesh_bodies.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

constexpr double geneva_quarter = std::numbers::pi / 2;
constexpr int pin_sides = 24;
constexpr int disc_chords = 90;

/// Lengths and angles that follow from the parameters.
struct GenevaGeometry {
  double distance;  ///< between the axes, m
  double disc;      ///< radius of the disc, m
  double room;      ///< about the axis of the wheel, which the disc leaves for its horns, m
  double open;      ///< half angle of the disc that is cut away, rad
  double arc;       ///< radius of the arcs of the wheel, m
  double end;       ///< half angle of an arc, rad

  explicit GenevaGeometry(const GenevaDrive& p)
      : distance(p.crank * std::sqrt(2.0)),
        disc(0.8 * p.crank),
        room(1.02 * p.crank),
        open(std::acos((distance * distance + disc * disc - room * room) / (2 * distance * disc))),
        arc(disc + p.play),
        end(std::acos((distance * distance + arc * arc - p.crank * p.crank) / (2 * distance * arc))) {}
};

std::vector<Eigen::Vector2d> disc_outline(const GenevaGeometry& g) {
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i <= disc_chords; ++i)
    outline.push_back(polar(g.disc, g.open + (2 * std::numbers::pi - 2 * g.open) * i / disc_chords));
  const double wide = std::asin(g.disc * std::sin(g.open) / g.room);
  for (int i = 1; i < 20; ++i) {
    const double angle = std::numbers::pi + wide - 2 * wide * i / 20;
    outline.push_back(Eigen::Vector2d(g.distance, 0) + polar(g.room, angle));
  }
  return outline;
}

std::vector<Eigen::Vector2d> wheel_outline(const GenevaDrive& p, const GenevaGeometry& g) {
  const double slot = p.pin + p.play;
  const double bottom = g.distance - p.crank - p.pin - 2 * p.play;
  const double mouth = std::sqrt(p.crank * p.crank - slot * slot);
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < 4; ++k) {
    const Eigen::Rotation2Dd turn(geneva_quarter * k);
    const auto side = [](double angle, double along, double aside) {
      return Eigen::Vector2d(along * polar(1, angle) + aside * polar(1, angle + geneva_quarter));
    };
    // From the slot at -45 degrees, whose upper side leads outwards, to the one at 45 degrees.
    outline.push_back(turn * side(-0.5 * geneva_quarter, bottom, slot));
    outline.push_back(turn * side(-0.5 * geneva_quarter, mouth, slot));
    for (int i = 0; i <= 30; ++i) {
      const double angle = std::numbers::pi + g.end - 2 * g.end * i / 30;
      outline.push_back(turn * (Eigen::Vector2d(g.distance, 0) + polar(g.arc, angle)));
    }
    outline.push_back(turn * side(0.5 * geneva_quarter, mouth, -slot));
    outline.push_back(turn * side(0.5 * geneva_quarter, bottom, -slot));
  }
  return outline;
}

/// The wheel of the drive without play.
struct IdealWheel {
  double angle;      ///< rad, of all quarter turns so far
  bool is_indexing;  ///< the pin is in a slot
};

IdealWheel ideal_wheel(const GenevaDrive& p, double time) {
  const double total = std::numbers::pi + p.speed * time;  // of the crank, 0 towards the wheel
  const double turn = std::floor(total / (2 * std::numbers::pi) + 0.5);
  const double from_middle = total - 2 * std::numbers::pi * turn;
  const double indexed = (turn - 1) * geneva_quarter;
  if (std::abs(from_middle) < 0.5 * geneva_quarter) {
    const double distance = p.crank * std::sqrt(2.0);
    const double within =
        std::atan2(p.crank * std::sin(from_middle), distance - p.crank * std::cos(from_middle));
    return {indexed + 0.5 * geneva_quarter + within, true};
  }
  return {indexed + (from_middle > 0 ? geneva_quarter : 0.0), false};
}

/// Deviation of the wheel where it is indexing or where it is not; 0 in the other case.
double geneva_error(const Snapshot& at, const Node& wheel, const GenevaDrive& p, bool while_indexing) {
  const IdealWheel ideal = ideal_wheel(p, at.state.time);
  if (ideal.is_indexing != while_indexing) return 0.0;
  const double angle = turn_about_z(at.state.q.rotation(wheel));
  return std::abs(std::remainder(-angle - ideal.angle, 2 * std::numbers::pi));
}

}  // namespace

GenevaLimits geneva_limits(const GenevaDrive& p) {
  const GenevaGeometry g(p);
  const double slack = p.play + p.pin * (1 - std::cos(std::numbers::pi / pin_sides));
  const double chord = g.disc * (1 - std::cos((std::numbers::pi - g.open) / disc_chords));
  return {.index = slack / (g.distance - p.crank),
          .dwell = (p.play + chord) / (g.distance * std::sin(g.end))};
}

Model make_geneva_drive(const GenevaDrive& p) {
  Model model("geneva-drive");
  const GenevaGeometry g(p);
  const FrameNode driver = model.add_frame(
      "driver", {.rotation = so3::exp(Vec3(0, 0, std::numbers::pi)), .angular_velocity = {0, 0, p.speed}});
  model.add<RigidBody>(
      {.name = "driver body", .node = driver, .mass = 1.0, .inertia = inertia::sphere(1.0, g.disc)});
  const double thickness = 0.2 * p.crank;
  model.add<Surface>({.name = "disc", .of = make_prism(disc_outline(g), 1.5 * thickness), .on = driver});
  model.add<Surface>({.name = "pin",
                      .of = make_prism(make_circle({p.crank, 0}, p.pin, pin_sides), 1.5 * thickness),
                      .on = driver});
  const FrameNode wheel = add_mesh_body(model, "wheel", make_prism(wheel_outline(p, g), thickness),
                                        {.position = {g.distance, 0, 0}}, p.density);
  hold_in_bearing(model, driver);
  model.drive(driver, Component::rz, PrescribedMotion::constant_speed(p.speed));
  hold_in_bearing(model, wheel);
  model.add<ContactsBetween>({.name = "all", .mu = p.mu});
  return model;
}

Signals geneva_drive_signals(const RunInfo& run, const GenevaDrive& p) {
  const Node wheel = run.system.model().find_node("wheel");
  return {{"wheel", "rad", "angle of the wheel",
           [wheel](const Snapshot& at) { return turn_about_z(at.state.q.rotation(wheel)); }},
          {"index_error", "rad", "deviation of the wheel while it turns",
           [wheel, p](const Snapshot& at) { return geneva_error(at, wheel, p, true); }},
          {"dwell_error", "rad", "deviation of the wheel while it stands",
           [wheel, p](const Snapshot& at) { return geneva_error(at, wheel, p, false); }},
          energy(run)};
}

Measures geneva_drive_measures(const RunInfo& run, const GenevaDrive& p) {
  const Node wheel = run.system.model().find_node("wheel");
  Measures measures;
  for (const bool indexing : {true, false}) {
    measures.add(indexing ? "largest deviation while it turns" : "largest deviation while it stands", "rad",
                 measures.largest([wheel, p, indexing](const Snapshot& at) {
                   return geneva_error(at, wheel, p, indexing);
                 }));
  }
  return measures;
}

RegisteredModel registered_geneva_drive() {
  using P = GenevaDrive;
  auto table = ParameterTable<P>()
                   .real("crank", &P::crank, Range::positive(), "m", "distance of the pin from its axis")
                   .real("pin", &P::pin, Range::positive(), "m", "radius of the pin")
                   .real("play", &P::play, Range::positive(), "m", "of the pin and of the disc")
                   .real("speed", &P::speed, Range::positive(), "rad/s", "of the driver")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("density", &P::density, Range::positive(), "kg/m3", "density of the wheel");
  return ModelParts<P>{
      .info = {.name = "geneva-drive",
               .summary =
                   "A pin on a crank turns a slotted wheel by quarter turns, and a disc holds it in between",
               .source = "kinematics",
               .step = 2e-3,
               .until = 2.1},
      .parameters = table,
      .build = make_geneva_drive,
      .measures = geneva_drive_measures,
      .signals = geneva_drive_signals};
}

}  // namespace picus::models
