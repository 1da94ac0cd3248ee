#include "closed_contacts.hpp"

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/hollow_sphere.hpp>

#include <Eigen/Geometry>

#include <cmath>

namespace picus::closed_contacts_test {
namespace {

const Vec3 weight(0, 0, -g);  // of 1 kg

Reduced joined(const Vec3& x, const Vec3& v) {
  Reduced y(6);
  y << x, v;
  return y;
}

/// A point of 1 kg in contact: the face prescribes a normal acceleration at its position.
struct PointOnFace {
  std::function<Vec3(double t, const Vec3& x)> normal;
  std::function<double(double t, const Vec3& x, const Vec3& v)> normal_acceleration;
  std::function<Vec3(double t, const Vec3& x)> face_velocity;
  Vec3 load = weight;
  double mu = 0.0;

  double normal_force(double t, const Reduced& y) const {
    const Vec3 x = y.head<3>();
    return normal_acceleration(t, x, y.tail<3>()) - normal(t, x).dot(load);
  }
  Reduced rate(double t, const Reduced& y) const {
    const Vec3 x = y.head<3>();
    const Vec3 v = y.tail<3>();
    const double N = normal_force(t, y);
    const Vec3 n = normal(t, x);
    Vec3 a = load + N * n;
    if (mu > 0) {
      Vec3 slip = v - face_velocity(t, x);
      slip -= n * n.dot(slip);
      a -= mu * N * slip.normalized();
    }
    return joined(v, a);
  }
};

/// The point of the model, its last node.
Reduced read_point(const Model& model, const State& state) {
  const Node& node = model.nodes().back();
  return joined(state.q.position(node), state.v.segment<3>(node.v));
}

PointNode add_point(Model& model, const Vec3& x, const Vec3& v, const Vec3& load = weight) {
  const PointNode point = model.add_point("point", {.position = x, .velocity = v});
  model.add<PointMass>({.name = "mass", .node = point, .mass = 1.0});
  add_gravity(model, {.name = "load", .acceleration = load, .bodies = {{point, 1.0}}});
  return point;
}

ClosedContact of_point(
    std::string name, double until, const PointOnFace& face, const Vec3& x, const Vec3& v,
    const std::function<void(Model&, const PointNode&)>& add_face,
    const std::function<void(Model&)>& add_master = [](Model&) {}) {
  return {.name = std::move(name),
          .build =
              [=] {
                Model model("point");
                add_master(model);
                add_face(model, add_point(model, x, v, face.load));
                return model;
              },
          .until = until,
          .read = read_point,
          .start = joined(x, v),
          .rate = [face](double t, const Reduced& y) { return face.rate(t, y); },
          .normal_force = [face](double t, const Reduced& y) { return face.normal_force(t, y); }};
}

Vec3 at_rest(double /*t*/, const Vec3& /*x*/) {
  return Vec3::Zero();
}

Vec3 bowl_start(const Bowl& /*bowl*/) {
  return {-std::sin(1.0), 0, -std::cos(1.0)};
}

Vec3 bowl_velocity(const Bowl& bowl) {
  return {0.5 * std::cos(1.0), bowl.spatial ? 1.5 : 0.0, -0.5 * std::sin(1.0)};
}

ClosedContact bowl(const Bowl& bowl) {
  const PointOnFace face{
      .normal = [](double, const Vec3& x) { return Vec3(-x.normalized()); },
      .normal_acceleration = [](double, const Vec3& x, const Vec3& v) { return v.squaredNorm() / x.norm(); },
      .face_velocity = at_rest,
      .mu = bowl.mu};
  return of_point(std::string("a point in a bowl") + (bowl.spatial ? ", circling" : "") +
                      (bowl.mu > 0 ? ", friction" : ""),
                  0.5, face, bowl_start(bowl), bowl_velocity(bowl),
                  [=](Model& model, const PointNode& point) {
                    model.add<models::HollowSphereContact>({.name = "bowl", .point = point, .mu = bowl.mu});
                  });
}

/// Outside a sphere of 1 m: at rest, or driven along x.
ClosedContact ball(double mu, double amplitude) {
  constexpr double w = 10;
  const auto centre = [=](double t) { return amplitude * std::sin(w * t); };
  const auto speed = [=](double t) { return amplitude * w * std::cos(w * t); };
  const auto acceleration = [=](double t) { return -amplitude * w * w * std::sin(w * t); };
  const auto normal = [=](double t, const Vec3& x) { return Vec3((x - Vec3(centre(t), 0, 0)).normalized()); };
  const PointOnFace face{.normal = normal,
                         .normal_acceleration =
                             [=](double t, const Vec3& x, const Vec3& v) {
                               const double r = (x - Vec3(centre(t), 0, 0)).norm();
                               return acceleration(t) * normal(t, x).x() -
                                      (v - Vec3(speed(t), 0, 0)).squaredNorm() / r;
                             },
                         .face_velocity = [=](double t, const Vec3&) { return Vec3(speed(t), 0, 0); },
                         .mu = mu};
  const Vec3 x(std::sin(0.2), 0, std::cos(0.2));
  const Vec3 v(0.8 * std::cos(0.2) + speed(0), 0.5, -0.8 * std::sin(0.2));
  return of_point(
      std::string(amplitude > 0 ? "a point on a sphere that moves" : "a point on a sphere") +
          (mu > 0 ? ", friction" : ""),
      0.2, face, x, v,
      [=](Model& model, const PointNode& point) {
        MaterialPoint at = MaterialPoint::on_ground(Vec3::Zero());
        if (amplitude > 0) at = FrameNode{model.nodes().front()};
        model.add<SphereToSphereContact>({.name = "sphere", .a = {at, 0.7}, .b = {point, 0.3}, .mu = mu});
      },
      [=](Model& model) {
        if (amplitude == 0) return;
        const FrameNode node = model.add_frame("carrier", {.velocity = {speed(0), 0, 0}});
        using enum Component;
        model.fix(node, {y, z, rx, ry, rz});
        model.drive(node, x, {.displacement = centre, .rate = speed, .acceleration = acceleration});
      });
}

/// A puck that slides across an incline: the direction of its slip rotates.
ClosedContact incline() {
  const PointOnFace face{.normal = [](double, const Vec3&) { return Vec3(Vec3::UnitZ()); },
                         .normal_acceleration = [](double, const Vec3&, const Vec3&) { return 0.0; },
                         .face_velocity = at_rest,
                         .load = {0, -3, -9},
                         .mu = 0.3};
  return of_point("a puck across an incline", 0.5, face, Vec3::Zero(), {2, 0, 0},
                  [](Model& model, const PointNode& point) {
                    model.add<NodeToFaceContact>(
                        {.name = "incline", .slave = point, .face = {.normal = Vec3::UnitZ()}, .mu = 0.3});
                  });
}

constexpr double turning = 3.0;  // rad/s

Vec3 turning_velocity(double /*t*/, const Vec3& x) {
  return turning * Vec3::UnitZ().cross(x);
}

void add_turning(Model& model) {
  const FrameNode node = model.add_frame("turning", {.angular_velocity = {0, 0, turning}});
  using enum Component;
  model.fix(node, {x, y, z, rx, ry});
  model.drive(node, rz, PrescribedMotion::constant_speed(turning));
}

/// A puck that is carried along by a turntable.
ClosedContact turntable() {
  const PointOnFace face{.normal = [](double, const Vec3&) { return Vec3(Vec3::UnitZ()); },
                         .normal_acceleration = [](double, const Vec3&, const Vec3&) { return 0.0; },
                         .face_velocity = turning_velocity,
                         .mu = 0.3};
  return of_point(
      "a puck on a turntable", 0.4, face, {0.5, 0, 0}, Vec3::Zero(),
      [](Model& model, const PointNode& point) {
        model.add<NodeToFaceContact>(
            {.name = "table",
             .slave = point,
             .face = {.node = FrameNode{model.nodes().front()}, .normal = Vec3::UnitZ()},
             .mu = 0.3});
      },
      add_turning);
}

/// A bead that a paddle pushes and flings outwards; with friction it also falls along the paddle.
ClosedContact paddle(double mu) {
  const auto normal = [](double t, const Vec3&) {
    return Vec3(-std::sin(turning * t), std::cos(turning * t), 0);
  };
  const PointOnFace face{.normal = normal,
                         // n . x = 0, differentiated twice.
                         .normal_acceleration =
                             [=](double t, const Vec3& x, const Vec3& v) {
                               const Vec3 along(std::cos(turning * t), std::sin(turning * t), 0);
                               return 2 * turning * along.dot(v) + turning * turning * normal(t, x).dot(x);
                             },
                         .face_velocity = turning_velocity,
                         .load = mu > 0 ? weight : Vec3(Vec3::Zero()),
                         .mu = mu};
  return of_point(
      std::string("a bead on a turning paddle") + (mu > 0 ? ", friction" : ""), 0.4, face, {0.5, 0, 0},
      {0.2, 0.5 * turning, 0},
      [=](Model& model, const PointNode& point) {
        model.add<NodeToFaceContact>(
            {.name = "paddle",
             .slave = point,
             .face = {.node = FrameNode{model.nodes().front()}, .normal = Vec3::UnitY()},
             .mu = mu});
      },
      add_turning);
}

/// A rod of 1 kg that topples, its lower end on the floor. Coordinates: angle from the vertical, x of the centre.
ClosedContact rod(double mu) {
  constexpr double l = 0.5;
  constexpr double J = l * l / 3;
  constexpr double theta_0 = 0.4;
  constexpr double w_0 = 0.3;
  struct Forces {
    double angular, normal, friction;
  };
  const auto forces = [=](const Reduced& y) {
    const double s = std::sin(y[0]);
    const double c = std::cos(y[0]);
    const double w = y[2];
    // The end slides along x with x' - l c w. J theta'' = N l s - F l c, N = g - l s theta'' - l c w^2.
    const double part = mu == 0 ? 0.0 : std::copysign(mu, l * c * w - y[3]);
    const double arm = l * s - l * c * part;
    const double angular = arm * (g - l * c * w * w) / (J + arm * l * s);
    const double N = g - l * s * angular - l * c * w * w;
    return Forces{angular, N, part * N};
  };
  const auto rate = [=](double, const Reduced& y) {
    const Forces f = forces(y);
    Reduced d(4);
    d << y[2], y[3], f.angular, f.friction;
    return d;
  };
  Reduced start(4);
  start << theta_0, l * std::sin(theta_0), w_0, 0.0;
  return {
      .name = std::string("a rod on the floor") + (mu > 0 ? ", friction" : ""),
      .build =
          [=] {
            Model model("rod");
            const FrameNode node = model.add_frame(
                "rod", {.position = {l * std::sin(theta_0), 0, l * std::cos(theta_0)},
                        .rotation = Eigen::AngleAxisd(theta_0, Vec3::UnitY()).toRotationMatrix(),
                        .velocity = {0, 0, -l * std::sin(theta_0) * w_0},
                        .angular_velocity = {0, w_0, 0}});
            model.add<RigidBody>(
                {.name = "body", .node = node, .mass = 1.0, .inertia = Vec3(J, J, 0.01).asDiagonal()});
            add_gravity(model, {.name = "load", .acceleration = weight, .bodies = {{node, 1.0}}});
            model.add<NodeToFaceContact>(
                {.name = "floor", .slave = {node, {0, 0, -l}}, .face = {.normal = Vec3::UnitZ()}, .mu = mu});
            return model;
          },
      .until = 0.3,
      .read =
          [](const Model& model, const State& state) {
            const Node& node = model.nodes().back();
            const Mat3 R = state.q.rotation(node);
            Reduced y(4);
            y << std::atan2(R(0, 2), R(2, 2)), state.q.position(node).x(), state.v[node.v + 4],
                state.v[node.v];
            return y;
          },
      .start = start,
      .rate = rate,
      .normal_force = [=](double, const Reduced& y) { return forces(y).normal; }};
}

/// A ball that rolls down a ball at rest, in the x-y plane. Coordinate: the angle of the line of centres from y.
ClosedContact rolling(Index friction_directions) {
  constexpr double R = 0.7;
  constexpr double r = 0.3;
  constexpr double theta_0 = 0.2;
  constexpr double w_0 = 1.0;
  const auto rate = [](double, const Reduced& y) {
    Reduced d(2);
    d << y[1], 5.0 / 7 * g * std::sin(y[0]) / (R + r);
    return d;
  };
  Reduced start(2);
  start << theta_0, w_0;
  return {
      .name = "a ball rolls on a ball, directions of friction: " + std::to_string(friction_directions),
      .build =
          [=] {
            Model model("balls");
            const Vec3 e(std::sin(theta_0), std::cos(theta_0), 0);
            const Vec3 t(std::cos(theta_0), -std::sin(theta_0), 0);
            const FrameNode node = model.add_frame("ball", {.position = (R + r) * e,
                                                            .velocity = (R + r) * w_0 * t,
                                                            .angular_velocity = {0, 0, -(R + r) * w_0 / r}});
            model.add<RigidBody>(
                {.name = "body", .node = node, .mass = 1.0, .inertia = inertia::sphere(1.0, r)});
            add_gravity(model, {.name = "load", .acceleration = {0, -g, 0}, .bodies = {{node, 1.0}}});
            model.add<SphereToSphereContact>({.name = "ball",
                                              .a = {MaterialPoint::on_ground(Vec3::Zero()), R},
                                              .b = {node, r},
                                              .mu = 2.0,
                                              .friction_directions = friction_directions});
            return model;
          },
      .until = 0.3,
      .read =
          [](const Model& model, const State& state) {
            const Node& node = model.nodes().back();
            const Vec3 x = state.q.position(node);
            Reduced y(2);
            y << std::atan2(x.x(), x.y()), -state.v[node.v + 5] * r / (R + r);
            return y;
          },
      .start = start,
      .rate = rate,
      .normal_force = [](double, const Reduced& y) { return g * std::cos(y[0]) - (R + r) * y[1] * y[1]; }};
}

}  // namespace

Reduced ClosedContact::advance(Reduced y, double t, double h) const {
  constexpr int steps = 8;
  const double k = h / steps;
  for (int i = 0; i < steps; ++i) {
    const Reduced a = rate(t, y);
    const Reduced b = rate(t + k / 2, y + k / 2 * a);
    const Reduced c = rate(t + k / 2, y + k / 2 * b);
    const Reduced d = rate(t + k, y + k * c);
    y += k / 6 * (a + 2 * b + 2 * c + d);
    t += k;
  }
  return y;
}

Model make_bowl(const Bowl& parameters) {
  return bowl(parameters).build();
}

std::vector<ClosedContact> closed_contacts() {
  std::vector<ClosedContact> all;
  for (const double mu : {0.0, 0.2}) {
    all.push_back(bowl({.mu = mu, .spatial = false}));
    all.push_back(bowl({.mu = mu, .spatial = true}));
    all.push_back(ball(mu, 0.0));
    all.push_back(paddle(mu));
    all.push_back(rod(mu));
  }
  all.push_back(ball(0.0, 0.05));
  all.push_back(incline());
  all.push_back(turntable());
  all.push_back(rolling(1));
  all.push_back(rolling(2));
  return all;
}

}  // namespace picus::closed_contacts_test
