// Sensors in a result file.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/flying_sensors.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_files.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace picus::support::recorded_sensors_test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using Numbers = std::vector<double>;
using Shape = std::vector<hsize_t>;

class RecordedSensors : public testing::Test {
 protected:
  static constexpr double h = 0.1;
  static constexpr double rounding = 1e-13;

  RecordedSensors() { add_flying_sensors(model, 0.25); }
  void run(Hdf5Recorder::Options options = {}, double until = 1.0) {
    options.overwrite = true;
    Hdf5Recorder recorder(path, std::move(options));
    simulate(model, flight, {.until = until}, {&recorder});
  }
  static double height(int step) { return 2 - 5 * h * h * step * step; }

  ScratchFolder folder;
  std::filesystem::path path = folder / "flight.h5";
  Model model = make_flying_model();
  FreeFlight flight{{.step = h}};
};

TEST_F(RecordedSensors, HaveTheirOwnTime) {
  run({.every = 5});
  const ResultReader result(path);
  EXPECT_THAT(result.numbers("time"), Pointwise(DoubleNear(rounding), Numbers{0.0, 0.5, 1.0}));
  EXPECT_THAT(result.numbers("sensors/rim/time"),
              Pointwise(DoubleNear(rounding), Numbers{0.0, 0.3, 0.5, 0.8, 1.0}));
  // Multiples of 0.325 s; the last step is always sampled.
  EXPECT_THAT(result.numbers("sensors/mean/time"),
              Pointwise(DoubleNear(rounding), Numbers{0.0, 0.4, 0.7, 1.0}));
  EXPECT_EQ(result.shape("sensors/steps/time"), (Shape{11}));
}

TEST_F(RecordedSensors, HoldWhatTheyShow) {
  run();
  const ResultReader result(path);
  const Numbers time = result.numbers("sensors/rim/time");
  const Numbers position = result.numbers("sensors/rim/position");
  ASSERT_EQ(result.shape("sensors/rim/position"), (Shape{5, 3}));
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double angle = std::numbers::pi * time[i];
    EXPECT_NEAR(position[3 * i], 0.5 * std::cos(angle), rounding);
    EXPECT_NEAR(position[3 * i + 1], time[i] + 0.5 * std::sin(angle), rounding);
    EXPECT_NEAR(position[3 * i + 2], 1 - 5 * time[i] * time[i], rounding);
  }
  EXPECT_EQ(result.shape("sensors/rim/rotation"), (Shape{5, 4}));
  const auto mean = [](int first, int last) {
    double sum = 0;
    for (int step = first; step <= last; ++step) sum += height(step);
    return sum / (last - first + 1);
  };
  EXPECT_THAT(result.numbers("sensors/mean/height"),
              Pointwise(DoubleNear(rounding), Numbers{2.0, mean(1, 4), mean(5, 7), mean(8, 10)}));
  EXPECT_EQ(result.shape("sensors/steps/count"), (Shape{11}));
  EXPECT_EQ(result.shape("sensors/steps/grid"), (Shape{11, 2, 3}));
  EXPECT_EQ(result.numbers("sensors/steps/grid")[6 * 4 + 5], 8.0);
}

TEST_F(RecordedSensors, DescribeThemselves) {
  run();
  const ResultReader result(path);
  EXPECT_EQ(result.text("sensors/rim/velocity", "unit"), "m/s");
  EXPECT_EQ(result.text("sensors/rim/velocity", "description"), "in the inertial frame");
  EXPECT_EQ(result.text("sensors/rim/time", "unit"), "s");
  EXPECT_EQ(result.number("sensors/rim", "interval"), 0.25);
  EXPECT_EQ(result.text("sensors/rim", "sampling"), "instant");
  EXPECT_EQ(result.text("sensors/mean", "sampling"), "mean");
}

TEST_F(RecordedSensors, AreChosenByPatterns) {
  run({.include = {"sensors"}, .exclude = {"sensors/steps", "sensors/*/acceleration"}});
  {
    const ResultReader result(path);
    EXPECT_TRUE(result.has("sensors/rim/position"));
    EXPECT_FALSE(result.has("sensors/rim/acceleration"));
    EXPECT_FALSE(result.has("sensors/steps"));
    EXPECT_FALSE(result.has("nodes"));
    EXPECT_EQ(result.shape("time"), (Shape{11}));
  }
  run({.exclude = {"sensors/*"}});
  EXPECT_FALSE(ResultReader(path).has("sensors"));
  EXPECT_THAT(
      message_of<OptionError>([&] { run({.include = {"sensors/rym"}}); }),
      HasSubstr("nothing that can be recorded is called \"sensors/rym\" (did you mean \"sensors/rim\"?)"));
}

/// Chunks are sometimes full, and packed in between by a thread of their own.
TEST_F(RecordedSensors, FillManyChunks) {
  flight = FreeFlight({.step = 1e-3});
  model.add_sensor({.name = "large",
                    .quantities = {{"many", {64}, "1", "numbers that count up"}},
                    .read = [](const Reading&, std::span<double> values) {
                      for (std::size_t i = 0; i < values.size(); ++i) values[i] += static_cast<double>(i);
                    }});
  run({.every = 100, .xdmf = false}, 3.0);
  const ResultReader result(path);
  ASSERT_EQ(result.shape("sensors/steps/count"), (Shape{3001}));
  ASSERT_EQ(result.shape("sensors/large/many"), (Shape{3001, 64}));
  const Numbers count = result.numbers("sensors/steps/count");
  const Numbers many = result.numbers("sensors/large/many");
  for (std::size_t i = 0; i <= 3000; ++i) {
    ASSERT_EQ(count[i], static_cast<double>(i));
    ASSERT_EQ(many[64 * i + 63], static_cast<double>(63 * (i + 1)));
  }
}

/// Checkpoints lie between samples of all sensors.
TEST_F(RecordedSensors, GoOnFromACheckpoint) {
  for (const double until : {1.3, 1.2, 0.9}) {
    const auto begin = [&](const std::string& name, double end) {
      Hdf5Recorder recorder(folder / (name + ".h5"), {.every = 3, .overwrite = true});
      simulate(model, flight,
               {.until = end,
                .checkpoint = {.file = folder / (name + ".checkpoint"), .every = 4, .overwrite = true}},
               {&recorder});
    };
    begin("whole", 4.0);
    begin("parts", until);
    const Checkpoint checkpoint = read_checkpoint(folder / "parts.checkpoint");
    Hdf5Recorder recorder(folder / "parts.h5", {.every = 3});
    simulate(model, flight, {.until = 4.0, .resume = &checkpoint}, {&recorder});
    expect_equal_results(folder / "parts.h5", folder / "whole.h5");
    EXPECT_EQ(ResultReader(folder / "parts.h5").shape("sensors/rim/time"), (Shape{17}));
  }
}

TEST_F(RecordedSensors, OfAnotherRunAreRefused) {
  Hdf5Recorder recorder(path);
  simulate(model, flight, {.until = 1.0, .checkpoint = {.file = folder / "run.checkpoint", .every = 4}},
           {&recorder});
  const Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
  Model other = make_flying_model();
  add_flying_sensors(other, 0.5);
  EXPECT_THAT(message_of<FileError>(
                  [&] { simulate(other, flight, {.until = 2.0, .resume = &checkpoint}, {&recorder}); }),
              HasSubstr("it is of another run, sensor 0 is \"rim\" each 0.5 s of"));
}

TEST_F(RecordedSensors, KeepTheLastStepBeforeAFailure) {
  flight = FreeFlight({.step = h, .fails_at = 8});
  EXPECT_THROW(run(), SolverError);
  EXPECT_THAT(ResultReader(path).numbers("sensors/rim/time"),
              Pointwise(DoubleNear(rounding), Numbers{0.0, 0.3, 0.5, 0.7}));
}

}  // namespace
}  // namespace picus::support::recorded_sensors_test
