/// The contacts that rigid triangle meshes have with surfaces of all kinds.

#include "surface_search.hpp"
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace picus::surface_search_polyhedra_test {
namespace {

using support::message_of;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A box of 12 triangles: corner i is on the positive side along axis k where its bit k is set.
shapes::Mesh make_box(const Vec3& size) {
  shapes::Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back(0.5 * size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  const std::vector<std::array<Index, 4>> faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& [a, b, c, d] : faces) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

/// Each triangle becomes four.
shapes::Mesh refine(const shapes::Mesh& coarse) {
  shapes::Mesh fine{.points = coarse.points};
  std::map<std::pair<Index, Index>, Index> middles;
  const auto middle = [&](Index i, Index k) {
    const auto [place, is_new] = middles.try_emplace({std::min(i, k), std::max(i, k)}, count_of(fine.points));
    if (is_new) fine.points.emplace_back(0.5 * (coarse.points[i] + coarse.points[k]));
    return place->second;
  };
  for (const auto& [i, j, k] : coarse.triangles) {
    const Index a = middle(i, j), b = middle(j, k), c = middle(k, i);
    for (const auto& corners : {std::array{i, a, c}, {a, j, b}, {c, b, k}, {a, b, c}})
      fine.triangles.push_back(corners);
  }
  return fine;
}

class PolyhedraTest : public SurfaceSearchTest {
 protected:
  /// The names of the contacts, checking that each has a gap of at most `most` (m).
  std::vector<std::string> names_at(const Configuration& q, double most) {
    std::vector<ContactKey> found;
    search().find(q, q, {}, found);
    std::vector<std::string> result;
    for (const ContactKey& key : found) {
      const InRole<Contact> contact = search().contact(key);
      std::vector<double> g(contact.role->row_count());
      contact.role->displacement(q, q, g);
      EXPECT_LE(std::abs(g[0]), most) << contact.element->name();
      result.push_back(contact.element->name().substr(3));  // without "s: "
    }
    return result;
  }
  std::vector<std::string> names_at_start(double most = 1e-12) {
    return names_at(model.initial_configuration(), most);
  }
};

// Each shape that may lie flat or rest on the table, with the number of contacts that support it, at a position where
// diagonals of the triangles run below and beside it.
TEST_F(PolyhedraTest, TableOfTrianglesCarriesShapesOfAllSorts) {
  model.add<Surface>({.name = "table", .of = make_box({20, 2, 0.2}), .position = {0, 0, -0.1}});
  std::map<std::string, std::size_t> expected;
  const auto put = [&](const std::string& name, const Shape& shape, const Vec3& x, std::size_t contacts,
                       const Mat3& R = Mat3::Identity()) {
    add(name, shape, x, R);
    expected[name] = contacts;
  };
  const Mat3 lying = so3::exp(Vec3(0, 1.5707963267948966, 0));
  const Mat3 turned = so3::exp(Vec3(0, 0, 0.3));
  put("ball", shapes::Ball{0.2}, {-8, 0.1, 0.2}, 1);
  put("capsule", shapes::Capsule{0.5, 0.1}, {-6, 0, 0.1}, 2, lying);
  put("box", shapes::Box{{0.4, 0.5, 0.6}}, {-4, 0, 0.3}, 4, turned);
  put("mesh", make_box({0.4, 0.5, 0.6}), {-2, 0, 0.3}, 4, turned);
  put("hull", shapes::Hull{make_box({0.4, 0.5, 0.6}).points}, {0, 0, 0.3}, 4, turned);
  put("over the border", make_box({0.4, 0.5, 0.6}), {4, 1, 0.3}, 4);
  put("box over the border", shapes::Box{{0.4, 0.5, 0.6}}, {6, 1, 0.3}, 4);
  put("at the end", make_box({0.4, 0.4, 0.4}), {9.8, 0.8, 0.2}, 4);  // corner above corner
  const FrameNode a = model.add_frame("a", {.position = {2, 0, 0.05}});
  const FrameNode b = model.add_frame("b", {.position = {2.3, 0.1, 0.05}});
  const FrameNode c = model.add_frame("c", {.position = {2.5, -0.1, 0.05}});
  model.add<Surface>({.name = "rope", .of = shapes::Rope{{a, b, c}, 0.05}});
  expected["rope"] = 3;
  const std::vector<std::string> names = names_at_start();
  for (const auto& [name, contacts] : expected) {
    const auto count = std::ranges::count_if(names, [&name = name](const std::string& one) {
      return one.starts_with(name + " ") || one.find(" on " + name + " ") < one.npos;
    });
    // Other names begin with "box", too.
    EXPECT_EQ(static_cast<std::size_t>(count), name == "box" ? contacts + 4 : contacts)
        << name << ": " << ::testing::PrintToString(names);
  }
  // All on one face, except those across the edge.
  std::set<std::string> faces;
  for (const std::string& name : names) {
    if (name.find("edge") == name.npos && name.find("on table face") < name.npos)
      faces.insert(name.substr(name.find("on table")));
  }
  EXPECT_THAT(faces, SizeIs(1));
}

TEST_F(PolyhedraTest, MeshLiesOnHalfSpacesBoxesAndHulls) {
  for (const Shape& below : {Shape(shapes::HalfSpace{}), Shape(shapes::Box{{2, 2, 2}}),
                             Shape(shapes::Hull{make_box({2, 2, 2}).points}), Shape(make_box({2, 2, 2}))}) {
    Model other("m");
    const bool is_half_space = std::holds_alternative<shapes::HalfSpace>(below);
    other.add<Surface>({.name = "below", .of = below, .position = {0, 0, is_half_space ? 0.0 : -1.0}});
    const FrameNode node =
        other.add_frame("mesh", {.position = {0.1, 0.2, 0.3}, .rotation = so3::exp(Vec3(0, 0, 0.5))});
    other.add<Surface>({.name = "mesh", .of = make_box({0.4, 0.5, 0.6}), .on = node});
    other.add<ContactsBetween>({.name = "s", .mu = 0.3});
    const auto search = other.contact_sets().back().role->make_search(other, 0);
    std::vector<ContactKey> found;
    const Configuration& q = other.initial_configuration();
    search->find(q, q, {}, found);
    EXPECT_THAT(found, SizeIs(4));
    for (const ContactKey& key : found)
      EXPECT_THAT(search->contact(key).element->name(), ::testing::StartsWith("s: mesh vertex"));
    std::vector<ContactKey> undetected;
    EXPECT_EQ(search->find_undetected(q, found, undetected), 0.0);
    EXPECT_THAT(undetected, IsEmpty());
  }
}

// Round surfaces over faces, convex edges and corners.
TEST_F(PolyhedraTest, BallHasTheFeatureThatIsNearest) {
  model.add<Surface>({.name = "block", .of = make_box({2, 2, 2})});
  const FrameNode ball = add("ball", shapes::Ball{0.5}, {0, 0, 1.5});
  const auto feature = [&](const Vec3& x) {
    const std::vector<std::string> names = names_at(moved(ball, x - Vec3(0, 0, 1.5)), 0.02);
    if (names.size() != 1) return fmt::format("{} contacts", names.size());
    return names[0].substr(0, names[0].find_last_of(' '));
  };
  EXPECT_EQ(feature({0, 0, 1.5}), "ball on block face");  // over a diagonal
  EXPECT_EQ(feature({0.3, 0.2, 1.5}), "ball on block face");
  EXPECT_EQ(feature({1.3, 0.3, 1.395}), "ball on block edge");
  EXPECT_EQ(feature({1.3, 1.2, 1.35}), "ball on block vertex");
  EXPECT_EQ(feature({0, 0, 1.53}), "0 contacts");
}

// Across the long edge of a mesh: a capsule, and a box that stands on it with an edge.
TEST_F(PolyhedraTest, EdgesCrossConvexEdges) {
  const double half = std::sqrt(0.5);
  const Mat3 on_edge = so3::exp(Vec3(0.7853981633974483, 0, 0));
  model.add<Surface>(
      {.name = "bar", .of = make_box({8, 1, 1}), .rotation = on_edge});  // an edge along x at the top
  add("capsule", shapes::Capsule{1.0, 0.1}, {-2, 0, half + 0.1}, so3::exp(Vec3(1.5707963267948966, 0, 0)));
  const Mat3 across = so3::exp(Vec3(0, 0, 1.0)) * on_edge;
  add("box", shapes::Box{{1, 1, 1}}, {0.3, 0, 2 * half}, across);
  add("mesh", make_box({1, 1, 1}), {3, 0, 2 * half}, across);
  const std::vector<std::string> names = names_at_start();
  EXPECT_THAT(names, SizeIs(3)) << ::testing::PrintToString(names);
  for (const std::string& name : names) {
    const bool is_crossing = name.find("bar edge") < name.npos &&
                             (name.find("capsule edge") < name.npos || name.find("box edge") < name.npos ||
                              name.find("mesh edge") < name.npos);
    EXPECT_TRUE(is_crossing) << name;
  }
}

TEST_F(PolyhedraTest, NodesAndFacesOfSolidsTouchMeshes) {
  // A facet of four nodes that lies on a table, and another one with a pyramid pressing on its middle.
  const auto add_facet = [&](const std::string& name, const Vec3& x, bool is_turned_down) {
    std::vector<PointNode> nodes;
    for (const auto& [dx, dy] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      nodes.push_back(
          model.add_point(fmt::format("{} {}", name, nodes.size()), {.position = x + Vec3(dx, dy, 0)}));
    if (is_turned_down) std::ranges::reverse(nodes);
    model.add<Surface>({.name = name, .of = shapes::Faces{{{nodes[0], nodes[1], nodes[2], nodes[3]}}}});
  };
  add_facet("bottom", {0, 0, 0}, true);
  add_facet("top", {9, 0, 0}, false);
  model.add<Surface>({.name = "table", .of = make_box({4, 4, 1}), .position = {0.1, 0, -0.5}});
  const shapes::Mesh pyramid{.points = {{0, 0, 0}, {0.3, 0.3, 0.5}, {-0.3, 0.3, 0.5}, {0, -0.3, 0.5}},
                             .triangles = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}}};
  add("pyramid", pyramid, {9.1, -0.05, 0});
  const std::vector<std::string> names = names_at_start();
  EXPECT_EQ(std::ranges::count_if(names,
                                  [](const std::string& name) {
                                    return name.starts_with("bottom vertex") &&
                                           name.find("on table face") < name.npos;
                                  }),
            4);
  EXPECT_EQ(std::ranges::count_if(names,
                                  [](const std::string& name) {
                                    return name.starts_with("pyramid vertex") &&
                                           name.find("on top face") < name.npos;
                                  }),
            1);
}

TEST_F(PolyhedraTest, RefusesToStartDeepInEachOther) {
  model.add<Surface>({.name = "table", .of = make_box({2, 2, 0.2}), .position = {0, 0, -0.1}});
  add("crate", make_box({0.4, 0.4, 0.4}), {0.1, 0, 0.19});
  EXPECT_THAT(
      message_of<ModelError>([&] { search().check_start(model.initial_configuration()); }),
      ::testing::MatchesRegex(
          "contact set \"s\": crate vertex . and table face . are 0.01 m deep in each other at the start|"
          "contact set \"s\": table face . and crate vertex . are 0.01 m deep in each other at the start"));
}

// Where no triangle is near.
TEST_F(PolyhedraTest, RefusesToStartInsideAMesh) {
  const std::vector<std::pair<std::string, Shape>> shapes = {
      {"mesh", make_box({0.2, 0.1, 0.1})},
      {"box", shapes::Box{{0.2, 0.1, 0.1}}},
      {"ball", shapes::Ball{0.1}},
      {"capsule", shapes::Capsule{.length = 0.3, .radius = 0.05}},
      {"point", shapes::Points{.nodes = {}}}};
  for (const auto& [name, shape] : shapes) {
    for (const double at : {0.1, 30.0}) {
      Model inner("inner");
      inner.add<Surface>({.name = "rock", .of = refine(refine(refine(make_box({10, 10, 10}))))});
      if (name == "point") {
        inner.add<Surface>(
            {.name = name, .of = shapes::Points{{inner.add_point("p", {.position = {at, 0, 0}})}}});
      } else {
        inner.add<Surface>(
            {.name = name, .of = shape, .on = inner.add_frame("body", {.position = {at, 0.2, 0.3}})});
      }
      inner.add<ContactsBetween>({.name = "s"});
      const auto own = inner.contact_sets()[0].role->make_search(inner, 0);
      const auto check = [&] { own->check_start(inner.initial_configuration()); };
      if (at < 1) {
        EXPECT_EQ(message_of<ModelError>(check),
                  "contact set \"s\": " + name + " is inside rock at the start");
      } else {
        EXPECT_NO_THROW(check()) << name;
      }
    }
  }
}

TEST_F(PolyhedraTest, HollowsMayHoldBodies) {
  shapes::Mesh shell = make_box({4, 4, 4});
  const shapes::Mesh hollow = make_box({3, 3, 3});
  for (const Vec3& x : hollow.points) shell.points.push_back(x);
  for (const auto& [i, j, k] : hollow.triangles) shell.triangles.push_back({i + 8, k + 8, j + 8});
  add("shell", shell, {0, 0, 0});
  add("crate", make_box({1, 1, 1}), {0, 0, -1});  // on the floor of the cavity
  EXPECT_NO_THROW(search().check_start(model.initial_configuration()));
  EXPECT_THAT(names_at_start(), SizeIs(4));
}

TEST_F(PolyhedraTest, SurfaceNamesWhatIsWrongWithAMesh) {
  shapes::Mesh open = make_box({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_EQ(message_of<ModelError>([&] { model.add<Surface>({.name = "gear", .of = open}); }),
            "surface \"gear\": mesh: it is open: no triangle is beyond the edge of triangle 2 between points "
            "5 and 7 (floors "
            "may have is_closed = false)");
}

}  // namespace
}  // namespace picus::surface_search_polyhedra_test
