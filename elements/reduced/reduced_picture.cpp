#include <picus/checks.hpp>
#include <picus/elements/reduced/reduced_picture.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

namespace picus {

ReducedPicture::ReducedPicture(const Parameters& p, const Model& model)
    : Element(p.name, std::vector<Node>{}) {
  const Culprit who{"reduced picture", name()};
  if (p.body == nullptr) throw ModelError(who.text() + ": it has no body");
  if (p.part == nullptr) throw ModelError(who.text() + ": it has no part");
  model.require_element(p.body, who.text(), "body");
  for (const auto& [name, node] : p.nodes)
    model.require_node(node, who.text(), fmt::format("node \"{}\"", name));
  const FrameNode& frame = p.body->frame();
  std::map<std::string_view, const ReducedPoint*> basis_nodes;
  for (const ReducedPoint& one : p.body->basis()->nodes) basis_nodes[one.name] = &one;

  const auto moved = [&](const MaterialPoint& point) -> MaterialPoint {
    if (point.is_ground()) return point;
    const std::string& name = p.part->node_name(point.node);
    const auto attached = p.nodes.find(name);
    if (attached != p.nodes.end() && point.offset.isZero(0.0)) return attached->second;
    const auto found = basis_nodes.find(name);
    if (found == basis_nodes.end()) {
      throw ModelError(
          fmt::format("{}: the basis of \"{}\" has no node \"{}\", which \"{}\" has: it was made of "
                      "another part",
                      who.text(), p.body->name(), name, p.part->name()));
    }
    return {frame, Vec3(found->second->position + found->second->axes * point.offset)};
  };
  for (const auto& [element, drawable] : p.part->drawables()) {
    const auto first = count_of(points_);
    for (const MaterialPoint& point : drawable->points()) points_.push_back(moved(point));
    std::vector<std::vector<Index>> lines = drawable->polylines();
    std::vector<double> radii = drawable->line_radii();
    radii.resize(lines.size(), 0.0);
    radii_.insert(radii_.end(), radii.begin(), radii.end());
    for (std::vector<Index>& line : lines) {
      for (Index& point : line) point += first;
      polylines_.push_back(std::move(line));
    }
    for (std::array<Index, 8> cell : drawable->hexahedra()) {
      for (Index& point : cell) point += first;
      hexahedra_.push_back(cell);
    }
    for (std::array<Index, 3> triangle : drawable->triangles()) {
      for (Index& point : triangle) point += first;
      triangles_.push_back(triangle);
    }
  }
}

}  // namespace picus
