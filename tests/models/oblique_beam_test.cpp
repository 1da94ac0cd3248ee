/// The oblique beam: momentum, energy, and its behaviour as a bar along its axis.

#include <picus/models/oblique_beam.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

constexpr double mass = 7850.0 * 2.5477e-3;  ///< of the beam, kg

/// Momentum of the beam compared with the impulses of the wall, energy, and the forces on the lower end.
class BeamRecorder : public Recorder {
 public:
  void begin(const RunInfo& run) override {
    for (const Node& node : run.system.model().nodes()) nodes_.push_back(node);
    lower_ = find_contact(run.system, "lower");
    upper_ = find_contact(run.system, "upper");
    step_ = run.integrator.step_size();
  }
  void record(const Snapshot& at) override {
    const State& state = at.state;
    const bool has_friction = at.system.contacts()[lower_.number].rows > 1;
    Vec3 momentum = Vec3::Zero();
    const auto elements = static_cast<double>(nodes_.size() - 1);
    for (const Node& node : nodes_) {
      const bool is_end = node == nodes_.front() || node == nodes_.back();
      momentum += (is_end ? 0.5 : 1.0) * mass / elements * state.v.segment<3>(node.v);
    }
    if (state.step == 0) {
      start_ = momentum;
    } else {
      for (const ContactPlace& contact : {lower_, upper_}) {
        impulse_.x() -= state.contact_impulse[contact.row];
        if (has_friction) impulse_.y() += state.contact_impulse[contact.row + 1];
      }
      const double force = state.contact_impulse[lower_.row] / step_;
      if (force > 0.0) forces.emplace_back(state.time, force);
    }
    momentum_error = std::max(momentum_error, (momentum - start_ - impulse_).norm());
    const Energies energies = at.audit.energies(state);
    largest_energy = std::max(largest_energy, energies.kinetic + energies.potential);
    speed_along_x = momentum.x() / mass;
    final_rotation = state.q.rotation(nodes_.front());
  }
  void finish(const std::string&) override {}

  double momentum_error = 0.0;
  double largest_energy = 0.0;
  double speed_along_x = 0.0;  ///< of the centre of mass, at the end
  Mat3 final_rotation;
  std::vector<std::pair<double, double>>
      forces;  ///< time and force of the wall on the lower end, while closed

 private:
  std::vector<Node> nodes_;
  ContactPlace lower_, upper_;
  double step_ = 0.0;
  Vec3 start_ = Vec3::Zero();
  Vec3 impulse_ = Vec3::Zero();
};

TEST(ObliqueBeam, FliesRigidlyUntilItTouchesTheWall) {
  const Model model = make_oblique_beam();
  DecoupledNsga integrator({.step = 1e-3});
  const RunSummary summary = simulate(model, integrator, {.until = 0.049});
  const Vec3 lower = summary.final_state.q.position(model.find_node("beam[0]"));
  const Vec3 upper = summary.final_state.q.position(model.find_node("beam[8]"));
  const double angle = 35.2 * std::numbers::pi / 180.0;
  EXPECT_LT((lower - Vec3(-0.002, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_LT((upper - lower - Vec3(-std::cos(angle), std::sin(angle), 0.0)).norm(), 1e-12);
}

TEST(ObliqueBeam, ImpulsesOfTheWallAreAllThatChangesItsMomentum) {
  for (const double mu : {0.0, 0.5}) {
    const Model model = make_oblique_beam({.mu = mu});
    DecoupledNsga integrator({.step = 2e-4});
    BeamRecorder recorder;
    simulate(model, integrator, {.until = 0.65}, {&recorder});
    EXPECT_GT(recorder.forces.size(), 25U);
    // Internal forces have no resultant: the solver's tolerance (1e-8 of the momenta, 40 N s) remains.
    EXPECT_LT(recorder.momentum_error, 1e-6) << "mu = " << mu;
    EXPECT_LT(recorder.largest_energy, 0.5 * mass * 4.0 * (1.0 + 1e-9)) << "mu = " << mu;
  }
}

TEST(ObliqueBeam, TurnsTowardsTheWall) {
  // The wall pushes the lower end back, so the upper one overtakes it: clockwise.
  const Model model = make_oblique_beam();
  DecoupledNsga integrator({.step = 2e-4});
  BeamRecorder recorder;
  simulate(model, integrator, {.until = 0.3}, {&recorder});
  const double start = std::numbers::pi - 35.2 * std::numbers::pi / 180.0;
  const double end = std::atan2(recorder.final_rotation(1, 0), recorder.final_rotation(0, 0));
  EXPECT_LT(end, start - 0.3);
}

TEST(ObliqueBeam, IsABarAlongItsAxis) {
  // It stays on the wall for 2 L/c under the force rho c v_0 A, and leaves at its initial speed.
  const Model model = make_oblique_beam({.angle = 0.0, .elements = 40});
  DecoupledNsga integrator({.step = 2e-5});
  BeamRecorder recorder;
  simulate(model, integrator, {.until = 0.057}, {&recorder});
  const double c = std::sqrt(1e9 / 7850.0);
  ASSERT_FALSE(recorder.forces.empty());
  EXPECT_NEAR(recorder.forces.front().first, 0.05, 2e-5);
  // Elements of 25 mm smear the front of the wave over two of them, 0.14 ms.
  EXPECT_NEAR(recorder.forces.back().first - recorder.forces.front().first, 2.0 / c, 1.4e-4);
  double mean = 0.0;
  double count = 0.0;
  for (const auto& [time, force] : recorder.forces) {
    if (time < 0.051 || time > 0.0545) continue;
    mean += force;
    count += 1.0;
  }
  EXPECT_NEAR(mean / count, mass * c * 2.0, 0.01 * mass * c * 2.0);
  // Vibrations at the frequency of the mesh retain a few per cent of the energy.
  EXPECT_NEAR(recorder.speed_along_x, -2.0, 0.06);
}

TEST(ObliqueBeam, MeasuresTheInstantsOfTheThesis) {
  const ObliqueBeam parameters;
  const Model model = make_oblique_beam(parameters);
  DecoupledNsga integrator({.step = 1e-4});
  Observer observer([&](const RunInfo& run) { return oblique_beam_measures(run, parameters); });
  simulate(model, integrator, {.until = 0.6}, {&observer});
  const std::vector<Finding> findings = observer.findings();
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_NEAR(findings[0].value.value(), 0.05, 1.01e-4);
  EXPECT_NEAR(findings[1].value.value(), 5e-3, 5e-4);  // one digit in the thesis
  EXPECT_NEAR(findings[2].value.value(), 0.0825, 2e-4);
  // Repeated impacts amplify differences of mesh and step: 0.563 s to 0.605 s, see the benchmark. With this step it
  // is 0.568 s, 0.579 s with h = 2e-5 s.
  EXPECT_NEAR(findings[3].value.value(), 0.58, 0.025);
}

}  // namespace
}  // namespace picus::models
