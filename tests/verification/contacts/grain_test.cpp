/// Anisotropic friction of detected contacts, whose grain belongs to a surface, against closed forms, declared contacts
/// and an equation of motion.

#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace picus::grain_test {
namespace {

constexpr double mu = 0.2;
constexpr double depth = 0.1;  ///< of the lowest point of each slider below its centre, m
const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));

struct NamedShape {
  std::string name;
  Shape shape;
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
};

/// Bodies that slide without turning, with contacts of all kinds.
std::vector<NamedShape> sliders() {
  return {{"ball", shapes::Ball{depth}},
          {"lying capsule", shapes::Capsule{0.2, depth}, Vec3::Zero(), along_x},
          {"lying cylinder", shapes::Cylinder{0.2, depth}, Vec3::Zero(), along_x},
          {"standing cylinder", shapes::Cylinder{2 * depth, 0.1}},
          {"box", shapes::Box{{0.2, 0.2, 2 * depth}}},
          {"hull", shapes::Hull{{{0, 0, -depth}, {0.1, 0, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}}}}};
}
/// Grounds with the level 0.
std::vector<NamedShape> grounds() {
  return {{"half-space", shapes::HalfSpace{}},
          {"box", shapes::Box{{6, 6, 0.2}}, {0, 0, -0.1}},
          {"triangles", make_uneven_plane({-0.5, -0.5, 0}, 0.05)}};
}

/// Angle of the grain to the x axis in the plane z = 0, and its inclination to that plane.
struct Direction {
  double heading = 0.0;
  double inclination = 0.0;
  Vec3 vector() const {
    return {std::cos(inclination) * std::cos(heading), std::cos(inclination) * std::sin(heading),
            std::sin(inclination)};
  }
};

/// A slider that keeps its orientation, on the ground; one of the two has a grain.
struct Sliding : RoundScene {
  Sliding(const NamedShape& slider, const NamedShape& ground, const Vec3& velocity, const Vec3& grain,
          bool grain_on_slider, double anisotropy) {
    const FrameNode node =
        add_body("slider", 1.0, Mat3::Identity(), {.position = {0, 0, depth}, .velocity = velocity});
    model.fix(node, {Component::rx, Component::ry, Component::rz});
    const std::optional<Vec3> given = grain, none;
    model.add<Surface>({.name = "slider",
                        .of = slider.shape,
                        .on = node,
                        .position = slider.position,
                        .rotation = slider.rotation,
                        .grain = grain_on_slider ? slider.rotation.transpose() * grain : none});
    model.add<Surface>({.name = "ground",
                        .of = ground.shape,
                        .position = ground.position,
                        .grain = grain_on_slider ? none : given});
    add_weights();
    model.add<ContactsBetween>({.name = "all", .mu = mu, .anisotropy = anisotropy});
  }
};

/// Along the grain the deceleration is mu g, across it a mu g, where the grain is inclined by i to the surface
/// mu g (1 + (a - 1) cos^2 i); ds is exact for constant forces, up to the solution of each of the 100 steps to 1e-8 of
/// the speeds of the model.
TEST(Grain, StopsBodiesOfAllShapesFasterAcrossIt) {
  constexpr double speed = 1.0, until = 0.1;
  for (const NamedShape& slider : sliders()) {
    for (const NamedShape& ground : grounds()) {
      if (slider.name.ends_with("cylinder") && ground.name == "triangles") continue;  // not available
      for (const bool grain_on_slider : {false, true}) {
        for (const Direction& direction :
             {Direction{0.4, 0.0}, Direction{0.4, 0.8}, Direction{0.0, std::numbers::pi / 2}}) {
          for (const bool is_across : {false, true}) {
            const double a = is_across ? 1.7 : 0.6;
            SCOPED_TRACE(fmt::format("{} on {}, grain on {}, inclined by {}, {}", slider.name, ground.name,
                                     grain_on_slider ? "slider" : "ground", direction.inclination,
                                     is_across ? "across" : "along"));
            const double heading = direction.heading + (is_across ? std::numbers::pi / 2 : 0.0);
            const Vec3 way(std::cos(heading), std::sin(heading), 0);
            Sliding scene(slider, ground, speed * way, direction.vector(), grain_on_slider, a);
            const auto integrator = make_integrator("ds", {.step = 1e-3});
            Vec3 v = Vec3::Zero();
            run(scene, *integrator, until, [&](const Stepper&, const State& state, const StepReport&) {
              v = velocity(state, scene.bodies[0]);
            });
            const double factor =
                is_across ? 1 + (a - 1) * std::pow(std::cos(direction.inclination), 2) : 1.0;
            EXPECT_LT((v - (speed - mu * g * factor * until) * way).norm(), 1e-6);
          }
        }
      }
    }
  }
}

/// A ball on a grained plane, detected, moves as one whose contact is declared.
TEST(Grain, OfAFoundPlaneIsThatOfADeclaredFace) {
  for (const NamedShape& ground : grounds()) {
    for (const double a : {0.5, 2.0}) {
      SCOPED_TRACE(fmt::format("{}, a = {}", ground.name, a));
      const Vec3 grain = Direction{0.6}.vector();
      const auto end = [&](bool is_found) {
        Scene scene;
        const FrameNode ball = scene.add_body("ball", 2.0, inertia::sphere(2.0, depth),
                                              {.position = {0, 0, depth}, .velocity = {0.8, 0.9, 0}});
        scene.add_weights();
        if (is_found) {
          scene.model.add<Surface>({.name = "ball", .of = shapes::Ball{depth}, .on = ball});
          scene.model.add<Surface>(
              {.name = "ground", .of = ground.shape, .position = ground.position, .grain = grain});
          scene.model.add<ContactsBetween>({.name = "all", .mu = mu, .anisotropy = a});
        } else {
          scene.model.add<SphereToFaceContact>({.name = "sole",
                                                .centre = ball,
                                                .radius = depth,
                                                .face = {.normal = {0, 0, 1}, .tangent = grain},
                                                .mu = mu,
                                                .anisotropy = a});
        }
        const auto integrator = make_integrator("ds", {.step = 1e-3});
        Vec3 x = Vec3::Zero();
        run(scene, *integrator, 0.2,
            [&](const Stepper&, const State& state, const StepReport&) { x = state.q.position(ball); });
        return x;
      };
      EXPECT_LT((end(true) - end(false)).norm(), 1e-9);
    }
  }
}

/// A point below and beside the centre of mass of an upright body that spins about z, with the grain d of the body:
/// F = -mu N W^2 u/|W u|, u the slip, W = I + (a - 1) c c^T, c = z x d, which turns with the body.
TEST(Grain, TurnsWithTheBodyThatHasIt) {
  constexpr double mass = 2.0, inertia = 5e-3, until = 0.2, spin = 7.0;
  const Vec3 start(0.8, 0.5, 0), foot(0.05, -0.02, -depth);
  using Plane = Eigen::Vector2d;
  for (const double a : {0.5, 2.0}) {
    SCOPED_TRACE(fmt::format("a = {}", a));
    const Direction grain{0.6};
    // Place, angle, velocity, rate.
    using Motion = Eigen::Matrix<double, 6, 1>;
    const auto rate = [&](const Motion& y) {
      const Eigen::Matrix2d R = Eigen::Rotation2Dd(y[2]).toRotationMatrix();
      const Plane r = R * foot.head<2>();
      const Plane u = y.segment<2>(3) + y[5] * Plane(-r[1], r[0]);
      const Plane d = R * Plane(grain.vector().head<2>());
      const Plane c(-d[1], d[0]);
      const Eigen::Matrix2d W = Eigen::Matrix2d::Identity() + (a - 1) * c * c.transpose();
      const Plane F = -mu * mass * g / (W * u).norm() * (W * (W * u));
      Motion result;
      result << y.tail<3>(), F / mass, (r[0] * F[1] - r[1] * F[0]) / inertia;
      return result;
    };
    Motion y;
    y << 0, 0, 0, start.head<2>(), spin;
    constexpr int steps = 20000;  // of the midpoint rule, error 1e-8
    for (int i = 0; i < steps; ++i) y += until / steps * rate(y + until / steps / 2 * rate(y));

    double before = 0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      Scene scene;
      const FrameNode body =
          scene.add_body("body", mass, inertia * Mat3::Identity(),
                         {.position = {0, 0, depth}, .velocity = start, .angular_velocity = {0, 0, spin}});
      scene.model.fix(body, {Component::rx, Component::ry});
      scene.model.add<Surface>({.name = "foot",
                                .of = shapes::Hull{{foot, {0.1, 0, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}}},
                                .on = body,
                                .grain = grain.vector()});
      scene.model.add<Surface>({.name = "ground", .of = shapes::HalfSpace{}});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = mu, .anisotropy = a});
      const auto integrator = make_integrator("ds", {.step = h});
      Motion end = Motion::Zero();
      run(scene, *integrator, until, [&](const Stepper&, const State& state, const StepReport&) {
        end << state.q.position(body).head<2>(), so3::log(state.q.rotation(body)).z(),
            state.v.segment<2>(body.v), state.v[body.v + 5];
      });
      const double error = (end - y).norm();
      if (before > 0) {
        EXPECT_GT(std::log2(before / error), 1.9) << "h = " << h << ", error " << error;
      }
      before = error;
    }
  }
}

TEST(Grain, BelongsToOneOfTwoSurfacesThatTurn) {
  const auto message = [](const std::optional<Vec3>& one, const std::optional<Vec3>& other,
                          ContactsBetween::Parameters parameters) {
    return support::message_of<ModelError>([&] {
      Scene scene;
      const FrameNode node = scene.add_body("body", 1.0, Mat3::Identity(), {.position = {0, 0, 1}});
      scene.model.add<Surface>({.name = "plank", .of = shapes::Box{{1, 1, 1}}, .on = node, .grain = one});
      scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .grain = other});
      parameters.name = "all";
      const auto set = scene.model.add<ContactsBetween>(parameters);
      set->make_search(scene.model, 0);
    });
  };
  const Vec3 x = Vec3::UnitX();
  EXPECT_EQ(message(x, x, {.mu = 0.3, .anisotropy = 2.0}),
            "contact set \"all\": anisotropy is 2 between plank and floor, which both have a grain");
  EXPECT_EQ(message({}, {}, {.mu = 0.3, .anisotropy = 2.0}),
            "contact set \"all\": anisotropy is given, but none of its surfaces has a grain");
  EXPECT_EQ(message(x, {}, {.mu = 0.3, .anisotropy = -1.0}),
            "contact set \"all\": anisotropy is -1, must be positive");
  EXPECT_EQ(message(x, {}, {.mu = 0.3, .anisotropy = 2.0, .friction_directions = 1}),
            "contact set \"all\": anisotropy is 2, but friction has not two directions");
  EXPECT_EQ(message(Vec3::Zero(), {}, {.mu = 0.3}), "surface \"plank\": grain has zero length");
  Model model("ball");
  const PointNode point = model.add_point("ball");
  EXPECT_EQ(support::message_of<ModelError>([&] {
              model.add<Surface>({.name = "ball", .of = shapes::Ball{0.1}, .on = point, .grain = x});
            }),
            "surface \"ball\": grain is given, but it is on no body that turns");
  EXPECT_EQ(support::message_of<ModelError>([&] {
              model.add<Surface>({.name = "cloud", .of = shapes::Points{{point}, 0.1}, .grain = x});
            }),
            "surface \"cloud\": grain is given, but it is on no body that turns");
}

}  // namespace
}  // namespace picus::grain_test
