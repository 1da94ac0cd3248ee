#include "drawing.hpp"

#include "quaternion_column.hpp"
#include <picus/model.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace picus::results {
namespace {

class DrawingBuilder {
 public:
  explicit DrawingBuilder(const Model& model) : model_(model) {
    for (const Node& node : model.nodes()) {
      if (node.kind == NodeKind::scalar) continue;
      MaterialPoint point;
      point.node = node;
      add_point(point, fmt::format("node \"{}\"", model.node_name(node)));
    }
  }

  void add(const Element& element, const Drawable& drawable) {
    const std::string owner = fmt::format("element \"{}\"", element.name());
    std::vector<Index> places;
    for (const MaterialPoint& point : drawable.points()) {
      if (!point.is_ground()) model_.require_node(point.node, element.name(), "the node of a drawn point");
      places.push_back(add_point(point, owner));
    }
    const auto place_of = [&](Index point) {
      if (point >= 0 && point < count_of(places)) return places[point];
      throw ModelError(
          fmt::format("{} draws a line, cell, triangle or sphere through its point {}, but has {} points",
                      owner, point, places.size()));
    };
    const std::vector<std::vector<Index>> lines = drawable.polylines();
    std::vector<double> radii = drawable.line_radii();
    if (radii.empty()) radii.assign(lines.size(), 0.0);
    if (radii.size() != lines.size())
      throw ModelError(fmt::format("{} has {} radii for {} lines", owner, radii.size(), lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<Index> line;
      for (const Index point : lines[i]) {
        const Index place = place_of(point);
        if (line.empty() || place != line.back()) line.push_back(place);
      }
      if (line.size() < 2) continue;
      drawing_.polylines.push_back(std::move(line));
      drawing_.radii.push_back(static_cast<float>(radii[i]));
      drawing_.cell_owners.push_back(&element);
    }
    for (const DrawnSphere& sphere : drawable.spheres()) {
      const Index centre = place_of(sphere.centre);
      if (!spheres_.emplace(centre, sphere.radius).second) continue;
      drawing_.sphere_points.push_back(static_cast<std::int32_t>(centre));
      drawing_.sphere_radii.push_back(static_cast<float>(sphere.radius));
    }
    for (std::array<Index, 8> cell : drawable.hexahedra()) {
      for (Index& point : cell) point = place_of(point);
      drawing_.hexahedra.push_back(cell);
      hexahedron_owners_.push_back(&element);
    }
    for (const std::array<Index, 3>& triangle : drawable.triangles()) {
      for (const Index point : triangle)
        drawing_.triangles.push_back(static_cast<std::int32_t>(place_of(point)));
    }
  }

  void add(const Box& box) {
    drawing_.boxes.push_back(box);
    const std::string owner = fmt::format("node \"{}\"", model_.node_name(box.node));
    drawing_.box_points.push_back(static_cast<std::int32_t>(add_point({box.node, box.centre}, owner)));
  }

  const std::vector<MaterialPoint>& points() const { return drawing_.points; }

  Drawing finish() {
    drawing_.cell_owners.insert(drawing_.cell_owners.end(), hexahedron_owners_.begin(),
                                hexahedron_owners_.end());
    return std::move(drawing_);
  }

 private:
  Index add_point(const MaterialPoint& point, const std::string& owner) {
    const Vec3& X = point.offset;
    const auto next = count_of(drawing_.points);
    const auto [known, is_new] = places_.try_emplace({point.node.index, X[0], X[1], X[2]}, next);
    if (is_new) {
      drawing_.points.push_back(point);
      drawing_.owners.push_back(owner);
    }
    return known->second;
  }

  const Model& model_;
  Drawing drawing_;
  std::vector<const Element*> hexahedron_owners_;
  std::set<std::pair<Index, double>> spheres_;
  std::map<std::tuple<Index, double, double, double>, Index> places_;
};

void store(const Vec3& value, float* row) {
  for (Index i = 0; i < 3; ++i) row[i] = static_cast<float>(value[i]);
}

}  // namespace

std::vector<std::int32_t> Drawing::point_nodes() const {
  std::map<Index, std::int32_t> place_of;  // by node; nodes come before all other points
  std::vector<std::int32_t> result;
  for (const MaterialPoint& point : points) {
    if (point.is_ground()) {
      result.push_back(-1);
    } else {
      result.push_back(
          place_of.try_emplace(point.node.index, static_cast<std::int32_t>(result.size())).first->second);
    }
  }
  return result;
}

Drawing make_drawing(const Model& model) {
  DrawingBuilder builder(model);
  for (const auto& [element, drawable] : model.drawables()) builder.add(*element, *drawable);
  for (const Box& box : find_boxes(model, builder.points())) builder.add(box);
  return builder.finish();
}

void store_position(const MaterialPoint& point, const State& state, float* row) {
  store(point.position(state.q), row);
}

void store_velocity(const MaterialPoint& point, const State& state, float* row) {
  store(point.velocity(state.q, state.v), row);
}

std::vector<Column> make_box_columns(const Drawing& drawing) {
  if (drawing.boxes.empty()) return {};
  const std::vector<Box>& boxes = drawing.boxes;
  return {make_quaternion_column<float>(
      "visualization/box_rotation", {count_of(boxes), 4},
      "unit quaternions w, x, y, z that turn the edges of the boxes into the inertial frame", boxes.size(),
      [boxes](const Sample& sample, std::size_t i) {
        return so3::quaternion(sample.state.q.rotation(boxes[i].node) * boxes[i].axes);
      })};
}

}  // namespace picus::results
