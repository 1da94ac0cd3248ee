#include <picus/models/surface_depth.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace picus::models {
namespace surface_depth {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Depth, relative to their size, to which a point below triangles that enclose nothing is inside.
constexpr double open_depth = 0.1;

using Corners = std::array<Vec3, 3>;

/// A surface in some configuration.
struct PlacedSurface {
  const Surface* surface = nullptr;
  Mat3 R = Mat3::Identity();  ///< of its body
  Vec3 x = Vec3::Zero();
  std::vector<Vec3> vertices;
  std::vector<Corners> triangles;
  bool is_closed = false;  ///< of the triangles
  std::vector<Vec3> points;
  Vec3 low = Vec3::Constant(infinite),
       high = Vec3::Constant(-infinite);  ///< of all points; bounds what is inside

  Vec3 place(const Vec3& X) const { return x + R * X; }
  Vec3 to_body(const Vec3& point) const { return R.transpose() * (point - x); }
  double size() const { return (high - low).norm(); }
};

void sample_triangle(const Corners& corners, int n, std::vector<Vec3>& points) {
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; i + k <= n; ++k)
      points.emplace_back((i * corners[0] + k * corners[1] + (n - i - k) * corners[2]) / n);
  }
}

/// Two unit vectors across a direction.
std::array<Vec3, 2> axes_across(const Vec3& direction) {
  const Vec3 one = direction.unitOrthogonal();
  return {one, direction.normalized().cross(one)};
}

/// Points of a circle, `n` in a quarter.
template <class Visit>
void visit_circle(int n, Visit&& visit) {
  for (int i = 0; i < 4 * n; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / n;
    visit(std::cos(angle), std::sin(angle));
  }
}

void sample_ball(const Vec3& centre, double radius, int n, std::vector<Vec3>& points) {
  for (int i = -n; i <= n; ++i) {
    const double latitude = 0.5 * std::numbers::pi * i / n;
    visit_circle(n, [&](double c, double s) {
      points.emplace_back(centre +
                          radius * Vec3(std::cos(latitude) * c, std::cos(latitude) * s, std::sin(latitude)));
    });
  }
}

/// A tube, or a cone, between circles.
void sample_side(const Vec3& from, const Vec3& to, const std::array<double, 2>& radii, int n,
                 std::vector<Vec3>& points) {
  const auto axes = axes_across(to - from);
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n;
    const double radius = (1 - s) * radii[0] + s * radii[1];
    visit_circle(n, [&](double cosine, double sine) {
      points.emplace_back((1 - s) * from + s * to + radius * (cosine * axes[0] + sine * axes[1]));
    });
  }
}

void sample(PlacedSurface& placed, int n) {
  const Surface& surface = *placed.surface;
  std::vector<Vec3>& points = placed.points;
  if (const RoundSolid* solid = surface.round_solid()) {
    const Vec3 from = placed.place(solid->end(0));
    const Vec3 to = placed.place(solid->end(1));
    sample_side(from, to, solid->radii, n, points);
    for (int i = 0; i < n; ++i) {
      const double part = static_cast<double>(i) / n;
      sample_side(from, to, {part * solid->radii[0], part * solid->radii[1]}, 1, points);
    }
    // Of the inner circles only those on the ends are on the surface.
    std::erase_if(points, [&](const Vec3& point) {
      const Vec3 X = placed.to_body(point) - solid->centre;
      const double along = solid->axis.dot(X);
      const double s = along / solid->length;
      const double radius = (1 - s) * solid->radii[0] + s * solid->radii[1];
      const bool is_on_side = (X - along * solid->axis).norm() > radius * (1 - 1e-9);
      return !is_on_side && s > 1e-9 && s < 1 - 1e-9;
    });
    return;
  }
  if (const Polytope* polytope = surface.polytope()) {
    for (const Polytope::Face& face : polytope->faces) {
      for (std::size_t i = 2; i < face.vertices.size(); ++i) {
        sample_triangle({placed.place(polytope->vertices[face.vertices[0]]),
                         placed.place(polytope->vertices[face.vertices[i - 1]]),
                         placed.place(polytope->vertices[face.vertices[i]])},
                        n, points);
      }
    }
    return;
  }
  for (const Corners& corners : placed.triangles) sample_triangle(corners, n, points);
  if (!placed.triangles.empty()) return;
  for (const Vec3& vertex : placed.vertices) {
    if (surface.radius() > 0)
      sample_ball(vertex, surface.radius(), n, points);
    else
      points.push_back(vertex);
  }
  for (const auto& [from, to] : surface.edges())
    sample_side(placed.vertices[from], placed.vertices[to], {surface.radius(), surface.radius()}, n, points);
}

PlacedSurface place(const Surface& surface, const Configuration& q, int n) {
  PlacedSurface placed;
  placed.surface = &surface;
  if (surface.body().valid()) {
    placed.x = q.position(surface.body());
    if (surface.body().kind == NodeKind::frame) placed.R = q.rotation(surface.body());
  }
  for (const MaterialPoint& vertex : surface.vertices()) placed.vertices.push_back(vertex.position(q));
  if (const TriangleMesh* mesh = surface.mesh()) {
    for (const auto& [a, b, c] : mesh->triangles)
      placed.triangles.push_back({placed.vertices[a], placed.vertices[b], placed.vertices[c]});
    placed.is_closed = std::ranges::all_of(mesh->edges, [](const TriangleMesh::Edge& edge) {
      return edge.triangles[0] >= 0 && edge.triangles[1] >= 0;
    });
  }
  if (const Polyhedron* polyhedron = surface.polyhedron()) {
    for (const auto& [a, b, c] : polyhedron->mesh.triangles) {
      placed.triangles.push_back({placed.place(polyhedron->vertices[a]),
                                  placed.place(polyhedron->vertices[b]),
                                  placed.place(polyhedron->vertices[c])});
    }
    placed.is_closed = polyhedron->is_closed;
  }
  sample(placed, n);
  for (const Vec3& point : placed.points) {
    placed.low = placed.low.cwiseMin(point);
    placed.high = placed.high.cwiseMax(point);
  }
  return placed;
}

double distance_of_segment(const Vec3& x, const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  const double t = std::clamp((x - from).dot(way) / way.squaredNorm(), 0.0, 1.0);
  return (x - from - t * way).norm();
}

/// Where a point is relative to a triangle.
struct FromTriangle {
  double distance;
  double height;   ///< above its plane
  bool is_within;  ///< its projection is within the boundary
};

FromTriangle relative_to(const Corners& corners, const Vec3& x) {
  const auto& [a, b, c] = corners;
  const Vec3 n = (b - a).cross(c - a).normalized();
  FromTriangle result{infinite, n.dot(x - a), true};
  const Vec3 foot = x - result.height * n;
  for (int i = 0; i < 3; ++i) {
    const Vec3& from = corners[i];
    const Vec3& to = corners[(i + 1) % 3];
    result.is_within = result.is_within && (to - from).cross(foot - from).dot(n) >= 0;
    result.distance = std::min(result.distance, distance_of_segment(x, from, to));
  }
  if (result.is_within) result.distance = std::abs(result.height);
  return result;
}

/// Solid angle of a triangle (van Oosterom and Strackee 1983).
double solid_angle(const Corners& corners, const Vec3& x) {
  const Vec3 a = corners[0] - x;
  const Vec3 b = corners[1] - x;
  const Vec3 c = corners[2] - x;
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double depth_in_triangles(const PlacedSurface& body, const Vec3& x) {
  double nearest = infinite;
  double below = infinite;
  for (const Corners& corners : body.triangles) {
    const FromTriangle at = relative_to(corners, x);
    nearest = std::min(nearest, at.distance);
    if (at.is_within && at.height < 0) below = std::min(below, at.distance);
  }
  if (!body.is_closed) return below <= nearest && below < open_depth * body.size() ? below : 0.0;
  double angle = 0;
  for (const Corners& corners : body.triangles) angle += solid_angle(corners, x);
  return angle > 2 * std::numbers::pi ? nearest : 0.0;
}

double depth_in_round_solid(const RoundSolid& solid, const Vec3& X) {
  const double along = solid.axis.dot(X - solid.centre);
  const double across = (X - solid.centre - along * solid.axis).norm();
  const double slope = (solid.radii[1] - solid.radii[0]) / solid.length;
  const double below_side = (solid.radii[0] + slope * along - across) / std::hypot(1.0, slope);
  return std::min({along, solid.length - along, below_side});
}

/// Depth of a point in a surface, m; not positive outside.
double depth_in(const PlacedSurface& body, const Vec3& x) {
  const Surface& surface = *body.surface;
  if (const RoundSolid* solid = surface.round_solid()) return depth_in_round_solid(*solid, body.to_body(x));
  if (const Polytope* polytope = surface.polytope()) {
    const Vec3 X = body.to_body(x);
    double depth = infinite;
    for (const Polytope::Face& face : polytope->faces)
      depth = std::min(depth, face.offset - face.normal.dot(X));
    return depth;
  }
  if (!body.triangles.empty()) return depth_in_triangles(body, x);
  double distance = infinite;
  for (const Vec3& vertex : body.vertices) distance = std::min(distance, (x - vertex).norm());
  for (const auto& [from, to] : surface.edges())
    distance = std::min(distance, distance_of_segment(x, body.vertices[from], body.vertices[to]));
  return surface.radius() - distance;
}

bool is_on_ground(const Surface& surface) {
  return !surface.body().valid() && (surface.vertices().empty() || surface.vertices().front().is_ground());
}

bool are_of_one_body(const Surface& a, const Surface& b) {
  if (a.body().valid() || b.body().valid()) return a.body() == b.body();
  return is_on_ground(a) && is_on_ground(b);
}

}  // namespace
}  // namespace surface_depth

using surface_depth::PlacedSurface;

SurfaceSampler::SurfaceSampler(const Model& model, int n) : n_(n) {
  for (const auto& element : model.elements()) {
    if (const auto* surface = dynamic_cast<const Surface*>(element.get())) surfaces_.push_back(surface);
  }
}

SurfaceDepth SurfaceSampler::deepest(const Configuration& q) const {
  std::vector<PlacedSurface> placed;
  for (const Surface* surface : surfaces_) placed.push_back(surface_depth::place(*surface, q, n_));
  SurfaceDepth worst;
  for (const PlacedSurface& a : placed) {
    for (const PlacedSurface& b : placed) {
      if (&a == &b || surface_depth::are_of_one_body(*a.surface, *b.surface)) continue;
      const bool is_bounded = !b.surface->is_half_space();
      // The box of b's points is a little smaller than b where b is round, and open surfaces contain points below them.
      const double margin = surface_depth::open_depth * b.size();
      const auto is_near = [&](const Vec3& low, const Vec3& high) {
        return !is_bounded || ((low - b.high).maxCoeff() < margin && (b.low - high).maxCoeff() < margin);
      };
      if (!is_near(a.low, a.high)) continue;
      for (const Vec3& x : a.points) {
        if (!is_near(x, x)) continue;
        const double depth = surface_depth::depth_in(b, x);
        if (depth > worst.relative * a.size())
          worst = {depth, depth / a.size(), a.surface->name(), b.surface->name()};
      }
    }
  }
  return worst;
}

std::vector<Vec3> SurfaceSampler::points(const std::string& name, const Configuration& q) const {
  for (const Surface* surface : surfaces_) {
    if (surface->name() == name) return surface_depth::place(*surface, q, n_).points;
  }
  throw ModelError("there is no surface \"" + name + "\"");
}

Signal sampled_depth(const RunInfo& run, std::int64_t every, int n) {
  struct Last {
    SurfaceSampler sampler;
    double depth = 0.0;
  };
  const auto last = std::make_shared<Last>(Last{SurfaceSampler(run.system.model(), n)});
  return {"depth", "", "deepest point of a surface in another, over the size of its surface",
          [last, every](const Snapshot& at) {
            if (at.state.step % every == 0) last->depth = last->sampler.deepest(at.state.q).relative;
            return last->depth;
          }};
}

}  // namespace picus::models
