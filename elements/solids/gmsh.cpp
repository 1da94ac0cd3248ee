#include <picus/elements/solids/gmsh.hpp>
#include <picus/elements/solids/gmsh_cursor.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace picus {
namespace gmsh {
namespace {

enum Type : int { line_type = 1, quadrangle_type = 3, hexahedron_type = 5, point_type = 15 };

/// Number of nodes of the supported element types, 0 for all others.
std::size_t node_count(int type) {
  switch (type) {
    case point_type:
      return 1;
    case line_type:
      return 2;
    case quadrangle_type:
      return 4;
    case hexahedron_type:
      return 8;
    default:
      return 0;
  }
}

std::string describe(int type) {
  static const std::map<int, std::string> names = {{2, "triangles"},
                                                   {4, "tetrahedra"},
                                                   {6, "prisms"},
                                                   {7, "pyramids"},
                                                   {8, "second-order lines"},
                                                   {9, "second-order triangles"},
                                                   {10, "second-order quadrangles of 9 nodes"},
                                                   {11, "second-order tetrahedra"},
                                                   {12, "second-order hexahedra of 27 nodes"},
                                                   {16, "second-order quadrangles of 8 nodes"},
                                                   {17, "second-order hexahedra of 20 nodes"}};
  const auto known = names.find(type);
  if (known == names.end()) return fmt::format("elements of type {}", type);
  return fmt::format("{} (type {})", known->second, type);
}

/// A geometrical entity: dimension and tag.
using Entity = std::pair<int, int>;

struct ElementOfFile {
  std::size_t place;  ///< in the file
  std::size_t tag;
  Entity entity;
  std::array<std::size_t, 8> nodes;
};

struct File {
  std::map<Entity, std::string> names;          ///< of physical groups, by dimension and number
  std::map<Entity, std::vector<int>> groups;    ///< of entities
  std::unordered_map<std::size_t, Vec3> nodes;  ///< by tag
  std::map<int, std::vector<ElementOfFile>> elements;

  std::vector<std::string> groups_of(const Entity& entity) const {
    std::vector<std::string> result;
    const auto found = groups.find(entity);
    if (found == groups.end()) return result;
    for (const int number : found->second) {
      const auto name = names.find({entity.first, number});
      result.push_back(name == names.end() ? std::to_string(number) : name->second);
    }
    return result;
  }
};

void read_format(Cursor& cursor) {
  const std::size_t start = cursor.place();
  std::istringstream words{std::string(cursor.line())};
  std::string version;
  int is_binary = -1;
  std::size_t data_size = 0;
  words >> version >> is_binary >> data_size;
  if (words.fail()) cursor.fail_at(start, "a version, a file type and a data size are expected");
  if (version != "4.1") {
    cursor.fail_at(
        start,
        fmt::format(
            "the mesh has version {}, only 4.1 can be read; Gmsh converts with \"gmsh -format msh41 -save\"",
            version));
  }
  if (data_size != sizeof(std::size_t)) {
    cursor.fail_at(start, fmt::format("the data size is {}, must be {}", data_size, sizeof(std::size_t)));
  }
  cursor.is_binary = is_binary == 1;
  if (cursor.is_binary && cursor.integer() != 1) {
    cursor.fail("the numbers have the byte order of another machine (big-endian)");
  }
  cursor.expect_end_of("MeshFormat");
}

void read_names(Cursor& cursor, File& file) {
  const bool is_binary = std::exchange(cursor.is_binary, false);  // always text
  for (std::size_t i = cursor.count(); i > 0; --i) {
    const int dimension = cursor.integer();
    const int number = cursor.integer();
    file.names[{dimension, number}] = cursor.quoted();
  }
  cursor.is_binary = is_binary;
}

void read_entities(Cursor& cursor, File& file) {
  std::array<std::size_t, 4> counts;
  for (std::size_t& count : counts) count = cursor.count();
  for (int dimension = 0; dimension <= 3; ++dimension) {
    for (std::size_t i = counts[dimension]; i > 0; --i) {
      const int tag = cursor.integer();
      for (int k = dimension == 0 ? 3 : 6; k > 0; --k) cursor.real();
      for (std::size_t k = cursor.count(); k > 0; --k) {
        file.groups[{dimension, tag}].push_back(std::abs(cursor.integer()));
      }
      if (dimension == 0) continue;
      for (std::size_t k = cursor.count(); k > 0; --k) cursor.integer();
    }
  }
}

void read_nodes(Cursor& cursor, File& file) {
  const std::size_t blocks = cursor.count();
  for (int i = 0; i < 3; ++i) cursor.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    const int dimension = cursor.integer();
    cursor.integer();
    const bool is_parametric = cursor.integer() != 0;
    std::vector<std::size_t> tags(cursor.count());
    for (std::size_t& tag : tags) tag = cursor.size();
    for (const std::size_t tag : tags) {
      Vec3 x;
      for (double& coordinate : x) coordinate = cursor.real();
      for (int i = is_parametric ? dimension : 0; i > 0; --i) cursor.real();
      if (!file.nodes.emplace(tag, x).second) cursor.fail(fmt::format("there are two nodes {}", tag));
    }
  }
}

void read_elements(Cursor& cursor, File& file) {
  const std::size_t blocks = cursor.count();
  for (int i = 0; i < 3; ++i) cursor.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    const int dimension = cursor.integer();
    const int entity = cursor.integer();
    const int type = cursor.integer();
    const std::size_t count = cursor.count();
    if (node_count(type) == 0) {
      cursor.fail(fmt::format("the mesh has {} {}; only hexahedra of 8 nodes (type 5) can be read", count,
                              describe(type)));
    }
    for (std::size_t i = 0; i < count; ++i) {
      ElementOfFile element{cursor.place(), cursor.size(), {dimension, entity}, {}};
      for (std::size_t a = 0; a < node_count(type); ++a) {
        element.nodes[a] = cursor.size();
        if (!file.nodes.contains(element.nodes[a])) {
          cursor.fail(
              fmt::format("element {} refers to node {}, which is not there", element.tag, element.nodes[a]));
        }
      }
      file.elements[type].push_back(element);
    }
  }
}

File read_sections(Cursor& cursor) {
  File file;
  std::set<std::string> seen;
  while (!cursor.at_end()) {
    const std::size_t start = cursor.place();
    const std::string mark(cursor.line());
    if (mark.size() < 2 || mark[0] != '$') {
      cursor.fail_at(start, fmt::format("a section is expected, not \"{}\"", mark.substr(0, 40)));
    }
    const std::string section = mark.substr(1);
    cursor.section = mark;
    if (section != "MeshFormat" && !seen.contains("MeshFormat"))
      cursor.fail_at(start, "it does not begin with $MeshFormat");
    seen.insert(section);
    if (section == "MeshFormat") {
      read_format(cursor);
      continue;
    }
    if (section == "PartitionedEntities") cursor.fail_at(start, "partitioned meshes cannot be read");
    if (section == "PhysicalNames") {
      read_names(cursor, file);
    } else if (section == "Entities") {
      read_entities(cursor, file);
    } else if (section == "Nodes") {
      read_nodes(cursor, file);
    } else if (section == "Elements") {
      read_elements(cursor, file);
    } else {
      cursor.skip_section(section);
      continue;
    }
    cursor.expect_end_of(section);
  }
  cursor.section.clear();
  for (const char* needed : {"MeshFormat", "Nodes", "Elements"}) {
    if (!seen.contains(needed))
      cursor.fail(fmt::format("the file is cut off: it has no section ${}", needed));
  }
  if (!file.elements.contains(hexahedron_type)) cursor.fail("the mesh has no hexahedra");
  return file;
}

CellFace sorted(CellFace face) {
  std::sort(face.begin(), face.end());
  return face;
}

/// Numbers the points and orients cells and faces.
class Builder {
 public:
  Builder(const File& file, const std::string& name, const Cursor& cursor) : file_(file), cursor_(cursor) {
    mesh_.name = name;
  }

  HexahedralMesh build() {
    for (const ElementOfFile& element : elements(hexahedron_type)) add_cell(element);
    for (const Cell& cell : mesh_.cells) {
      for (const CellFace& face : faces_of(cell)) faces_[sorted(face)].push_back(face);
    }
    for (const ElementOfFile& element : elements(quadrangle_type)) add_face(element);
    add_points(line_type);
    add_points(point_type);
    return std::move(mesh_);
  }

 private:
  const std::vector<ElementOfFile>& elements(int type) const {
    static const std::vector<ElementOfFile> none;
    const auto found = file_.elements.find(type);
    return found == file_.elements.end() ? none : found->second;
  }

  void add_cell(const ElementOfFile& element) {
    Cell cell;
    solids::Corners X;
    for (std::size_t a = 0; a < 8; ++a) {
      const Vec3& x = file_.nodes.at(element.nodes[a]);
      const auto [place, is_new] = places_.emplace(element.nodes[a], count_of(mesh_.points));
      if (is_new) mesh_.points.push_back(x);
      cell[a] = place->second;
      X.row(a) = x.transpose();
    }
    if (solids::jacobian(X, Vec3::Zero()).determinant() < 0) {
      std::rotate(cell.begin(), cell.begin() + 4, cell.end());
    }
    for (const std::string& group : file_.groups_of(element.entity)) {
      mesh_.cell_sets[group].push_back(count_of(mesh_.cells));
    }
    mesh_.cells.push_back(cell);
  }

  void add_face(const ElementOfFile& element) {
    const auto groups = file_.groups_of(element.entity);
    if (groups.empty()) return;
    CellFace face{};
    bool is_known = true;
    for (std::size_t a = 0; a < 4; ++a) {
      const auto place = places_.find(element.nodes[a]);
      is_known = is_known && place != places_.end();
      if (is_known) face[a] = place->second;
    }
    const auto owners = is_known ? faces_.find(sorted(face)) : faces_.end();
    if (owners == faces_.end()) {
      cursor_.fail_at(element.place,
                      fmt::format("quadrangle {} of physical group \"{}\" is not a face of a hexahedron",
                                  element.tag, groups.front()));
    }
    if (owners->second.size() == 1) face = owners->second.front();
    for (const std::string& group : groups) mesh_.face_sets[group].push_back(face);
  }

  void add_points(int type) {
    for (const ElementOfFile& element : elements(type)) {
      for (const std::string& group : file_.groups_of(element.entity)) {
        auto& points = mesh_.point_sets[group];
        for (std::size_t a = 0; a < node_count(type); ++a) {
          const auto place = places_.find(element.nodes[a]);
          if (place != places_.end() &&
              std::find(points.begin(), points.end(), place->second) == points.end()) {
            points.push_back(place->second);
          }
        }
      }
    }
  }

  const File& file_;
  const Cursor& cursor_;
  HexahedralMesh mesh_;
  std::unordered_map<std::size_t, Index> places_;    ///< point numbers of the nodes, by tag
  std::map<CellFace, std::vector<CellFace>> faces_;  ///< of all cells, by their sorted point numbers
};

}  // namespace
}  // namespace gmsh

HexahedralMesh read_gmsh(std::istream& stream, const std::string& name) {
  std::ostringstream text;
  text << stream.rdbuf();
  gmsh::Cursor cursor(std::move(text).str(), name);
  const gmsh::File file = gmsh::read_sections(cursor);
  return gmsh::Builder(file, name, cursor).build();
}

HexahedralMesh read_gmsh(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(fmt::format("mesh file \"{}\" cannot be opened", file.string()));
  return read_gmsh(stream, file.string());
}

}  // namespace picus
