#include <picus/elements/contacts/feature.hpp>
#include <picus/require_point.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

/// Two edges of a triangle whose angle has a smaller sine count as parallel.
constexpr double flat = 1e-9;

bool is_same_kind(const MaterialPoint& a, const MaterialPoint& b) {
  return a.is_ground() == b.is_ground() && (a.is_ground() || a.on_frame() == b.on_frame());
}

void require_extent(const Culprit& who, const std::string& what, const Feature& feature, const Model& model) {
  const Configuration& q = model.initial_configuration();
  const auto side = [&](std::size_t i) -> Vec3 {
    return feature.points[i].position(q) - feature.points[0].position(q);
  };
  // The distance must exceed the rounding of coordinates.
  if (feature.points.size() == 2 && !(side(1).norm() > 1e-14 * feature.points[0].position(q).norm()))
    throw ModelError(fmt::format("{}: {} has both ends at one point", who.text(), what));
  if (feature.points.size() != 3) return;
  const Vec3 u = side(1);
  const Vec3 v = side(2);
  if (!(u.cross(v).norm() > flat * u.norm() * v.norm()))
    throw ModelError(fmt::format("{}: {} has three corners on one line", who.text(), what));
}

}  // namespace

void require_feature(const Culprit& who, const std::string& what, const Feature& feature,
                     const Model& model) {
  if (feature.points.empty() || feature.points.size() > 3) {
    throw ModelError(
        fmt::format("{}: {} has {} points, must have 1 to 3", who.text(), what, feature.points.size()));
  }
  for (const MaterialPoint& point : feature.points) {
    require_place(who, "a point of " + what, point, model);
    if (!is_same_kind(point, feature.points[0])) {
      throw ModelError(
          fmt::format("{}: the points of {} must all move with frames, all with point nodes, or all be on "
                      "the ground",
                      who.text(), what));
    }
  }
  require_not_negative(who, "radius of " + what, feature.radius, "m");
  require_extent(who, what, feature, model);
}

void add_to(Wireframe& picture, const Feature& feature) {
  const Index first = count_of(picture.points);
  picture.points.insert(picture.points.end(), feature.points.begin(), feature.points.end());
  if (feature.points.size() > 1) {
    std::vector<Index> line;
    for (Index i = 0; i < count_of(feature.points); ++i) line.push_back(first + i);
    if (feature.points.size() == 3) line.push_back(first);
    picture.polylines.push_back(std::move(line));
  }
  if (feature.radius == 0) return;
  for (const MaterialPoint& point : feature.points) picture.add(Sphere{point, feature.radius});
}

}  // namespace picus
