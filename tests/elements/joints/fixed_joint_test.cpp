#include "joint_models.hpp"
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

namespace picus {
namespace {

using joint_models::add_body;
using joint_models::observed;

TEST(FixedJoint, HoldsSixComponentsIndependently) {
  support::Random random{3};
  Model model;
  const auto a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  const auto b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  const auto joint = model.add<FixedJoint>({.name = "J", .a = {a, random.vec3()}, .b = {b, random.vec3()}});
  EXPECT_EQ(joint->row_count(), 6);
  EXPECT_GT(joint_models::least_singular_value(*joint, model.initial_configuration()), 0.5);
  support::expect_exact_tangents(model, *joint);
}

TEST(FixedJoint, ReportsWhatIsLeftOfTheEquations) {
  Model model;
  const auto a = model.add_frame("a", {.rotation = so3::exp({0, 0, 1.0})});
  const auto joint = model.add<FixedJoint>({.name = "J", .a = MaterialPoint::on_ground({1, 0, 0}), .b = a});
  Configuration q = model.initial_configuration();
  q.rotation(a) = so3::exp({0, 0, 1.2});
  const Vector expected = (Vector(6) << -1, 0, 0, 0, 0, 0.2).finished();
  support::expect_near(observed(*joint, q, Vector::Zero(6)), expected, 1e-14, "opening and misalignment");
}

/// Two rigidly connected spheres rotate about their common centre, which falls.
TEST(FixedJoint, ADumbbellFallsAndSpins) {
  constexpr double m_a = 1.0, m_b = 2.0, length = 0.9, spin = 4.0;
  const Vec3 omega(0, 0, spin);
  const auto error = [&](double h) {
    Model model;
    const Vec3 r_a(-length * m_b / (m_a + m_b), 0, 0);
    const Vec3 r_b(length * m_a / (m_a + m_b), 0, 0);
    const auto a = add_body(model, "a", m_a, inertia::sphere(m_a, 0.1),
                            {.position = r_a, .velocity = omega.cross(r_a), .angular_velocity = omega});
    const Mat3 R_b = so3::exp({1, 2, 3});
    const auto b = add_body(model, "b", m_b, inertia::sphere(m_b, 0.1),
                            {.position = r_b,
                             .rotation = R_b,
                             .velocity = omega.cross(r_b),
                             .angular_velocity = R_b.transpose() * omega});
    model.add<FixedJoint>(
        {.name = "J", .a = {a, Vec3(0.4, 0, 0)}, .b = {b, R_b.transpose() * Vec3(-0.5, 0, 0)}});
    double worst = 0;
    joint_models::run(model, {.step = h}, 0.5, [&](const State& state) {
      const double t = state.time;
      const Vec3 centre = joint_models::gravity * t * t / 2;
      const Mat3 Q = so3::exp(omega * t);
      worst =
          std::max({worst, (state.q.position(a) - centre - Q * r_a).norm(),
                    (state.q.position(b) - centre - Q * r_b).norm(), (state.q.rotation(b) - Q * R_b).norm()});
      // The joint pulls B towards the centre: m_b omega^2 r_b, up to the error of second order.
      const Vec3 force = state.constraint_force.head<3>();
      EXPECT_NEAR(-force.dot(Q * Vec3::UnitX()), m_b * spin * spin * r_b.x(), 1e-3);
    });
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

}  // namespace
}  // namespace picus
