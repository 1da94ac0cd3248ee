/// A marble in a bowl whose shape the library does not have: z = (x^2 + y^2)^2.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void user_contact_example() {
  Model model("user_contact");
  // [example]
  const auto marble = model.add_point("marble", {.position = {0.8, 0, 0.6}, .velocity = {0, 1.5, 0}});
  const auto mass = model.add<PointMass>({.name = "mass", .node = marble, .mass = 0.1});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {mass->mass_point()}});
  model.add<UserContact>({.name = "bowl",
                          .nodes = {marble},
                          .gap =
                              [marble](const Configuration& q) {
                                const Vec3 x = q.position(marble);
                                const double r2 = x.head<2>().squaredNorm();
                                return x.z() - r2 * r2;
                              },
                          .e_n = 0.5});
  // [example end]
  run(model, 2.0);
}
