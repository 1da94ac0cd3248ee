#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/models/flyball_governor.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <memory>

namespace picus::models {
namespace {

constexpr double bar_length = 1.0;    // length of shaft and arms, m
constexpr double bar_width = 0.01;    // of their square section, m
constexpr double slider_size = 0.1;   // edges, m
constexpr double half_width = 0.05;   // from the shaft to the hinges, and half a slider, m
constexpr double slider_start = 0.5;  // m
constexpr double free_length = 0.5;   // of the couplers, m

double bar_mass(const FlyballGovernor& p) {
  return p.density * bar_length * bar_width * bar_width;
}

double governor_slider_mass(const FlyballGovernor& p) {
  return p.density * slider_size * slider_size * slider_size;
}

/// An arm with its ball, along x from the hinge.
struct BalledArm {
  double mass, centre;  ///< kg, m
  Mat3 inertia;         ///< about the centre of mass
};

BalledArm arm_of(const FlyballGovernor& p) {
  const double rod = bar_mass(p);
  const double mass = rod + p.ball_mass;
  const double centre = (rod * bar_length / 2 + p.ball_mass * bar_length) / mass;
  const double apart = rod * (centre - bar_length / 2) * (centre - bar_length / 2) +
                       p.ball_mass * (bar_length - centre) * (bar_length - centre);
  return {mass, centre,
          inertia::box(rod, {bar_length, bar_width, bar_width}) + inertia::diagonal(0, apart, apart)};
}

}  // namespace

GovernorReference flyball_governor_reference(const FlyballGovernor& p, StopRequest stop_request) {
  const double section = bar_width * bar_width;
  const double fixed =
      bar_mass(p) * (section + section) / 12 + governor_slider_mass(p) * slider_size * slider_size / 6;
  return GovernorReference({.arm_mass = bar_mass(p),
                            .arm_length = bar_length,
                            .arm_width = bar_width,
                            .ball_mass = p.ball_mass,
                            .slider_mass = governor_slider_mass(p),
                            .fixed_inertia = fixed,
                            .half_width = half_width,
                            .height = bar_length,
                            .stiffness = p.stiffness,
                            .damping = p.damping,
                            .free_length = free_length,
                            .gravity = p.gravity,
                            .angle = p.angle,
                            .slider = slider_start,
                            .speed = p.speed},
                           stop_request);
}

Model make_flyball_governor(const FlyballGovernor& p) {
  Model model("flyball-governor");
  const Vec3 up = Vec3::UnitZ();
  const Vec3 spin = p.speed * up;
  std::vector<MassPoint> bodies;
  const auto add_body = [&](const std::string& name, const Vec3& position, const Mat3& R, double mass,
                            const Mat3& inertia) {
    const FrameNode node = model.add_frame(name, {.position = position,
                                                  .rotation = R,
                                                  .velocity = spin.cross(position),
                                                  .angular_velocity = R.transpose() * spin});
    const auto body = model.add<RigidBody>({.name = name, .node = node, .mass = mass, .inertia = inertia});
    bodies.push_back(body->mass_point());
    return node;
  };
  const FrameNode shaft = add_body("shaft", bar_length / 2 * up, Mat3::Identity(), bar_mass(p),
                                   inertia::box(bar_mass(p), {bar_width, bar_width, bar_length}));
  const FrameNode slider = add_body("slider", slider_start * up, Mat3::Identity(), governor_slider_mass(p),
                                    inertia::box(governor_slider_mass(p), Vec3::Constant(slider_size)));
  model.add<Hinge>({.name = "bearing",
                    .a = MaterialPoint::on_ground(Vec3::Zero()),
                    .b = {shaft, -bar_length / 2 * up},
                    .axis = up});
  model.add<PrismaticJoint>({.name = "guide", .a = shaft, .b = slider, .axis = up});
  const BalledArm arm = arm_of(p);
  const auto add_arm = [&](const std::string& name, double turn) {
    const Mat3 around = so3::exp(turn * up);
    const Mat3 R = around * so3::exp(p.angle * Vec3::UnitY());
    const Vec3 side = half_width * around.col(0);
    const FrameNode node =
        add_body(name, bar_length * up + side + arm.centre * R.col(0), R, arm.mass, arm.inertia);
    model.add<Hinge>({.name = name + " hinge",
                      .a = {shaft, bar_length / 2 * up + side},
                      .b = {node, -arm.centre * Vec3::UnitX()},
                      .axis = around.col(1)});
    model.add<SpringDamper>({.name = name + " coupler",
                             .a = {slider, side},
                             .b = {node, (bar_length / 2 - arm.centre) * Vec3::UnitX()},
                             .stiffness = p.stiffness,
                             .damping = p.damping,
                             .free_length = free_length});
  };
  add_arm("right", 0.0);
  add_arm("left", std::numbers::pi);
  add_gravity(model, {.name = "gravity", .acceleration = -p.gravity * up, .bodies = bodies});
  return model;
}

Signals flyball_governor_signals(const RunInfo& run, const FlyballGovernor& p) {
  const auto exact = std::make_shared<GovernorReference>(flyball_governor_reference(p, run.stop_request));
  return {
      position(run, "slider", Axis::z).named("s").against([exact](double t) { return exact->at(t).slider; }),
      angular_velocity(run, "shaft", Axis::z).named("speed").against([exact](double t) {
        return exact->speed(t);
      }),
      energy(run), violation(run)};
}

Measures flyball_governor_measures(const RunInfo& run, const FlyballGovernor& p) {
  Measures measures;
  measures.add("L1 error of s", "", measures.l1_error(flyball_governor_signals(run, p).front()), 0.0,
               "reference");
  return measures;
}

RegisteredModel registered_flyball_governor() {
  using P = FlyballGovernor;
  auto table =
      ParameterTable<P>()
          .real("stiffness", &P::stiffness, Range::not_negative(), "N/m", "stiffness of each coupler rod")
          .real("damping", &P::damping, Range::not_negative(), "N s/m", "damping of each coupler rod")
          .real("ball_mass", &P::ball_mass, Range::positive(), "kg", "mass of each ball")
          .real("density", &P::density, Range::positive(), "kg/m3", "density of shaft, arms and slider")
          .real("speed", &P::speed, {}, "rad/s", "angular velocity of the shaft at the start")
          .real("angle", &P::angle, Range::between(-1.5, 1.5), "rad",
                "of the arms below the horizontal at the start")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "flyball-governor",
               .summary = "A flyball governor whose coupler rods are stiff springs and dampers swings about "
                          "its speed. Couplers decay a thousand times faster than the governor moves.",
               .source = "IFToMM A05; Gonzalez and others 2006",
               .step = 1e-3,
               .until = 10.0,
               .convergence = {.quantities = {"s", "speed"}, .steps = {4e-3, 2e-3, 1e-3}, .until = 5.0}},
      .parameters = table,
      .build = make_flyball_governor,
      .measures = flyball_governor_measures,
      .signals = flyball_governor_signals};
}

}  // namespace picus::models
