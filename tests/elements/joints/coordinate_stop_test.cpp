#include "joint_models.hpp"
#include <picus/elements/joints/coordinate_stop.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <support/message.hpp>
#include <support/tangents.hpp>

#include <limits>
#include <numbers>

namespace picus::coordinate_stop_test {
namespace {

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

TEST(CoordinateStop, MeasuresTheGapToItsLimit) {
  Model model;
  const auto s = model.add_scalar("s", {.value = 0.3});
  const Stops stops =
      add_stops(model, {.name = "stop", .coordinate = s, .lower = -0.1, .upper = 0.5, .e_n = 0.7});
  const CoordinateStop& lower = **stops.lower;
  const CoordinateStop& upper = **stops.upper;
  EXPECT_EQ(lower.name(), "stop_lower");
  EXPECT_EQ(upper.name(), "stop_upper");
  const Configuration& q = model.initial_configuration();
  EXPECT_DOUBLE_EQ(support::gap(lower, q, q)[0], 0.4);
  EXPECT_DOUBLE_EQ(support::gap(upper, q, q)[0], 0.2);
  EXPECT_EQ(lower.law().e_n, 0.7);
  EXPECT_EQ(static_cast<const Contact&>(lower).row_count(), 1) << "no friction";
  support::expect_exact_tangents(model, lower);
  support::expect_exact_tangents(model, upper);
}

TEST(CoordinateStop, OneSideIsEnough) {
  Model model;
  const auto s = model.add_scalar("s");
  const Stops stops = add_stops(model, {.name = "stop", .coordinate = s, .upper = 0.5});
  EXPECT_FALSE(stops.lower);
  EXPECT_TRUE(stops.upper);
  EXPECT_EQ(model.contacts().size(), 1u);
}

/// Between two stops a slider without gravity keeps its speed except for the factor e at every stop.
TEST(CoordinateStop, ASliderBouncesBetweenItsStops) {
  constexpr double e = 0.6, speed = 3.0, width = 0.4, h = 1e-4;
  Model model;
  const auto body = joint_models::add_body(model, "body", 1.3, inertia::sphere(1.3, 0.1),
                                           {.velocity = {0, speed, 0}}, Vec3::Zero());
  const auto s = model.add_scalar("s", {.value = 0.0, .rate = speed});
  model.add<PrismaticJoint>({.name = "rail",
                             .a = MaterialPoint::on_ground({0, 0, 0}),
                             .b = {body, {0.1, 0, 0}},
                             .axis = Vec3::UnitY(),
                             .displacement = s});
  add_stops(model, {.name = "stop", .coordinate = s, .lower = -width / 2, .upper = width / 2, .e_n = e});
  // Exact times of the impacts.
  std::vector<double> exact = {width / 2 / speed};
  for (double v = e * speed; exact.size() < 6; v *= e) exact.push_back(exact.back() + width / v);
  std::vector<double> times;
  double v_before = speed;
  double lowest_gap = 0;
  joint_models::run(model, {.step = h}, exact.back() + 0.05, [&](const State& state) {
    const double v = state.v[s.v];
    lowest_gap = std::min(lowest_gap, width / 2 - std::abs(state.q.value(s)));
    if (v * v_before < 0) {
      times.push_back(state.time);
      EXPECT_NEAR(v, -e * v_before, 1e-7);
    }
    v_before = v;
  });
  ASSERT_EQ(times.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    // Each impact is located within its step; the error grows with the time of flight, by 1/e each time.
    EXPECT_NEAR(times[i], exact[i], 2 * h * std::pow(1 / e, static_cast<double>(i))) << i;
  }
  EXPECT_GT(lowest_gap, -1e-10) << "the tolerance of the motion over a step";
}

/// A pendulum dropped from the horizontal onto a stop at the vertical: it arrives after a quarter of the period of a
/// swing of 90 degrees, K(sin 45) sqrt(l/g), and rises to 1 - cos(theta) = e^2.
TEST(CoordinateStop, APendulumHitsAStop) {
  constexpr double e = 0.5, mass = 0.9, arm = 0.3, moment = 0.02, h = 1e-4;
  constexpr double l = (moment + mass * arm * arm) / (mass * arm);
  Model model;
  const auto body = joint_models::add_body(model, "body", mass, inertia::diagonal(0.01, moment, 0.02),
                                           {.position = {arm, 0, 0}});
  const auto angle = model.add_scalar("angle", {.value = pi / 2});
  // About -y the angle grows from the lowest position (x down) upwards.
  model.add<Hinge>({.name = "hinge",
                    .a = MaterialPoint::on_ground({0, 0, 0}),
                    .b = {body, {-arm, 0, 0}},
                    .axis = -Vec3::UnitY(),
                    .angle = angle});
  add_stops(model, {.name = "stop", .coordinate = angle, .lower = 0.0, .e_n = e});
  double hit = 0;
  double rate_before = 0;
  double highest = 0;
  joint_models::run(model, {.step = h}, 0.7, [&](const State& state) {
    const double rate = state.v[angle.v];
    if (rate > 0 && rate_before < 0 && hit == 0) {
      hit = state.time;
      EXPECT_NEAR(rate_before, -std::sqrt(2 * g / l), 1e-2) << "up to g h / l within the step";
      EXPECT_NEAR(rate, -e * rate_before, 1e-3);
    }
    if (hit > 0) highest = std::max(highest, state.q.value(angle));
    rate_before = rate;
  });
  EXPECT_NEAR(hit, std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(l / g), 2 * h);
  EXPECT_NEAR(highest, std::acos(1 - e * e), 1e-3);
}

TEST(CoordinateStop, RefusesLimitsThatMakeNoStop) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Model model{"m"};
  const auto s = model.add_scalar("s");
  const auto refusal = [&](const StopsParameters& p) {
    return support::message_of<ModelError>([&] { add_stops(model, p); });
  };
  EXPECT_EQ(refusal({.name = "S", .coordinate = s}), "stops \"S\": neither lower nor upper is given");
  EXPECT_EQ(refusal({.name = "S", .coordinate = s, .lower = 1, .upper = 1}),
            "stops \"S\": lower is 1, must be below upper, which is 1");
  EXPECT_EQ(refusal({.name = "S", .coordinate = {}, .lower = 1}),
            "stop \"S_lower\": coordinate is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "S", .coordinate = s, .lower = nan}),
            "stop \"S_lower\": limit is nan, must be a finite number");
  EXPECT_EQ(refusal({.name = "S", .coordinate = s, .upper = 1, .e_n = 1.5}),
            "stop \"S_upper\": e_n is 1.5, must lie in [0, 1]");
}

}  // namespace
}  // namespace picus::coordinate_stop_test
