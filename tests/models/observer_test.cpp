/// The building blocks of model measures, on a falling ball.

#include <picus/error.hpp>
#include <picus/observer.hpp>
#include <picus/simulate.hpp>
#include <support/free_flight.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::models::observer_test {
namespace {

using namespace signals;  // NOLINT: what is measured

class MeasuresOfAFall : public testing::Test {
 protected:
  MeasuresOfAFall() { model.add_point("ball"); }

  /// A second in ten steps, h = -5 t^2.
  std::vector<Finding> run(const std::function<void(const RunInfo&, Measures&)>& add) {
    Observer observer([&](const RunInfo& info) {
      Measures measures;
      add(info, measures);
      return measures;
    });
    support::FreeFlight flight({.step = 0.1});
    simulate(model, flight, {.until = 1.0}, {&observer});
    return observer.findings();
  }
  static Signal height(const RunInfo& run) { return position(run, "ball", Axis::z); }
  static Measures::Condition until(double time) {
    return [time](const Snapshot& at) { return at.state.time < time; };
  }

  Model model{"fall"};
};

TEST_F(MeasuresOfAFall, FindInstants) {
  const auto found = run([](const RunInfo&, Measures& measures) {
    measures.add("first", "s", measures.first_time([](const Snapshot& at) { return at.state.time > 0.25; }));
    measures.add("never", "s", measures.first_time([](const Snapshot&) { return false; }));
    measures.add("last", "s", measures.last_time(until(0.55)));
    measures.add("still", "s", measures.last_time(until(2.0)));
  });
  EXPECT_NEAR(found.at(0).value.value(), 0.3, 1e-12);
  EXPECT_FALSE(found.at(1).value.has_value());
  EXPECT_NEAR(found.at(2).value.value(), 0.5, 1e-12);
  EXPECT_FALSE(found.at(3).value.has_value()) << "it still holds at the end";
}

TEST_F(MeasuresOfAFall, FindErrorsAndValues) {
  const auto found = run([](const RunInfo& info, Measures& measures) {
    const auto exact = [](double t) { return -5.0 * t * t; };
    const auto twice = [exact](double t) { return 2.0 * exact(t); };
    measures.add("error", "", measures.l1_error(height(info).against(exact)), 0.0, "exact");
    measures.add("half", "", measures.l1_error(height(info).against(twice)), 0.0, "wrong");
    measures.add("largest", "m", measures.largest(height(info).value));
    measures.add(
        "end", "m", measures.at_end(height(info).value), [] { return std::optional(-5.0); }, "known then");
    const int& steps = measures.accumulate(0, [](const Snapshot&, int& count) { ++count; });
    measures.add("steps", "", [&steps] { return steps; });
  });
  EXPECT_NEAR(found.at(0).value.value(), 0.0, 1e-14);
  EXPECT_NEAR(found.at(1).value.value(), 0.5, 1e-14);
  EXPECT_NEAR(found.at(2).value.value(), 5.0, 1e-12);
  EXPECT_NEAR(found.at(3).value.value(), -5.0, 1e-12);
  EXPECT_EQ(found.at(3).reference, -5.0);
  EXPECT_EQ(found.at(3).source, "known then");
  EXPECT_EQ(found.at(4).value, 11);  // the start is one of them
}

TEST_F(MeasuresOfAFall, GoOnFromAnArchiveAndRefuseWhatIsNoNumber) {
  const auto make = [] {
    auto measures = std::make_unique<Measures>();
    measures->accumulate(1.0, [](const Snapshot&, double&) {});
    measures->accumulate(std::optional<double>(2.0), [](const Snapshot&, auto&) {});
    return measures;
  };
  Archive written;
  make()->serialize(written);
  Archive archive(written.bytes(), "the ball");
  make()->serialize(archive);
  archive.finish_reading();

  std::vector<std::byte> spoilt = written.bytes();
  std::ranges::fill(spoilt, std::byte{0xff});
  Archive wrong(spoilt, "the ball");
  EXPECT_THROW(make()->serialize(wrong), FileError);
}

}  // namespace
}  // namespace picus::models::observer_test
