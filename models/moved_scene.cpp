#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/moved_scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace picus::models {
namespace {

constexpr double body_mass = 1.5;    // kg
constexpr double ball_radius = 0.1;  // m

void add_floor_and_wall(Model& model, const Vec3& place, const std::string& name, const FrameNode& ball) {
  model.add<SphereToFaceContact>({.name = "floor " + name,
                                  .centre = ball,
                                  .radius = ball_radius,
                                  .face = {.point = place, .normal = {0, 0, 1}},
                                  .mu = 0.3,
                                  .e_n = 0.2});
  model.add<SphereToFaceContact>({.name = "wall " + name,
                                  .centre = ball,
                                  .radius = ball_radius,
                                  .face = {.point = place + Vec3(0.6, 0, 0), .normal = {-1, 0, 0}},
                                  .mu = 0.1});
}

}  // namespace

Model make_moved_scene(const MovedScene& p) {
  Model model("moved-scene");
  const Vec3 place = p.place();
  std::vector<MassPoint> masses;
  const auto add_body = [&](const std::string& name, FrameStart start, const Mat3& J) {
    start.position += place;
    const FrameNode node = model.add_frame(name, start);
    masses.push_back(
        model.add<RigidBody>({.name = name, .node = node, .mass = body_mass, .inertia = J})->mass_point());
    return node;
  };
  const Mat3 ball = inertia::sphere(body_mass, ball_radius);
  const FrameNode a = add_body("a", {.position = {0, 0, 0.153}, .velocity = {0.8, 0.1, 0}}, ball);
  const FrameNode b = add_body("b", {.position = {0.35, 0.02, ball_radius}}, ball);
  add_floor_and_wall(model, place, "a", a);
  add_floor_and_wall(model, place, "b", b);
  model.add<SphereToSphereContact>(
      {.name = "pair", .a = {a, ball_radius}, .b = {b, ball_radius}, .mu = 0.2, .e_n = 0.5});
  const FrameNode bob = add_body("bob", {.position = {2, 0, 1}, .angular_velocity = {0, 1, 0}}, ball);
  model.add<Hinge>({.name = "hinge",
                    .a = MaterialPoint::on_ground(place + Vec3(1.7, 0, 1)),
                    .b = {bob, {-0.3, 0, 0}},
                    .axis = {0, 1, 0}});
  model.add<SpringDamper>({.name = "spring",
                           .a = MaterialPoint::on_ground(place + Vec3(2, 0, 1.4)),
                           .b = bob,
                           .stiffness = 300,
                           .damping = 0.5});
  if (p.has_wheel) {
    const FrameNode wheel = add_body("wheel", {.position = {1e3, 0, 0}, .angular_velocity = {0, 0, 1e3}},
                                     inertia::sphere(body_mass, 20));
    model.fix(wheel, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = masses});
  return model;
}

Signals moved_scene_signals(const RunInfo& run, const MovedScene& p) {
  const Vec3 place = p.place();
  Signals signals;
  for (const std::string name : {"a", "b", "bob"}) {
    const FrameNode node{run.system.model().find_node(name)};
    const std::array<std::pair<std::string, Vec3>, 3> points = {std::pair{name, Vec3(Vec3::Zero())},
                                                                std::pair{name + ".1", Vec3(p.size, 0, 0)},
                                                                std::pair{name + ".2", Vec3(0, p.size, 0)}};
    for (const auto& [point, offset] : points) {
      for (const Index i : {0, 1, 2}) {
        const std::string axis(1, "xyz"[i]);
        signals.push_back({fmt::format("{}.{}", point, axis), "m",
                           fmt::format("{} of {} relative to the place of the scene", axis, point),
                           [body_point = MaterialPoint(node, offset), i, from = place[i]](
                               const Snapshot& at) { return body_point.position(at.state.q)[i] - from; }});
      }
    }
  }
  return signals;
}

Measures moved_scene_measures(const RunInfo& run, const MovedScene& p) {
  Measures measures;
  const Signals signals = moved_scene_signals(run, p);
  for (const char* name : {"a.x", "b.x"}) {
    const auto found = std::ranges::find(signals, name, &Signal::name);
    measures.add(fmt::format("{} at the end", name), "m", measures.at_end(found->value));
  }
  return measures;
}

RegisteredModel registered_moved_scene() {
  using P = MovedScene;
  auto table = ParameterTable<P>()
                   .real("x", &P::x, {}, "m", "place of the scene along x")
                   .real("y", &P::y, {}, "m", "place of the scene along y")
                   .real("z", &P::z, {}, "m", "place of the scene along z")
                   .flag("wheel", &P::has_wheel, "whether a wheel turns with 1000 rad/s a kilometre away");
  return ModelParts<P>{
      .info = {.name = "moved-scene",
               .summary = "Two balls and a pendulum move as at the origin, wherever they are. Nor "
                          "does a fast wheel far away change their motion.",
               .source = "invariance of the equations of motion",
               .step = 1e-3,
               .until = 0.6},
      .parameters = table,
      .build = make_moved_scene,
      .measures = moved_scene_measures,
      .signals = moved_scene_signals};
}

}  // namespace picus::models
