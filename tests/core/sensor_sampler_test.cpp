// When a sensor is sampled, and over which steps.

#include <picus/sensor_sampler.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>

#include <gtest/gtest.h>

namespace picus::support {
namespace {

/// A run in which only time matters.
class Samples : public testing::Test {
 protected:
  /// The number of the step, its square, and the time.
  static Sensor counter(double interval, Sampling sampling = Sampling::instant) {
    return {.name = "counter",
            .interval = interval,
            .quantities = {{"steps", {2}, "1"}, {"clock", {}, "s"}},
            .read =
                [](const Reading& at, std::span<double> values) {
                  const auto n = static_cast<double>(at.state.step);
                  values[0] = n;
                  values[1] = n * n;
                  values[2] = at.state.time;
                },
            .sampling = sampling};
  }
  bool see(SensorSampler& sampler, std::int64_t step, double h) {
    state.step = step;
    state.time = static_cast<double>(step) * h;
    return sampler.record_step({system, state, h});
  }
  /// The steps at which it is sampled.
  std::vector<std::int64_t> sampled(double interval, double h, std::int64_t steps) {
    SensorSampler sampler(counter(interval));
    std::vector<std::int64_t> result;
    for (std::int64_t n = 0; n <= steps; ++n) {
      if (!see(sampler, n, h)) continue;
      EXPECT_EQ(sampler.values()[0], static_cast<double>(n));
      result.push_back(n);
    }
    return result;
  }

  Model model = make_flying_model();
  System system{model};
  State state;
};

TEST_F(Samples, AreTakenAtEveryStepWithoutAnInterval) {
  EXPECT_EQ(sampled(0.0, 0.1, 4), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(sampled(0.03, 0.1, 4), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

/// The interval is p/q steps: sample k is at step ceil(k p/q), in integer arithmetic.
TEST_F(Samples, DoNotDrift) {
  constexpr std::int64_t steps = 100000;
  const auto expected = [](std::int64_t p, std::int64_t q) {
    std::vector<std::int64_t> result;
    for (std::int64_t k = 0; k * p <= steps * q; ++k) result.push_back((k * p + q - 1) / q);
    return result;
  };
  for (const double h : {1e-4, 1.0 / 30000, 3e-3}) {
    EXPECT_EQ(sampled(10 * h, h, steps), expected(10, 1)) << h;
    EXPECT_EQ(sampled(2.5 * h, h, steps), expected(5, 2)) << h;
    EXPECT_EQ(sampled(7.0 / 3.0 * h, h, steps), expected(7, 3)) << h;
    EXPECT_EQ(sampled(h, h, steps), expected(1, 1)) << h;
  }
  // As users type them: 1 kHz of 10 kHz, 300 Hz of 1 kHz.
  EXPECT_EQ(sampled(1e-3, 1e-4, steps), expected(10, 1));
  EXPECT_EQ(sampled(1.0 / 300, 1e-3, steps), expected(10, 3));
}

TEST_F(Samples, ThatAreMeansLoseNothing) {
  constexpr double h = 0.01;
  SensorSampler sampler(counter(2.5 * h, Sampling::mean));
  double gathered = 0.0;
  std::int64_t last = 0;
  for (std::int64_t n = 0; n <= 1000; ++n) {
    if (!see(sampler, n, h)) continue;
    gathered += sampler.values()[1] * static_cast<double>(n - last);
    last = n;
  }
  // Sums of squares are integers that doubles hold exactly; a mean and its product with the count are each rounded
  // once.
  EXPECT_EQ(last, 1000);
  EXPECT_NEAR(gathered, 1000.0 * 1001 * 2001 / 6, 1e-15 * 400 * gathered);
  EXPECT_FALSE(sampler.record_last({system, state, h}));
}

TEST_F(Samples, IncludeTheLastStep) {
  constexpr double h = 0.01;
  for (const Sampling sampling : {Sampling::instant, Sampling::mean}) {
    SensorSampler sampler(counter(0.1, sampling));
    for (std::int64_t n = 0; n <= 13; ++n) see(sampler, n, h);
    EXPECT_TRUE(sampler.record_last({system, state, h}));
    EXPECT_EQ(sampler.values()[0], sampling == Sampling::mean ? 12.0 : 13.0);
    EXPECT_FALSE(sampler.record_last({system, state, h}));
  }
}

TEST_F(Samples, AreNotReadBetween) {
  int reads = 0;
  Sensor sensor = counter(0.1);
  sensor.read = [&reads](const Reading&, std::span<double>) { ++reads; };
  SensorSampler sampler(sensor);
  for (std::int64_t n = 0; n <= 1000; ++n) see(sampler, n, 0.01);
  EXPECT_EQ(reads, 101);
}

TEST_F(Samples, GoOnFromAnArchive) {
  constexpr double h = 0.01;
  for (const Sampling sampling : {Sampling::instant, Sampling::mean}) {
    const Sensor sensor = counter(0.027, sampling);
    SensorSampler whole(sensor);
    for (std::int64_t n = 0; n <= 7; ++n) see(whole, n, h);
    Archive kept;
    whole.serialize(kept);
    SensorSampler rest(sensor);
    Archive archive(kept.bytes(), "a sensor");
    rest.serialize(archive);
    archive.finish_reading();
    int samples = 0;
    for (std::int64_t n = 8; n <= 100; ++n) {
      const bool is_due = see(whole, n, h);
      ASSERT_EQ(see(rest, n, h), is_due) << n;
      for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(rest.values()[i], whole.values()[i]) << n;
      if (is_due) ++samples;
    }
    EXPECT_EQ(samples, 35);  // multiples 3 to 37 of 0.027 s
  }
}

TEST_F(Samples, HandTheLastReadingBackToTheSensor) {
  Sensor sensor = counter(0.0);
  sensor.read = [](const Reading&, std::span<double> values) { values[0] += 1; };
  SensorSampler first(sensor), second(sensor);
  for (std::int64_t n = 0; n <= 4; ++n) see(first, n, 0.1);
  see(second, 0, 0.1);
  EXPECT_EQ(first.values()[0], 5.0);
  EXPECT_EQ(second.values()[0], 1.0);
}

}  // namespace
}  // namespace picus::support
