/// The contacts that balls, boxes, capsules, ropes and points have, and their names.

#include "surface_search.hpp"

#include <picus/so3.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace picus::surface_search_test {
namespace {

using support::message_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

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
  // Half of it beyond the edge: two corners, and its sides across the edge of the table.
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
  std::vector<ContactKey> undetected;
  EXPECT_EQ(search().find_undetected(q, chosen, undetected), 0.0);
  // Lowered by a millionth: the other four are missed, and remain once listed.
  const Configuration sunk = moved(upper, {0, 0, -1e-6});
  EXPECT_NEAR(search().find_undetected(sunk, chosen, undetected), 1e-6, 1e-12);
  EXPECT_EQ(undetected.size(), 4U);
  std::vector<ContactKey> all = chosen;
  all.insert(all.end(), undetected.begin(), undetected.end());
  std::ranges::sort(all);
  undetected.clear();
  EXPECT_EQ(search().find_undetected(sunk, all, undetected), 0.0);
  EXPECT_EQ(keys(q, q, all), all);
}

// Edges that cross to within rounding of their supporting plane, at any depth and angle.
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
    // Its lower edge along y across the upper edge of the other one along x.
    const Mat3 R =
        so3::exp(Vec3(0, 0, 0.3 * uniform(generator))) *
        so3::exp(Vec3(0.2 * uniform(generator), std::numbers::pi / 4 + 0.2 * uniform(generator), 0));
    Configuration q = model.initial_configuration();
    const double depth = std::pow(10.0, -3 - 2 * (1 + uniform(generator)));
    q.rotation(upper) = R;
    q.position(upper) = Vec3(0.1 * uniform(generator), 0.1 * uniform(generator), 0);
    // Lowered until the lowest point of its edge above the other edge is `depth` below it.
    double lowest = 1e9;
    for (const double y : {-0.5, 0.5}) lowest = std::min(lowest, (R * Vec3(-0.5, y, -0.5)).z());
    q.position(upper).z() = top - lowest;
    std::vector<ContactKey> found, undetected;
    search().find(q, q, {}, found);
    const auto crossing = std::ranges::find_if(found, [](const ContactKey& key) { return key.kind != 0; });
    if (crossing == found.end()) continue;
    ++seen;
    const double above = gap(*crossing, q);
    q.position(upper).z() -= above + depth;
    search().find_undetected(q, {}, undetected);
    EXPECT_FALSE(undetected.empty()) << "depth " << depth;
  }
  EXPECT_GT(seen, 20);
}

TEST_F(SurfaceSearchTest, BodyOnAPlaneDoesNotMeetTheSidesOfWhatIsBelowIt) {
  model.add<Surface>({.name = "left", .of = shapes::Box{{1, 1, 1}}, .position = {-0.5, 0, -0.5}});
  model.add<Surface>({.name = "right", .of = shapes::Box{{1, 1, 1}}, .position = {0.5, 0, -0.5}});
  const FrameNode crate = add("crate", shapes::Box{{0.2, 0.2, 0.2}}, {-0.3, 0, 0.1});
  for (const double x : {-0.3, -0.1 - 1e-6, -0.1 - 1e-12, -0.1, -0.1 + 1e-12, -0.1 + 1e-6, 0.0}) {
    const Configuration q = moved(crate, {x + 0.3, 0, -1e-6});
    const auto previous = keys(moved(crate, {x + 0.299, 0, 0}), moved(crate, {x + 0.299, 0, 0}));
    for (const ContactKey& key : keys(q, q, previous)) {
      const std::string name = search().contact(key).element->name();
      if (name.find("crate") != name.npos) {
        EXPECT_LT(std::abs(gap(key, q)), 2e-6) << name << " with x = " << x;
      }
      const InRole<Contact> contact = search().contact(key);
      std::vector<double> G(contact.role->row_count() * contact.element->dof_count());
      contact.role->gradient(q, G);
      EXPECT_GT(std::abs(G[2 * contact.role->row_count()]), 0.99) << name;
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

// Two rods that lie on each other and cross at an angle: without a contact between their ends they sink by the
// sagitta.
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
    // What has sunk in must also be detected.
    Configuration sunk = q;
    Vector down = Vector::Zero(rods.velocity_count());
    down[upper.v + 2] = -1e-4 * sagitta;
    retract(rods.nodes(), q, down, sunk);
    std::vector<ContactKey> undetected;
    std::vector<ContactKey> ends = found;
    std::erase_if(ends, [&](const ContactKey& key) {
      return own->contact(key).element->name() == "s: lower edge 0 on upper edge 0";
    });
    const double depth = own->find_undetected(sunk, ends, undetected);
    const bool counts = 1e-4 * sagitta > 2e-9 * 0.04;
    EXPECT_NEAR(depth, counts ? 1e-4 * sagitta : 0.0, 1e-15) << angle;
    EXPECT_EQ(undetected.size(), counts ? 1U : 0U) << angle;
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

// Crossing lines have a contact on either side.
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

// A ball is listed if it is within its skin and its motion of the plane, at the start or at the end.
TEST_F(SurfaceSearchTest, PlanesThatMoveMeetWhatTheirMotionReaches) {
  constexpr double radius = 0.1, skin = 0.01 * 2 * radius;
  const FrameNode wall = add("wall", shapes::HalfSpace{Vec3(1, 2, 2) / 3}, {0.3, 0.1, -0.2});
  const FrameNode ball = add("ball", shapes::Ball{radius}, {0.4, 0.3, 0.1});
  const Configuration& q = model.initial_configuration();
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](double size) {
    return Vec3(size * Vec3(uniform(generator), uniform(generator), uniform(generator)));
  };
  const auto retracted = [&](const Configuration& from, const Vec3& of_ball, const Vec3& of_wall,
                             const Vec3& turn) {
    Vector increment = Vector::Zero(model.velocity_count());
    increment.segment<3>(ball.v) = of_ball;
    increment.segment<3>(wall.v) = of_wall;
    increment.segment<3>(wall.v + 3) = turn;
    Configuration moved = from;
    retract(model.nodes(), from, increment, moved);
    return moved;
  };
  const auto distance = [&](const Configuration& at) {
    const Vec3 normal = at.rotation(wall) * Vec3(1, 2, 2) / 3;
    return normal.dot(at.position(ball) - at.position(wall)) - radius;
  };
  int found = 0, motions = 0;
  for (; motions < 400; ++motions) {
    const Configuration begin = retracted(q, random(0.3), random(0.3), random(1.0));
    const Configuration end = retracted(begin, random(0.05), random(0.2), random(0.3));
    const double reach = skin + (end.position(ball) - begin.position(ball)).norm();
    const double nearest = std::min(distance(begin), distance(end));
    if (std::abs(nearest - reach) < 1e-9) continue;
    EXPECT_EQ(keys(begin, end).size(), nearest < reach ? 1u : 0u) << nearest << " " << reach;
    found += nearest < reach ? 1 : 0;
  }
  EXPECT_GE(found, 50);
  EXPECT_LE(found, 350);
}

// The contacts of a ball with its neighbours are the same wherever all of them are.
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

}  // namespace
}  // namespace picus::surface_search_test
