#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/models/references/stepped_motion.hpp>
#include <picus/models/shaken_pendulum.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace picus::models {
namespace {

struct Shaker {
  double amplitude, frequency;
  double displacement(double t) const { return amplitude * (1 - std::cos(frequency * t)); }
  double rate(double t) const { return amplitude * frequency * std::sin(frequency * t); }
  double acceleration(double t) const { return amplitude * frequency * frequency * std::cos(frequency * t); }
};

PrescribedMotion motion_of(const ShakenPendulum& p) {
  const Shaker shaker{p.amplitude, p.frequency};
  const auto from_start = [shaker](double (Shaker::*of)(double) const) {
    return
        [shaker, of](double t) { return t < 0 ? std::numeric_limits<double>::quiet_NaN() : (shaker.*of)(t); };
  };
  PrescribedMotion motion;
  motion.displacement = from_start(&Shaker::displacement);
  motion.rate = from_start(&Shaker::rate);
  if (p.gives_acceleration) motion.acceleration = from_start(&Shaker::acceleration);
  return motion;
}

/// Position of the ball relative to the point over c, by its angle.
Vec3 hanging(double angle) {
  return {std::sin(angle), -std::cos(angle), 0};
}

}  // namespace

std::function<PendulumMotion(double t)> shaken_pendulum_reference(const ShakenPendulum& p,
                                                                  StopRequest stop_request) {
  struct At {
    double t, angle, rate;
  };
  const Shaker shaker{p.amplitude, p.frequency};
  const double J = 0.4 * p.mass * p.radius * p.radius + p.mass * p.arm * p.arm;
  const auto advance = [shaker, ratio = p.mass * p.arm / J](const At& from, double h) {
    const auto rate = [&](const At& at) {
      return At{1.0, at.rate, -ratio * std::cos(at.angle) * shaker.acceleration(at.t)};
    };
    const auto moved = [&](const At& by, double step) {
      return At{from.t + step * by.t, from.angle + step * by.angle, from.rate + step * by.rate};
    };
    const At a = rate(from), b = rate(moved(a, h / 2)), c = rate(moved(b, h / 2)), d = rate(moved(c, h));
    return moved({1.0, (a.angle + 2 * b.angle + 2 * c.angle + d.angle) / 6,
                  (a.rate + 2 * b.rate + 2 * c.rate + d.rate) / 6},
                 h);
  };
  const auto motion =
      std::make_shared<SteppedMotion<At>>(At{.t = 0.0, .angle = 0.0, .rate = 0.0}, 1e-4, stop_request);
  return [motion, advance](double t) {
    const At& at = motion->at(t, advance);
    return PendulumMotion{at.angle, at.rate};
  };
}

Model make_shaken_pendulum(const ShakenPendulum& p) {
  Model model("shaken-pendulum");
  const FrameNode point = model.add_frame("point");
  model.fix(point, {Component::y, Component::z, Component::rx, Component::ry});
  model.drive(point, Component::x, motion_of(p));
  model.add<RigidBody>({.name = "ball",
                        .node = point,
                        .mass = p.mass,
                        .inertia = inertia::sphere(p.mass, p.radius),
                        .centre_of_mass = {0, -p.arm, 0}});
  return model;
}

Signals shaken_pendulum_signals(const RunInfo& run, const ShakenPendulum& p) {
  const auto exact = shaken_pendulum_reference(p, run.stop_request);
  const Shaker shaker{p.amplitude, p.frequency};
  const FrameNode node{run.system.model().find_node("point")};
  const Vec3 ball(0, -p.arm, 0);
  Signals signals;
  for (const Index i : {0, 1}) {
    const std::string axis(1, "xy"[i]);
    signals.push_back(
        {"ball." + axis, "m", "position of the centre of the ball along " + axis,
         [node, ball, i](const Snapshot& at) { return MaterialPoint(node, ball).position(at.state.q)[i]; },
         [exact, shaker, c = p.arm, i](double t) {
           return c * hanging(exact(t).angle)[i] + (i == 0 ? shaker.displacement(t) : 0.0);
         }});
  }
  for (const Index i : {0, 1}) {
    const std::string axis(1, "xy"[i]);
    signals.push_back(
        {"ball.v" + axis, "m/s", "velocity of the centre of the ball along " + axis,
         [node, ball, i](const Snapshot& at) {
           const Vec3 v = at.state.v.segment<3>(node.v), spin = at.state.v.segment<3>(node.v + 3);
           return (v + at.state.q.rotation(node) * spin.cross(ball))[i];
         },
         [exact, shaker, c = p.arm, i](double t) {
           const auto [angle, rate] = exact(t);
           return c * rate * Vec3::UnitZ().cross(hanging(angle))[i] + (i == 0 ? shaker.rate(t) : 0.0);
         }});
  }
  signals.push_back(angular_velocity(run, "point", Axis::z).named("rate").against([exact](double t) {
    return exact(t).rate;
  }));
  signals.push_back(energy(run));
  return signals;
}

Measures shaken_pendulum_measures(const RunInfo& run, const ShakenPendulum& p) {
  Measures measures;
  for (const Signal& signal : shaken_pendulum_signals(run, p)) {
    if (signal.name == "ball.x" || signal.name == "ball.y")
      measures.add("L1 error of " + signal.name, "", measures.l1_error(signal), 0.0, "reference");
  }
  return measures;
}

RegisteredModel registered_shaken_pendulum() {
  using P = ShakenPendulum;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the ball")
                   .real("arm", &P::arm, Range::positive(), "m", "distance of the ball from the point")
                   .real("radius", &P::radius, Range::positive(), "m", "radius of the ball")
                   .real("amplitude", &P::amplitude, {}, "m", "amplitude of the shaker")
                   .real("frequency", &P::frequency, {}, "rad/s", "its angular frequency")
                   .flag("acceleration", &P::gives_acceleration,
                         "whether the motion of the point comes with its acceleration");
  return ModelParts<P>{
      .info = {.name = "shaken-pendulum",
               .summary = "A ball hangs on a point that is shaken. Nothing but the acceleration of the point "
                          "drives it, which the motion does not give: the scheme gets it from the rate.",
               .source = "textbook problem; reduced equation",
               .step = 1e-3,
               .until = 0.8,
               .convergence = {.quantities = {"ball.*", "rate"}, .steps = {4e-3, 2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_shaken_pendulum,
      .measures = shaken_pendulum_measures,
      .signals = shaken_pendulum_signals};
}

}  // namespace picus::models
