#include <picus/picus.hpp>

int main() {
  picus::Model model("ball");
  const auto node = model.add_point("ball", {.position = {0, 0.8, 0}});
  const auto ball = model.add<picus::PointMass>({.name = "mass", .node = node, .mass = 1.0});
  model.add<picus::Gravity>(
      {.name = "gravity", .acceleration = {0, -9.8, 0}, .bodies = {ball->mass_point()}});
  model.add<picus::NodeToFaceContact>(
      {.name = "floor", .slave = node, .face = {.normal = {0, 1, 0}}, .e_n = 0.8});
  picus::DecoupledNsga integrator({.step = 1e-3});
  picus::Hdf5Recorder recorder("ball.h5", {.overwrite = true});
  picus::simulate(model, integrator, {.until = 4.0}, {&recorder});
}
