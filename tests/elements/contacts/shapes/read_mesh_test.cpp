#include <picus/elements/contacts/shapes/read_mesh.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace picus::read_mesh_test {
namespace {

using support::message_of;
using Triangles = std::vector<std::array<Index, 3>>;

shapes::Mesh read(const std::string& text, const std::string& name, double scale = 1.0) {
  std::istringstream stream(text);
  return read_mesh(stream, name, scale);
}

std::string refusal(const std::string& text, const std::string& name = "m.stl") {
  return message_of<FileError>([&] { read(text, name); });
}

/// The tetrahedron 0, x, y, z as binary STL with wrong normals, as some programs write.
std::string binary_tetrahedron(const std::string& title = "made by hand") {
  const std::array<Vec3, 4> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 3)};
  std::string text = title;
  text.resize(80, ' ');
  const auto add = [&](auto value) {
    std::array<char, sizeof(value)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    text.append(bytes.data(), bytes.size());
  };
  add(std::uint32_t{4});
  for (const auto& corners : Triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) {
    for (int k = 0; k < 3; ++k) add(0.0F);
    for (const Index i : corners) {
      for (const double x : points[i]) add(static_cast<float>(x));
    }
    add(std::uint16_t{7});
  }
  return text;
}

const std::string text_stl = R"(solid a facet
facet normal 0 0 1
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 1e0 -0.0
  endloop
endfacet
facet normal nan 0 0
  outer loop
    vertex +1 0 0
    vertex 1 1 0
    vertex 0 1 0
  endloop
endfacet
endsolid a
)";

TEST(ReadMesh, JoinsTheCornersOfStl) {
  const shapes::Mesh text = read(text_stl, "m.STL", 1e-3);
  EXPECT_EQ(text.points, (std::vector<Vec3>{{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {1e-3, 1e-3, 0}}));
  EXPECT_EQ(text.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_TRUE(text.is_closed);
  // Some programs begin the title of binary files with the word that text files begin with.
  for (const std::string title : {"made by hand", "solid part"}) {
    const shapes::Mesh binary = read(binary_tetrahedron(title), "m.stl", 2.0);
    EXPECT_EQ(binary.points, (std::vector<Vec3>{{0, 0, 0}, {0, 4, 0}, {2, 0, 0}, {0, 0, 6}}));
    EXPECT_EQ(binary.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}}));
  }
  EXPECT_EQ(read(text_stl + text_stl, "two solids.stl").triangles.size(), 4U);
}

TEST(ReadMesh, ReadsFacesOfObj) {
  const shapes::Mesh mesh = read(R"(# comment
mtllib steel.mtl
o part
v 0 0 0
v 1 0 0 1.0
v 1 1 0 0.5 0.5 0.5
v 0 1 0
vt 0 0
vn 0 0 1
g top
s off
f 1/1/1 2//1 3/1 4  # with textures and normals, in all forms
v 0 0 1
f -5 -4 -1
)",
                                 "m.obj");
  EXPECT_EQ(mesh.points.size(), 5U);
  EXPECT_EQ(mesh.triangles.back(), (std::array<Index, 3>{0, 1, 4}));
  EXPECT_EQ(mesh.triangles.size(), 3U);
}

// Any triangulation has as many triangles, but only one that stays within the polygon has its area without overlaps.
TEST(ReadMesh, CutsConcavePolygonsWithinTheirBorders) {
  const std::vector<Vec3> comb = {{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 3, 0}, {4, 1, 0}, {3, 1, 0},
                                  {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
  std::string text, face = "f";
  for (std::size_t i = 0; i < comb.size(); ++i) {
    text += fmt::format("v {} {} {}\n", comb[i].x(), comb[i].y(), comb[i].z());
    face += fmt::format(" {}", i + 1);
  }
  const shapes::Mesh mesh = read(text + face + "\n", "m.obj");
  EXPECT_EQ(mesh.triangles.size(), comb.size() - 2);
  double area = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const double part = 0.5 * (comb[j] - comb[i]).cross(comb[k] - comb[i]).z();
    EXPECT_GE(part, 0.0);
    area += part;
  }
  EXPECT_NEAR(area, 3 * 3 + 2 * 1, 1e-14);
}

TEST(ReadMesh, ReadsFiles) {
  const support::ScratchFolder folder;
  const auto file = folder / "t.stl";
  std::ofstream(file, std::ios::binary) << binary_tetrahedron();
  EXPECT_EQ(read_mesh(file).triangles.size(), 4U);
  const auto missing = folder / "none.stl";
  EXPECT_EQ(message_of<FileError>([&] { read_mesh(missing); }),
            fmt::format("mesh file \"{}\" cannot be opened", missing.string()));
  EXPECT_EQ(message_of<ModelError>([&] { read_mesh(file, 0); }),
            fmt::format("mesh file \"{}\": scale is 0, must be positive", file.string()));
}

TEST(ReadMesh, RefusesStlThatIsNone) {
  EXPECT_EQ(refusal(""), "mesh file \"m.stl\" is empty");
  EXPECT_EQ(refusal("x", "m.step"), "mesh file \"m.step\": its name ends neither in .stl nor in .obj");
  EXPECT_EQ(
      refusal("GIF89a"),
      "mesh file \"m.stl\": it has 6 bytes, too few for an STL file, and does not begin with \"solid\"");
  const std::string binary = binary_tetrahedron();
  EXPECT_EQ(refusal(binary.substr(0, 200)),
            "mesh file \"m.stl\": as a binary STL file of 4 triangles it would have 284 bytes, but it has "
            "200: it is "
            "cut off, or no STL file");
  // A header that announces two hundred gigabytes.
  std::string absurd = binary;
  absurd.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(refusal(absurd),
            "mesh file \"m.stl\": as a binary STL file of 4294967295 triangles it would have 214748364834 "
            "bytes, but "
            "it has 284: it is cut off, or no STL file");
  std::string bad = binary;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bad[84 + 50 + 12], &nan, sizeof(nan));
  EXPECT_EQ(refusal(bad), "mesh file \"m.stl\": triangle 1 has a corner that is not finite");
  std::string none = binary.substr(0, 84);
  none.replace(80, 4, std::string(4, '\0'));
  EXPECT_EQ(refusal(none), "mesh file \"m.stl\" has no triangles");

  EXPECT_EQ(refusal("solid a\nendsolid a\n"), "mesh file \"m.stl\" has no triangles");
  EXPECT_EQ(refusal(text_stl.substr(0, 90)), "mesh file \"m.stl\", line 6: the file is cut off");
  const auto with = [](const std::string& what, const std::string& by) {
    std::string text = text_stl;
    return text.replace(text.find(what), what.size(), by);
  };
  EXPECT_EQ(refusal(with("1e0", "1e0x")),
            "mesh file \"m.stl\", line 6: a finite number is expected, not \"1e0x\"");
  EXPECT_EQ(refusal(with("1e0", "nan")),
            "mesh file \"m.stl\", line 6: a finite number is expected, not \"nan\"");
  EXPECT_EQ(refusal(with("endloop", "vertex 1 2 3")),
            "mesh file \"m.stl\", line 7: \"endloop\" is expected, not \"vertex\"");
  EXPECT_EQ(refusal(with("\nfacet", "\nvertex")),
            "mesh file \"m.stl\", line 2: \"facet\" or \"endsolid\" is expected, not \"vertex\"");
}

TEST(ReadMesh, RefusesObjThatIsNone) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto obj = [&](const std::string& text) { return refusal(text, "m.obj"); };
  EXPECT_EQ(obj("# nothing\n"), "mesh file \"m.obj\" has no triangles");
  EXPECT_EQ(obj(points), "mesh file \"m.obj\" has no triangles");
  EXPECT_EQ(obj(points + "f 1 2 4\n"),
            "mesh file \"m.obj\", line 4: a face has point 4, but there are 3 points so far");
  EXPECT_EQ(obj(points + "f 1 2 -4\n"),
            "mesh file \"m.obj\", line 4: a face has point -4, but there are 3 points so far");
  EXPECT_EQ(obj(points + "f 0 1 2\n"),
            "mesh file \"m.obj\", line 4: a face has point 0, but there are 3 points so far");
  EXPECT_EQ(obj(points + "f 1 2\n"), "mesh file \"m.obj\", line 4: a face has 2 points, must be 3 or more");
  std::string long_face = points + "f";
  for (int i = 0; i < 10001; ++i) long_face += " 1";
  EXPECT_EQ(obj(long_face), "mesh file \"m.obj\", line 4: a face has 10001 points, must be 10000 or fewer");
  EXPECT_EQ(obj(points + "f 1 2 x/3\n"),
            "mesh file \"m.obj\", line 4: the number of a point is expected, not \"x/3\"");
  EXPECT_EQ(obj("v 0 0\n"), "mesh file \"m.obj\", line 1: a point has three coordinates");
  EXPECT_EQ(obj("v 0 0 inf\n"), "mesh file \"m.obj\", line 1: a finite number is expected, not \"inf\"");
  EXPECT_EQ(obj("\x7f"
                "ELF\n"),
            "mesh file \"m.obj\", line 1: \"\x7f"
            "ELF\" begins no line of an OBJ file that can be read");
}

// Any content results in a mesh or a message.
TEST(ReadMesh, SurvivesSpoiltFiles) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {binary_tetrahedron(), "m.stl"},
      {text_stl, "m.stl"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/2 2//3 -1\n", "m.obj"}};
  std::uint32_t seed = 1;
  const auto random = [&](std::size_t below) {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<std::size_t>(seed >> 8U) % below;
  };
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto [text, name] = files[trial % 3];
    for (std::size_t k = 1 + random(4); k > 0; --k)
      text[random(text.size())] = static_cast<char>(random(256));
    if (random(2) == 0) text.resize(random(text.size()));
    try {
      static_cast<void>(read(text, name));
    } catch (const FileError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find("mesh file \"m."), 0U);
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace picus::read_mesh_test
