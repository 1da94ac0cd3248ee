#include "closed_contacts.hpp"
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus::closed_contacts_test {
namespace {

constexpr double mu = 20.0;  // nothing slides
const Vec3 downwards(0, 0, -g);

/// The angle about y and its rate.
Reduced read_angle(const Model& model, const State& state) {
  const Node& node = model.nodes().back();
  const Mat3 R = state.q.rotation(node);
  Reduced y(2);
  y << std::atan2(R(0, 2), R(2, 2)), state.v[node.v + 4];
  return y;
}

Reduced pair(double a, double b) {
  Reduced y(2);
  y << a, b;
  return y;
}

/// A rod of 1 kg and 1 m that falls about its foot, which sticks to the floor. Coordinate: the angle from the vertical.
/// The node is at `c` from the centre.
ClosedContact falling_rod(const Vec3& c) {
  constexpr double l = 0.5;  // half its length
  constexpr double theta_0 = 0.2;
  constexpr double w_0 = 0.4;
  const auto angular = [](double theta) { return 0.75 * g / l * std::sin(theta); };
  return {
      .name = "a rod falls about its foot, its node at " + std::to_string(c.z()),
      .build =
          [=] {
            Model model("rod");
            const Mat3 R = so3::exp(Vec3(0, theta_0, 0));
            const Vec3 node_from_foot = R * (c + Vec3(0, 0, l)), w(0, w_0, 0);
            const FrameNode node = model.add_frame("rod", {.position = node_from_foot,
                                                           .rotation = R,
                                                           .velocity = w.cross(node_from_foot),
                                                           .angular_velocity = w});
            const auto body = model.add<RigidBody>({.name = "body",
                                                    .node = node,
                                                    .mass = 1.0,
                                                    .inertia = Vec3(l * l / 3, l * l / 3, 0.01).asDiagonal(),
                                                    .centre_of_mass = -c});
            add_gravity(model, {.name = "load", .acceleration = downwards, .bodies = {body->mass_point()}});
            model.add<NodeToFaceContact>({.name = "floor",
                                          .slave = {node, Vec3(0, 0, -l) - c},
                                          .face = {.normal = Vec3::UnitZ()},
                                          .mu = mu});
            return model;
          },
      .until = 0.3,
      .read = read_angle,
      .start = pair(theta_0, w_0),
      .rate = [=](double, const Reduced& y) { return pair(y[1], angular(y[0])); },
      .normal_force =
          [=](double, const Reduced& y) {
            return g - l * (std::sin(y[0]) * angular(y[0]) + std::cos(y[0]) * y[1] * y[1]);
          }};
}

/// A ball of 1 kg that rolls on the floor, its centre of mass e from its centre, where its node is. Coordinate: the
/// angle of the centre of mass from below the centre.
ClosedContact eccentric_ball() {
  constexpr double r = 0.1;
  constexpr double e = 0.04;
  constexpr double J = 0.004;
  constexpr double theta_0 = -1.0;
  constexpr double w_0 = 0.5;
  const auto angular = [](const Reduced& y) {
    const double s = std::sin(y[0]);
    return -e * s * (g + r * y[1] * y[1]) / (J + r * r + e * e - 2 * r * e * std::cos(y[0]));
  };
  return {
      .name = "an eccentric ball rolls",
      .build =
          [=] {
            Model model("ball");
            const FrameNode node = model.add_frame("ball", {.position = {0, 0, r},
                                                            .rotation = so3::exp(Vec3(0, theta_0, 0)),
                                                            .velocity = {r * w_0, 0, 0},
                                                            .angular_velocity = {0, w_0, 0}});
            const auto body = model.add<RigidBody>({.name = "body",
                                                    .node = node,
                                                    .mass = 1.0,
                                                    .inertia = Vec3::Constant(J).asDiagonal(),
                                                    .centre_of_mass = {0, 0, -e}});
            add_gravity(model, {.name = "load", .acceleration = downwards, .bodies = {body->mass_point()}});
            model.add<SphereToFaceContact>(
                {.name = "floor", .centre = node, .radius = r, .face = {.normal = Vec3::UnitZ()}, .mu = mu});
            return model;
          },
      .until = 0.3,
      .read = read_angle,
      .start = pair(theta_0, w_0),
      .rate = [=](double, const Reduced& y) { return pair(y[1], angular(y)); },
      .normal_force =
          [=](double, const Reduced& y) {
            return g + e * (std::sin(y[0]) * angular(y) + std::cos(y[0]) * y[1] * y[1]);
          }};
}

}  // namespace

std::vector<ClosedContact> closed_contacts_of_offset_bodies() {
  return {falling_rod({0, 0, 0}), falling_rod({0, 0, -0.5}), falling_rod({0.2, 0.1, 0.7}), eccentric_ball()};
}

}  // namespace picus::closed_contacts_test
