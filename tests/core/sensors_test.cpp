// Sensors of motion against closed-form solutions: bodies in free flight, spinning with constant angular velocity.

#include <picus/sensor_sampler.hpp>
#include <picus/sensors.hpp>
#include <picus/simulate.hpp>
#include <picus/so3.hpp>
#include <picus/step_callback.hpp>
#include <support/differences.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace picus::support::sensors_test {
namespace {

const Vec3 gravity(0, 0, -10);
/// After a hundred steps with a few roundings each.
constexpr double rounding = 1e-13;

/// A body that flies and spins.
struct Flight {
  FrameStart start;
  Vec3 offset;
  Mat3 R(double t) const { return start.rotation * so3::exp(t * start.angular_velocity); }
  Vec3 x(double t) const { return start.position + t * start.velocity + t * t / 2 * gravity + R(t) * offset; }
};

/// Sensors and their values at 1 s.
class SensorsOfMotion : public testing::Test {
 protected:
  static constexpr double end = 1.0;

  /// All quantities one after another.
  Vector reading(const Sensor& sensor) {
    model.add_sensor(sensor);
    SensorSampler sampler(sensor);
    StepCallback watch([&](const Snapshot& at) { sampler.record_step({at.system, at.state, 0.01}); });
    simulate(model, flight, {.until = end}, {&watch});
    return Eigen::Map<const Vector>(sampler.values().data(), count_of(sampler));
  }

  Model model = make_flying_model();
  const Flight a{{.position = {0.2, -0.4, 1},
                  .rotation = so3::exp({0.4, -0.3, 0.9}),
                  .velocity = {0.3, 1, -0.2},
                  .angular_velocity = {1.2, -0.7, 2.1}},
                 {0.3, -0.2, 0.5}};
  const Flight b{{.position = {-1, 0.3, 0.1},
                  .rotation = so3::exp({-0.8, 0.2, 0.3}),
                  .velocity = {-0.6, 0.4, 0.8},
                  .angular_velocity = {-0.5, 1.4, 0.6}},
                 {-0.4, 0.1, 0.2}};
  FrameNode node_a = model.add_frame("a", a.start);
  FrameNode node_b = model.add_frame("b", b.start);
  FreeFlight flight{{.step = 0.01, .gravity = gravity}};
};

TEST_F(SensorsOfMotion, AtAPointOfABody) {
  const Vector values = reading(sensors::point({.name = "p", .point = {node_a, a.offset}}));
  const auto x = [&](double s) { return a.x(end + s); };
  ASSERT_EQ(values.size(), 16);
  expect_near(values.head(3), a.x(end), rounding, "position");
  expect_near(values.segment(3, 3), derivative(x), difference_tolerance, "velocity");
  const auto velocity = [&](double s) -> Vec3 {
    const Vec3 omega = a.R(end + s) * a.start.angular_velocity;
    return a.start.velocity + (end + s) * gravity + omega.cross(a.R(end + s) * a.offset);
  };
  expect_near(values.segment(6, 3), derivative(velocity), difference_tolerance, "acceleration");
  expect_near(so3::rotation(values.segment<4>(9)), a.R(end), rounding, "rotation");
  expect_near(values.tail(3), a.start.angular_velocity, rounding, "angular velocity");
}

TEST_F(SensorsOfMotion, AsSeenFromAnotherBody) {
  const Vector values = reading(sensors::point(
      {.name = "p", .point = {node_a, a.offset}, .relative_to = MaterialPoint(node_b, b.offset)}));
  const auto x = [&](double s) -> Vec3 { return b.R(end + s).transpose() * (a.x(end + s) - b.x(end + s)); };
  // Second differences of fourth order: truncation 1e-12 times derivatives of about 1e2, rounding eps/step^2 = 2e-10.
  const auto second = [&](double h) -> Vec3 {
    return (-x(2 * h) + 16 * x(h) - 30 * x(0) + 16 * x(-h) - x(-2 * h)) / (12 * h * h);
  };
  expect_near(values.head(3), x(0), rounding, "position");
  expect_near(values.segment(3, 3), derivative(x), difference_tolerance, "velocity");
  expect_near(values.segment(6, 3), second(difference_step), 1e-8, "acceleration");
  const Mat3 P = b.R(end).transpose() * a.R(end);
  expect_near(so3::rotation(values.segment<4>(9)), P, rounding, "rotation");
  const auto turned = [&](double s) -> Vec3 {
    return so3::log(P.transpose() * b.R(end + s).transpose() * a.R(end + s));
  };
  expect_near(values.tail(3), derivative(turned), difference_tolerance, "angular velocity");
}

TEST_F(SensorsOfMotion, OfPointsAndOfTheGround) {
  const Vec3 place(3, 2, 1);
  const PointNode ball{model.find_node("ball")};
  const Vec3 x = Vec3(1, 0, 2) + Vec3(1, 0, 0) * end + gravity / 2;
  const Vector of_ball =
      reading(sensors::point({.name = "p", .point = ball, .relative_to = MaterialPoint::on_ground(place)}));
  ASSERT_EQ(of_ball.size(), 9);
  expect_near(of_ball.head(3), x - place, rounding, "position");
  expect_near(of_ball.segment(3, 3), Vec3(1, 0, -10), rounding, "velocity");
  expect_near(of_ball.tail(3), gravity, rounding, "acceleration");
  // The ground as seen by an observer on the body.
  const Vector of_ground = reading(sensors::point({.name = "q",
                                                   .point = MaterialPoint::on_ground(place),
                                                   .relative_to = MaterialPoint(node_b, b.offset)}));
  expect_near(of_ground.head(3), b.R(end).transpose() * (place - b.x(end)), rounding, "ground");
}

TEST_F(SensorsOfMotion, OfAScalar) {
  const Vector values = reading(sensors::scalar({.name = "s", .node = {model.find_node("angle")}}));
  expect_near(values, Vec3(0.75, 0.5, 0), rounding, "angle");
}

/// The spinner makes a full turn in 2 s, where quaternions with w >= 0 would jump.
TEST_F(SensorsOfMotion, QuaternionsDoNotJump) {
  const Sensor sensor =
      sensors::point({.name = "p", .point = {FrameNode{model.find_node("spinner")}, Vec3::Zero()}});
  SensorSampler sampler(sensor);
  Eigen::Vector4d last(1, 0, 0, 0);
  double largest = 0.0;
  StepCallback watch([&](const Snapshot& at) {
    sampler.record_step({at.system, at.state, 0.01});
    const Eigen::Vector4d now(sampler.values().data() + 9);
    largest = std::max(largest, (now - last).norm());
    last = now;
  });
  simulate(model, flight, {.until = 3.0}, {&watch});
  // pi rad/s for 0.01 s is 0.0157 of a quaternion.
  EXPECT_LT(largest, 0.016);
  EXPECT_LT(last[0], 0.0);
}

TEST(StepCallbacks, SeeTheStartAndEveryStep) {
  const Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
  std::vector<double> times;
  StepCallback watch([&](const Snapshot& at) { times.push_back(at.state.time); });
  simulate(model, flight, {.until = 0.3}, {&watch});
  EXPECT_EQ(times, (std::vector<double>{0.0, 0.1, 0.2, 3 * 0.1}));
}

TEST(StepCallbacks, EndARunByAnException) {
  const Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
  std::int64_t last = -1;
  StepCallback watch([&](const Snapshot& at) {
    last = at.state.step;
    if (last == 2) throw std::runtime_error("high enough");
  });
  EXPECT_EQ(message_of<std::runtime_error>([&] { simulate(model, flight, {.until = 1.0}, {&watch}); }),
            "high enough");
  EXPECT_EQ(last, 2);
  EXPECT_EQ(message_of<OptionError>([] { StepCallback nothing(nullptr); }),
            "a step callback needs a function to call");
}

}  // namespace
}  // namespace picus::support::sensors_test
