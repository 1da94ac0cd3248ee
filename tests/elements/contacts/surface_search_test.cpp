#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface_search.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace picus::surface_search_test {
namespace {

using support::message_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SurfaceSearchTest : public ::testing::Test {
 protected:
  FrameNode add(const std::string& name, const Shape& shape, const Vec3& x,
                const Mat3& R = Mat3::Identity()) {
    const FrameNode node = model.add_frame(name, {.position = x, .rotation = R});
    model.add<Surface>({.name = name, .of = shape, .on = node});
    return node;
  }
  ContactSearch& search() {
    if (!search_) {
      model.add<ContactsBetween>({.name = "s", .mu = 0.3});
      search_ = model.contact_sets().back().role->make_search(model, 0);
    }
    return *search_;
  }
  std::vector<ContactKey> keys(const Configuration& q, const Configuration& end,
                               const std::vector<ContactKey>& kept = {}) {
    std::vector<ContactKey> found;
    search().find(q, end, kept, found);
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
    return found;
  }
  std::vector<std::string> names(const std::vector<ContactKey>& found) {
    std::vector<std::string> result;
    for (const ContactKey& key : found) {
      const std::string name = search().contact(key).element->name();
      result.push_back(name.substr(3));  // without "s: "
    }
    return result;
  }
  std::vector<std::string> names_at_start() {
    const Configuration& q = model.initial_configuration();
    return names(keys(q, q));
  }
  Configuration moved(const FrameNode& node, const Vec3& dx) {
    Configuration q = model.initial_configuration();
    Vector increment = Vector::Zero(model.velocity_count());
    increment.segment<3>(node.v) = dx;
    retract(model.nodes(), model.initial_configuration(), increment, q);
    return q;
  }
  double gap(const ContactKey& key, const Configuration& q) {
    const InRole<Contact> contact = search().contact(key);
    std::vector<double> g(static_cast<std::size_t>(contact.role->row_count()));
    contact.role->displacement(q, q, g);
    return g[0];
  }
  Model model{"m"};

 private:
  std::unique_ptr<ContactSearch> search_;
};

TEST_F(SurfaceSearchTest, BallHasTheFeatureThatIsNearest) {
  model.add<Surface>({.name = "block", .of = shapes::Box{{2, 2, 2}}});
  const FrameNode ball = add("ball", shapes::Ball{0.5}, {0, 0, 1.5});
  const auto feature = [&](const Vec3& x) {
    const Configuration q = moved(ball, x - Vec3(0, 0, 1.5));
    const auto found = keys(q, q);
    if (found.size() != 1) return fmt::format("{} contacts", found.size());
    // The gap is the distance from the box, whichever feature it is.
    const Vec3 out = (x.cwiseAbs() - Vec3::Ones()).cwiseMax(0.0);
    EXPECT_NEAR(gap(found[0], q), out.norm() - 0.5, 1e-14);
    const std::string name = names(found)[0];
    return name.substr(0, name.find_last_of(' '));
  };
  EXPECT_EQ(feature({0, 0, 1.5}), "ball on block face");
  EXPECT_EQ(feature({1 - 1e-9, 0.3, 1.5}), "ball on block face");
  EXPECT_EQ(feature({1.3, 0.3, 1.395}), "ball on block edge");
  EXPECT_EQ(feature({1.3, 1.2, 1.35}), "ball on block vertex");
  EXPECT_EQ(feature({0, 0, 1.52}), "0 contacts");  // two hundredths of a diameter away
}

TEST_F(SurfaceSearchTest, ListsWhatTheMotionOfAStepReaches) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const FrameNode ball = add("ball", shapes::Ball{0.1}, {0, 0, 1.0});
  const Configuration& q = model.initial_configuration();
  EXPECT_THAT(keys(q, q), IsEmpty());
  EXPECT_THAT(names(keys(q, moved(ball, {0, 0, -0.95}))), ElementsAre("ball on floor"));
  EXPECT_THAT(names(keys(q, moved(ball, {0, 0, -5}))), ElementsAre("ball on floor"));  // through it
  EXPECT_THAT(keys(q, moved(ball, {0, 0, 0.5})), IsEmpty());
}

TEST_F(SurfaceSearchTest, BoxesHaveTheCornersOfTheirOverlap) {
  model.add<Surface>({.name = "table", .of = shapes::Box{{2, 2, 0.2}}, .position = {0, 0, -0.1}});
  const FrameNode crate = add("crate", shapes::Box{{0.4, 0.4, 0.4}}, {0, 0, 0.2});
  EXPECT_THAT(
      names_at_start(),
      UnorderedElementsAre(::testing::StartsWith("crate vertex"), ::testing::StartsWith("crate vertex"),
                           ::testing::StartsWith("crate vertex"), ::testing::StartsWith("crate vertex")));
  // Half of it over the border: two corners, and its sides across the edge of the table.
  const auto half = names(keys(moved(crate, {1, 0.1, 0}), moved(crate, {1, 0.1, 0})));
  EXPECT_EQ(
      std::ranges::count_if(half, [](const std::string& name) { return name.find("edge") < name.npos; }), 2);
  EXPECT_EQ(half.size(), 4U);
}

TEST_F(SurfaceSearchTest, OctagonHasFourContactsAndTheOthersOnceTheyHavePassed) {
  const FrameNode lower = add("lower", shapes::Box{{1, 1, 1}}, {0, 0, 0});
  const FrameNode upper =
      add("upper", shapes::Box{{1, 1, 1}}, {0, 0, 1}, so3::exp(Vec3(0, 0, std::numbers::pi / 4)));
  (void)lower;
  const Configuration& q = model.initial_configuration();
  const std::vector<ContactKey> chosen = keys(q, q);
  EXPECT_EQ(chosen.size(), 4U);
  EXPECT_EQ(keys(q, q, chosen), chosen);
  std::vector<ContactKey> missed;
  EXPECT_EQ(search().find_missed(q, chosen, missed), 0.0);
  // Sunk by a millionth: the other four are missed, and once listed they stay.
  const Configuration sunk = moved(upper, {0, 0, -1e-6});
  EXPECT_NEAR(search().find_missed(sunk, chosen, missed), 1e-6, 1e-12);
  EXPECT_EQ(missed.size(), 4U);
  std::vector<ContactKey> all = chosen;
  all.insert(all.end(), missed.begin(), missed.end());
  std::ranges::sort(all);
  missed.clear();
  EXPECT_EQ(search().find_missed(sunk, all, missed), 0.0);
  EXPECT_EQ(keys(q, q, all), all);
}

// Edges that cross within rounding of their supporting plane, at any depth and turn.
TEST_F(SurfaceSearchTest, CrossingEdgesThatHavePassedAreMissed) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const FrameNode upper = add("upper", shapes::Box{{1, 1, 1}}, {0, 0, 2});
  model.add<Surface>({.name = "lower",
                      .of = shapes::Box{{1, 1, 1}},
                      .rotation = so3::exp(Vec3(std::numbers::pi / 4, 0, 0))});
  search();
  const double top = std::sqrt(0.5);
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    // Its edge along y, down, across the upper edge of the other along x.
    const Mat3 R =
        so3::exp(Vec3(0, 0, 0.3 * uniform(generator))) *
        so3::exp(Vec3(0.2 * uniform(generator), std::numbers::pi / 4 + 0.2 * uniform(generator), 0));
    Configuration q = model.initial_configuration();
    const double depth = std::pow(10.0, -3 - 2 * (1 + uniform(generator)));
    q.rotation(upper) = R;
    q.position(upper) = Vec3(0.1 * uniform(generator), 0.1 * uniform(generator), 0);
    // Down until the lowest point of its edge above the other's is `depth` below it.
    double lowest = 1e9;
    for (const double y : {-0.5, 0.5}) lowest = std::min(lowest, (R * Vec3(-0.5, y, -0.5)).z());
    q.position(upper).z() = top - lowest;
    std::vector<ContactKey> found, missed;
    search().find(q, q, {}, found);
    const auto crossing = std::ranges::find_if(found, [](const ContactKey& key) { return key.kind != 0; });
    if (crossing == found.end()) continue;
    ++seen;
    const double above = gap(*crossing, q);
    q.position(upper).z() -= above + depth;
    search().find_missed(q, {}, missed);
    EXPECT_FALSE(missed.empty()) << "depth " << depth;
  }
  EXPECT_GT(seen, 20);
}

TEST_F(SurfaceSearchTest, BodyOnAPlaneDoesNotMeetTheSidesOfWhatIsBelowIt) {
  model.add<Surface>({.name = "left", .of = shapes::Box{{1, 1, 1}}, .position = {-0.5, 0, -0.5}});
  model.add<Surface>({.name = "right", .of = shapes::Box{{1, 1, 1}}, .position = {0.5, 0, -0.5}});
  const FrameNode crate = add("crate", shapes::Box{{0.2, 0.2, 0.2}}, {-0.3, 0, 0.1});
  for (const double x : {-0.3, -0.1 - 1e-6, -0.1 - 1e-12, -0.1, -0.1 + 1e-12, -0.1 + 1e-6, 0.0}) {
    const Configuration q = moved(crate, {x + 0.3, 0, -1e-6});
    const auto kept = keys(moved(crate, {x + 0.299, 0, 0}), moved(crate, {x + 0.299, 0, 0}));
    for (const ContactKey& key : keys(q, q, kept)) {
      const std::string name = search().contact(key).element->name();
      if (name.find("crate") != name.npos) {
        EXPECT_LT(std::abs(gap(key, q)), 2e-6) << name << " with x = " << x;
      }
      const InRole<Contact> contact = search().contact(key);
      std::vector<double> G(
          static_cast<std::size_t>(contact.role->row_count() * contact.element->dof_count()));
      contact.role->gradient(q, G);
      EXPECT_GT(std::abs(G[static_cast<std::size_t>(2 * contact.role->row_count())]), 0.99) << name;
    }
  }
}

TEST_F(SurfaceSearchTest, CrossingCapsulesHaveOneContactAndParallelOnesTwo) {
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  const Mat3 along_y = so3::exp(Vec3(std::numbers::pi / 2, 0, 0));
  add("lower", shapes::Capsule{2, 0.1}, {0, 0, 0}, along_x);
  add("across", shapes::Capsule{2, 0.1}, {0.3, 0.2, 0.2}, along_y);
  add("beside", shapes::Capsule{1, 0.1}, {0.1, -0.2, 0.0}, along_x);
  EXPECT_THAT(names_at_start(),
              UnorderedElementsAre("lower edge 0 on across edge 0", "across edge 0 on beside edge 0",
                                   "lower edge 0 on beside vertex 0", "lower edge 0 on beside vertex 1"));
}

// Two rods that lie on each other and cross at an angle: what is between their ends sinks by the sagitta unless it has a contact.
TEST_F(SurfaceSearchTest, NearlyParallelCapsulesHaveAContactWhereTheyCross) {
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  for (const double angle : {1e-7, 1e-3, 0.01, 0.04, 0.06}) {
    Model rods("rods");
    const auto add_rod = [&](const std::string& name, const Vec3& x, double turn) {
      const FrameNode node =
          rods.add_frame(name, {.position = x, .rotation = so3::exp(Vec3(0, 0, turn)) * along_x});
      rods.add<Surface>({.name = name, .of = shapes::Capsule{1, 0.02}, .on = node});
      return node;
    };
    add_rod("lower", {0, 0, 0}, 0);
    const FrameNode upper = add_rod("upper", {0.1, 0, 0.04}, angle);
    rods.add<ContactsBetween>({.name = "s"});
    const auto own = rods.contact_sets()[0].role->make_search(rods, 0);
    const Configuration& q = rods.initial_configuration();
    std::vector<ContactKey> found;
    own->find(q, q, {}, found);
    std::vector<std::string> texts;
    for (const ContactKey& key : found) texts.push_back(own->contact(key).element->name());
    // The ends of 0.4 m and 0.5 m on either side are this much farther apart.
    const double sagitta = std::hypot(0.04, 0.4 * std::sin(angle)) - 0.04;
    const bool is_crossing = std::ranges::count(texts, "s: lower edge 0 on upper edge 0") == 1;
    EXPECT_EQ(is_crossing, sagitta > 1e-9 * 0.04) << angle;
    EXPECT_EQ(texts.size() - (is_crossing ? 1 : 0), angle < 0.02 ? 2U : 0U) << angle;  // ends within the skin
    // What sank in has to be seen, too.
    Configuration sunk = q;
    Vector down = Vector::Zero(rods.velocity_count());
    down[upper.v + 2] = -1e-4 * sagitta;
    retract(rods.nodes(), q, down, sunk);
    std::vector<ContactKey> missed;
    std::vector<ContactKey> ends = found;
    std::erase_if(ends, [&](const ContactKey& key) {
      return own->contact(key).element->name() == "s: lower edge 0 on upper edge 0";
    });
    const double depth = own->find_missed(sunk, ends, missed);
    const bool counts = 1e-4 * sagitta > 2e-9 * 0.04;
    EXPECT_NEAR(depth, counts ? 1e-4 * sagitta : 0.0, 1e-15) << angle;
    EXPECT_EQ(missed.size(), counts ? 1U : 0U) << angle;
  }
}

TEST_F(SurfaceSearchTest, FeaturesHaveTheNamesThatContactsUse) {
  add("ball", shapes::Ball{0.1}, {5, 0, 0});
  add("box", shapes::Box{{1, 1, 1}}, {0, 0, 0});
  add("can", shapes::Cone{.length = 1, .bottom_radius = 0.2, .top_radius = 0}, {0, 5, 0});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = {0, 0, -0.5}});
  search();
  std::vector<std::string> texts;
  for (const FeatureRange& range : model.contact_sets().back().role->features(model))
    texts.push_back(fmt::format("{} {} {}", range.first, range.surface, range.feature));
  EXPECT_THAT(texts,
              ElementsAre("0 ball ", "1 box vertex", "9 box edge", "21 box face", "27 can bottom rim",
                          "28 can top tip", "29 can side", "30 can bottom", "31 can top", "32 floor "));
}

// Lines that cross have a contact on either side.
TEST_F(SurfaceSearchTest, ContactsOfOnePairHaveDifferentNames) {
  add("box", shapes::Box{{1, 1, 1}}, {0, 0, 0});
  add("block", shapes::Box{{1, 1, 1}}, {0, 0, 1.2});
  add("rod", shapes::Capsule{2, 0.1}, {0, 0, 5});
  add("can", shapes::Cylinder{1, 0.1}, {0, 0, 9});
  const auto name = [&](std::uint32_t kind, std::uint32_t a, std::uint32_t b) {
    return search().contact({.kind = kind, .a = a, .b = b}).element->name();
  };
  // Edges of both boxes; the edge of the rod and one of a box; the side of the can and an edge.
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{8, 34}, {14, 54}, {14, 57}})
    EXPECT_NE(name(1, a, b), name(2, a, b)) << name(1, a, b);
}

TEST_F(SurfaceSearchTest, RopeTouchesWithItsNodesAndBetweenThem) {
  std::vector<FrameNode> nodes;
  for (int i = 0; i < 4; ++i)
    nodes.push_back(model.add_frame(fmt::format("rope[{}]", i), {.position = {0.5 * i, 0, 0}}));
  model.add<Surface>({.name = "rope", .of = shapes::Rope{nodes, 0.05}});
  model.add<Surface>({.name = "peg", .of = shapes::Ball{0.1}, .position = {0.5, 0, 0.15}});
  model.add<Surface>({.name = "pin", .of = shapes::Ball{0.1}, .position = {1.2, 0, 0.15}});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = {0, 0, -0.05}});
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("peg on rope vertex 1", "pin on rope edge 2",
                                                     "rope vertex 0 on floor", "rope vertex 1 on floor",
                                                     "rope vertex 2 on floor", "rope vertex 3 on floor"));
}

TEST_F(SurfaceSearchTest, PointsTouchFacesAndBalls) {
  const PointNode below = model.add_point("below", {.position = {0, 0, 0.5}});
  const PointNode beside = model.add_point("beside", {.position = {2, 0, 0.5}});
  model.add<Surface>({.name = "points", .of = shapes::Points{{below, beside}}});
  model.add<Surface>({.name = "block", .of = shapes::Box{{1, 1, 1}}});
  model.add<Surface>({.name = "peg", .of = shapes::Ball{0.1}, .position = {2, 0, 0.6}});
  EXPECT_THAT(names_at_start(), UnorderedElementsAre(::testing::StartsWith("points vertex 0 on block face"),
                                                     "points vertex 1 on peg"));
}

// Where a ball meets its neighbours is the same wherever all of them are.
TEST_F(SurfaceSearchTest, FindsWhatBruteForceFinds) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr double radius = 0.12;
  std::vector<Vec3> places;
  for (int i = 0; i < 150; ++i) {
    places.emplace_back(uniform(generator), uniform(generator), uniform(generator));
    add(fmt::format("ball{}", i), shapes::Ball{radius}, places.back() + Vec3(1e6, 0, 0));
  }
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if ((places[i] - places[k]).norm() < 2 * radius * 1.01)
        expected.push_back(fmt::format("ball{} on ball{}", k, i));
    }
  }
  ASSERT_GT(expected.size(), 50U);
  EXPECT_THAT(names_at_start(), ::testing::UnorderedElementsAreArray(expected));
}

TEST_F(SurfaceSearchTest, RefusesKeysThatItDoesNotHave) {
  add("ball", shapes::Ball{0.5}, {0, 0, 0});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = {0, 0, -0.5}});
  EXPECT_EQ(message_of<ModelError>([&] { search().contact({.a = 7, .b = 1}); }),
            "contact set \"s\" has no feature 7");
  EXPECT_EQ(message_of<ModelError>([&] { search().contact({.a = 1, .b = 1}); }),
            "contact set \"s\" has no contact of floor and floor");
  EXPECT_NO_THROW(search().contact({.a = 0, .b = 1}));
}

/// Points and bodies over surfaces of faces.
class FacesSearchTest : public SurfaceSearchTest {
 protected:
  /// A block of cells, with all of its surface.
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
  /// Strips along y from -1 to 1 over a line in the plane x-z, outside above.
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
  /// What a probe would touch at x, with the gaps.
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
  EXPECT_THAT(touched({0.3, 0.4, 0.74}), IsEmpty());             // borders are 0.5 m long
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
  EXPECT_THAT(touched({1.0001, 0.3, -0.1}), IsEmpty());  // beside the border
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

TEST_F(FacesSearchTest, BlocksWithOtherMeshesTouchWithTheNodesOfTheFinerOneAndThoseOnTheBorderOfTheOther) {
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
  EXPECT_EQ(of_coarser, 4);  // in the middles of its sides: at the corners there are nodes of both
  std::ranges::sort(points);
  EXPECT_EQ(std::ranges::adjacent_find(points), points.end());
}

TEST_F(FacesSearchTest, OfEquallyFineBlocksTheFirstCountsAsFiner) {
  add_block("lower", {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  add_block("upper", {1, 1, 1}, {2, 2, 2}, {0.3, 0.2, 1});
  const auto found = names_at_start();
  const auto count = [&](const std::string& start) {
    return std::ranges::count_if(found, [&](const std::string& name) { return name.rfind(start, 0) == 0; });
  };
  EXPECT_EQ(count("lower vertex"), 4);  // the others are beside the upper one
  EXPECT_EQ(count("upper edge"), 4);    // across those from these to those beside it
  EXPECT_EQ(count("upper vertex"), 3);  // on its border, over the lower one
  EXPECT_EQ(found.size(), 11U);
}

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
  // One end over the block, the edge in its middle, and its border.
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
  std::vector<ContactKey> missed;
  EXPECT_NEAR(search().find_missed(moved(box, {0, 0, 0.01 - 1e-6}), {}, missed), 1e-6, 1e-12);
  EXPECT_EQ(missed.size(), 4U);
  std::vector<ContactKey> more;
  EXPECT_EQ(search().find_missed(moved(box, {0, 0, 0.01 - 1e-6}), missed, more), 0.0);
  EXPECT_EQ(search().find_missed(moved(box, {0, 0, 0.01 + 1e-6}), {}, more), 0.0);
}

TEST_F(SurfaceSearchTest, CylinderStandsOnPointsOfItsRim) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.2});
  EXPECT_THAT(
      names_at_start(),
      UnorderedElementsAre("can bottom rim at 0 deg on floor", "can bottom rim at 90 deg on floor",
                           "can bottom rim at 180 deg on floor", "can bottom rim at 270 deg on floor"));
}

TEST_F(SurfaceSearchTest, CylinderOnItsSideStandsOnBothRims) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.1},
      so3::exp(Vec3(std::numbers::pi / 2, 0, 0)));
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("can bottom rim on floor", "can top rim on floor"));
}

TEST_F(SurfaceSearchTest, FeaturesOfConesHaveNames) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const double alpha = std::atan2(0.1, 0.4);
  add("cone", shapes::Cone{.length = 0.4, .bottom_radius = 0.1}, {0, 0, 0.2 * std::sin(alpha) + 1e-4},
      so3::exp(Vec3(0, std::numbers::pi / 2 + alpha, 0)));
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("cone bottom rim on floor", "cone top tip on floor"));
}

TEST_F(SurfaceSearchTest, RefusesCylindersAndRopes) {
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.1});
  const FrameNode one = model.add_frame("one", {.position = {5, 0, 0}});
  const FrameNode two = model.add_frame("two", {.position = {6, 0, 0}});
  model.add<Surface>({.name = "cable", .of = shapes::Rope{{one, two}, 0.01}});
  EXPECT_EQ(message_of<ModelError>([&] { search(); }),
            "contact set \"s\": there are no contacts between the cylinder or cone can and the rope cable");
}

TEST_F(SurfaceSearchTest, RefusesCylindersTooDeepInEachOther) {
  add("a", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0});
  add("b", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.39});
  const Configuration& q = model.initial_configuration();
  EXPECT_THAT(message_of<ModelError>([&] { search().check_start(q); }),
              ::testing::HasSubstr("0.01 m deep in each other at the start"));
}

}  // namespace
}  // namespace picus::surface_search_test
