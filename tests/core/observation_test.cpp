// What elements report about themselves, and meshes, in a result file.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/bodies.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::support::observation_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using Shape = std::vector<hsize_t>;

/// Reports time, and height and speed of a point.
class Probe : public Element, public Observable {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
  };
  Probe(const Parameters& p, const Model&) : Element(p.name, {p.node}), node_(p.node) {}

  std::vector<Quantity> quantities() const override {
    return {{"clock", {}, "s", "time"}, {"flight", {1, 2}, "m, m/s", "height and speed"}};
  }
  void observe(const Motion& motion, std::span<double> values) const override {
    values[0] = motion.t;
    values[1] = motion.q.position(node_).z();
    values[2] = motion.v.segment<3>(node_.v).norm();
  }

 private:
  PointNode node_;
};

/// A cell between eight points, all of them moving.
class Cell : public Element, public Drawable {
 public:
  struct Parameters {
    std::string name;
    std::vector<Node> nodes;
  };
  Cell(const Parameters& p, const Model&) : Element(p.name, p.nodes) {}
  std::vector<MaterialPoint> points() const override {
    std::vector<MaterialPoint> points(nodes().size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i].node = nodes()[i];
    return points;
  }
  std::vector<std::vector<Index>> polylines() const override { return {}; }
  std::vector<std::array<Index, 8>> hexahedra() const override { return {{0, 1, 2, 3, 4, 5, 6, 7}}; }
  std::vector<std::array<Index, 3>> triangles() const override { return {{0, 1, 2}, {4, 7, 6}}; }
};

/// A line from a point fixed in space to its node, with a sphere at either end, one of which is named twice.
class Pin : public Element, public Drawable {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    Index sphere = 1;  ///< its point
  };
  Pin(const Parameters& p, const Model&) : Element(p.name, {p.node}), node_(p.node), sphere_(p.sphere) {}
  std::vector<MaterialPoint> points() const override { return {MaterialPoint::on_ground({1, 2, 3}), node_}; }
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }
  std::vector<DrawnSphere> spheres() const override { return {{sphere_, 0.25}, {0, 0.5}, {sphere_, 0.25}}; }

 private:
  PointNode node_;
  Index sphere_;
};

/// Reports time + 3, and twice the time.
class ReportingCell : public Cell, public Observable {
 public:
  using Cell::Cell;
  std::vector<Quantity> quantities() const override { return {{"load", {}, "N"}, {"flow", {2}, "m3/s"}}; }
  void observe(const Motion& motion, std::span<double> values) const override {
    values[0] = motion.t + 3.0;
    values[1] = values[2] = motion.t;
  }
};

class Observation : public testing::Test {
 protected:
  PointNode add_ball(const std::string& name, double height) {
    const PointNode node = model.add_point(name, {.position = {0, 0, height}, .velocity = {0, 0, 1}});
    model.add<PointMass>({.name = name, .node = node, .mass = 1.0});
    model.add<Probe>({.name = "probe of " + name, .node = node});
    return node;
  }
  /// Height after a time t of free flight at 10 m/s2.
  static double height(double start, double t) { return start + t - 5 * t * t; }
  void run(Hdf5Recorder::Options options = {}) {
    Hdf5Recorder recorder(folder / "run.h5", std::move(options));
    simulate(model, flight, {.until = 0.2}, {&recorder});
  }

  ScratchFolder folder;
  Model model{"probes"};
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(Observation, IsRecordedUnderTheNameOfItsElement) {
  add_ball("ball", 2.0);
  run();
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.shape("elements/probe of ball/clock"), (Shape{3}));
  EXPECT_EQ(result.shape("elements/probe of ball/flight"), (Shape{3, 1, 2}));
  EXPECT_THAT(result.numbers("elements/probe of ball/clock"), ElementsAre(0.0, 0.1, 0.2));
  EXPECT_NEAR(result.numbers("elements/probe of ball/flight")[4], height(2.0, 0.2), 1e-14);
  EXPECT_EQ(result.text("elements/probe of ball/flight", "unit"), "m, m/s");
}

TEST_F(Observation, OfAMeshIsOneDataSet) {
  for (int i = 0; i < 5; ++i) {
    const PointNode node = model.add_point("ball[" + std::to_string(i) + "]",
                                           {.position = {0, 0, 1.0 * i}, .velocity = {0, 0, 1}});
    model.add<PointMass>({.name = "mass[" + std::to_string(i) + "]", .node = node, .mass = 1.0});
    model.add<Probe>({.name = "probe[" + std::to_string(i) + "]", .node = node});
  }
  run();
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.shape("nodes/ball/position"), (Shape{3, 5, 3}));
  EXPECT_EQ(result.shape("nodes/ball/velocity"), (Shape{3, 5, 3}));
  EXPECT_EQ(result.shape("elements/probe/flight"), (Shape{3, 5, 1, 2}));
  EXPECT_EQ(result.shape("elements/probe/clock"), (Shape{3, 5}));
  const auto position = result.numbers("nodes/ball/position");
  const auto seen = result.numbers("elements/probe/flight");
  for (std::size_t k = 0; k < 15; ++k) {
    EXPECT_NEAR(position[3 * k + 2], height(static_cast<double>(k % 5), 0.1 * static_cast<double>(k / 5)),
                1e-14);
    EXPECT_DOUBLE_EQ(seen[2 * k], position[3 * k + 2]);
  }
  EXPECT_FALSE(result.has("nodes/ball[0]"));
}

TEST_F(Observation, OfPicturesKnowsSpheresAndTheNodesOfPoints) {
  model.add_scalar("number");  // no point
  add_ball("other", 1.0);
  const PointNode ball = add_ball("ball", 2.0);
  model.add<Pin>({.name = "pin", .node = ball});
  run();
  const ResultReader result(folder / "run.h5");
  EXPECT_THAT(result.numbers("visualization/point_node"), ElementsAre(0, 1, -1));
  EXPECT_THAT(result.numbers("visualization/sphere_point"), ElementsAre(1, 2));
  EXPECT_THAT(result.numbers("visualization/sphere_radius"), ElementsAre(0.25, 0.5));
  Model wrong("wrong");
  wrong.add<Pin>({.name = "pin", .node = wrong.add_point("end"), .sphere = 2});
  Hdf5Recorder recorder(folder / "wrong.h5");
  EXPECT_EQ(support::message_of<ModelError>([&] { simulate(wrong, flight, {.until = 0.1}, {&recorder}); }),
            "element \"pin\" draws a line, cell, triangle or sphere through its point 2, but has 2 points");
}

TEST_F(Observation, OfPicturesKnowsTriangles) {
  std::vector<Node> corners;
  for (int i = 0; i < 9; ++i) corners.push_back(model.add_point("corner " + std::to_string(i)));
  const std::vector<Node> cell(corners.begin() + 1,
                               corners.end());  // its point 0 is the point 1 of the picture
  model.add<Cell>({.name = "cell", .nodes = cell});
  run();
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.shape("visualization/triangle"), (Shape{2, 3}));
  EXPECT_THAT(result.numbers("visualization/triangle"), ElementsAre(1, 2, 3, 5, 8, 7));
}

TEST_F(Observation, CanBeLeftOut) {
  add_ball("ball", 2.0);
  run({.exclude = {"elements"}});
  EXPECT_FALSE(ResultReader(folder / "run.h5").has("elements"));
}

TEST_F(Observation, CellsAreDrawnOnTheirNodes) {
  std::vector<Node> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(add_ball("ball[" + std::to_string(i) + "]", 1.0 * i));
  model.add<Cell>({.name = "cell", .nodes = corners});
  run();
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.shape("VTKHDF/Points"), (Shape{24, 3}));
  EXPECT_THAT(result.numbers("visualization/topology/cells"), ElementsAre(9, 0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(Observation, IsOnTheCellsOfItsElement) {
  std::vector<Node> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(add_ball("ball[" + std::to_string(i) + "]", 1.0 * i));
  model.add<Cell>({.name = "mute", .nodes = corners});
  model.add<ReportingCell>({.name = "cell", .nodes = corners});
  run();
  const ResultReader result(folder / "run.h5");
  // Eight vertices, then the two cells, of which the first reports nothing.
  EXPECT_EQ(result.shape("visualization/cells/load"), (Shape{6}));
  EXPECT_EQ(result.shape("VTKHDF/CellData/load"), (Shape{30}));
  const auto load = result.numbers("VTKHDF/CellData/load");
  for (std::size_t i = 0; i < 30; ++i) {
    if (i % 10 == 9) {
      EXPECT_FLOAT_EQ(static_cast<float>(load[i]), 0.1f * static_cast<float>(i / 10) + 3.0f);
    } else {
      EXPECT_TRUE(std::isnan(load[i])) << i;
    }
  }
  EXPECT_THAT(result.numbers("VTKHDF/Steps/CellDataOffsets/load"), ElementsAre(0, 10, 20));
  EXPECT_EQ(result.shape("VTKHDF/CellData/flow"), (Shape{30, 2}));
  EXPECT_THAT(result.numbers("VTKHDF/Steps/CellDataOffsets/flow"), ElementsAre(0, 10, 20));
}

TEST_F(Observation, IsNotOnCellsWhenItIsLeftOut) {
  std::vector<Node> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(add_ball("ball[" + std::to_string(i) + "]", 1.0 * i));
  model.add<ReportingCell>({.name = "cell", .nodes = corners});
  run({.exclude = {"elements/cell/flow"}});
  const ResultReader result(folder / "run.h5");
  EXPECT_TRUE(result.has("VTKHDF/CellData/load"));
  EXPECT_FALSE(result.has("VTKHDF/CellData/flow"));
}

}  // namespace
}  // namespace picus::support::observation_test
