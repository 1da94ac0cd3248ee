#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/elements/solids/solid.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace picus {
namespace {

/// xi with sum N_a(xi) X_a = X, by Newton's method from the centre; empty if the iteration does not end near the
/// element.
std::optional<Vec3> local_coordinates(const solids::Corners& corners, const Vec3& X) {
  constexpr int max_iterations = 30;  // converges quadratically; bricks need one
  constexpr double tolerance = 1e-12;
  constexpr double far = 10.0;
  Vec3 xi = Vec3::Zero();
  for (int i = 0; i < max_iterations; ++i) {
    const Vec3 miss = X - corners.transpose() * solids::shape(xi);
    const Vec3 change = solids::jacobian(corners, xi).partialPivLu().solve(miss);
    xi += change;
    if (!(xi.norm() < far)) return std::nullopt;
    if (change.norm() < tolerance) return xi;
  }
  return std::nullopt;
}

}  // namespace

std::vector<PointNode> Solid::nodes(std::string_view set) const {
  std::vector<PointNode> result;
  for (const Index place : mesh_.points_of(set)) result.push_back(nodes_[place]);
  return result;
}

std::vector<QuadrilateralNodes> Solid::faces(std::string_view set) const {
  std::vector<QuadrilateralNodes> result;
  for (const CellFace& face : mesh_.faces(set)) {
    QuadrilateralNodes& nodes = result.emplace_back();
    for (std::size_t a = 0; a < 4; ++a) nodes[a] = nodes_[face[a]];
  }
  return result;
}

void Solid::fix(Model& model, std::string_view set) const {
  for (const PointNode& node : nodes(set)) model.fix(node);
}

double Solid::volume() const {
  double sum = 0;
  for (const auto& element : elements_) sum += element->volume();
  return sum;
}

double Solid::mass() const {
  double sum = 0;
  for (const auto& element : elements_) {
    for (const double m : element->nodal_masses()) sum += m;
  }
  return sum;
}

ContinuumPoint Solid::point(const Vec3& X) const {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    solids::Corners corners;
    for (std::size_t a = 0; a < 8; ++a) {
      const Vec3& corner = mesh_.points[mesh_.cells[e][a]];
      corners.row(a) = corner.transpose();
    }
    const Eigen::RowVector3d low = corners.colwise().minCoeff();
    const Eigen::RowVector3d high = corners.colwise().maxCoeff();
    const double slack = 1e-9 * (high - low).norm();
    const bool is_near = (X.transpose().array() >= low.array() - slack).all() &&
                         (X.transpose().array() <= high.array() + slack).all();
    if (!is_near) continue;
    const std::optional<Vec3> xi = local_coordinates(corners, X);
    if (xi && elements_[e]->contains(*xi)) return {elements_[e], *xi};
  }
  throw ModelError(
      fmt::format("solid of mesh \"{}\": the point ({:.9g}, {:.9g}, {:.9g}) m is in none of its elements",
                  mesh_.name, X[0], X[1], X[2]));
}

std::vector<MassPoint> Solid::mass_points() const {
  std::vector<MassPoint> result;
  for (const PointNode& node : nodes_) result.push_back({node, 0.0});
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    for (std::size_t a = 0; a < 8; ++a) {
      result[mesh_.cells[e][a]].mass += elements_[e]->nodal_masses()[a];
    }
  }
  return result;
}

Solid add_solid(Model& model, const HexahedralMesh& mesh, const SolidParameters& parameters) {
  const Culprit who{"solid", parameters.name};
  require_material(who, parameters.material);
  require_finite(who, "velocity", parameters.velocity, "m/s");
  require_finite(who, "angular_velocity", parameters.angular_velocity, "rad/s");
  mesh.check();
  if (mesh.cells.empty()) {
    throw ModelError(fmt::format("{}: mesh \"{}\" has no cells", who.text(), mesh.name));
  }
  std::vector<bool> is_used(mesh.points.size(), false);
  for (const Cell& cell : mesh.cells) {
    for (const Index place : cell) is_used[place] = true;
  }
  if (const auto unused = std::find(is_used.begin(), is_used.end(), false); unused != is_used.end()) {
    throw ModelError(fmt::format("{}: point {} of mesh \"{}\" belongs to no cell", who.text(),
                                 unused - is_used.begin(), mesh.name));
  }
  std::vector<const SolidMaterial*> materials(mesh.cells.size(), &parameters.material);
  for (const auto& [set, material] : parameters.material_of) {
    for (const Index cell : mesh.cells_of(set)) materials[cell] = &material;
  }

  Solid solid;
  solid.mesh_ = mesh;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Vec3& x = mesh.points[i];
    solid.nodes_.push_back(model.add_point(
        fmt::format("{}[{}]", parameters.name, i),
        {.position = x, .velocity = parameters.velocity + parameters.angular_velocity.cross(x)}));
  }
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    std::array<PointNode, 8> nodes;
    for (std::size_t a = 0; a < 8; ++a) nodes[a] = solid.nodes_[mesh.cells[i][a]];
    solid.elements_.push_back(model.add<Hexahedron>({.name = fmt::format("{}[{}]", parameters.name, i),
                                                     .nodes = nodes,
                                                     .material = *materials[i],
                                                     .formulation = parameters.formulation,
                                                     .lumped_mass = parameters.lumped_mass,
                                                     .damping_time = parameters.damping_time}));
  }
  return solid;
}

}  // namespace picus
