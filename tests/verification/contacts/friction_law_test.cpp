/// Friction that depends on the sliding speed, against closed forms and reduced equations integrated by a fourth-order
/// method.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace picus::friction_law_test {
namespace {

constexpr double g = 9.81;

/// A point on the floor z = 0, pulled by a spring along x if its stiffness is not zero.
struct Block {
  Friction mu;
  Vec3 velocity = Vec3::Zero();
  double mass = 1.0;
  double stiffness = 0.0;
  double belt_speed = 0.0;  ///< of the floor, along x
  Vec3 origin = Vec3::Zero();
};

Model make_block(const Block& p) {
  Model model("block");
  const PointNode point = model.add_point("point", {.position = p.origin, .velocity = p.velocity});
  model.add<PointMass>({.name = "mass", .node = point, .mass = p.mass});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {{point, p.mass}}});
  Face floor{.point = p.origin, .normal = {0, 0, 1}, .tangent = Vec3(1, 0, 0)};
  if (p.belt_speed != 0) {
    const FrameNode belt = model.add_frame("belt", {.position = p.origin});
    model.drive(belt, Component::x, PrescribedMotion::constant_speed(p.belt_speed));
    model.fix(belt, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
    floor.node = belt;
    floor.point = Vec3::Zero();
  }
  model.add<NodeToFaceContact>({.name = "sole", .slave = point, .face = floor, .mu = p.mu});
  if (p.stiffness > 0)
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(p.origin - Vec3(10, 0, 0)),
                             .b = point,
                             .stiffness = p.stiffness});
  return model;
}

State run(const Model& model, const std::string& scheme, double h, double until) {
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  while (state.time < until - 0.5 * h) integrator->step(state);
  return state;
}

/// mu(s) = mu_0 + c s: dv/dt = -g (mu_0 + c v).
struct Viscous {
  double mu_0, c;
  double speed(double v_0, double t) const { return (v_0 + mu_0 / c) * std::exp(-c * g * t) - mu_0 / c; }
  double path(double v_0, double t) const {
    return (v_0 + mu_0 / c) / (c * g) * (1 - std::exp(-c * g * t)) - mu_0 / c * t;
  }
  Friction law() const {
    return stribeck({.mu_at_rest = mu_0, .mu_sliding = mu_0, .speed = 1.0, .viscosity = c});
  }
};

class FrictionLawOfScheme : public testing::TestWithParam<const char*> {};

TEST_P(FrictionLawOfScheme, SlowsDownASlidingPointToSecondOrder) {
  const Viscous laws[] = {{0.2, 0.5}, {0.05, 2.0}, {0.3, 0.05}};
  for (const Viscous& law : laws) {
    SCOPED_TRACE(fmt::format("mu = {} + {} s", law.mu_0, law.c));
    const double until = 0.16;
    const Vec3 direction(std::cos(0.7), std::sin(0.7), 0);
    double before = 0;
    for (const double h : {8e-3, 4e-3, 2e-3}) {
      Friction mu = law.law();
      const Vec3 origin(5, -2, 1);
      const Model model =
          make_block({.mu = mu, .velocity = 1.5 * direction, .mass = 3.0, .origin = origin});
      const State state = run(model, GetParam(), h, until);
      const Vec3 x = state.q.position(model.find_node("point")) - origin;
      const double error = std::hypot((x - law.path(1.5, until) * direction).norm(),
                                      (state.v.head<3>() - law.speed(1.5, until) * direction).norm());
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), 2.0, 0.1) << "h = " << h << ", error " << error;
      }
      before = error;
    }
  }
}

/// The Stribeck curve makes the deceleration grow before the stop. Time and path to it are integrals over the speed.
TEST_P(FrictionLawOfScheme, StopsWhereTheCurveSays) {
  const StribeckParameters curves[] = {{.mu_at_rest = 0.5, .mu_sliding = 0.2, .speed = 0.3},
                                       {.mu_at_rest = 0.4, .mu_sliding = 0.3, .speed = 0.05, .exponent = 1},
                                       {.mu_at_rest = 0.3, .mu_sliding = 0.2, .speed = 0.1, .viscosity = 0.3}};
  for (const StribeckParameters& curve : curves) {
    SCOPED_TRACE(fmt::format("mu at rest {}, speed {} m/s", curve.mu_at_rest, curve.speed));
    const auto law = stribeck(curve);
    constexpr int intervals = 20000;
    const double dv = 1.0 / intervals;
    double time = 0, path = 0;
    for (int i = 0; i < intervals; ++i) {  // midpoint rule, error 1e-9
      const double v = (i + 0.5) * dv;
      time += dv / (g * law->at(v).mu);
      path += v * dv / (g * law->at(v).mu);
    }
    double before = 0;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      const Model model = make_block({.mu = law, .velocity = {0, 1, 0}});
      const State state = run(model, GetParam(), h, time + 0.1);
      EXPECT_LT(state.v.norm(), 1e-9);
      const double error = std::abs(state.q.position(model.find_node("point")).y() - path);
      // Where in a step it stops is left to chance: the speed lost is right up to g (mu_s - mu_k) h.
      EXPECT_LT(error, g * curve.mu_at_rest * h * h + 0.1 * h * h / (curve.speed * curve.speed));
      std::printf("%s h %g error %g\n", GetParam(), h, error);
      before = error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, FrictionLawOfScheme,
                         testing::Values("ds", "cs", "dsn", "moreau-jean", "chen", "mixed"));

}  // namespace
}  // namespace picus::friction_law_test
