#include <picus/elements/solids/gmsh.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace picus::gmsh_test {
namespace {

using support::message_of;

HexahedralMesh read(const std::string& text) {
  std::istringstream stream(text);
  return read_gmsh(stream, "m.msh");
}

std::string refusal(const std::string& text) {
  return message_of<FileError>([&] { read(text); });
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// A unit cube with tags 11 to 18 with a named top, an unnamed volume, a curve, and an unused node 99.
const std::string cube = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 4 "edge"
2 1 "top"
2 2 "hot side"
$EndPhysicalNames
$Entities
1 1 1 1
1 0 0 0 0
1 0 0 0 1 0 0 1 4 2 1 -2
5 0 0 1 1 1 1 2 1 2 0
7 0 0 0 1 1 1 1 3 1 5
$EndEntities
$Nodes
2 9 11 99
3 7 0 8
11
12
13
14
15
16
17
18
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
2 5 1 1
99
0.5 0.5 1 0.25 0.75
$EndNodes
$Elements
4 4 1 4
0 1 15 1
1 11
1 1 1 1
2 11 12
2 5 3 1
3 15 18 17 16
3 7 5 1
4 11 12 13 14 15 16 17 18
$EndElements
)";

TEST(Gmsh, ReadsCellsAndTheirGroups) {
  const HexahedralMesh mesh = read(cube);
  EXPECT_EQ(mesh.name, "m.msh");
  ASSERT_EQ(mesh.points.size(), 8U);  // the unused node belongs to nothing
  EXPECT_EQ(mesh.points[6], Vec3(1, 1, 1));
  ASSERT_EQ(mesh.cells.size(), 1U);
  EXPECT_EQ(mesh.cells[0], (Cell{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(mesh.cells_of("3"), std::vector<Index>{0});
  EXPECT_EQ(mesh.points_of("edge"), (std::vector<Index>{0, 1}));
  // One surface in two groups. In the file it is oriented inward; the result is outward.
  EXPECT_EQ(mesh.faces("top"), (std::vector<CellFace>{{4, 5, 6, 7}}));
  EXPECT_EQ(mesh.faces("hot side"), mesh.faces("top"));
  EXPECT_NO_THROW(mesh.check());
}

TEST(Gmsh, RenumbersLeftHandedCells) {
  const HexahedralMesh mesh = read(replaced(cube, "4 11 12 13 14 15 16 17 18", "4 15 16 17 18 11 12 13 14"));
  ASSERT_EQ(mesh.cells.size(), 1U);
  const auto x = [&](std::size_t a) { return mesh.points[mesh.cells[0][a]]; };
  EXPECT_EQ(x(0), Vec3(0, 0, 0));
  EXPECT_EQ(x(6), Vec3(1, 1, 1));
}

TEST(Gmsh, OffersTheNearestGroup) {
  EXPECT_EQ(message_of<ModelError>([] { static_cast<void>(read(cube).faces("Topp")); }),
            "mesh \"m.msh\" has no set of faces \"Topp\" (did you mean \"top\"?)");
}

TEST(Gmsh, RefusesOtherVersionsAndFiles) {
  EXPECT_EQ(refusal(replaced(cube, "4.1 0 8", "2.2 0 8")),
            "mesh file \"m.msh\", line 2: the mesh has version 2.2, only 4.1 can be read; Gmsh converts with "
            "\"gmsh "
            "-format msh41 -save\"");
  EXPECT_EQ(refusal(replaced(cube, "4.1 0 8", "4.1 0 4")),
            "mesh file \"m.msh\", line 2: the data size is 4, must be 8");
  EXPECT_EQ(refusal("solid cube\n"),
            "mesh file \"m.msh\", line 1: a section is expected, not \"solid cube\"");
  EXPECT_EQ(refusal("$Nodes\n"), "mesh file \"m.msh\", line 1: it does not begin with $MeshFormat");
  EXPECT_EQ(refusal(""), "mesh file \"m.msh\", line 1: the file is cut off: it has no section $MeshFormat");
  EXPECT_EQ(message_of<FileError>([] { read_gmsh("/nowhere/m.msh"); }),
            "mesh file \"/nowhere/m.msh\" cannot be opened");
}

TEST(Gmsh, RefusesAFileThatIsCutOffAnywhere) {
  // Each prefix is refused; those that end in a section say so.
  for (std::size_t length = 0; length + 13 < cube.size(); ++length) {
    EXPECT_NE(refusal(cube.substr(0, length)), "nothing was thrown") << length;
  }
  EXPECT_EQ(refusal(cube.substr(0, cube.find("0 0 1\n1 0 1"))),
            "mesh file \"m.msh\", line 32: the file is cut off in section $Nodes");
  EXPECT_EQ(refusal(cube.substr(0, cube.find("$EndElements"))),
            "mesh file \"m.msh\", line 50: the file is cut off in section $Elements");
  EXPECT_EQ(refusal(cube.substr(0, cube.find("$Elements"))),
            "mesh file \"m.msh\", line 40: the file is cut off: it has no section $Elements");
}

TEST(Gmsh, RefusesElementsOfOtherTypes) {
  EXPECT_EQ(
      refusal(replaced(cube, "3 7 5 1\n", "3 7 4 12\n")),
      "mesh file \"m.msh\", line 48: the mesh has 12 tetrahedra (type 4); only hexahedra of 8 nodes (type 5) "
      "can be read");
  EXPECT_EQ(refusal(replaced(cube, "3 7 5 1\n", "3 7 17 1\n")),
            "mesh file \"m.msh\", line 48: the mesh has 1 second-order hexahedra of 20 nodes (type 17); only "
            "hexahedra "
            "of 8 nodes (type 5) can be read");
  EXPECT_EQ(refusal(replaced(cube, "2 5 3 1\n", "2 5 77 1\n")),
            "mesh file \"m.msh\", line 46: the mesh has 1 elements of type 77; only hexahedra of 8 nodes "
            "(type 5) can "
            "be read");
  std::string without = replaced(cube, "4 4 1 4\n", "3 3 1 3\n");
  without = replaced(without, "3 7 5 1\n4 11 12 13 14 15 16 17 18\n", "");
  EXPECT_EQ(refusal(without), "mesh file \"m.msh\", line 49: the mesh has no hexahedra");
}

TEST(Gmsh, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(
      refusal(replaced(cube, "3 15 18 17 16", "3 15 18 17 12")),
      "mesh file \"m.msh\", line 47: quadrangle 3 of physical group \"top\" is not a face of a hexahedron");
  EXPECT_EQ(refusal(replaced(cube, "4 11 12 13", "4 11 12 23")),
            "mesh file \"m.msh\", line 49: element 4 refers to node 23, which is not there");
  EXPECT_EQ(refusal(replaced(cube, "12\n13\n", "12\n12\n")),
            "mesh file \"m.msh\", line 30: there are two nodes 12");
  EXPECT_EQ(refusal(replaced(cube, "1 0 1\n", "1 oh 1\n")),
            "mesh file \"m.msh\", line 33: a number is expected, not \"oh\"");
  EXPECT_EQ(refusal(replaced(cube, "$EndNodes", "7\n$EndNodes")),
            "mesh file \"m.msh\", line 39: $EndNodes is expected");
  EXPECT_EQ(refusal(replaced(cube, "$Entities", "$PartitionedEntities")),
            "mesh file \"m.msh\", line 10: partitioned meshes cannot be read");
  EXPECT_EQ(refusal(replaced(cube, "2 9 11 99", "99999999999 9 11 99")),
            "mesh file \"m.msh\", line 51: the file is cut off in section $Nodes");
}

TEST(Gmsh, SkipsSectionsItDoesNotNeed) {
  EXPECT_EQ(read(replaced(cube, "$Nodes", "$Comments\nby hand\n$EndComments\n$Nodes")).cells.size(), 1U);
}

/// Writes MSH 4.1, in text or binary; the groups are the face sets, one surface each.
class Writer {
 public:
  explicit Writer(bool is_binary) : is_binary_(is_binary) {}

  std::string operator()(const HexahedralMesh& mesh) {
    text_ = fmt::format("$MeshFormat\n4.1 {} 8\n", is_binary_ ? 1 : 0);
    if (is_binary_) integers({1});
    end("MeshFormat");
    text_ += fmt::format("$PhysicalNames\n{}\n", mesh.face_sets.size());
    int number = 0;
    for (const auto& [name, faces] : mesh.face_sets) text_ += fmt::format("2 {} \"{}\"\n", ++number, name);
    text_ += "$EndPhysicalNames\n$Entities\n";
    sizes({0, 0, mesh.face_sets.size(), 1});
    for (int surface = 1; surface <= number; ++surface) {
      integers({surface});
      reals({0, 0, 0, 1, 1, 1});
      sizes({1});
      integers({surface});
      sizes({0});
    }
    integers({1});
    reals({0, 0, 0, 1, 1, 1});
    sizes({0, 0});
    end("Entities");
    text_ += "$Nodes\n";
    sizes({1, mesh.points.size(), 1, mesh.points.size()});
    integers({3, 1, 0});
    sizes({mesh.points.size()});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) sizes({i + 1});
    for (const Vec3& x : mesh.points) reals({x.x(), x.y(), x.z()});
    end("Nodes");
    std::size_t face_count = 0;
    for (const auto& [name, faces] : mesh.face_sets) face_count += faces.size();
    text_ += "$Elements\n";
    sizes({mesh.face_sets.size() + 1, face_count + mesh.cells.size(), 1, face_count + mesh.cells.size()});
    std::size_t tag = 0;
    int surface = 0;
    for (const auto& [name, faces] : mesh.face_sets) {
      integers({2, ++surface, 3});
      sizes({faces.size()});
      for (const CellFace& face : faces) element(++tag, face);
    }
    integers({3, 1, 5});
    sizes({mesh.cells.size()});
    for (const Cell& cell : mesh.cells) element(++tag, cell);
    end("Elements");
    return text_;
  }

 private:
  template <class Points>
  void element(std::size_t tag, const Points& points) {
    std::vector<std::size_t> entries = {tag};
    for (const Index point : points) entries.push_back(point + 1);
    put(entries);
  }
  void integers(const std::vector<int>& values) { put(values); }
  void sizes(const std::vector<std::size_t>& values) { put(values); }
  void reals(const std::vector<double>& values) { put(values); }
  template <class Value>
  void put(const std::vector<Value>& values) {
    for (const Value value : values) {
      if (is_binary_) {
        std::array<char, sizeof(Value)> bytes;
        std::memcpy(bytes.data(), &value, sizeof(Value));
        text_.append(bytes.data(), bytes.size());
      } else {
        text_ += fmt::format("{} ", value);
      }
    }
    if (!is_binary_) text_ += '\n';
  }
  void end(const std::string& section) {
    text_ += fmt::format("{}$End{}\n", is_binary_ ? "\n" : "", section);
  }

  bool is_binary_;
  std::string text_;
};

class GmshRoundTrip : public ::testing::TestWithParam<bool> {};

TEST_P(GmshRoundTrip, GivesTheMeshBack) {
  const auto mesh = make_box_mesh({.size = {1, 0.7, 0.3}, .divisions = {12, 10, 8}, .origin = {-1, 2, 0.1}});
  const support::ScratchFolder folder;
  std::ofstream(folder / "box.msh", std::ios::binary) << Writer(GetParam())(mesh);
  const auto found = read_gmsh(folder / "box.msh");
  ASSERT_EQ(found.cells.size(), mesh.cells.size());
  ASSERT_EQ(found.points.size(), mesh.points.size());
  for (std::size_t e = 0; e < mesh.cells.size(); ++e) {
    for (std::size_t a = 0; a < 8; ++a) {
      EXPECT_EQ(found.points[found.cells[e][a]], mesh.points[mesh.cells[e][a]]);
    }
  }
  for (const auto& [name, faces] : mesh.face_sets) {
    ASSERT_EQ(found.faces(name).size(), faces.size()) << name;
    const auto area = [](const HexahedralMesh& of, const std::vector<CellFace>& set) {
      Vec3 sum = Vec3::Zero();
      for (const CellFace& face : set) {
        const auto x = [&](std::size_t a) { return of.points[face[a]]; };
        sum += 0.5 * (x(2) - x(0)).cross(Vec3(x(3) - x(1)));
      }
      return sum;
    };
    EXPECT_LT((area(found, found.faces(name)) - area(mesh, faces)).norm(), 1e-14) << name;
  }
}

TEST_P(GmshRoundTrip, RefusesAFileThatIsCutOff) {
  const std::string text = Writer(GetParam())(make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}}));
  for (std::size_t length = 0; length + 13 < text.size(); ++length) {
    EXPECT_NE(refusal(text.substr(0, length)), "nothing was thrown") << length;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, GmshRoundTrip, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Binary" : "Text"; });

TEST(Gmsh, RefusesTheByteOrderOfOtherMachines) {
  std::string text = Writer(true)(make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}}));
  text = replaced(text, {1, 0, 0, 0}, {0, 0, 0, 1});
  EXPECT_EQ(refusal(text),
            "mesh file \"m.msh\", byte 24: the numbers have the byte order of another machine (big-endian)");
}

}  // namespace
}  // namespace picus::gmsh_test
