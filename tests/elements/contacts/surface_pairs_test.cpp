/// Every kind of surface on every other one, and the table of them in the manual.

#include "surface_search.hpp"
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace picus::surface_pairs_test {
namespace {

using std::numbers::pi;

constexpr double half = 0.1;  // height of each surface above and below its place, m

/// The kinds as the manual names them.
const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {"HalfSpace", "Box",     "Hull",          "Mesh",
                                               "Ball",      "Capsule", "Cylinder",      "Cone",
                                               "Rope",      "Faces",   "Points, balls", "Points"};
  return all;
}

std::vector<Vec3> corners_of_cube() {
  std::vector<Vec3> corners;
  for (const double z : {-half, half}) {
    for (const auto& [x, y] : {std::array{-half, -half}, {half, -half}, {half, half}, {-half, half}})
      corners.emplace_back(x, y, z);
  }
  return corners;
}
constexpr std::array<std::array<int, 4>, 6> faces_of_cube = {
    {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

void add_surface(Model& model, const std::string& kind, const std::string& name, const Vec3& x,
                 bool is_upper) {
  const auto frame = [&](const Vec3& at, const std::string& suffix = "") {
    return model.add_frame(name + suffix, {.position = at});
  };
  const auto point = [&](const Vec3& at, const std::string& suffix = "") {
    return model.add_point(name + suffix, {.position = at});
  };
  const auto add = [&](const Shape& shape, const Mat3& R = Mat3::Identity()) {
    model.add<Surface>({.name = name, .of = shape, .on = frame(x), .rotation = R});
  };
  const Mat3 lying = so3::exp(Vec3(pi / 2, 0, 0));
  if (kind == "HalfSpace") {
    const Vec3 normal = is_upper ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
    model.add<Surface>({.name = name, .of = shapes::HalfSpace{normal}, .on = frame(x + half * normal)});
  } else if (kind == "Box") {
    add(shapes::Box{2 * half * Vec3::Ones()});
  } else if (kind == "Hull") {
    add(shapes::Hull{corners_of_cube()});
  } else if (kind == "Mesh") {
    shapes::Mesh mesh{.points = corners_of_cube()};
    for (const auto& [i, j, k, l] : faces_of_cube) {
      mesh.triangles.push_back({i, j, k});
      mesh.triangles.push_back({i, k, l});
    }
    add(mesh);
  } else if (kind == "Ball") {
    add(shapes::Ball{half});
  } else if (kind == "Capsule") {
    add(shapes::Capsule{2 * half, half}, lying);
  } else if (kind == "Cylinder") {
    add(shapes::Cylinder{2 * half, half}, lying);
  } else if (kind == "Cone") {
    add(shapes::Cone{2 * half, half, half / 2});
  } else if (kind == "Rope") {
    const std::vector<FrameNode> nodes = {frame(x - Vec3(0.3, 0, 0), "0"), frame(x + Vec3(0.3, 0, 0), "1")};
    model.add<Surface>({.name = name, .of = shapes::Rope{nodes, half}});
  } else if (kind == "Faces") {
    std::vector<PointNode> nodes;
    for (const Vec3& corner : corners_of_cube())
      nodes.push_back(point(x + corner, std::to_string(nodes.size())));
    shapes::Faces faces;
    for (const auto& [i, j, k, l] : faces_of_cube)
      faces.faces.push_back({nodes[i], nodes[j], nodes[k], nodes[l]});
    model.add<Surface>({.name = name, .of = faces});
  } else if (kind == "Points, balls") {
    model.add<Surface>({.name = name, .of = shapes::Points{{point(x)}, half}});
  } else {
    const Vec3 place = x + Vec3(0, 0, is_upper ? -half : half);
    model.add<Surface>({.name = name, .of = shapes::Points{{point(place)}, 0.0}});
  }
}

/// "yes" if the upper surface, which moves down, finds the lower one, which is 1e-4 m below it; "no" if not, or the
/// message.
std::string result_of(const std::string& upper, const std::string& lower) {
  Model model("pair");
  // Corners are not above corners.
  add_surface(model, upper, "upper", {1.3e-4, 2.1e-4, half}, true);
  const Index of_upper = model.velocity_count();
  add_surface(model, lower, "lower", {0, 0, -half - 1e-4}, false);
  model.add<ContactsBetween>({.name = "s"});
  try {
    const auto search = model.contact_sets().back().role->make_search(model, 0);
    const Configuration& q = model.initial_configuration();
    search->check_start(q);
    Vector down = Vector::Zero(model.velocity_count());
    for (const Node& node : model.nodes()) {
      if (node.v < of_upper) down[node.v + 2] = -2e-4;
    }
    Configuration end = q;
    retract(model.nodes(), q, down, end);
    std::vector<ContactKey> found;
    search->find(q, end, {}, found);
    for (const ContactKey& key : found) {
      const InRole<Contact> contact = search->contact(key);
      std::vector<double> g(contact.role->row_count());
      contact.role->displacement(q, q, g);
      if (std::abs(g[0] - 1e-4) < 2e-5) return "yes";
    }
    return "no";
  } catch (const Error& error) {
    return error.what();
  }
}

// The table is that of the manual, line by line; it is the same for both orders.
TEST(SurfacePairs, TableOfTheManualIsWhatTheSearchFinds) {
  const std::filesystem::path page = std::filesystem::path(PICUS_DOCS) / "elements" / "contacts.md";
  std::ifstream stream(page);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_FALSE(text.empty()) << page;
  for (const std::string& row : kinds()) {
    std::string line = "| `" + row + "` |";
    for (const std::string& column : kinds()) {
      const std::string result = result_of(row, column);
      EXPECT_EQ(result, result_of(column, row)) << row << " and " << column;
      line += " " + result + " |";
    }
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace picus::surface_pairs_test
