#include "drawing.hpp"

#include <picus/model.hpp>

#include <fmt/format.h>

namespace picus::results {
namespace {

void add_element(Drawing& drawing, const Model& model, const Element& element, const Drawable& drawable) {
  const auto first = static_cast<Index>(drawing.points.size());
  for (const MaterialPoint& point : drawable.points()) {
    if (point.node.valid()) model.require_node(point.node, element.name(), "the node of a drawn point");
    drawing.points.push_back(point);
    drawing.owners.push_back(fmt::format("element \"{}\"", element.name()));
  }
  const Index count = static_cast<Index>(drawing.points.size()) - first;
  for (std::vector<Index> line : drawable.polylines()) {
    for (Index& point : line) {
      if (point < 0 || point >= count) {
        throw ModelError(fmt::format("element \"{}\" draws a line through its point {}, but has {} points",
                                     element.name(), point, count));
      }
      point += first;
    }
    if (line.size() > 1) drawing.polylines.push_back(std::move(line));
  }
}

void store(const Vec3& value, float* row) {
  for (Index i = 0; i < 3; ++i) row[i] = static_cast<float>(value[i]);
}

}  // namespace

std::vector<std::int32_t> Drawing::connectivity() const {
  constexpr std::int32_t polyvertex = 1;
  constexpr std::int32_t polyline = 2;
  std::vector<std::int32_t> cells;
  for (std::size_t i = 0; i < points.size(); ++i) {
    cells.insert(cells.end(), {polyvertex, 1, static_cast<std::int32_t>(i)});
  }
  for (const std::vector<Index>& line : polylines) {
    cells.push_back(polyline);
    cells.push_back(static_cast<std::int32_t>(line.size()));
    cells.insert(cells.end(), line.begin(), line.end());
  }
  return cells;
}

Drawing make_drawing(const Model& model) {
  Drawing drawing;
  for (const Node& node : model.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    MaterialPoint point;
    point.node = node;
    drawing.points.push_back(point);
    drawing.owners.push_back(fmt::format("node \"{}\"", model.node_name(node)));
  }
  for (const auto& [element, drawable] : model.drawables()) add_element(drawing, model, *element, *drawable);
  return drawing;
}

std::vector<Column> make_drawing_columns(const Drawing& drawing) {
  const std::vector<Index> shape = {static_cast<Index>(drawing.points.size()), 3};
  const auto position = [points = drawing.points](const Sample& sample, float* row) {
    for (const MaterialPoint& point : points) {
      store(point.position(sample.state.q), row);
      row += 3;
    }
  };
  const auto velocity = [points = drawing.points](const Sample& sample, float* row) {
    for (const MaterialPoint& point : points) {
      store(point.velocity(sample.state.q, sample.state.v), row);
      row += 3;
    }
  };
  std::vector<Column> columns = {
      make_column<float>(drawn_points, shape, "m", "drawn points in the inertial frame", position),
      make_column<float>(drawn_velocity, shape, "m/s", "of the drawn points", velocity)};
  for (Column& column : columns) column.is_plain = true;
  return columns;
}

}  // namespace picus::results
