// A ball on a ball, a rod on a floor, a point on curved and turning faces, and their references.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/models/ball_on_ball.hpp>
#include <picus/models/hollow_sphere.hpp>
#include <picus/models/rod_on_floor.hpp>
#include <picus/models/sliding_point.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/testing/tangent_check.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

using Contact = PlanarContactReference::Contact;

double angle_of(const PlanarContactReference::Motion& motion) {
  return std::atan2(motion.at.q.x(), motion.at.q.y());
}

/// The angle at which the contact opens, to the accuracy of the search.
double lift_off(PlanarContactReference reference, double until) {
  double closed = 0.0;
  double open = until;
  while (open - closed > 1e-12) {
    const double middle = (closed + open) / 2;
    (reference.at(middle).contact == Contact::is_open ? open : closed) = middle;
  }
  return angle_of(reference.at(closed));
}

TEST(BallOnBallReference, LiftsOffWhereEnergySaysIt) {
  const BallOnBall smooth{.mu = 0.0};
  EXPECT_NEAR(lift_off(ball_on_ball_reference(smooth), 1.0), smooth.sliding_lift_off(), 1e-9);
  // Finally it slips, where N falls below F/mu: the angle moves by 2/17/mu at most.
  const BallOnBall rolling{.mu = 1e4, .rolls = true};
  EXPECT_NEAR(lift_off(ball_on_ball_reference(rolling), 1.0), rolling.rolling_lift_off(), 2.0 / 17 / 1e4);
}

TEST(BallOnBallReference, RollsWithTheEnergyOfPureRolling) {
  const BallOnBall ball{.mu = 2.0, .rolls = true};
  PlanarContactReference reference = ball_on_ball_reference(ball);
  for (const double t : {0.05, 0.1234, 0.2}) {
    const auto& [at, contact] = reference.at(t);
    EXPECT_EQ(contact, Contact::sticks);
    const double height = ball.length() * (std::cos(ball.angle) - std::cos(angle_of(reference.at(t))));
    const double v = at.v.head<2>().norm();
    EXPECT_NEAR(v * v,
                ball.length() * ball.length() * ball.rate * ball.rate + 10.0 / 7 * ball.gravity * height,
                1e-10);
    EXPECT_NEAR(at.q.head<2>().norm(), ball.length(), 1e-10);
    EXPECT_NEAR(v, -ball.radius * at.v.z(), 1e-10);
  }
}

// Starting with spin only, the ball slips until t = 2/7 u/(mu g) on a level floor; nearly so at the top of a huge
// ball.
TEST(BallOnBallReference, EndsToSlipAndRolls) {
  const BallOnBall ball{.fixed_radius = 1e6, .mu = 0.2, .angle = 0.0, .rate = 1e-6};
  PlanarContactReference reference = ball_on_ball_reference(ball);
  const double end = 2.0 / 7 * ball.length() * ball.rate / (ball.mu * ball.gravity);
  EXPECT_EQ(reference.at(end - 1e-5).contact, Contact::slips_forth);
  EXPECT_EQ(reference.at(end + 1e-5).contact, Contact::sticks);
}

TEST(RodOnFloorReference, KeepsEnergyAndFloorWithoutFriction) {
  const RodOnFloor rod{.mu = 0.0};
  PlanarContactReference reference = rod_on_floor_reference(rod);
  const auto energy = [&](double t) {
    const auto& [q, v] = reference.at(t).at;
    return 0.5 * v.head<2>().squaredNorm() + v.z() * v.z() / 24 + rod.gravity * q.y();
  };
  const double start = energy(0.0);
  for (const double t : {0.1, 0.2468, 0.3}) {
    EXPECT_NEAR(energy(t), start, 1e-10);
    const Vec3 q = reference.at(t).at.q;
    EXPECT_NEAR(q.y(), 0.5 * std::sin(q.z()), 1e-10);
    EXPECT_NEAR(q.x(), 0.5 * std::sin(rod.inclination), 1e-12);
  }
}

// On a sufficiently rough floor the rod rotates about its end until the sticking force leaves the cone.
TEST(RodOnFloorReference, TurnsAboutItsEndWhereItSticks) {
  const RodOnFloor rod{.mu = 10.0, .inclination = 0.4, .rate = 0.0};
  PlanarContactReference reference = rod_on_floor_reference(rod);
  const auto& [at, contact] = reference.at(0.2);
  EXPECT_EQ(contact, Contact::sticks);
  EXPECT_NEAR(at.v.z() * at.v.z(), 3 * rod.gravity * (std::cos(rod.inclination) - std::sin(at.q.z())), 1e-10);
}

TEST(SlidingPointReference, LiftsOffWhereEnergySaysIt) {
  const SlidingPoint point{.face = SlidingPoint::Face::sphere, .radius = 0.3, .angle = 0.1, .speed = 0.4};
  SlidingPointReference reference = sliding_point_reference(point);
  double closed = 0.0;
  double open = 2.0;
  while (open - closed > 1e-12) {
    const double middle = (closed + open) / 2;
    (reference.at(middle).is_open ? open : closed) = middle;
  }
  const Vec3 x = reference.at(closed).x;
  EXPECT_NEAR(std::atan2(x.x(), x.z()), point.lift_off(), 1e-9);
  EXPECT_EQ(reference.normal_force(open), 0.0);
}

// Around the bowl at one height: cos = -g/(w^2 R). With friction, along its equator without gravity: v = v_0/(1 + mu v_0 t/R).
TEST(SlidingPointReference, CirclesInABowl) {
  constexpr double angle = -1.0;
  SlidingPoint level{.angle = angle, .speed = 0};
  level.across = std::sqrt(level.gravity * std::sin(angle) * std::tan(angle));
  SlidingPointReference at_one_height = sliding_point_reference(level);
  for (const double t : {0.2, 0.777, 1.3}) {
    EXPECT_NEAR(at_one_height.at(t).x.z(), -std::cos(angle), 1e-10);
    EXPECT_NEAR(at_one_height.normal_force(t), level.gravity / std::cos(angle), 1e-8);
  }
  const SlidingPoint rough{.mu = 0.3, .radius = 0.5, .angle = 0.4, .speed = 2.0, .gravity = 0.0};
  SlidingPointReference slowed = sliding_point_reference(rough);
  for (const double t : {0.1, 0.5, 1.1})
    EXPECT_NEAR(slowed.at(t).v.norm(), 2.0 / (1 + 0.3 * 2.0 * t / 0.5), 1e-9);
}

// r'' = w^2 r without friction; a bead that moves inwards leaves the paddle.
TEST(SlidingPointReference, IsFlungOutwardsByAPaddle) {
  const SlidingPoint bead{
      .face = SlidingPoint::Face::paddle, .radius = 0.2, .speed = 0.3, .omega = 5.0, .gravity = 0.0};
  SlidingPointReference reference = sliding_point_reference(bead);
  for (const double t : {0.1, 0.3, 0.47}) {
    EXPECT_NEAR(reference.at(t).x.norm(), 0.2 * std::cosh(5 * t) + 0.3 / 5 * std::sinh(5 * t), 1e-9);
  }
}

TEST(SlidingPoint, RefusesAnAmplitudeWithoutASphere) {
  EXPECT_EQ(support::message_of<ModelError>([] { make_sliding_point({.amplitude = 0.1}); }),
            "sliding-point: an amplitude is that of a sphere, and the face is another one");
}

TEST(HollowSphereContact, HasTheDerivativesOfItsRows) {
  Model model("m");
  const PointNode point = model.add_point("point", {.position = {0.3, 0.2, -0.4}});
  model.add<PointMass>({.name = "mass", .node = point, .mass = 1.0});
  const Vec3 centre(-1.5, 1.0, 0.6);
  for (const double mu : {0.0, 0.3}) {
    const auto contact = model.add<HollowSphereContact>(
        {.name = fmt::format("mu {}", mu), .point = point, .centre = centre, .radius = 2.0, .mu = mu});
    const TangentReport report = check_tangents(model, *contact, {.length = 0.5});
    EXPECT_LT(report.worst_error, tangent_tolerance) << report.description;
  }
  EXPECT_EQ(support::message_of<ModelError>(
                [&] { model.add<HollowSphereContact>({.name = "flat", .point = point, .radius = 0.0}); }),
            "contact \"flat\": radius is 0 m, must be positive");
  EXPECT_EQ(
      support::message_of<ModelError>([&] {
        model.add<HollowSphereContact>({.name = "inner", .point = point, .centre = Vec3(0.3, 0.2, -0.4)});
      }),
      "contact \"inner\": the point is at the centre of the sphere");
}

TEST(ClosedContactModels, FollowTheirReference) {
  for (const RegisteredModel& model :
       {registered_ball_on_ball(), registered_rod_on_floor(), registered_sliding_point()}) {
    SCOPED_TRACE(model.info().name);
    const TrialResult result = run({.scenario = model.configure(), .options = {.step = 1e-3}, .until = 0.3});
    ASSERT_TRUE(result.is_complete()) << result.failure;
    EXPECT_EQ(result.fallback_count(), 0);
    for (const std::string& name : model.info().convergence.quantities) {
      if (name == "force") continue;
      const Series& series = result.find(name);
      // Of second order: h^2 times a third derivative of 1e2 and 0.3 s.
      EXPECT_NEAR(series.values.back(), series.exact.back(), 1e-4) << name;
    }
  }
}

}  // namespace
}  // namespace picus::models
