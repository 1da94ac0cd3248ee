/// A bead on a wire whose shape the library does not have.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <cmath>

using namespace picus;

void user_constraint_example() {
  Model model("user_constraint");
  // [example]
  const auto bead = model.add_point("bead", {.position = {0, 0, 1}, .velocity = {0.5, 0, -0.05}});
  const auto mass = model.add<PointMass>({.name = "mass", .node = bead, .mass = 1.0});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {mass->mass_point()}});
  model.add<UserConstraint>({.name = "wire",
                             .nodes = {bead},
                             .rows = 2,
                             .residual = [bead](const Configuration& q, double, std::span<double> g) {
                               const Vec3 x = q.position(bead);
                               g[0] = x.y();
                               g[1] = x.z() - std::cos(x.x()) * std::exp(-0.1 * x.x());
                             }});
  // [example end]
  run(model, 2.0);
}
