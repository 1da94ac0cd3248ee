/// Two balls and a box fall into a bowl of triangles.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void triangle_mesh_example() {
  Model model("triangle_mesh");
  // [example]
  shapes::Mesh bowl{.is_closed = false};  // seen from above, or read_mesh("bowl.stl", 1e-3)
  constexpr int n = 16;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= n; ++k) {
      const double x = 1.0 * i / n - 0.5, y = 1.0 * k / n - 0.5;
      bowl.points.emplace_back(x, y, x * x + y * y);
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      const Index a = i * (n + 1) + k, b = a + n + 1;
      bowl.triangles.push_back({a, b, b + 1});
      bowl.triangles.push_back({a, b + 1, a + 1});
    }
  }
  model.add<Surface>({.name = "bowl", .of = bowl});
  std::vector<MassPoint> bodies;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "body[" + std::to_string(i) + "]";
    const auto node = model.add_frame(name, {.position = {0.3 * i - 0.32, 0.1 * i - 0.05, 0.35}});
    const bool is_ball = i % 2 == 0;
    const Mat3 inertia = is_ball ? inertia::sphere(0.3, 0.07) : inertia::box(0.3, {0.12, 0.1, 0.08});
    bodies.push_back(
        model.add<RigidBody>({.name = name + " mass", .node = node, .mass = 0.3, .inertia = inertia})
            ->mass_point());
    model.add<Surface>({.name = name,
                        .of = is_ball ? Shape(shapes::Ball{0.07}) : Shape(shapes::Box{{0.12, 0.1, 0.08}}),
                        .on = node});
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
  // [example end]
  run(model, 0.9, 5e-4);
}
