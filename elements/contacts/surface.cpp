#include <picus/checks.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/require_point.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

namespace picus {

/// Decomposes the shapes, with one overload for each.
struct Surface::Builder {
  Surface& surface;
  const Parameters& parameters;
  const Model& model;
  Culprit who{"surface", surface.name()};

  Vec3 placed(const Vec3& X) const { return parameters.position + parameters.rotation * X; }

  void operator()(const shapes::Ball& ball) const {
    require_positive(who, "radius", ball.radius, "m");
    surface.radius_ = ball.radius;
    surface.vertices_ = {surface.at(placed(Vec3::Zero()))};
    surface.shape_.add(Sphere{surface.vertices_[0], ball.radius});
  }

  void operator()(const shapes::Capsule& capsule) const {
    require_positive(who, "length", capsule.length, "m");
    require_positive(who, "radius", capsule.radius, "m");
    surface.radius_ = capsule.radius;
    const Vec3 half = 0.5 * capsule.length * Vec3::UnitZ();
    surface.vertices_ = {surface.at(placed(-half)), surface.at(placed(half))};
    surface.edges_ = {{0, 1}};
    for (const MaterialPoint& end : surface.vertices_) surface.shape_.add(Sphere{end, capsule.radius});
    add_line(surface.vertices_);
  }

  void operator()(const shapes::Cylinder& cylinder) const {
    require_positive(who, "length", cylinder.length, "m");
    require_positive(who, "radius", cylinder.radius, "m");
    surface.add_round_solid(cylinder.length, {cylinder.radius, cylinder.radius}, parameters);
  }

  void operator()(const shapes::Cone& cone) const {
    require_positive(who, "length", cone.length, "m");
    require_not_negative(who, "bottom_radius", cone.bottom_radius, "m");
    require_not_negative(who, "top_radius", cone.top_radius, "m");
    if (cone.bottom_radius == 0 && cone.top_radius == 0)
      throw ModelError(who.text() + ": bottom_radius and top_radius are both 0");
    surface.add_round_solid(cone.length, {cone.bottom_radius, cone.top_radius}, parameters);
  }

  void operator()(const shapes::Box& box) const {
    for (const double size : box.size) require_positive(who, "size", size, "m");
    surface.add_polytope(Polytope::box(box.size), parameters);
    // Drawn as one hexahedron, with its corners in the order of such a cell.
    surface.shape_ = {};
    surface.triangles_ = {};
    for (const double z : {-0.5, 0.5}) {
      for (const auto& [x, y] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
        surface.shape_.points.push_back(surface.at(placed(box.size.cwiseProduct(Vec3(x, y, z)))));
    }
    surface.hexahedra_ = {{0, 1, 2, 3, 4, 5, 6, 7}};
  }

  void operator()(const shapes::Hull& hull) const {
    try {
      surface.add_polytope(Polytope::hull(hull.points), parameters);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", who.text(), error.what()));
    }
  }

  void operator()(const shapes::HalfSpace& half_space) const {
    const Vec3 normal = require_direction(who, "normal", half_space.normal);
    surface.add_polytope(Polytope::half_space(normal), parameters);
  }

  void operator()(const shapes::Rope& rope) const {
    refuse_body("rope");
    require_positive(who, "radius", rope.radius, "m");
    if (rope.nodes.size() < 2) throw ModelError(who.text() + ": it has fewer than two nodes");
    surface.radius_ = rope.radius;
    std::map<Index, Index> vertex_of;  // by node index: where a rope closes there is one vertex
    std::vector<Index> line;
    for (const FrameNode& node : rope.nodes) {
      model.require_node(node, who.text(), "a node");
      const auto [place, is_new] = vertex_of.try_emplace(node.index, count_of(surface.vertices_));
      if (is_new) surface.vertices_.emplace_back(node);
      line.push_back(place->second);
    }
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      if (line[i] == line[i + 1])
        throw ModelError(
            fmt::format("{}: node \"{}\" follows itself", who.text(), model.node_name(rope.nodes[i])));
      surface.edges_.push_back({line[i], line[i + 1]});
    }
    add_line({rope.nodes.begin(), rope.nodes.end()});
  }

  void operator()(const shapes::Points& points) const {
    refuse_body("set of points");
    require_not_negative(who, "radius", points.radius, "m");
    if (points.nodes.empty()) throw ModelError(who.text() + ": it has no nodes");
    for (const PointNode& node : points.nodes) model.require_node(node, who.text(), "a node");
    surface.radius_ = points.radius;
    surface.vertices_.assign(points.nodes.begin(), points.nodes.end());
    if (points.radius == 0) return;
    for (const MaterialPoint& point : surface.vertices_) surface.shape_.add(Sphere{point, points.radius});
  }

  void operator()(const shapes::Faces& of) const {
    refuse_body("set of faces");
    if (of.faces.empty()) throw ModelError(who.text() + ": it has no faces");
    std::map<Index, Index> vertex_of;  // by node index
    std::vector<std::array<Index, 4>> faces;
    for (const QuadrilateralNodes& nodes : of.faces) {
      auto& face = faces.emplace_back();
      for (std::size_t k = 0; k < 4; ++k) {
        model.require_node(nodes[k], who.text(), "a node");
        const auto [place, is_new] = vertex_of.try_emplace(nodes[k].index, count_of(surface.vertices_));
        if (is_new) surface.vertices_.emplace_back(nodes[k]);
        face[k] = place->second;
      }
    }
    try {
      surface.mesh_ = TriangleMesh::of_quadrilaterals(faces, count_of(surface.vertices_));
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", who.text(), error.what()));
    }
    surface.shape_.points = surface.vertices_;
    for (const TriangleMesh::Edge& edge : surface.mesh_->edges) {
      surface.edges_.push_back(edge.vertices);
      surface.shape_.polylines.push_back({edge.vertices[0], edge.vertices[1]});
    }
  }

  void operator()(const shapes::Mesh& mesh) const {
    try {
      surface.polyhedron_ = Polyhedron::of(mesh);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", who.text(), error.what()));
    }
    surface.polyhedron_->place(parameters.rotation, parameters.position);
    for (const Vec3& x : surface.polyhedron_->vertices) surface.vertices_.push_back(surface.at(x));
    surface.shape_.points = surface.vertices_;
    for (const Polyhedron::Edge& edge : surface.polyhedron_->edges) {
      surface.edges_.push_back(edge.vertices);
      surface.shape_.polylines.push_back({edge.vertices[0], edge.vertices[1]});
    }
    surface.triangles_ = surface.polyhedron_->mesh.triangles;
  }

  void refuse_body(std::string_view what) const {
    if (parameters.on)
      throw ModelError(fmt::format("{}: a {} has nodes of its own, and is on no other", who.text(), what));
  }

  void add_line(const std::vector<MaterialPoint>& points) const {
    std::vector<Index> line;
    for (const MaterialPoint& point : points) {
      line.push_back(count_of(surface.shape_.points));
      surface.shape_.points.push_back(point);
    }
    surface.line_radii_.assign(surface.shape_.polylines.size(), 0.0);
    surface.line_radii_.push_back(surface.radius_);
    surface.shape_.polylines.push_back(std::move(line));
  }
};

Surface::Surface(const Parameters& parameters, const Model& model)
    : Element(parameters.name, std::vector<Node>{}), material_(parameters.material) {
  const Culprit who{"surface", name()};
  require_finite(who, "position", parameters.position, "m");
  const Mat3& R = parameters.rotation;
  constexpr double tolerance = 1e-9;  // as for frame nodes
  if (!((R.transpose() * R - Mat3::Identity()).norm() <= tolerance) || R.determinant() < 0)
    throw ModelError(who.text() + ": rotation is no rotation");
  if (parameters.on) {
    body_ = *parameters.on;
    model.require_node(body_, who.text(), "on");
    const bool is_ball = std::holds_alternative<shapes::Ball>(parameters.of);
    if (body_.kind == NodeKind::scalar || (body_.kind == NodeKind::point && !is_ball)) {
      throw ModelError(fmt::format("{}: on is a {} node, must be a frame{}", who.text(),
                                   body_.kind == NodeKind::scalar ? "scalar" : "point",
                                   is_ball ? " or a point" : ""));
    }
    if (body_.kind == NodeKind::point && !parameters.position.isZero(0.0))
      throw ModelError(who.text() + ": it has a position on a point node, which has no axes");
  }
  std::visit(Builder{*this, parameters, model}, parameters.of);
  if (!parameters.grain) return;
  const bool has_own_nodes = !body_.valid() && !vertices_.empty() && !vertices_[0].is_ground();
  if (has_own_nodes || (body_.valid() && body_.kind == NodeKind::point))
    throw ModelError(who.text() + ": grain is given, but it is on no body that turns");
  grain_ = R * require_direction(who, "grain", *parameters.grain);
}

MaterialPoint Surface::at(const Vec3& X) const {
  if (!body_.valid()) return MaterialPoint::on_ground(X);
  if (body_.kind == NodeKind::point) return MaterialPoint(static_cast<const PointNode&>(body_));
  MaterialPoint point;
  point.node = body_;
  point.offset = X;
  return point;
}

Index Surface::plane_count() const {
  return polytope_ ? count_of(polytope_->faces) : polyhedron_ ? count_of(polyhedron_->faces) : 0;
}

std::optional<Surface::Plane> Surface::plane(Index face) const {
  if (polytope_) return Plane{polytope_->faces[face].normal, polytope_->faces[face].offset};
  if (polyhedron_) return Plane{polyhedron_->faces[face].normal, polyhedron_->faces[face].offset};
  return std::nullopt;
}

void Surface::add_polytope(const Polytope& polytope, const Parameters& parameters) {
  const auto& [position, rotation] = std::tie(parameters.position, parameters.rotation);
  polytope_ = polytope;
  for (Vec3& x : polytope_->vertices) {
    x = position + rotation * x;
    vertices_.push_back(at(x));
  }
  for (Polytope::Face& face : polytope_->faces) {
    face.normal = rotation * face.normal;
    face.offset += face.normal.dot(position);
  }
  shape_.points = vertices_;
  for (const Polytope::Edge& edge : polytope_->edges)
    shape_.polylines.push_back({edge.vertices[0], edge.vertices[1]});
  for (const Polytope::Face& face : polytope_->faces) {
    for (std::size_t i = 2; i < face.vertices.size(); ++i)
      triangles_.push_back({face.vertices[0], face.vertices[i - 1], face.vertices[i]});
  }
}

void Surface::add_round_solid(double length, const std::array<double, 2>& radii,
                              const Parameters& parameters) {
  const Mat3& R = parameters.rotation;
  const RoundSolid solid{parameters.position - 0.5 * length * R.col(2), R.col(2), length, radii};
  round_solid_ = solid;
  vertices_ = {at(solid.end(0)), at(solid.end(1))};
  // Drawn as wedges, each over two sides of a polygon: centre and three corners of the bottom, then of the top.
  constexpr Index corners = 24;
  for (const Index end : {0, 1}) {
    const double radius = radii[end];
    shape_.points.push_back(at(solid.end(end)));
    for (Index i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      const Vec3 d = R * Vec3(std::cos(angle), std::sin(angle), 0);
      shape_.points.push_back(at(solid.end(end) + radius * d));
      // The corners of a polygon circumscribed about the circle.
      if (i % 3 == 0) outline_.push_back(at(solid.end(end) + radius / std::cos(std::numbers::pi / 8) * d));
    }
  }
  const auto corner = [](Index i) { return 1 + i % corners; };
  for (Index i = 0; i < corners; i += 2) {
    std::array<Index, 8> cell{0, corner(i), corner(i + 1), corner(i + 2)};
    for (std::size_t k = 0; k < 4; ++k) cell[k + 4] = cell[k] + corners + 1;
    hexahedra_.push_back(cell);
  }
}

}  // namespace picus
