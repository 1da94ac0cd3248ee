// A start in whose first step dampers end the motion that moves them: no scheme throws parts by the acceleration at t = 0.

#include <picus/elements/beams/beam.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace picus::overdamped_start_test {
namespace {

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// A mass with a velocity on a damper that stops it within 1e-5 of a step: it moves by v m/c, the energy is lost.
class DampedMass : public testing::TestWithParam<const char*> {};

TEST_P(DampedMass, StopsInTheFirstStep) {
  constexpr double h = 1e-2;
  constexpr double v = 3.0;
  constexpr double mass = 2.0;
  Model model("damped mass");
  const PointNode node = model.add_point("mass", {.position = {1, 0, 0}, .velocity = {v, 0, 0}});
  model.fix(node, {Component::y, Component::z});
  model.add<PointMass>({.name = "mass", .node = node, .mass = mass});
  model.add<SpringDamper>({.name = "damper",
                           .a = MaterialPoint::on_ground(Vec3(0, 0, 0)),
                           .b = node,
                           .damping = 1e5 * mass / h,
                           .free_length = 1.0});
  const System system(model);
  const auto integrator = make_integrator(GetParam(), {.step = h, .tolerance = 1e-13});
  State state = integrator->start(system);
  EnergyAudit audit(system, state);
  const double energy = audit.energies(state).kinetic;
  for (int i = 0; i < 20; ++i) {
    integrator->step(state);
    audit.add_step(state, h, integrator->step_forces());
    // The path of the first step may be that at the mean of its velocities at both ends, or at the first.
    ASSERT_LT(std::abs(state.q.position(node).x() - 1.0), 1.001 * h * v) << "step " << i;
    ASSERT_LT(std::abs(state.v[node.v]), 1e-4 * v) << "step " << i;
  }
  const Energies end = audit.energies(state);
  EXPECT_NEAR(end.unexplained, 0.0, 1e-10 * energy);
  EXPECT_GE(end.work_of_dampers, -(1 + 1e-9) * energy);
  EXPECT_LE(end.work_of_dampers, 0.0);
  EXPECT_NEAR(end.work_of_dampers + end.numerical, -energy, 1e-6 * energy);
}

INSTANTIATE_TEST_SUITE_P(Schemes, DampedMass,
                         testing::Values("ds", "ds:rho_inf=0", "ds:rho_inf=1", "ds-a", "dsn", "ds-np", "cs",
                                         "chen", "newmark", "newmark-implicit", "hht:alpha=0.2",
                                         "moreau-jean", "moreau-jean:theta=0.6", "mixed", "mixed:base=bathe",
                                         "mixed:base=ed-alpha"),
                         test_name);

/// A four-bar whose crank turns at full speed from the first instant; its coupler, beams at rest but for what the joints
/// move, is strongly damped: practically rigid.
struct FourBar {
  static constexpr double speed = 4 * std::numbers::pi;  ///< of the crank, rad/s: two turns in a second
  static constexpr double width = 0.02, height = 0.01, density = 7800, crank_mass = 0.5, rocker_mass = 1.0;
  static constexpr double crank_inertia = 2e-3, rocker_inertia = 2e-2;
  const Vec3 b{0, 0.2, 0}, c{0.55, 0.45, 0}, d{0.5, 0, 0};

  FourBar() {
    const FrameNode crank = add_body("crank", Vec3::Zero(), b, crank_mass, crank_inertia);
    const FrameNode rocker = add_body("rocker", d, c, rocker_mass, rocker_inertia);
    const Section section = Section::rectangle(
        width, height, {.E = 2e10, .nu = 0.3, .density = density, .relaxation_time = 1e-3});
    constexpr int count = 4;
    const Vec3 along = (c - b).normalized();
    Mat3 rotation;
    rotation.col(0) = along;
    rotation.col(1) = Vec3::UnitZ().cross(along);
    rotation.col(2) = Vec3::UnitZ();
    std::vector<FrameNode> nodes;
    for (int i = 0; i <= count; ++i) {
      nodes.push_back(model.add_frame("coupler " + std::to_string(i),
                                      {.position = b + (c - b) * i / count, .rotation = rotation}));
      if (i == 0) continue;
      const auto at = static_cast<std::size_t>(i);
      model.add<Beam>(
          {.name = "beam " + std::to_string(i), .a = nodes[at - 1], .b = nodes[at], .section = section});
    }
    const ScalarNode angle = model.add_scalar("angle");
    model.drive(angle, Component::s, PrescribedMotion::constant_speed(speed));
    model.add<Hinge>({.name = "A",
                      .a = MaterialPoint::on_ground(Vec3::Zero()),
                      .b = {crank, -0.5 * b},
                      .axis = {0, 0, 1},
                      .angle = angle});
    model.add<Hinge>({.name = "B", .a = {crank, 0.5 * b}, .b = nodes.front(), .axis = {0, 0, 1}});
    model.add<SphericalJoint>({.name = "C", .a = nodes.back(), .b = {rocker, 0.5 * (c - d)}});
    model.add<Hinge>(
        {.name = "D", .a = MaterialPoint::on_ground(d), .b = {rocker, -0.5 * (c - d)}, .axis = {0, 0, 1}});
  }

  FrameNode add_body(const std::string& name, const Vec3& from, const Vec3& to, double mass, double inertia) {
    const FrameNode node = model.add_frame(name, {.position = 0.5 * (from + to)});
    model.add<RigidBody>({.name = name + " body",
                          .node = node,
                          .mass = mass,
                          .inertia = Vec3(inertia, 1e-3, inertia).asDiagonal()});
    return node;
  }

  /// Of the rigid linkage in the configuration of the start, where it is again after two turns.
  double kinetic_energy() const {
    const auto turned = [](const Vec3& r) { return Vec3(-r.y(), r.x(), 0); };
    Eigen::Matrix2d speeds;  // B moves with the crank, C with coupler and rocker
    speeds << turned(c - b).head<2>(), -turned(c - d).head<2>();
    const Eigen::Vector2d rates = speeds.inverse() * (-speed * turned(b).head<2>());
    const double length = (c - b).norm();
    const double coupler_mass = density * width * height * length;
    const Vec3 v_coupler = speed * turned(b) + rates[0] * turned(0.5 * (c - b));
    return 0.5 * crank_mass * speed * speed * 0.25 * b.squaredNorm() + 0.5 * crank_inertia * speed * speed +
           0.5 * coupler_mass * (v_coupler.squaredNorm() + length * length / 12 * rates[0] * rates[0]) +
           0.5 * rates[1] * rates[1] * (0.25 * rocker_mass * (c - d).squaredNorm() + rocker_inertia);
  }

  Model model{"four-bar"};
};

class DampedFourBar : public testing::TestWithParam<const char*> {};

TEST_P(DampedFourBar, FollowsItsSuddenCrank) {
  for (const double h : {1e-3, 5e-4, 2e-4}) {
    const FourBar linkage;
    const System system(linkage.model);
    const auto integrator = make_integrator(GetParam(), {.step = h});
    State state = integrator->start(system);
    EnergyAudit audit(system, state);
    double unexplained = 0;
    for (int i = 0; i < std::lround(1.0 / h); ++i) {
      integrator->step(state);
      audit.add_step(state, h, integrator->step_forces());
      unexplained = std::max(unexplained, std::abs(audit.energies(state).unexplained));
    }
    const double rigid = linkage.kinetic_energy();
    // The inertia of four beams and their deflection: 0.24 % for all steps and schemes.
    EXPECT_NEAR(audit.energies(state).kinetic, rigid, 5e-3 * rigid) << h;
    // The trapezoidal rule for the strain of turning beams: of second order, 0.66 % with the largest step.
    EXPECT_LT(unexplained, 0.02 * rigid) << h;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, DampedFourBar, testing::Values("ds", "dsn", "mixed"), test_name);

}  // namespace
}  // namespace picus::overdamped_start_test
