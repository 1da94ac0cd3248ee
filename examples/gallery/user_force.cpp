/// A charge in a magnetic field: f = q u x B, which the library does not have.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void user_force_example() {
  Model model("user_force");
  // [example]
  const auto charge = model.add_point("charge", {.velocity = {2, 0.5, 0}});
  model.add<PointMass>({.name = "mass", .node = charge, .mass = 1.0});
  model.add<UserForce>({.name = "field",
                        .nodes = {charge},
                        .force =
                            [charge](const Motion& motion, std::span<double> f) {
                              const Vec3 u = motion.v.segment<3>(charge.v);
                              vector_view<3>(f) = 10 * u.cross(Vec3::UnitY());
                            },
                        .traits = {.depends_on_configuration = false}});
  // [example end]
  run(model, 1.0);
}
