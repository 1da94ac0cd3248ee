#include <picus/checks.hpp>
#include <picus/elements/solids/mesh.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace picus {
namespace {

template <class Sets>
void append_names(const Sets& sets, std::vector<std::string>& names) {
  for (const auto& [name, members] : sets) names.push_back(name);
}

template <class Sets>
const auto& find_set(const Sets& sets, const std::string& mesh, std::string_view what,
                     std::string_view name) {
  const auto found = sets.find(name);
  if (found != sets.end()) return found->second;
  std::vector<std::string> names;
  append_names(sets, names);
  throw ModelError(
      fmt::format("mesh \"{}\" has no set of {} \"{}\"{}", mesh, what, name, suggestion(name, names)));
}

void require_place(const HexahedralMesh& mesh, std::string_view who, Index place, std::size_t size) {
  if (place < 0 || static_cast<std::size_t>(place) >= size) {
    throw ModelError(fmt::format("mesh \"{}\": {} refers to {}, must lie between 0 and {}", mesh.name, who,
                                 place, static_cast<std::ptrdiff_t>(size) - 1));
  }
}

void sort_and_unite(std::vector<Index>& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

std::array<CellFace, 6> faces_of(const Cell& c) {
  return {{{c[0], c[4], c[7], c[3]},
           {c[1], c[2], c[6], c[5]},
           {c[0], c[1], c[5], c[4]},
           {c[2], c[3], c[7], c[6]},
           {c[0], c[3], c[2], c[1]},
           {c[4], c[5], c[6], c[7]}}};
}

const std::vector<CellFace>& HexahedralMesh::faces(std::string_view set) const {
  return find_set(face_sets, name, "faces", set);
}

const std::vector<Index>& HexahedralMesh::cells_of(std::string_view set) const {
  return find_set(cell_sets, name, "cells", set);
}

std::vector<Index> HexahedralMesh::points_of(std::string_view set) const {
  std::vector<std::string_view> kinds;
  if (point_sets.contains(set)) kinds.push_back("points");
  if (face_sets.contains(set)) kinds.push_back("faces");
  if (cell_sets.contains(set)) kinds.push_back("cells");
  if (kinds.size() > 1) {
    // Gmsh numbers the groups of each dimension from 1, so that unnamed groups of different dimensions coincide.
    throw ModelError(fmt::format("mesh \"{}\" has several sets \"{}\", of {}; give them different names",
                                 name, set, fmt::join(kinds, " and of ")));
  }
  std::vector<Index> result;
  if (const auto of_points = point_sets.find(set); of_points != point_sets.end()) {
    result = of_points->second;
  } else if (const auto of_faces = face_sets.find(set); of_faces != face_sets.end()) {
    for (const CellFace& face : of_faces->second) result.insert(result.end(), face.begin(), face.end());
  } else if (const auto of_cells = cell_sets.find(set); of_cells != cell_sets.end()) {
    for (const Index place : of_cells->second) {
      const Cell& cell = cells[place];
      result.insert(result.end(), cell.begin(), cell.end());
    }
  } else {
    std::vector<std::string> names;
    append_names(point_sets, names);
    append_names(face_sets, names);
    append_names(cell_sets, names);
    throw ModelError(fmt::format("mesh \"{}\" has no set \"{}\"{}", name, set, suggestion(set, names)));
  }
  sort_and_unite(result);
  return result;
}

std::vector<Index> HexahedralMesh::points_where(const std::function<bool(const Vec3&)>& holds) const {
  std::vector<Index> result;
  for (Index i = 0; i < count_of(points); ++i) {
    if (holds(points[i])) result.push_back(i);
  }
  return result;
}

std::vector<CellFace> HexahedralMesh::boundary() const {
  const auto key = [](CellFace face) {
    std::sort(face.begin(), face.end());
    return face;
  };
  std::map<CellFace, int> count;
  for (const Cell& cell : cells) {
    for (const CellFace& face : faces_of(cell)) ++count[key(face)];
  }
  std::vector<CellFace> result;
  for (const Cell& cell : cells) {
    for (const CellFace& face : faces_of(cell)) {
      if (count[key(face)] == 1) result.push_back(face);
    }
  }
  return result;
}

void HexahedralMesh::check() const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const Index place : cells[i])
      require_place(*this, fmt::format("cells[{}]", i), place, points.size());
  }
  for (const auto& [set, members] : point_sets) {
    for (const Index place : members) {
      require_place(*this, fmt::format("point set \"{}\"", set), place, points.size());
    }
  }
  for (const auto& [set, members] : face_sets) {
    for (const CellFace& face : members) {
      for (const Index place : face) {
        require_place(*this, fmt::format("face set \"{}\"", set), place, points.size());
      }
    }
  }
  for (const auto& [set, members] : cell_sets) {
    for (const Index place : members) {
      require_place(*this, fmt::format("cell set \"{}\"", set), place, cells.size());
    }
  }
}

HexahedralMesh make_box_mesh(const BoxMesh& box) {
  const Culprit who{"mesh", "box"};
  const Index n_x = box.divisions[0];
  const Index n_y = box.divisions[1];
  const Index n_z = box.divisions[2];
  double point_count = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    require_positive(who, fmt::format("size[{}]", i), box.size[i], "m");
    if (box.divisions[i] < 1) {
      throw ModelError(
          fmt::format("{}: divisions[{}] is {}, must be at least 1", who.text(), i, box.divisions[i]));
    }
    point_count *= box.divisions[i] + 1.0;
  }
  require_finite(who, "origin", box.origin, "m");
  if (point_count > std::numeric_limits<Index>::max() / 3.0) {
    throw ModelError(fmt::format("{}: {} points are more than can be numbered", who.text(), point_count));
  }

  HexahedralMesh mesh{.name = "box"};
  const auto place = [&](Index i, Index j, Index k) { return i + (n_x + 1) * (j + (n_y + 1) * k); };
  for (Index k = 0; k <= n_z; ++k) {
    for (Index j = 0; j <= n_y; ++j) {
      for (Index i = 0; i <= n_x; ++i) {
        const Vec3 part(static_cast<double>(i) / n_x, static_cast<double>(j) / n_y,
                        static_cast<double>(k) / n_z);
        const Vec3 x = box.origin + box.size.cwiseProduct(part);
        mesh.points.push_back(box.map ? box.map(x) : x);
      }
    }
  }
  for (const char* set : {"x-", "x+", "y-", "y+", "z-", "z+"}) mesh.face_sets[set];
  for (Index k = 0; k < n_z; ++k) {
    for (Index j = 0; j < n_y; ++j) {
      for (Index i = 0; i < n_x; ++i) {
        const Cell cell = {
            place(i, j, k),     place(i + 1, j, k),     place(i + 1, j + 1, k),     place(i, j + 1, k),
            place(i, j, k + 1), place(i + 1, j, k + 1), place(i + 1, j + 1, k + 1), place(i, j + 1, k + 1)};
        mesh.cells.push_back(cell);
        const auto faces = faces_of(cell);
        if (i == 0) mesh.face_sets["x-"].push_back(faces[0]);
        if (i == n_x - 1) mesh.face_sets["x+"].push_back(faces[1]);
        if (j == 0) mesh.face_sets["y-"].push_back(faces[2]);
        if (j == n_y - 1) mesh.face_sets["y+"].push_back(faces[3]);
        if (k == 0) mesh.face_sets["z-"].push_back(faces[4]);
        if (k == n_z - 1) mesh.face_sets["z+"].push_back(faces[5]);
      }
    }
  }
  return mesh;
}

}  // namespace picus
