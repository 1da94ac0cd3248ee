/// The block on the inclined plane: slip, stick, and the impulses of both (thesis, section 4.2.1).

#include <picus/models/inclined_plane.hpp>
#include <picus/models/references/inclined_plane_exact.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

constexpr double h = 1e-3;

/// The motion of the block at each step.
struct Sample {
  double time;
  double distance;
  double normal;      ///< impulse, N s
  double tangential;  ///< impulse uphill, N s
  ContactState state;
};

class PlaneRecorder : public Recorder {
 public:
  void begin(const RunInfo& run) override { block_ = run.system.model().find_node("block"); }
  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    if (state.step == 0) return;
    const InclinedPlane plane;
    const Vec3 along(std::cos(plane.slope), std::sin(plane.slope), 0.0);
    samples.push_back({state.time, state.q.position(block_).dot(along), state.contact_impulse[0],
                       state.contact_impulse[1], state.contact_state[0]});
  }
  void finish(const std::string&) override {}

  std::vector<Sample> samples;

 private:
  Node block_;
};

class InclinedPlaneTest : public testing::Test {
 protected:
  void SetUp() override {
    const Model model = make_inclined_plane();
    DecoupledNsga integrator({.step = h});
    summary = simulate(model, integrator, {.until = 2.0}, {&recorder});
    samples = recorder.samples;
    ASSERT_EQ(samples.size(), 2000U);
  }

  PlaneRecorder recorder;
  RunSummary summary;
  std::vector<Sample> samples;
};

TEST_F(InclinedPlaneTest, SlipsThenSticks) {
  double slip_end = 0.0;
  for (const Sample& sample : samples) {
    ASSERT_NE(sample.state, ContactState::gap) << "t = " << sample.time;
    if (sample.state == ContactState::slip) slip_end = sample.time;
  }
  EXPECT_NEAR(slip_end, 0.3716, 2.0 * h);
  for (const Sample& sample : samples) {
    EXPECT_EQ(sample.state, sample.time <= slip_end ? ContactState::slip : ContactState::stick);
  }
}

TEST_F(InclinedPlaneTest, StopsWhereItShouldAndDoesNotCreep) {
  EXPECT_NEAR(samples.back().distance, 0.3716, 1e-3);
  const double at_one_second = samples[999].distance;
  for (std::size_t i = 1000; i < samples.size(); ++i) EXPECT_NEAR(samples[i].distance, at_one_second, 1e-9);
}

TEST_F(InclinedPlaneTest, HasTheImpulsesOfTheThesis) {
  for (const Sample& sample : samples) {
    if (std::abs(sample.time - 0.3716) < 2.0 * h) continue;  // the step in which the block stops
    EXPECT_NEAR(sample.normal, 9.476e-3, 1e-6);
    EXPECT_NEAR(sample.tangential, sample.time < 0.3716 ? -2.843e-3 : 2.539e-3, 1e-6)
        << "t = " << sample.time;
  }
}

TEST_F(InclinedPlaneTest, NeedsNoFallbackAndDoesNotPenetrate) {
  for (const auto count : summary.fallbacks) EXPECT_EQ(count, 0);
  EXPECT_LT(summary.worst_penetration, 1e-9);
}

TEST(InclinedPlane, SlidesBackWhereFrictionIsTooSmall) {
  const InclinedPlane plane{.mu = 0.1};
  const InclinedPlaneExact exact(plane.speed, plane.slope, plane.mu, plane.gravity);
  const Model model = make_inclined_plane(plane);
  DecoupledNsga integrator({.step = h});
  const RunSummary summary = simulate(model, integrator, {.until = 1.0});
  const Vec3 along(std::cos(plane.slope), std::sin(plane.slope), 0.0);
  const Vec3 x = summary.final_state.q.position(model.find_node("block"));
  EXPECT_NEAR(x.dot(along), exact.position(summary.final_state.time), 2e-3);
}

}  // namespace
}  // namespace picus::models
