// The file for ParaView; tests/core/render_frame_test.py reads it as a program would.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::support {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

class Xdmf : public testing::Test {
 protected:
  void run(const Model& model, double until) {
    Hdf5Recorder recorder(path, {.overwrite = true});
    simulate(model, flight, {.until = until}, {&recorder});
  }
  std::string text() const { return content_of(folder / "a & b.xdmf"); }

  ScratchFolder folder;
  std::filesystem::path path = folder / "a & b.h5";
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(Xdmf, DrawsNodesAndDrawableElements) {
  run(make_flying_model(), 1.0);
  const ResultReader result(path);
  // Nodes, and the line of element "string", from the rim of the spinner to a fixed point in space.
  EXPECT_THAT(result.numbers("visualization/topology/nodes"),
              ElementsAre(1, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 3));
  EXPECT_THAT(result.numbers("visualization/topology/cells"), ElementsAre(2, 2, 2, 3));
  // The four points, then the ball as the position of two contacts.
  const auto points = result.numbers("VTKHDF/Points");
  const auto velocity = result.numbers("VTKHDF/PointData/velocity");
  ASSERT_EQ(points.size(), 11U * 18U);
  const std::vector<double> end(points.end() - 18, points.end());  // after half a turn and a fall of 5 m
  EXPECT_THAT(end,
              Pointwise(DoubleNear(1e-5), std::vector<double>{0, 1, -4, 2, 0, -3, -0.5, 1, -4, 0, 0, 3,  //
                                                              2, 0, -3, 2, 0, -3}));
  const std::vector<double> start(velocity.begin(), velocity.begin() + 18);
  EXPECT_THAT(start, Pointwise(DoubleNear(1e-5),
                               std::vector<double>{0, 1, 0, 1, 0, 0, 0, 1 + 0.5 * M_PI, 0, 0, 0, 0,  //
                                                   1, 0, 0, 1, 0, 0}));
}

TEST_F(Xdmf, RefersToEveryRecordWithItsTime) {
  run(make_flying_model(), 1.0);
  EXPECT_EQ(count(text(), "<Time "), 11U);
  EXPECT_THAT(text(), HasSubstr("<Time Value=\"0.3\"/>"));
  EXPECT_THAT(text(), HasSubstr("NumberOfElements=\"4\"><DataItem Dimensions=\"12\""));
  EXPECT_THAT(text(), HasSubstr(">a &amp; b.h5:/visualization/topology/nodes<"));
  EXPECT_THAT(text(), HasSubstr("<!--10-->a &amp; b.h5<"));
}

TEST_F(Xdmf, DrawsSomeOfManyRecords) {
  flight = FreeFlight({.step = 1e-3});
  run(make_flying_model(), 5.003);
  EXPECT_EQ(count(text(), "<Time "), 557U);  // every ninth of 5004, and the last
  const ResultReader result(path);
  const auto instants = result.numbers("VTKHDF/Steps/Values");
  const auto points = result.numbers("VTKHDF/Points");
  ASSERT_EQ(instants.size(), 557U);
  ASSERT_EQ(points.size(), 557U * 18U);
  for (std::size_t i = 0; i < 557; ++i) {
    EXPECT_NEAR(instants[i], i < 556 ? 9e-3 * static_cast<double>(i) : 5.003, 1e-12);
    EXPECT_NEAR(points[18 * i + 1], instants[i], 1e-6 * instants[i]);  // the spinner flies along y at 1 m/s
  }
  EXPECT_EQ(result.number("VTKHDF/Steps", "NSteps"), 557);
  EXPECT_EQ(result.shape("nodes/ball/position"), (std::vector<hsize_t>{5004, 3}));
  EXPECT_THAT(text(), HasSubstr("<Time Value=\"0.009\"/>"));
  EXPECT_THAT(text(), HasSubstr("<Time Value=\"5.003\"/>"));
}

TEST_F(Xdmf, IsNotWrittenWhenNothingCanBeDrawn) {
  Model model;
  model.add<Oscillator>({.name = "rotor", .node = model.add_scalar("s")});
  run(model, 1.0);
  EXPECT_EQ(folder.file_count(), 1U);
  EXPECT_FALSE(ResultReader(path).has("visualization"));
  EXPECT_FALSE(ResultReader(path).has("VTKHDF"));
}

/// Draws a line through a point that does not exist.
class Astray : public DrawnLine {
 public:
  using DrawnLine::DrawnLine;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 2}}; }
};

TEST_F(Xdmf, RefusesLinesThroughPointsThatDoNotExist) {
  Model model;
  model.add<Astray>({.name = "astray", .from = model.add_frame("frame"), .to = {}});
  EXPECT_EQ(
      message_of<ModelError>([&] { run(model, 1.0); }),
      "element \"astray\" draws a line, cell, triangle or sphere through its point 2, but has 2 points");
  EXPECT_EQ(folder.file_count(), 0U);
}

}  // namespace
}  // namespace picus::support
