#include <picus/picus.hpp>

#include <cstdio>

int main() {
  using picus::Vec3;
  picus::Model model("croquet");

  // A hammer on a hinge 1.1 m above the floor, held out to the left. Its frame is in its head.
  const auto head = model.add_frame("hammer", {.position = {-1.0, 1.1, 0}});
  const auto angle = model.add_scalar("angle");
  const auto hammer = model.add<picus::RigidBody>(
      {.name = "hammer", .node = head, .mass = 2.0, .inertia = picus::inertia::sphere(2.0, 0.1)});
  model.add<picus::Hinge>({.name = "hinge",
                           .a = picus::MaterialPoint::on_ground({0, 1.1, 0}),
                           .b = {head, Vec3(1.0, 0, 0)},
                           .axis = {0, 0, 1},
                           .angle = angle});

  // A ball that lies on the floor where the hammer will be fastest.
  const auto node = model.add_frame("ball", {.position = {0.2, 0.1, 0}});
  const auto ball = model.add<picus::RigidBody>(
      {.name = "ball", .node = node, .mass = 1.0, .inertia = picus::inertia::sphere(1.0, 0.1)});
  model.add<picus::SphereToFaceContact>(
      {.name = "floor", .centre = node, .radius = 0.1, .face = {.normal = {0, 1, 0}}, .mu = 0.3});
  model.add<picus::SphereToSphereContact>({.name = "hit", .a = {head, 0.1}, .b = {node, 0.1}, .e_n = 0.5});

  model.add<picus::Gravity>({.name = "gravity",
                             .acceleration = {0, -9.81, 0},
                             .bodies = {hammer->mass_point(), ball->mass_point()}});

  picus::DecoupledNsga integrator({.step = 1e-3});
  picus::Hdf5Recorder recorder("croquet.h5", {.overwrite = true});
  const auto run = picus::simulate(model, integrator, {.until = 1.5}, {&recorder});
  std::printf("The ball rolls at %.2f m/s.\n", run.final_state.v[node.v]);
}
