// A step allocates nothing once a run has started.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/sensor_sampler.hpp>
#include <picus/sensors.hpp>
#include <picus/solvers/linear/gmres_solver.hpp>
#include <support/allocations.hpp>
#include <support/dense.hpp>

namespace picus::allocation_test {

using solvers::GmresSolver;

namespace {

#ifdef PICUS_COUNTS_ALLOCATIONS

using support::allocations_of;

TEST(Allocation, IsCountedWhereverItComesFrom) {
  EXPECT_EQ(allocations_of([] {}), 0);
  std::vector<double> kept;  // read later, so that the optimiser cannot remove it
  EXPECT_EQ(allocations_of([&] { kept.resize(100); }), 1);
  EXPECT_EQ(kept.back(), 0.0);
  EXPECT_GE(allocations_of([] { (void)Vector::Zero(100).eval().norm(); }), 1);
  const BoxOnRod box;
  EXPECT_GE(allocations_of([&] { (void)System(box.model); }), 10);
}

TEST(Allocation, StepsMakeNoneWhileContactsOpenAndClose) {
  const BoxOnRod box;
  const System system(box.model);
  DecoupledNsga integrator({.step = 2e-3});
  State state = integrator.start(system);
  // Until the phase of impacts, so that each solver has chosen its pivots.
  for (int i = 0; i < 90; ++i) integrator.step(state);
  const auto pivoted = [&] {
    return integrator.linear_statistics(0).factorizations + integrator.linear_statistics(1).factorizations +
           integrator.linear_statistics(2).factorizations;
  };
  const auto pivoted_before = pivoted();
  int changes = 0;
  std::array<ContactState, 4> states{};
  const long count = allocations_of([&] {
    for (int i = 0; i < 300; ++i) {
      integrator.step(state);
      if (!std::equal(states.begin(), states.end(), state.contact_state.begin())) ++changes;
      std::copy(state.contact_state.begin(), state.contact_state.end(), states.begin());
    }
  });
  EXPECT_GE(changes, 10) << "contacts should open and close";
  EXPECT_EQ(pivoted(), pivoted_before) << "choosing new pivots allocates";
  EXPECT_EQ(count, 0) << "allocations in 300 steps";
}

/// Every scheme by its name and its options.
std::vector<std::string> all_schemes() {
  std::vector<std::string> result;
  for (const Scheme& scheme : schemes()) {
    result.push_back(scheme.name);
    for (const ParameterInfo& option : scheme.options) {
      if (option.kind == ParameterKind::flag) result.push_back(scheme.name + ":" + option.name + "=yes");
    }
  }
  result.push_back("chen:solver=lcp");
  result.push_back("chen:solver=full-newton");
  for (const char* base : {"bathe", "ed-alpha", "half-explicit", "moreau-midpoint"})
    result.push_back(std::string("mixed:base=") + base);
  return result;
}

TEST(Allocation, StepsMakeNoneWithAnyScheme) {
  for (const std::string& scheme : all_schemes()) {
    // Some have no friction.
    const bool has_friction = scheme.find("lcp") == std::string::npos && scheme != "schatzman-paoli";
    const BoxOnRod box(has_friction ? 0.4 : 0.0);
    const System system(box.model);
    const auto integrator =
        make_integrator(scheme, {.step = 2e-3, .max_iterations = find_scheme(scheme).max_iterations});
    State state = integrator->start(system);
    // Until the phase of impacts: vectors have their size, pivots are chosen.
    for (int i = 0; i < 90; ++i) integrator->step(state);
    int changes = 0;
    std::array<ContactState, 4> states{};
    const long count = allocations_of([&] {
      for (int i = 0; i < 300; ++i) {
        integrator->step(state);
        if (!std::equal(states.begin(), states.end(), state.contact_state.begin())) ++changes;
        std::copy(state.contact_state.begin(), state.contact_state.end(), states.begin());
      }
    });
    EXPECT_GE(changes, 5) << scheme << ": contacts should open and close";
    EXPECT_EQ(count, 0) << scheme << ": allocations in 300 steps";
  }
}

/// Loops of any size shared by three threads. A thread of oneTBB allocates memory for its tasks once.
TEST(Allocation, StepsMakeNoneWithThreads) {
  const BoxOnRod box;
  const ThreadLimit limit(3, true);
  const System system(box.model);
  DecoupledNsga integrator({.step = 2e-3});
  State state = integrator.start(system);
  for (int i = 0; i < 90; ++i) integrator.step(state);
  const long count = allocations_of([&] {
    for (int i = 0; i < 100; ++i) integrator.step(state);
  });
  EXPECT_LE(count, 10) << "allocations in 100 steps";
}

TEST(Allocation, SensorsMakeNone) {
  BoxOnRod box;
  Model& model = box.model;
  model.add_sensor(
      sensors::point({.name = "hook", .interval = 5e-3, .point = box.hook, .relative_to = box.pivot}));
  model.add_sensor(sensors::joint_force(
      {.name = "rod", .interval = 5e-3, .joint = model.constraints()[0], .on = box.box, .about = box.hook}));
  model.add_sensor(sensors::contact_force({.name = "corner", .contact = model.contacts()[0], .on = box.box}));
  model.add_sensor(sensors::support_force({.name = "pivot", .on = box.pivot}));
  const System system(model);
  DecoupledNsga integrator({.step = 2e-3});
  State state = integrator.start(system);
  std::vector<SensorSampler> samplers;
  for (const Sensor& sensor : model.sensors()) samplers.emplace_back(sensor);
  int samples = 0;
  const auto see = [&] {
    for (SensorSampler& sampler : samplers) {
      if (sampler.record_step({system, state, 2e-3})) ++samples;
    }
  };
  see();
  for (int i = 0; i < 90; ++i) integrator.step(state);
  const long count = allocations_of([&] {
    for (int i = 0; i < 100; ++i) {
      integrator.step(state);
      see();
    }
  });
  EXPECT_GT(samples, 250);
  EXPECT_EQ(count, 0);
}

/// Twenty points of three components, each with a sticking contact of three rows.
SparseMatrix points_on_a_plane(Eigen::MatrixXd& K) {
  constexpr Index points = 20;
  K = Eigen::MatrixXd::Zero(6 * points, 6 * points);
  for (Index i = 0; i < 3 * points; ++i) {
    K(i, i) = 2;
    if (i >= 3) K(i, i - 3) = K(i - 3, i) = -0.5;
    K(3 * points + i, i) = K(i, 3 * points + i) = -1;
  }
  Eigen::MatrixXd pattern = K;
  for (Index i = 3 * points; i < 6 * points; i += 3) pattern.block<3, 3>(i, i).setOnes();
  SparseMatrix result = support::sparse(pattern);
  for (Index c = 0; c < result.size; ++c) {
    for (Index k = result.column_start[c]; k < result.column_start[c + 1]; ++k)
      result.values[k] = K(result.row[k], c);
  }
  return result;
}

TEST(Allocation, GmresMakesNoneOnceItHasSeenAMatrix) {
  Eigen::MatrixXd K;
  SparseMatrix matrix = points_on_a_plane(K);
  GmresSolver solver;
  solver.analyze(matrix, 60);
  ASSERT_TRUE(solver.factorize(matrix));
  Vector b = Vector::LinSpaced(K.rows(), -1, 1);
  const long count = allocations_of([&] {
    for (int i = 0; i < 10; ++i) {
      for (double& value : matrix.values) value *= 1.01;
      solver.factorize(matrix);
      solver.solve(std::span(b.data(), b.size()));
    }
  });
  EXPECT_EQ(solver.statistics().factorizations, 0);
  EXPECT_EQ(count, 0);
}

#else

TEST(Allocation, CannotBeCountedHere) {
  GTEST_SKIP() << "the sanitizers have an allocator of their own";
}

#endif

}  // namespace
}  // namespace picus::allocation_test
