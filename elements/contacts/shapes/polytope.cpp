#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <libqhull_r/libqhull_r.h>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace picus {
namespace {

/// Points whose thickness is below this fraction of their extent count as coplanar: well above rounding, well below
/// any real body. The same holds for adjacent faces.
constexpr double least_thickness = 1e-9;

/// A point that is closer to the surface than this fraction of the size counts as on it, with the normal of the face.
constexpr double surface = 1e-12;

/// Two opposite corners of the bounding box.
std::pair<Vec3, Vec3> bounds_of(std::span<const Vec3> points) {
  Vec3 low = points[0];
  Vec3 high = points[0];
  for (const Vec3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return {low, high};
}

/// The greatest distance, and the point at which it occurs.
template <class Distance>
std::pair<double, Vec3> find_farthest(std::span<const Vec3> points, const Distance& distance) {
  std::pair<double, Vec3> best{-1.0, Vec3::Zero()};
  for (const Vec3& x : points) {
    const double here = distance(x);
    if (here > best.first) best = {here, x};
  }
  return best;
}

void require_solid(std::span<const Vec3> points) {
  if (points.size() < 4)
    throw ModelError(fmt::format("convex hull: {} points, must be 4 or more", points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) throw ModelError(fmt::format("convex hull: point {} is not finite", i));
  }
  const Vec3& origin = points[0];
  const auto [length, end] = find_farthest(points, [&](const Vec3& x) { return (x - origin).norm(); });
  const Vec3 along = length > 0 ? Vec3((end - origin) / length) : Vec3(Vec3::UnitX());
  const auto [width, side] =
      find_farthest(points, [&](const Vec3& x) { return along.cross(x - origin).norm(); });
  const Vec3 normal = along.cross(side - origin) / (width > 0 ? width : 1.0);
  const double height =
      find_farthest(points, [&](const Vec3& x) { return std::abs(normal.dot(x - origin)); }).first;
  if (!(width > least_thickness * length && height > least_thickness * length))
    throw ModelError(fmt::format("convex hull: all {} points are in one plane", points.size()));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// The hull from Qhull: for each face its vertices, unordered, and a normal.
class Facets {
 public:
  struct Facet {
    Vec3 normal;
    std::vector<Index> points;
  };

  explicit Facets(std::span<const Vec3> points) : silence_(std::fopen("/dev/null", "w")) {
    const auto [low, high] = bounds_of(points);
    const Vec3 middle = (low + high) / 2;
    const double size = (high - low).norm();
    coordinates_.reserve(3 * points.size());
    for (const Vec3& x : points) {
      for (Index k = 0; k < 3; ++k) coordinates_.push_back((x[k] - middle[k]) / size);
    }
    qh_zero(&qhull_, silence_.get());
    // C-: merges faces whose centre is at most this far below a neighbour, so that no sliver without a normal
    // remains.
    std::string command = fmt::format("qhull C-{}", least_thickness);
    const int failure = qh_new_qhull(&qhull_, 3, count_of(points), coordinates_.data(), 0, command.data(),
                                     nullptr, silence_.get());
    if (failure == 0) read();
  }
  ~Facets() {
    qh_freeqhull(&qhull_, !qh_ALL);
    int parts = 0;
    int bytes = 0;
    qh_memfreeshort(&qhull_, &parts, &bytes);
  }
  Facets(const Facets&) = delete;
  Facets& operator=(const Facets&) = delete;

  /// The facets; empty if Qhull failed.
  const std::vector<Facet>& all() const { return facets_; }

 private:
  void read() {
    for (const facetT* facet = qhull_.facet_list; facet != nullptr && facet->next != nullptr;
         facet = facet->next) {
      Facet& result = facets_.emplace_back();
      result.normal = Eigen::Map<const Vec3>(facet->normal);
      const setT* const vertices = facet->vertices;
      for (const setelemT* entry = vertices->e; entry->p != nullptr; ++entry) {
        const auto* const vertex = static_cast<const vertexT*>(entry->p);
        result.points.push_back(static_cast<Index>((vertex->point - coordinates_.data()) / 3));
      }
    }
  }

  std::unique_ptr<std::FILE, CloseFile> silence_;
  std::vector<double> coordinates_;
  qhT qhull_{};
  std::vector<Facet> facets_;
};

/// Sorts the vertices of a face about its normal, then recomputes the normal from them.
void order(const std::vector<Vec3>& x, Polytope::Face& face) {
  Vec3 middle = Vec3::Zero();
  for (const Index i : face.vertices) middle += x[i] / static_cast<double>(face.vertices.size());
  const Vec3 first = (x[face.vertices[0]] - middle).normalized();
  const Vec3 second = face.normal.cross(first);
  const auto angle = [&](Index i) { return std::atan2(second.dot(x[i] - middle), first.dot(x[i] - middle)); };
  std::vector<std::pair<double, Index>> by_angle;
  for (const Index i : face.vertices) by_angle.emplace_back(angle(i), i);
  std::ranges::sort(by_angle);
  for (std::size_t k = 0; k < by_angle.size(); ++k) face.vertices[k] = by_angle[k].second;

  Vec3 area = Vec3::Zero();  // twice the area vector
  for (std::size_t k = 0; k < face.vertices.size(); ++k) {
    const std::size_t next = (k + 1) % face.vertices.size();
    area += (x[face.vertices[k]] - middle).cross(x[face.vertices[next]] - middle);
  }
  face.normal = area.normalized();
  face.offset = face.normal.dot(middle);
}

/// Finds the edges from faces with sorted vertices. False unless each border has a face on both sides.
bool find_edges(Polytope& polytope) {
  std::map<std::pair<Index, Index>, Index> left;
  for (Index f = 0; f < count_of(polytope.faces); ++f) {
    const std::vector<Index>& corners = polytope.faces[f].vertices;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (!left.try_emplace({corners[k], corners[(k + 1) % corners.size()]}, f).second) return false;
    }
  }
  for (const auto& [ends, face] : left) {
    const auto other = left.find({ends.second, ends.first});
    if (other == left.end()) return false;
    if (ends.first < ends.second)
      polytope.edges.push_back({{ends.first, ends.second}, {face, other->second}});
  }
  return polytope.vertices.size() + polytope.faces.size() == polytope.edges.size() + 2;
}

double reference_length(const Polytope& polytope, double diagonal) {
  constexpr double most_widths = 10;
  double length = diagonal;
  for (const Polytope::Face& face : polytope.faces) {
    double width = 0;
    for (const Vec3& x : polytope.vertices) width = std::max(width, face.offset - face.normal.dot(x));
    length = std::min(length, most_widths * width);
  }
  return length;
}

}  // namespace

Polytope Polytope::box(const Vec3& sizes) {
  if (!(sizes.allFinite() && sizes.minCoeff() > 0)) {
    throw ModelError(
        fmt::format("box: its sizes are {} x {} x {} m, must be positive", sizes.x(), sizes.y(), sizes.z()));
  }
  Polytope result;
  // Vertex i lies on the positive side along axis k where its bit k is set.
  for (Index i = 0; i < 8; ++i) {
    const Vec3 side(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    result.vertices.emplace_back(0.5 * side.cwiseProduct(sizes));
  }
  for (Index axis = 0; axis < 3; ++axis) {
    const Index u = 1 << (axis + 1) % 3;
    const Index v = 1 << (axis + 2) % 3;
    const Index high = 1 << axis;
    result.faces.push_back({-Vec3::Unit(axis), sizes[axis] / 2, {0, v, u + v, u}});
    result.faces.push_back({Vec3::Unit(axis), sizes[axis] / 2, {high, high + u, high + u + v, high + v}});
  }
  find_edges(result);
  result.size = reference_length(result, sizes.norm());
  return result;
}

Polytope Polytope::hull(std::span<const Vec3> points) {
  require_solid(points);
  const Facets facets(points);
  Polytope result;
  std::vector<Index> places(points.size(), -1);
  for (const auto& [normal, corners] : facets.all()) {
    for (const Index i : corners) places[i] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (places[i] < 0) continue;
    places[i] = count_of(result.vertices);
    result.vertices.push_back(points[i]);
  }
  for (const auto& [normal, corners] : facets.all()) {
    Face& face = result.faces.emplace_back();
    face.normal = normal;
    for (const Index i : corners) face.vertices.push_back(places[i]);
    order(result.vertices, face);
  }
  if (result.vertices.empty() || !find_edges(result))
    throw ModelError(fmt::format("convex hull: the {} points are too nearly in one plane", points.size()));
  const auto [low, high] = bounds_of(points);
  result.size = reference_length(result, (high - low).norm());
  return result;
}

Polytope Polytope::half_space(const Vec3& normal, double offset) {
  const double length = normal.norm();
  if (!(std::isfinite(length) && length > 0 && std::isfinite(offset))) {
    throw ModelError(fmt::format("half-space: normal {} {} {} and offset {} m describe none", normal.x(),
                                 normal.y(), normal.z(), offset));
  }
  Polytope result;
  result.faces.push_back({normal / length, offset / length, {}});
  return result;
}

bool is_within_face(const Polytope& polytope, const Polytope::Face& face, const Vec3& point, double margin) {
  const std::vector<Index>& corners = face.vertices;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3& from = polytope.vertices[corners[k]];
    const Vec3 along = polytope.vertices[corners[k + 1 < corners.size() ? k + 1 : 0]] - from;
    if (along.cross(face.normal).dot(point - from) > margin * along.norm()) return false;
  }
  return true;
}

NearestFeature find_nearest_feature(const Polytope& polytope, const Vec3& point) {
  const auto on_face = [&](Index f, double height) {
    const Vec3& normal = polytope.faces[f].normal;
    return NearestFeature{{ShapeFeature::Kind::face, f}, height, point - height * normal, normal};
  };
  Index highest = 0;
  double height = -std::numeric_limits<double>::infinity();
  for (Index f = 0; f < count_of(polytope.faces); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    const double here = face.normal.dot(point) - face.offset;
    if (here > surface * polytope.size && is_within_face(polytope, face, point - here * face.normal, 0.0))
      return on_face(f, here);
    if (!(here > height)) continue;
    height = here;
    highest = f;
  }
  if (height <= surface * polytope.size || polytope.edges.empty()) return on_face(highest, height);

  NearestFeature result;
  double best = std::numeric_limits<double>::infinity();
  for (Index e = 0; e < count_of(polytope.edges); ++e) {
    const auto& [first, second] = polytope.edges[e].vertices;
    const Vec3& from = polytope.vertices[first];
    const Vec3 along = polytope.vertices[second] - from;
    const double s = std::clamp(along.dot(point - from) / along.squaredNorm(), 0.0, 1.0);
    const Vec3 closest = s < 1 ? Vec3(from + s * along) : polytope.vertices[second];
    const double square = (point - closest).squaredNorm();
    if (!(square < best)) continue;
    best = square;
    result.point = closest;
    if (s > 0 && s < 1) {
      result.feature = {ShapeFeature::Kind::edge, e};
    } else {
      result.feature = {ShapeFeature::Kind::vertex, s > 0 ? second : first};
    }
  }
  result.distance = std::sqrt(best);
  result.normal = (point - result.point) / result.distance;
  return result;
}

}  // namespace picus
