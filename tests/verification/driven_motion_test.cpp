// Components with a prescribed motion whose acceleration is not given: order, and a start that needs no earlier
// times.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::driven_motion_test {
namespace {

constexpr double amplitude = 0.3;
constexpr double omega = 7.0;
constexpr double mass = 2.0;
constexpr double arm = 0.4;
constexpr double end = 0.8;

/// A shaker that starts at t = 0 with its full acceleration; it is undefined for earlier times.
PrescribedMotion shaker(bool gives_acceleration) {
  const auto of = [](double t, double value) {
    return t < 0 ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  PrescribedMotion motion;
  motion.displacement = [=](double t) { return of(t, amplitude * (1 - std::cos(omega * t))); };
  motion.rate = [=](double t) { return of(t, amplitude * omega * std::sin(omega * t)); };
  if (gives_acceleration)
    motion.acceleration = [=](double t) { return of(t, amplitude * omega * omega * std::cos(omega * t)); };
  return motion;
}

/// A body that rotates about z at a point moved along x: the acceleration of the shaker drives it through the mass
/// matrix alone.
struct Pendulum {
  explicit Pendulum(bool gives_acceleration) {
    body = model.add_frame("body");
    model.fix(body, {Component::y, Component::z, Component::rx, Component::ry});
    model.drive(body, Component::x, shaker(gives_acceleration));
    model.add<RigidBody>({.name = "mass",
                          .node = body,
                          .mass = mass,
                          .inertia = inertia::sphere(mass, 0.1),
                          .centre_of_mass = {0, -arm, 0}});
  }
  Model model{"pendulum"};
  FrameNode body;
};

/// Angle and rate at the end: (J + m c^2) phi'' = -m c cos(phi) x'', by the Runge-Kutta method.
Eigen::Vector2d reference() {
  const double J = 0.4 * mass * 0.01 + mass * arm * arm;
  const auto rate = [&](double t, const Eigen::Vector2d& y) {
    const double x = amplitude * omega * omega * std::cos(omega * t);
    return Eigen::Vector2d(y[1], -mass * arm * std::cos(y[0]) * x / J);
  };
  constexpr int steps = 20000;
  constexpr double dt = end / steps;
  Eigen::Vector2d y(0, 0);
  for (int k = 0; k < steps; ++k) {
    const double t = k * dt;
    const Eigen::Vector2d a = rate(t, y);
    const Eigen::Vector2d b = rate(t + dt / 2, y + dt / 2 * a);
    const Eigen::Vector2d c = rate(t + dt / 2, y + dt / 2 * b);
    const Eigen::Vector2d d = rate(t + dt, y + dt * c);
    y += dt / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

struct Errors {
  double angle, rate;
};

Errors errors(const std::string& scheme, double h, bool gives_acceleration) {
  const Pendulum pendulum(gives_acceleration);
  const System system(pendulum.model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  const auto steps = std::lround(end / h);
  for (long k = 0; k < steps; ++k) integrator->step(state);
  const Eigen::Vector2d exact = reference();
  const Mat3 R = state.q.rotation(pendulum.body);
  return {std::abs(std::remainder(std::atan2(R(1, 0), R(0, 0)) - exact[0], 2 * std::numbers::pi)),
          std::abs(state.v[Node(pendulum.body).v + 5] - exact[1])};
}

class DrivenMotion : public testing::TestWithParam<const char*> {};

TEST_P(DrivenMotion, IsOfSecondOrderWithoutItsAcceleration) {
  const Errors coarse = errors(GetParam(), 4e-3, false);
  const Errors fine = errors(GetParam(), 2e-3, false);
  EXPECT_NEAR(std::log2(coarse.angle / fine.angle), 2.0, 0.1);
  EXPECT_NEAR(std::log2(coarse.rate / fine.rate), 2.0, 0.1);
  // Hardly worse than with a given acceleration: the difference over a step adds (w h)^2/12 of it.
  const Errors given = errors(GetParam(), 2e-3, true);
  EXPECT_LE(fine.angle, given.angle + omega * omega * 4e-6 / 12 * 10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, DrivenMotion,
                         testing::Values("ds", "cs", "dsn", "ds-np", "ds-a", "chen", "newmark", "hht",
                                         "mixed:base=bathe", "mixed:base=generalized-alpha"));

}  // namespace
}  // namespace picus::driven_motion_test
