// Order of accuracy and absence of drift without contacts.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/guides.hpp>
#include <support/random.hpp>
#include <support/rods.hpp>

#include <algorithm>
#include <array>

namespace picus::nsga_smooth_motion_test {
namespace {

constexpr double g = 9.81;

/// Largest errors of position, velocity and multiplier over a run.
using Errors = std::array<double, 3>;
constexpr std::array<const char*, 3> quantities = {"position", "velocity", "multiplier"};

/// Runs with h, h/2, h/4, ... and expects errors proportional to h^2.
template <class Measure>
void expect_second_order(double h, int refinements, Measure&& measure) {
  std::vector<double> steps;
  std::array<std::vector<double>, 3> errors;
  for (int k = 0; k < refinements; ++k, h /= 2) {
    const Errors at_h = measure(h);
    steps.push_back(h);
    for (std::size_t i = 0; i < 3; ++i) errors[i].push_back(at_h[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(fitted_order(steps, errors[i]), 2.0, 0.1) << quantities[i];
    EXPECT_GT(errors[i].back(), 1e-8) << quantities[i] << ": the error is rounding, which has no order";
  }
}

/// A mass on a rod, in the x-y plane; gravity points to -y, the angle is measured from there.
struct Pendulum {
  static constexpr double length = 0.7;
  static constexpr double mass = 1.9;
  static constexpr double start_angle = 1.2;

  Pendulum() {
    const auto pivot = model.add_point("pivot");
    model.fix(pivot);
    bob = model.add_point("bob", {.position = position(start_angle)});
    model.add<support::PointMass>({.name = "mass", .node = bob, .mass = mass, .gravity = {0, -g, 0}});
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob, .length = length});
  }
  static Vec3 position(double angle) { return length * Vec3(std::sin(angle), -std::cos(angle), 0); }

  /// Angle and its rate after a further time, by many steps of the Runge-Kutta method.
  static void advance(double& angle, double& rate, double time) {
    constexpr int steps = 64;
    const double h = time / steps;
    const auto f = [](double a) { return -g / length * std::sin(a); };
    for (int i = 0; i < steps; ++i) {
      const double k1 = rate, l1 = f(angle);
      const double k2 = rate + h / 2 * l1, l2 = f(angle + h / 2 * k1);
      const double k3 = rate + h / 2 * l2, l3 = f(angle + h / 2 * k2);
      const double k4 = rate + h * l3, l4 = f(angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
  }

  Model model;
  PointNode bob;
};

TEST(NsgaSmoothMotion, AConstrainedPendulumIsOfSecondOrder) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  for (const double rho : {0.0, 0.8, 1.0}) {
    expect_second_order(0.02, 5, [&](double h) {
      DecoupledNsga integrator({.step = h}, {.rho_inf = rho});
      Errors worst{};
      double angle = Pendulum::start_angle;
      double rate = 0;
      run(system, integrator, static_cast<int>(std::lround(2 / h)),
          [&](const State& state, const StepReport&) {
            Pendulum::advance(angle, rate, h);
            const Vec3 v = Pendulum::length * rate * Vec3(std::cos(angle), std::sin(angle), 0);
            const double pull = Pendulum::mass * (g * std::cos(angle) + Pendulum::length * rate * rate);
            worst[0] =
                std::max(worst[0], (state.q.position(pendulum.bob) - Pendulum::position(angle)).norm());
            worst[1] = std::max(worst[1], (state.v.segment<3>(pendulum.bob.v) - v).norm());
            worst[2] = std::max(worst[2], std::abs(state.constraint_force[0] + pull));
          });
      return worst;
    });
  }
}

TEST(NsgaSmoothMotion, ABeadOnATurningWireIsOfSecondOrder) {
  // r = cosh(w t), and the wire pushes with 2 m w r'.
  constexpr double w = 1.3;
  Model model;
  const auto bead = model.add_point("bead", {.position = {1, 0, 0}, .velocity = {0, w, 0}});
  model.add<support::PointMass>({.name = "mass", .node = bead});
  model.add<support::TurningWire>({.name = "wire", .point = bead, .angular_speed = w});
  const System system(model);
  expect_second_order(0.02, 5, [&](double h) {
    DecoupledNsga integrator({.step = h});
    Errors worst{};
    run(system, integrator, static_cast<int>(std::lround(2 / h)), [&](const State& state, const StepReport&) {
      const double t = state.time;
      const double r = std::cosh(w * t);
      const double r_rate = w * std::sinh(w * t);
      const Vec3 along(std::cos(w * t), std::sin(w * t), 0);
      const Vec3 across(-std::sin(w * t), std::cos(w * t), 0);
      worst[0] = std::max(worst[0], (state.q.position(bead) - r * along).norm());
      worst[1] = std::max(worst[1], (state.v - r_rate * along - w * r * across).norm());
      // The start uses a(0) for a(-h (alpha_f - alpha_m)); the resulting first-order error of the multiplier, if the
      // acceleration changes immediately, decays like rho_inf^n.
      if (t > 0.5) worst[2] = std::max(worst[2], std::abs(state.constraint_force[0] - 2 * w * r_rate));
    });
    return worst;
  });
}

/// A body that swings and tumbles on a rod far from its centre of mass: spatial rotations, a mass matrix that varies
/// with them. There is no closed form; errors are differences from a run with a much smaller step.
TEST(NsgaSmoothMotion, ATumblingBodyOfVaryingMassIsOfSecondOrder) {
  support::Random random(4);
  Model model;
  const auto ground = model.add_point("ground");
  model.fix(ground);
  const auto body = model.add_frame(
      "body", {.position = {1, 0, 0.2}, .rotation = random.rotation(), .angular_velocity = {2, 0.5, -1}});
  model.add<support::OffsetBody>({.name = "mass",
                                  .node = body,
                                  .mass = 1.5,
                                  .inertia = {0.1, 0.2, 0.25},
                                  .centre = {0.1, 0.2, -0.15},
                                  .gravity = {0, 0, -g}});
  const MaterialPoint end(body, {-0.2, 0.1, 0.3});
  model.add<support::Rod>(
      {.name = "rod", .a = ground, .b = end, .length = end.position(model.initial_configuration()).norm()});
  const System system(model);
  constexpr double until = 0.8;
  const State exact = run(system, {.step = 5e-5}, until);
  expect_second_order(0.005, 4, [&](double h) {
    const State state = run(system, {.step = h}, until);
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), exact.q, state.q, apart);
    return Errors{apart.norm(), (state.v - exact.v).norm(),
                  (state.constraint_force - exact.constraint_force).norm()};
  });
}

TEST(NsgaSmoothMotion, ConstraintsDoNotDrift) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  DecoupledNsga integrator({.step = 1e-3});
  Vector violation = Vector::Zero(1);
  double worst_violation = 0;
  double worst_rate = 0;
  double fastest = 0;
  run(system, integrator, 100000, [&](const State& state, const StepReport&) {
    system.evaluate_constraint_residual(state.q, state.time, violation);
    const Vec3 x = state.q.position(pendulum.bob);
    const Vec3 v = state.v.segment<3>(pendulum.bob.v);
    worst_violation = std::max(worst_violation, std::abs(violation[0]));
    worst_rate = std::max(worst_rate, std::abs(x.dot(v)) / Pendulum::length);
    fastest = std::max(fastest, v.norm());
  });
  // The tolerance of 1e-8 of the motion over a step (h v, and v), at any time.
  EXPECT_LE(worst_violation, 1e-8 * 1e-3 * fastest);
  EXPECT_LE(worst_rate, 1e-8 * fastest);
}

/// F t at a point.
class GrowingForce : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    Vec3 rate = Vec3::Zero();
  };
  GrowingForce(const Parameters& p, const Model&) : Element(p.name, {p.node}), rate_(p.rate) {}
  Traits traits() const override {
    return {.depends_on_configuration = false, .depends_on_velocity = false, .is_load = true};
  }
  void force(const Motion& motion, std::span<double> f) const override {
    vector_view<3>(f) = motion.t * rate_;
  }
  void tangents(const Motion&, std::span<double>, std::span<double>) const override {}

 private:
  Vec3 rate_;
};

// At the start there is neither motion nor force with which to scale residuals.
TEST(NsgaSmoothMotion, AConstrainedSystemAtRestIsSetGoingByALoadThatBeginsAtZero) {
  Model model;
  const auto a = model.add_point("a");
  const auto b = model.add_point("b", {.position = {1, 0, 0}});
  model.add<support::PointMass>({.name = "mass a", .node = a});
  model.add<support::PointMass>({.name = "mass b", .node = b});
  model.add<support::Rod>({.name = "rod", .a = a, .b = b});
  const Vec3 rate(3, 2, 1);
  model.add<GrowingForce>({.name = "push", .node = b, .rate = rate});
  for (const double h : {1e-2, 1e-3}) {
    int fallbacks = 0;
    DecoupledNsga integrator({.step = h});
    const State state = run(System(model), integrator, static_cast<int>(std::lround(0.1 / h)),
                            [&](const State&, const StepReport& report) {
                              for (const int count : report.fallbacks) fallbacks += count;
                            });
    EXPECT_EQ(fallbacks, 0);
    const Vec3 momentum = state.v.segment<3>(a.v) + state.v.segment<3>(b.v);
    // The integral of F t; the weights of the scheme shift the load of a step by up to half a step.
    EXPECT_LT((momentum - 0.005 * rate).norm(), 0.1 * h * rate.norm());
    EXPECT_NEAR((state.q.position(b) - state.q.position(a)).norm(), 1.0, 1e-9);
  }
}

TEST(NsgaSmoothMotion, TimeAndStepsAreCounted) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  DecoupledNsga integrator({.step = 1e-3});
  std::int64_t expected = 0;
  const State last = run(system, integrator, 1000, [&](const State& state, const StepReport& report) {
    EXPECT_EQ(state.step, ++expected);
    EXPECT_EQ(report.subproblems[0].name, "smooth");
    EXPECT_EQ(report.subproblems[1].name, "position");
    EXPECT_EQ(report.subproblems[2].name, "velocity");
    for (const SubproblemReport& part : report.subproblems) EXPECT_LE(part.residual, 1.0);
    EXPECT_EQ(report.closed_contacts, 0);
    for (const int count : report.fallbacks) EXPECT_EQ(count, 0);
  });
  EXPECT_NEAR(last.time, 1.0, 1e-12);
}

}  // namespace
}  // namespace picus::nsga_smooth_motion_test
