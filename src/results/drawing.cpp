#include "drawing.hpp"

#include <picus/model.hpp>

#include <fmt/format.h>

#include <map>
#include <tuple>

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
      if (point >= 0 && point < static_cast<Index>(places.size()))
        return places[static_cast<std::size_t>(point)];
      throw ModelError(fmt::format("{} draws a line or cell through its point {}, but has {} points", owner,
                                   point, places.size()));
    };
    for (std::vector<Index> line : drawable.polylines()) {
      for (Index& point : line) point = place_of(point);
      if (line.size() > 1) drawing.polylines.push_back(std::move(line));
    }
    for (std::array<Index, 8> cell : drawable.hexahedra()) {
      for (Index& point : cell) point = place_of(point);
      drawing.hexahedra.push_back(cell);
    }
  }

  Drawing drawing;

 private:
  Index add_point(const MaterialPoint& point, const std::string& owner) {
    const Vec3& X = point.offset;
    const auto next = static_cast<Index>(drawing.points.size());
    const auto [known, is_new] = places_.try_emplace({point.node.index, X[0], X[1], X[2]}, next);
    if (is_new) {
      drawing.points.push_back(point);
      drawing.owners.push_back(owner);
    }
    return known->second;
  }

  const Model& model_;
  std::map<std::tuple<Index, double, double, double>, Index> places_;
};

void store(const Vec3& value, float* row) {
  for (Index i = 0; i < 3; ++i) row[i] = static_cast<float>(value[i]);
}

}  // namespace

std::vector<std::int32_t> Drawing::connectivity() const {
  constexpr std::int32_t polyvertex = 1;
  constexpr std::int32_t polyline = 2;
  constexpr std::int32_t hexahedron = 9;
  std::vector<std::int32_t> cells;
  for (std::size_t i = 0; i < points.size(); ++i) {
    cells.insert(cells.end(), {polyvertex, 1, static_cast<std::int32_t>(i)});
  }
  for (const std::vector<Index>& line : polylines) {
    cells.push_back(polyline);
    cells.push_back(static_cast<std::int32_t>(line.size()));
    cells.insert(cells.end(), line.begin(), line.end());
  }
  for (const std::array<Index, 8>& cell : hexahedra) {
    cells.push_back(hexahedron);
    cells.insert(cells.end(), cell.begin(), cell.end());
  }
  return cells;
}

Drawing make_drawing(const Model& model) {
  DrawingBuilder builder(model);
  for (const auto& [element, drawable] : model.drawables()) builder.add(*element, *drawable);
  return std::move(builder.drawing);
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
