// A contact that stays closed loads joints whose directions turn: second order, since joints pass on its impulses along
// the mean of their directions in the step.

#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/energy.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace picus::loaded_joints_test {
namespace {

class LoadedJoints : public testing::TestWithParam<const char*> {};

/// Mean errors of crank and slider of a mechanism whose slider is pressed on its guide.
std::vector<double> errors_on_guide(const std::string& scheme, double h, const std::string& mu) {
  const std::vector<std::string> settings = {"crank_angle=0.7853981633974483",
                                             "start_height=0.001",
                                             "crank_speed=20",
                                             "torque=5",
                                             "restitution=0",
                                             "mu=" + mu};
  const models::TrialResult result =
      models::run({.scenario = models::find_model("crank-slider").configure(settings),
                   .scheme = scheme,
                   .options = {.step = h, .tolerance = 1e-11},
                   .until = 0.02,
                   .signals = {"crank.speed", "slider.x"}});
  std::vector<double> errors;
  for (const char* name : {"crank.speed", "slider.x"}) {
    const models::Series& series = result.find(name);
    double sum = 0.0;
    for (std::size_t i = 0; i < series.values.size(); ++i)
      sum += std::abs(series.values[i] - series.exact[i]);
    errors.push_back(sum / static_cast<double>(series.values.size()));
  }
  return errors;
}

TEST_P(LoadedJoints, OfASliderOnItsGuideAreOfSecondOrder) {
  for (const std::string mu : {"0", "0.1"}) {
    const std::vector<double> coarse = errors_on_guide(GetParam(), 2e-4, mu);
    const std::vector<double> fine = errors_on_guide(GetParam(), 5e-5, mu);
    for (std::size_t k = 0; k < fine.size(); ++k)
      EXPECT_NEAR(std::log(coarse[k] / fine[k]) / std::log(4.0), 2.0, 0.1)
          << "mu " << mu << ", quantity " << k;
  }
}

/// Two rods that fall from rest, the first on a pivot, the second with its tip on a floor without friction. Everything
/// is shifted and turned with the frame of the floor, so that no direction is one of the axes.
struct Linkage {
  static constexpr double first = 0.4, second = 0.6, pivot_height = 0.5;

  Linkage() {
    const Mat3 frame = so3::exp(Vec3(0.3, -0.5, 0.7));
    const Vec3 origin(3, -2, 1);
    const auto place = [&](double x, double y) { return Vec3(origin + frame * Vec3(x, y, 0)); };
    const Vec3 pivot = place(0, pivot_height);
    const Vec3 knee = place(first, pivot_height);
    const Vec3 tip = place(first + std::sqrt(second * second - pivot_height * pivot_height), 0);
    const FrameNode upper = add_rod("upper", pivot, knee);
    const FrameNode lower = add_rod("lower", knee, tip);
    const Vec3 axis = frame.col(2);
    model.add<Hinge>({.name = "pivot",
                      .a = MaterialPoint::on_ground(pivot),
                      .b = {upper, 0.5 * (pivot - knee)},
                      .axis = axis});
    model.add<Hinge>(
        {.name = "knee", .a = {upper, 0.5 * (knee - pivot)}, .b = {lower, 0.5 * (knee - tip)}, .axis = axis});
    model.add<NodeToFaceContact>({.name = "floor",
                                  .slave = {lower, 0.5 * (tip - knee)},
                                  .face = {.point = origin, .normal = frame.col(1)}});
    model.add<Gravity>(
        {.name = "gravity", .acceleration = -9.81 * frame.col(1), .bodies = {{upper, 1.0}, {lower, 1.0}}});
  }

  FrameNode add_rod(const std::string& name, const Vec3& from, const Vec3& to) {
    const FrameNode node = model.add_frame(name, {.position = 0.5 * (from + to)});
    const double length = (to - from).norm();
    model.add<RigidBody>({.name = name + " rod",
                          .node = node,
                          .mass = 1.0,
                          .inertia = (length * length / 12) * Mat3::Identity()});
    return node;
  }

  Model model{"linkage"};
};

/// Mean error of the energy before the tip lifts off, at 0.14 s, J.
double energy_error(const std::string& scheme, double h) {
  const Linkage linkage;
  const System system(linkage.model);
  const auto integrator = make_integrator(scheme, {.step = h, .tolerance = 1e-12});
  State state = integrator->start(system);
  EnergyAudit audit(system, state);
  const double start = audit.energies(state).potential;
  double sum = 0.0;
  const auto count = std::lround(0.12 / h);
  for (int i = 0; i < count; ++i) {
    integrator->step(state);
    audit.add_step(state, h, integrator->step_forces());
    EXPECT_NE(state.contact_state[0], ContactState::gap) << "step " << i;
    const Energies now = audit.energies(state);
    EXPECT_NEAR(now.unexplained, 0.0, 1e-10);
    sum += std::abs(now.kinetic + now.potential - start);
  }
  EXPECT_GT(audit.energies(state).kinetic, 0.5);  // it has moved
  return sum / static_cast<double>(count);
}

TEST_P(LoadedJoints, OfRodsOnAFloorKeepTheEnergyToSecondOrder) {
  const double coarse = energy_error(GetParam(), 2e-3), fine = energy_error(GetParam(), 5e-4);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 2.0, 0.1) << coarse << ", " << fine;
}

INSTANTIATE_TEST_SUITE_P(Schemes, LoadedJoints, testing::Values("ds", "dsn", "cs"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace picus::loaded_joints_test
