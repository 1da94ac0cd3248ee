/// The contacts that faces of solids have with points, bodies and each other.

#include "surface_search.hpp"
#include <picus/elements/solids/solid.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace picus::surface_search_faces_test {
namespace {

using support::message_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Points and bodies over surfaces of faces.
class FacesSearchTest : public SurfaceSearchTest {
 protected:
  /// A block of cells, with its whole surface.
  Solid add_block(const std::string& name, const Vec3& size, const std::array<Index, 3>& divisions,
                  const Vec3& origin) {
    auto mesh = make_box_mesh({.size = size, .divisions = divisions, .origin = origin});
    mesh.face_sets["all"] = mesh.boundary();
    const Solid solid =
        add_solid(model, mesh,
                  {.name = name, .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1e3}});
    model.add<Surface>({.name = name, .of = shapes::Faces{solid.faces("all")}});
    return solid;
  }
  /// Strips along y from -1 to 1 over a polyline in the x-z plane, with the outside above.
  void add_strips(const std::string& name, const std::vector<Vec3>& line) {
    std::vector<std::array<PointNode, 2>> nodes;
    for (const Vec3& x : line) {
      const std::string node = fmt::format("{}[{}]", name, nodes.size());
      nodes.push_back({model.add_point(node + "-", {.position = x - Vec3::UnitY()}),
                       model.add_point(node + "+", {.position = x + Vec3::UnitY()})});
    }
    std::vector<QuadrilateralNodes> faces;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
      faces.push_back({nodes[i][0], nodes[i + 1][0], nodes[i + 1][1], nodes[i][1]});
    model.add<Surface>({.name = name, .of = shapes::Faces{faces}});
  }
  /// The contacts of a probe at x, with their gaps.
  std::vector<std::pair<std::string, double>> touched(const Vec3& x, double radius = 0) {
    if (!probe_.valid()) {
      if (radius > 0) {
        probe_ = add("probe", shapes::Ball{radius}, {0, 0, 50});
      } else {
        const PointNode node = model.add_point("probe", {.position = {0, 0, 50}});
        model.add<Surface>({.name = "probe", .of = shapes::Points{{node}}});
        probe_ = node;
      }
    }
    Configuration q = model.initial_configuration();
    Vector increment = Vector::Zero(model.velocity_count());
    increment.segment<3>(probe_.v) = x - Vec3(0, 0, 50);
    retract(model.nodes(), model.initial_configuration(), increment, q);
    std::vector<std::pair<std::string, double>> result;
    const std::vector<ContactKey> found = keys(q, q);
    const std::vector<std::string> all = names(found);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_probe = all[i].rfind("probe", 0) == 0;
      if (is_probe) result.emplace_back(all[i].substr(all[i].find(" on ") + 4), gap(found[i], q));
    }
    return result;
  }
  static std::string kind_of(const std::string& name) { return name.substr(0, name.find_last_of(' ')); }

 private:
  Node probe_;
};

TEST_F(FacesSearchTest, PointOverAFaceHasOneTriangleAlsoOverEdgesAndNodes) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  for (const Vec3& x : {Vec3(0.3, 0.2, 1), Vec3(0.5, 0.2, 1), Vec3(0.5, 0.5, 1), Vec3(0.25, 0.25, 1),
                        Vec3(0, 0.3, 1), Vec3(0.1, 0.2, 1.004), Vec3(0.1, 0.5, 0.99)}) {
    const auto found = touched(x);
    ASSERT_EQ(found.size(), 1U) << x.transpose();
    EXPECT_EQ(kind_of(found[0].first), "block face");
    EXPECT_NEAR(found[0].second, x.z() - 1, 1e-14);
  }
}

TEST_F(FacesSearchTest, InsideCountsTheLeastDepthDownToHalfAFace) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  EXPECT_NEAR(touched({0.3, 0.4, 0.8})[0].second, -0.2, 1e-14);
  EXPECT_NEAR(touched({0.4, 0.3, 0.2})[0].second, -0.2, 1e-14);  // from the other side
  EXPECT_THAT(touched({0.3, 0.4, 0.74}), IsEmpty());             // edges are 0.5 m long
  // Below the top by 0.02, behind the front by 0.01.
  const auto corner = touched({0.3, 0.01, 0.98});
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_NEAR(corner[0].second, -0.01, 1e-14);
}

TEST_F(FacesSearchTest, ThinBodyIsNotTouchedFromItsFarSide) {
  add_block("plate", {1, 1, 0.05}, {4, 4, 1}, {0, 0, 0});
  for (const double z : {0.052, 0.049, 0.03}) {
    const auto found = touched({0.3, 0.2, z});
    ASSERT_EQ(found.size(), 1U) << z;
    EXPECT_NEAR(found[0].second, z - 0.05, 1e-14);
  }
  for (const double z : {0.06, 0.1, 0.15}) EXPECT_THAT(touched({0.3, 0.2, z}), IsEmpty());
}

TEST_F(FacesSearchTest, ConvexEdgeHasOneTriangleForPointsAndItselfForBalls) {
  add_strips("roof", {{-1, 0, -0.1}, {0, 0, 0}, {1, 0, -0.1}});
  ASSERT_EQ(touched({0, 0.3, 0}).size(), 1U);
  const auto above = touched({0.0001, 0.3, 0.002});  // where neither triangle is below
  ASSERT_EQ(above.size(), 1U);
  EXPECT_EQ(kind_of(above[0].first), "roof face");
  ASSERT_EQ(touched({0, 0.3, -0.01}).size(), 1U);
  EXPECT_THAT(touched({1.0001, 0.3, -0.1}), IsEmpty());  // beside the edge
  EXPECT_THAT(touched({1.0001, 0.3, -0.11}), IsEmpty());
}

TEST_F(FacesSearchTest, BallHasTheFeatureOfABlockThatIsNearest) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  const auto feature = [&](const Vec3& x) {
    const auto found = touched(x, 0.2);
    if (found.size() != 1) return fmt::format("{} contacts", found.size());
    const Vec3 out = (x - Vec3::Constant(0.5)).cwiseAbs() - Vec3::Constant(0.5);
    EXPECT_NEAR(found[0].second, out.cwiseMax(0.0).norm() - 0.2, 1e-14);
    return kind_of(found[0].first);
  };
  EXPECT_EQ(feature({0.3, 0.2, 1.2}), "block face");
  EXPECT_EQ(feature({0.5, 0.5, 1.2}), "block face");
  EXPECT_EQ(feature({0.3, 1.1, 1.1}), "block edge");
  EXPECT_EQ(feature({1.1, 1.1, 1.1}), "block vertex");
  EXPECT_EQ(feature({0.3, 0.2, 1.21}), "0 contacts");
}

TEST_F(FacesSearchTest, ConcaveCornerHasOneTriangleOnEachSide) {
  add_strips("corner", {{-1, 0, 1}, {-1, 0, 0}, {0, 0, 0}});
  for (const double d : {0.0, 1e-3, -1e-3}) EXPECT_EQ(touched({-1 + d, 0.3, d}).size(), 2U) << d;
  EXPECT_EQ(touched({-1 + 1e-3, 0.3, 1e-3}).size(), 2U);
  EXPECT_EQ(touched({-1 + 1e-3, 0.3, 0.5}).size(), 1U);
}

TEST_F(FacesSearchTest, BallInAConcaveCornerTouchesBothSides) {
  add_strips("corner", {{-1, 0, 1}, {-1, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(touched({-0.9, 0.3, 0.1}, 0.1).size(), 2U);
}

TEST_F(FacesSearchTest, PointThatPassesAThinBodyInAStepTouchesWhereItPasses) {
  add_block("plate", {1, 1, 0.05}, {4, 4, 1}, {0, 0, 0});
  const PointNode fast = model.add_point("fast", {.position = {0.3, 0.2, 0.2}});
  model.add<Surface>({.name = "fast", .of = shapes::Points{{fast}}});
  const auto moved_by = [&](const Vec3& dx) {
    Configuration q = model.initial_configuration();
    Vector increment = Vector::Zero(model.velocity_count());
    increment.segment<3>(fast.v) = dx;
    retract(model.nodes(), model.initial_configuration(), increment, q);
    return q;
  };
  const Configuration& q = model.initial_configuration();
  for (const Vec3& dx : {Vec3(0, 0, -0.3), Vec3(0.3, 0.1, -0.2), Vec3(0, 0, -0.17)}) {
    const Configuration end = moved_by(dx);
    const auto found = keys(q, end);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(gap(found[0], end), 0.15 + dx.z(), 1e-14);
  }
}

class BlocksSearchTest : public FacesSearchTest, public ::testing::WithParamInterface<bool> {
 protected:
  BlocksSearchTest() { two_pass = GetParam(); }
};

TEST_P(BlocksSearchTest, WithOtherMeshesTheNodesOfBothTouchOrThoseOfTheFinerAndThoseOnTheBorderOfTheOther) {
  add_block("lower", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  add_block("upper", {1, 1, 1}, {3, 3, 3}, {0, 0, 1});
  std::vector<std::string> points;
  int of_coarser = 0;
  for (const std::string& name : names_at_start()) {
    const std::string point = name.substr(0, name.find(" on "));
    if (point.rfind("upper vertex", 0) == 0) {
      EXPECT_THAT(name, ::testing::HasSubstr(" on lower face"));
      points.push_back(point);
    } else {
      EXPECT_THAT(point, ::testing::StartsWith("lower vertex"));
      EXPECT_THAT(name, ::testing::HasSubstr(" on upper face"));
      ++of_coarser;
    }
  }
  EXPECT_EQ(points.size(), 16U);
  // At the middles of its sides and the one within: at the corners the nodes of both coincide.
  EXPECT_EQ(of_coarser, two_pass ? 5 : 4);
  std::ranges::sort(points);
  EXPECT_EQ(std::ranges::adjacent_find(points), points.end());
}

TEST_P(BlocksSearchTest, OfEquallyFineBlocksTheFirstCountsAsFiner) {
  add_block("lower", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  add_block("upper", {1, 1, 1}, {2, 2, 2}, {0.3, 0.2, 1});
  const auto found = names_at_start();
  const auto count = [&](const std::string& start) {
    return std::ranges::count_if(found, [&](const std::string& name) { return name.rfind(start, 0) == 0; });
  };
  EXPECT_EQ(count("lower vertex"), 4);  // the others are beside the upper one
  EXPECT_EQ(count("upper edge"), 4);    // across those from these to those beside it
  // Over the lower one: on its edge, and the one within.
  EXPECT_EQ(count("upper vertex"), two_pass ? 4 : 3);
  EXPECT_EQ(found.size(), two_pass ? 12U : 11U);
}

INSTANTIATE_TEST_SUITE_P(Passes, BlocksSearchTest, ::testing::Bool(),
                         [](const auto& two_pass) { return two_pass.param ? "two" : "one"; });

TEST_F(FacesSearchTest, CornerOfABoxTouchesATriangle) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  const Mat3 R = so3::exp(0.6155 * Vec3::UnitY()) * so3::exp(std::numbers::pi / 4 * Vec3::UnitX());
  double lowest = 0;
  for (int i = 0; i < 8; ++i)
    lowest = std::min(lowest, (R * Vec3(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, i & 4 ? 0.1 : -0.1)).z());
  add("box", shapes::Box{{0.2, 0.2, 0.2}}, {0.4, 0.3, 1 - lowest}, R);
  const auto found = names_at_start();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], ::testing::StartsWith("box vertex"));
  EXPECT_THAT(found[0], ::testing::HasSubstr(" on block face"));
}

TEST_F(FacesSearchTest, SolidOverTheBorderOfATableHasItsEdgesOnThatBorder) {
  model.add<Surface>({.name = "table", .of = shapes::Box{{2, 4, 0.2}}, .position = {-1, 0, -0.1}});
  add_block("block", {1, 1, 1}, {3, 2, 2}, {-0.5, -0.5, 0});
  int nodes = 0, edges = 0;
  for (const std::string& name : names_at_start()) {
    if (name.rfind("block vertex", 0) == 0) {
      EXPECT_THAT(name, ::testing::HasSubstr(" on table face"));
      ++nodes;
    } else {
      EXPECT_THAT(name, ::testing::StartsWith("table edge"));
      EXPECT_THAT(name, ::testing::HasSubstr(" on block edge"));
      ++edges;
    }
  }
  EXPECT_EQ(nodes, 6);  // two rows of three
  EXPECT_EQ(edges, 3);  // those along x
}

TEST_F(FacesSearchTest, SolidBesideATableTouchesItsSideOnly) {
  model.add<Surface>({.name = "table", .of = shapes::Box{{2, 4, 1}}, .position = {-1, 0, -0.5}});
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, -0.5, -1});  // flush with its top
  for (const ContactKey& key : keys(model.initial_configuration(), model.initial_configuration())) {
    std::array<double, 64> G{};
    const InRole<Contact> contact = search().contact(key);
    contact.role->gradient(model.initial_configuration(), G);
    EXPECT_NEAR(G[0], 1.0, 1e-12) << contact.element->name();  // along x
  }
}

TEST_F(FacesSearchTest, CapsuleTouchesWithItsEndsAndAcrossEdges) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  add("rod", shapes::Capsule{1, 0.1}, {0.7, 0.3, 1.1}, along_x);
  // One end over the block, the edge below its middle, and the edge of the block.
  EXPECT_THAT(names_at_start(), UnorderedElementsAre(::testing::StartsWith("rod vertex 0 on block face"),
                                                     ::testing::StartsWith("rod edge 0 on block edge"),
                                                     ::testing::StartsWith("rod edge 0 on block edge")));
}

TEST_F(FacesSearchTest, NodesTouchHalfSpacesAndCapsules) {
  add_block("block", {1, 1, 1}, {1, 1, 1}, {0, 0, 0});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add("rod", shapes::Capsule{1, 0.1}, {0, 0, 1.1},
      so3::exp(Vec3(std::numbers::pi / 2, 0, 0)));  // over an edge
  int on_floor = 0;
  std::vector<std::string> others;
  for (const std::string& name : names_at_start()) {
    if (name.find(" on floor") != std::string::npos) {
      ++on_floor;
    } else {
      others.push_back(name);
    }
  }
  EXPECT_EQ(on_floor, 4);
  EXPECT_EQ(others.size(), 2U);  // a node below the rod, and its end over the edge
}

TEST_F(FacesSearchTest, PiecesOfOneSurfaceDoNotTouch) {
  const auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 2, 2}});
  const Solid solid = add_solid(
      model, mesh, {.name = "b", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1e3}});
  model.add<Surface>({.name = "top", .of = shapes::Faces{solid.faces("z+")}});
  model.add<Surface>({.name = "side", .of = shapes::Faces{solid.faces("x+")}});
  EXPECT_THAT(names_at_start(), IsEmpty());
  EXPECT_NO_THROW(search().check_start(model.initial_configuration()));
}

TEST_F(FacesSearchTest, TellsWhatIsDeepAtTheStartAndWhatWasMissed) {
  add_block("block", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  const FrameNode box = add("box", shapes::Box{{0.1, 0.1, 0.1}}, {0.3, 0.2, 1.04});
  EXPECT_THAT(
      message_of<ModelError>([&] { search().check_start(model.initial_configuration()); }),
      ::testing::MatchesRegex("contact set \"s\": box vertex . and block face [0-9]* are 0.01 m deep in "
                              "each other at the start"));
  std::vector<ContactKey> undetected;
  EXPECT_NEAR(search().find_undetected(moved(box, {0, 0, 0.01 - 1e-6}), {}, undetected), 1e-6, 1e-12);
  EXPECT_EQ(undetected.size(), 4U);
  std::vector<ContactKey> more;
  EXPECT_EQ(search().find_undetected(moved(box, {0, 0, 0.01 - 1e-6}), undetected, more), 0.0);
  EXPECT_EQ(search().find_undetected(moved(box, {0, 0, 0.01 + 1e-6}), {}, more), 0.0);
}

}  // namespace
}  // namespace picus::surface_search_faces_test
