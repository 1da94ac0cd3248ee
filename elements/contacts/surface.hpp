#pragma once

/// Surfaces of bodies, between which ContactsBetween detects contacts while they move:
///
///     const auto table = model.add<Surface>({.name = "table", .of = shapes::Box{{2, 1, 0.1}}});
///     const auto crate = model.add<Surface>({.name = "crate", .of = shapes::Box{{0.5, 0.5, 0.5}}, .on = frame});
///     model.add<Surface>({.name = "rope", .of = shapes::Rope{rope.nodes, 4e-3}});
///     model.add<Surface>({.name = "tyre", .of = shapes::Faces{tyre.faces("outside")}});
///     model.add<ContactsBetween>({.name = "all", .mu = 0.3});
///
/// A surface has no mass, which belongs to the body it is on. It consists of vertices, edges, and convex bodies or
/// triangles, all with one radius that rounds them off.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/contacts/shapes/polyhedron.hpp>
#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/elements/contacts/shapes/round_solid.hpp>
#include <picus/elements/contacts/shapes/triangle_mesh.hpp>
#include <picus/elements/contacts/sphere.hpp>
#include <picus/elements/forces/quadrilateral_nodes.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace picus {

/// The shapes that surfaces can have.
namespace shapes {

/// A ball centred at the position of the surface.
struct Ball {
  double radius = 0.0;  ///< m, > 0
};

/// A cylinder with hemispherical ends, along z, centred at the position of the surface.
struct Capsule {
  double length = 0.0;  ///< of the cylinder, m, > 0
  double radius = 0.0;  ///< m, > 0
};

/// A cylinder with flat ends and sharp rims, along z, centred at the position of the surface.
struct Cylinder {
  double length = 0.0;  ///< m, > 0
  double radius = 0.0;  ///< m, > 0
};

/// A cone or frustum with flat ends and sharp rims, along z, the midpoint of its axis at the position of the surface.
struct Cone {
  double length = 0.0;         ///< m, > 0
  double bottom_radius = 0.0;  ///< at z = -length/2, m, >= 0
  double top_radius = 0.0;     ///< at z = length/2, m, >= 0; 0 is a tip; at least one of the two is > 0
};

/// A box with sharp edges, centred at the position of the surface.
struct Box {
  Vec3 size = Vec3::Zero();  ///< edge lengths along x, y and z, m, > 0
};

/// The convex hull of points, with sharp edges.
struct Hull {
  std::vector<Vec3> points;  ///< in the axes of the surface, m; at least four, not coplanar
};

/// The half-space below a plane through the position of the surface.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();  ///< outward, in the axes of the surface, any length but zero
};

/// A rope or beam of circular cross section: capsules from node to node. A closed one ends with its first node.
struct Rope {
  std::vector<FrameNode> nodes;  ///< in order along it, at least two
  double radius = 0.0;           ///< m, > 0
};

/// Points of deformable bodies, such as the nodes of a solid, which may touch faces and round surfaces; or balls
/// centred at such points.
struct Points {
  std::vector<PointNode> nodes;  ///< at least one
  double radius = 0.0;           ///< m, >= 0
};

/// The surface of a deformable solid or a part of it, with sharp edges: each face consists of two triangles, with its
/// nodes 0, 1, 2 and 0, 2, 3. Corners, balls and nodes of other solids touch these; edges, capsules and ropes touch
/// the edges of faces.
struct Faces {
  std::vector<QuadrilateralNodes>
      faces;  ///< at least one, counterclockwise as seen from outside; adjacent ones share nodes
};

}  // namespace shapes

/// Any of the shapes that a surface can have.
using Shape =
    std::variant<shapes::Ball, shapes::Capsule, shapes::Cylinder, shapes::Cone, shapes::Box, shapes::Hull,
                 shapes::HalfSpace, shapes::Rope, shapes::Points, shapes::Faces, shapes::Mesh>;

class Surface : public Element, public Drawable {
 public:
  struct Parameters {
    std::string name;
    Shape of;  ///< its shape
    /// The body: a frame, or a point node for a ball; none: the ground. Ropes, points and faces have their own nodes.
    std::optional<Node> on = std::nullopt;
    Vec3 position = Vec3::Zero();      ///< of the shape's origin in the axes of the body, m
    Mat3 rotation = Mat3::Identity();  ///< from the axes of the shape to those of the body
    std::string material = {};         ///< name used by ContactsBetween::Parameters::pairs
    /// Direction of a grain in the axes of the shape, of any length but zero, for anisotropic friction:
    /// ContactsBetween::Parameters::anisotropy. Not for shapes that have their own nodes.
    std::optional<Vec3> grain = std::nullopt;
  };
  /// Throws ModelError for sizes that are not positive, a matrix that is not a rotation, points without volume,
  /// inconsistent faces and triangles (Polyhedron::of), nodes of another model, and a body or a grain for a shape
  /// that has its own nodes.
  Surface(const Parameters& parameters, const Model& model);

  /// Corners, centres of balls and ends of edges.
  const std::vector<MaterialPoint>& vertices() const { return vertices_; }
  /// Index pairs of vertices; empty for a convex body, those of Polyhedron for rigid triangles.
  const std::vector<std::array<Index, 2>>& edges() const { return edges_; }
  /// The convex body with sharp edges, in the axes of the node; null for other shapes.
  const Polytope* polytope() const { return polytope_ ? &*polytope_ : nullptr; }
  /// The cylinder or cone with sharp rims, in the axes of the node; null for others. Its vertices are the centres of
  /// its ends.
  const RoundSolid* round_solid() const { return round_solid_ ? &*round_solid_ : nullptr; }
  /// Points, not necessarily of the body, whose convex hull contains the whole cylinder or cone.
  const std::vector<MaterialPoint>& outline() const { return outline_; }
  /// The triangles of a deformable surface, between its vertices; null for others.
  const TriangleMesh* mesh() const { return mesh_ ? &*mesh_ : nullptr; }
  /// The rigid body or floor made of triangles, in the axes of the node; null for others.
  const Polyhedron* polyhedron() const { return polyhedron_ ? &*polyhedron_ : nullptr; }
  /// A plane of a rigid body, normal . x = offset, in the axes of the node.
  struct Plane {
    Vec3 normal;    ///< unit, outward
    double offset;  ///< m
  };
  /// Number of faces of the convex body or of the rigid triangles; 0 for others.
  Index plane_count() const;
  /// The plane of a face; empty if it is not a plane face of a rigid body.
  std::optional<Plane> plane(Index face) const;
  /// Reference length of tolerances of a body with plane faces, m; 0 for others.
  double size() const { return polytope_ ? polytope_->size : polyhedron_ ? polyhedron_->size : 0.0; }
  /// Whether the convex body is a half-space.
  bool is_half_space() const { return polytope_ && polytope_->vertices.empty(); }
  /// The radius rho, m.
  double radius() const { return radius_; }
  /// The node of the body; not valid() on the ground, or if the vertices have their own nodes.
  const Node& body() const { return body_; }
  /// The direction of the grain in the axes of the node, of length one; empty if there is none.
  const std::optional<Vec3>& grain() const { return grain_; }
  /// The material name given by the user.
  const std::string& material() const { return material_; }
  /// The body-fixed point at X in the axes of the node, m.
  MaterialPoint at(const Vec3& X) const;

  std::vector<MaterialPoint> points() const override { return shape_.points; }
  std::vector<std::vector<Index>> polylines() const override { return shape_.polylines; }
  std::vector<DrawnSphere> spheres() const override { return shape_.spheres; }
  std::vector<double> line_radii() const override { return line_radii_; }
  std::vector<std::array<Index, 8>> hexahedra() const override { return hexahedra_; }
  std::vector<std::array<Index, 3>> triangles() const override { return triangles_; }

 private:
  struct Builder;
  void add_polytope(const Polytope& polytope, const Parameters& parameters);
  void add_round_solid(double length, const std::array<double, 2>& radii, const Parameters& parameters);
  std::vector<MaterialPoint> vertices_;
  std::vector<std::array<Index, 2>> edges_;
  std::optional<Polytope> polytope_;
  std::optional<RoundSolid> round_solid_;
  std::vector<MaterialPoint> outline_;
  std::optional<TriangleMesh> mesh_;
  std::optional<Polyhedron> polyhedron_;
  double radius_ = 0.0;
  Node body_;
  std::string material_;
  std::optional<Vec3> grain_;
  Wireframe shape_;
  std::vector<double> line_radii_;
  std::vector<std::array<Index, 8>> hexahedra_;
  std::vector<std::array<Index, 3>> triangles_;
};

}  // namespace picus
