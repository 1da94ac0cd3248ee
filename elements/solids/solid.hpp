#pragma once

/// Meshed solids: creates the nodes and hexahedra of a mesh in one call.
///
///     const auto mesh = make_box_mesh({.size = {1, 0.1, 0.1}, .divisions = {10, 2, 2}});
///     const Solid bar = add_solid(model, mesh, {.name = "bar", .material = {...}});
///     bar.fix(model, "x-");
///     add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bar.mass_points()});
///     add_pressure(model, {.name = "wind", .faces = bar.faces("y+"), .pressure = 1e3});

#include <picus/elements/bodies/mass_point.hpp>
#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/mesh.hpp>
#include <picus/model.hpp>

#include <map>
#include <string>
#include <vector>

namespace picus {

/// The arguments of add_solid(); nodes and elements are called NAME[0], NAME[1] and so on.
struct SolidParameters {
  std::string name;
  SolidMaterial material;  ///< of all cells except those of material_of
  /// Different materials for the cells of some sets; where sets overlap the last one applies.
  std::map<std::string, SolidMaterial> material_of = {};
  HexahedronFormulation formulation = HexahedronFormulation::enhanced;  ///< treatment of locking
  bool lumped_mass = false;              ///< diagonal mass instead of the consistent one
  double damping_time = 0.0;             ///< s, see hexahedron.hpp
  Vec3 velocity = Vec3::Zero();          ///< of all points at the start, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start, about the origin, inertial axes, rad/s
};

/// A mesh instantiated in a model. Sets keep their names.
class Solid {
 public:
  /// The nodes in the order of the points of the mesh.
  const std::vector<PointNode>& nodes() const { return nodes_; }
  /// The nodes of a set of points, faces or cells.
  std::vector<PointNode> nodes(std::string_view set) const;
  /// The faces of a set, oriented outward.
  std::vector<QuadrilateralNodes> faces(std::string_view set) const;
  /// The elements in the order of the cells.
  const std::vector<Handle<Hexahedron>>& elements() const { return elements_; }
  /// The mesh from which it was made.
  const HexahedralMesh& mesh() const { return mesh_; }
  /// The point initially at X, m, in the first element that contains it. Throws ModelError if none does.
  ContinuumPoint point(const Vec3& X) const;

  /// Fixes all components of the nodes of a set.
  void fix(Model& model, std::string_view set) const;

  double volume() const;  ///< m3
  double mass() const;    ///< kg
  /// One for each node, exact for a uniform acceleration field.
  std::vector<MassPoint> mass_points() const;

 private:
  friend Solid add_solid(Model& model, const HexahedralMesh& mesh, const SolidParameters& parameters);

  HexahedralMesh mesh_;
  std::vector<PointNode> nodes_;
  std::vector<Handle<Hexahedron>> elements_;
};

/// Adds a node "NAME[i]" for each point and a Hexahedron "NAME[i]" for each cell. Points that no cell uses are
/// refused, since they would have no mass.
Solid add_solid(Model& model, const HexahedralMesh& mesh, const SolidParameters& parameters);

}  // namespace picus
