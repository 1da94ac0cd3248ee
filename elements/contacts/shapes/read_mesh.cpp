#include <picus/checks.hpp>
#include <picus/elements/contacts/shapes/mesh_text.hpp>
#include <picus/elements/contacts/shapes/read_mesh.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <unordered_map>

namespace picus {
namespace {

constexpr std::size_t stl_head = 84;      // a title and the number of triangles
constexpr std::size_t stl_triangle = 50;  // bytes: a normal, three corners, two for an attribute

/// Limit for a face in OBJ: the time to triangulate it grows with the square of the number of corners.
constexpr std::size_t max_corners = 10000;

/// Merges corners at the same position.
class Corners {
 public:
  explicit Corners(shapes::Mesh& mesh) : mesh_(mesh) {}

  Index number_of(const Vec3& x) {
    const Vec3 place = x + Vec3::Zero();  // turns -0 into 0
    const auto [found, is_new] = numbers_.try_emplace(place, count_of(mesh_.points));
    if (is_new) mesh_.points.push_back(place);
    return found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Vec3& x) const {
      std::size_t result = 0;
      for (const double coordinate : x)
        result = (result ^ std::bit_cast<std::uint64_t>(coordinate)) * 0x9e3779b97f4a7c15U + (result >> 29U);
      return result;
    }
  };
  shapes::Mesh& mesh_;
  std::unordered_map<Vec3, Index, Hash> numbers_;
};

shapes::Mesh read_binary_stl(const std::string& text, const std::string& name, double scale) {
  if (text.size() < stl_head) {
    throw FileError(fmt::format(
        "mesh file \"{}\": it has {} bytes, too few for an STL file, and does not begin with \"solid\"", name,
        text.size()));
  }
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + stl_head - sizeof(count), sizeof(count));
  // In 64 bits: the count in an arbitrary file may have any value.
  const std::uint64_t size = stl_head + std::uint64_t{stl_triangle} * count;
  if (size != text.size()) {
    throw FileError(fmt::format(
        "mesh file \"{}\": as a binary STL file of {} triangles it would have {} bytes, but it has {}: it is "
        "cut off, or no STL file",
        name, count, size, text.size()));
  }
  shapes::Mesh mesh;
  mesh.triangles.reserve(count);
  Corners corners(mesh);
  for (std::uint32_t t = 0; t < count; ++t) {
    const char* const at = text.data() + stl_head + std::size_t{stl_triangle} * t + 3 * sizeof(float);
    std::array<float, 9> numbers{};
    std::memcpy(numbers.data(), at, sizeof(numbers));
    auto& triangle = mesh.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]);
      if (!x.allFinite())
        throw FileError(
            fmt::format("mesh file \"{}\": triangle {} has a corner that is not finite", name, t));
      triangle[k] = corners.number_of(scale * x);
    }
  }
  return mesh;
}

shapes::Mesh read_text_stl(const std::string& text, const std::string& name, double scale) {
  MeshText words(text, name);
  shapes::Mesh mesh;
  Corners corners(mesh);
  const auto expect = [&](std::string_view expected) {
    const std::string_view word = words.word();
    if (word.empty()) words.fail_cut_off();
    if (word != expected)
      words.fail(fmt::format("\"{}\" is expected, not \"{}\"", expected, MeshText::shortened(word)));
  };
  const auto number = [&] {
    const std::string_view word = words.word();
    if (word.empty()) words.fail_cut_off();
    return words.number(word);
  };
  expect("solid");
  words.skip_line();  // its name
  for (;;) {
    const std::string_view word = words.word();
    if (word.empty()) words.fail_cut_off();
    if (word == "endsolid") {
      words.skip_line();
      if (words.word().empty()) return mesh;
      words.skip_line();  // another solid follows
      continue;
    }
    if (word != "facet")
      words.fail(fmt::format("\"facet\" or \"endsolid\" is expected, not \"{}\"", MeshText::shortened(word)));
    expect("normal");
    for (int k = 0; k < 3; ++k) {
      if (words.word().empty()) words.fail_cut_off();  // the order of the corners defines the normal instead
    }
    expect("outer");
    expect("loop");
    auto& triangle = mesh.triangles.emplace_back();
    for (Index& corner : triangle) {
      expect("vertex");
      Vec3 x;
      for (double& coordinate : x) coordinate = scale * number();
      corner = corners.number_of(x);
    }
    expect("endloop");
    expect("endfacet");
  }
}

/// Triangulates a polygon by ear clipping: repeatedly cuts off a corner whose triangle contains no other corner, the
/// shortest cut first, which avoids slivers.
void cut(const std::vector<Vec3>& points, std::vector<Index> polygon,
         std::vector<std::array<Index, 3>>& triangles) {
  constexpr double flat = 1e-12;  // fraction of the area
  Vec3 normal = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    normal += (points[polygon[k]] - points[polygon[0]]).cross(points[polygon[k + 1]] - points[polygon[0]]);
  const auto turn = [&](Index a, Index b, Index c) {
    return (points[b] - points[a]).cross(points[c] - points[a]).dot(normal);
  };
  const auto is_free = [&](const std::array<Index, 3>& ear) {
    if (!(turn(ear[0], ear[1], ear[2]) > flat * normal.squaredNorm())) return false;
    return std::ranges::none_of(polygon, [&](Index i) {
      return i != ear[0] && i != ear[1] && i != ear[2] && turn(ear[0], ear[1], i) >= 0 &&
             turn(ear[1], ear[2], i) >= 0 && turn(ear[2], ear[0], i) >= 0;
    });
  };
  std::vector<std::pair<double, std::size_t>> cuts;
  while (polygon.size() > 3) {
    const std::size_t count = polygon.size();
    const auto ear_at = [&](std::size_t k) {
      return std::array{polygon[(k + count - 1) % count], polygon[k], polygon[(k + 1) % count]};
    };
    cuts.clear();
    for (std::size_t k = 0; k < count; ++k) {
      const auto [before, here, after] = ear_at(k);
      cuts.emplace_back((points[after] - points[before]).squaredNorm(), k);
    }
    std::ranges::sort(cuts);
    const auto best =
        std::ranges::find_if(cuts, [&](const auto& one) { return is_free(ear_at(one.second)); });
    // A self-intersecting polygon may have none; the surface refuses it later.
    const std::size_t k = best == cuts.end() ? 0 : best->second;
    triangles.push_back(ear_at(k));
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(k));
  }
  triangles.push_back({polygon[0], polygon[1], polygon[2]});
}

shapes::Mesh read_obj(const std::string& text, const std::string& name, double scale) {
  static const std::set<std::string_view> passed_over = {"vt", "vn", "vp",     "o",      "g", "s",
                                                         "mg", "l",  "usemtl", "mtllib", "p"};
  MeshText words(text, name);
  shapes::Mesh mesh;
  std::vector<Index> polygon;
  for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
    if (word[0] == '#' || passed_over.contains(word)) {
      words.skip_line();
      continue;
    }
    if (word == "v") {
      Vec3 x;
      for (double& coordinate : x) {
        const std::string_view digits = words.word_of_line();
        if (digits.empty()) words.fail("a point has three coordinates");
        coordinate = scale * words.number(digits);
      }
      mesh.points.push_back(x);
      words.skip_line();  // a weight or a colour
      continue;
    }
    if (word != "f")
      words.fail(
          fmt::format("\"{}\" begins no line of an OBJ file that can be read", MeshText::shortened(word)));
    polygon.clear();
    for (std::string_view corner = words.word_of_line(); !corner.empty(); corner = words.word_of_line()) {
      const long long number = words.integer(corner.substr(0, corner.find('/')), corner);
      const auto count = static_cast<long long>(mesh.points.size());
      const long long place = number < 0 ? count + number : number - 1;
      if (place < 0 || place >= count)
        words.fail(fmt::format("a face has point {}, but there are {} points so far", number, count));
      polygon.push_back(static_cast<Index>(place));
    }
    if (polygon.size() < 3)
      words.fail(fmt::format("a face has {} points, must be 3 or more", polygon.size()));
    if (polygon.size() > max_corners)
      words.fail(fmt::format("a face has {} points, must be {} or fewer", polygon.size(), max_corners));
    cut(mesh.points, polygon, mesh.triangles);
    words.skip_line();
  }
  return mesh;
}

std::string ending_of(const std::string& name) {
  std::string ending = std::filesystem::path(name).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

/// Text files contain the word "facet" near the start; titles of binary ones may also begin with "solid".
bool is_text_stl(const std::string& text) {
  constexpr std::size_t far = 1024;
  const std::string_view begin = std::string_view(text).substr(0, far);
  if (!begin.starts_with("solid")) return false;
  return begin.find("facet") < begin.npos || begin.find("endsolid") < begin.npos || text.size() < stl_head;
}

}  // namespace

shapes::Mesh read_mesh(std::istream& stream, const std::string& name, double scale) {
  require_positive({"mesh file", name}, "scale", scale, "");
  const std::string ending = ending_of(name);
  if (ending != ".stl" && ending != ".obj")
    throw FileError(fmt::format("mesh file \"{}\": its name ends neither in .stl nor in .obj", name));
  std::ostringstream all;
  all << stream.rdbuf();
  const std::string text = std::move(all).str();
  if (text.empty()) throw FileError(fmt::format("mesh file \"{}\" is empty", name));
  shapes::Mesh mesh = ending == ".obj"    ? read_obj(text, name, scale)
                      : is_text_stl(text) ? read_text_stl(text, name, scale)
                                          : read_binary_stl(text, name, scale);
  if (mesh.triangles.empty()) throw FileError(fmt::format("mesh file \"{}\" has no triangles", name));
  return mesh;
}

shapes::Mesh read_mesh(const std::filesystem::path& file, double scale) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file))
    throw FileError(fmt::format("mesh file \"{}\" cannot be opened", file.string()));
  return read_mesh(stream, file.string(), scale);
}

}  // namespace picus
