#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/shapes/read_mesh.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/models/mesh_bodies.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

namespace picus::models {

shapes::Mesh make_prism(const std::vector<Eigen::Vector2d>& base, double height) {
  std::string text;
  std::string bottom = "\n";
  std::string top = "f";
  const std::size_t n = base.size();
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (const auto& x : base) text += fmt::format("v {} {} {}\n", x.x(), x.y(), z);
  }
  for (std::size_t i = 1; i <= n; ++i) {
    const std::size_t next = i % n + 1;
    text += fmt::format("f {} {} {} {}\n", i, next, n + next, n + i);
    top += fmt::format(" {}", n + i);
    bottom = fmt::format(" {}", i) + bottom;
  }
  std::istringstream stream(text + top + "\nf" + bottom);
  return read_mesh(stream, "prism.obj");
}

std::vector<Eigen::Vector2d> make_circle(const Eigen::Vector2d& centre, double radius, int sides) {
  std::vector<Eigen::Vector2d> result;
  for (int i = 0; i < sides; ++i)
    result.emplace_back(centre + polar(radius, 2 * std::numbers::pi * i / sides));
  return result;
}

Eigen::Vector2d polar(double radius, double angle) {
  return radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
}

MeshMass centre_mesh(shapes::Mesh& mesh, double density) {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  const auto visit = [&](auto&& add) {  // the tetrahedra from the origin to the triangles
    for (const auto& [i, j, k] : mesh.triangles) {
      const Vec3 &a = mesh.points[i], &b = mesh.points[j], &c = mesh.points[k];
      add(a.dot(b.cross(c)) / 6, a, b, c);
    }
  };
  visit([&](double v, const Vec3& a, const Vec3& b, const Vec3& c) {
    volume += v;
    first += v / 4 * (a + b + c);
  });
  const Vec3 centre = first / volume;
  for (Vec3& x : mesh.points) x -= centre;
  visit([&](double v, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 sum = a + b + c;
    second += v / 20 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  });
  return {density * volume, density * (second.trace() * Mat3::Identity() - second)};
}

FrameNode add_mesh_body(Model& model, const std::string& name, shapes::Mesh mesh, const FrameStart& start,
                        double density) {
  const auto [mass, inertia] = centre_mesh(mesh, density);
  const FrameNode node = model.add_frame(name, start);
  model.add<RigidBody>({.name = name + " body", .node = node, .mass = mass, .inertia = inertia});
  model.add<Surface>({.name = name, .of = mesh, .on = node});
  return node;
}

void hold_in_bearing(Model& model, const FrameNode& node) {
  model.fix(node, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
}

double turn_about_z(const Mat3& R) {
  return std::atan2(R(1, 0), R(0, 0));
}

}  // namespace picus::models
