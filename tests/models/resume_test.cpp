// Every scheme and every model continues from a checkpoint as if the run had not stopped, bit for bit.

#include <picus/models/flexible_cube.hpp>
#include <picus/models/registry.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/result_files.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <set>

namespace picus::models {
namespace {

using support::bytes_of;
using support::ScratchFolder;

using MakeIntegrator = std::function<std::unique_ptr<TimeIntegrator>()>;

struct Steps {
  int all;    ///< of the whole run
  int part;   ///< before it stops
  int every;  ///< from one checkpoint to the next
};

struct Outcome {
  RunSummary summary;
  std::vector<Finding> findings;
};

class Resume : public testing::Test {
 protected:
  /// Model, integrator and observer are created anew for each run, as in another process.
  Outcome run(const Scenario& scenario, const MakeIntegrator& make, int steps, int every,
              const Checkpoint* resume) {
    const Model model = scenario.build();
    const auto integrator = make();
    const auto observer = scenario.make_observer();
    SimulationOptions options{.until = steps * integrator->step_size(), .resume = resume};
    if (every > 0 && resume == nullptr)
      options.checkpoint = {.file = folder / "run.checkpoint", .every = every, .overwrite = true};
    Outcome outcome;
    outcome.summary = simulate(model, *integrator, options, {observer.get()});
    outcome.findings = observer->findings();
    return outcome;
  }

  Outcome run_in_parts(const Scenario& scenario, const MakeIntegrator& make, const Steps& steps) {
    run(scenario, make, steps.part, steps.every, nullptr);
    const Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
    EXPECT_EQ(checkpoint.state.step, steps.part / steps.every * steps.every);
    return run(scenario, make, steps.all, 0, &checkpoint);
  }

  void expect_same(const Scenario& scenario, const MakeIntegrator& make, const Steps& steps) {
    const Outcome whole = run(scenario, make, steps.all, steps.every, nullptr);
    const Outcome parts = run_in_parts(scenario, make, steps);
    EXPECT_EQ(bytes_of(parts.summary.final_state), bytes_of(whole.summary.final_state));
    EXPECT_EQ(parts.summary.steps, whole.summary.steps);
    for (std::size_t i = 0; i < whole.summary.subproblems.size(); ++i) {
      EXPECT_EQ(parts.summary.subproblems[i].iterations, whole.summary.subproblems[i].iterations);
      EXPECT_EQ(parts.summary.subproblems[i].name, whole.summary.subproblems[i].name);
    }
    EXPECT_EQ(parts.summary.fallbacks, whole.summary.fallbacks);
    EXPECT_EQ(parts.summary.worst_violation, whole.summary.worst_violation);
    EXPECT_EQ(parts.summary.worst_penetration, whole.summary.worst_penetration);
    EXPECT_EQ(parts.summary.energies.kinetic, whole.summary.energies.kinetic);
    EXPECT_EQ(parts.summary.energies.balance, whole.summary.energies.balance);
    ASSERT_EQ(parts.findings.size(), whole.findings.size());
    for (std::size_t i = 0; i < whole.findings.size(); ++i) {
      EXPECT_EQ(parts.findings[i].quantity, whole.findings[i].quantity);
      EXPECT_EQ(parts.findings[i].value, whole.findings[i].value) << whole.findings[i].quantity;
      EXPECT_EQ(parts.findings[i].reference, whole.findings[i].reference) << whole.findings[i].quantity;
    }
  }

  ScratchFolder folder;
};

Scenario scenario_of(const std::string& model, const std::vector<std::string>& settings = {}) {
  return find_model(model).configure(settings);
}

MakeIntegrator scheme(const std::string& text, double step,
                      const std::function<void(SchemeOptions&)>& set = {}) {
  return [=] {
    SchemeOptions options{.step = step, .max_iterations = find_scheme(text).max_iterations};
    if (set) set(options);
    return make_integrator(text, options);
  };
}

/// A hinge, a spring, friction and impacts; with body points only two bodies.
TEST_F(Resume, EverySchemeGoesOn) {
  const std::vector<std::string> with_friction = {
      "ds",
      "dsn",
      "ds-np",
      "ds-a",
      "cs",
      "chen",
      "chen:projection=yes",
      "newmark-implicit",
      "newmark:gamma=0.6",
      "hht:alpha=0.1,projection=yes",
      "moreau-jean:theta=0.5",
      "moreau-jean:dissipates=yes",
      "mixed",
      "mixed:base=bathe",
      "mixed:base=ed-alpha",
      "mixed:base=moreau-midpoint",
      "mixed:base=half-explicit",
  };
  const std::vector<std::string> without_friction = {
      "chen:solver=lcp",    "chen:solver=full-newton", "chen:smooth=yes",         "chen:position=yes",
      "newmark:solver=lcp", "schatzman-paoli",         "schatzman-paoli:theta=0", "moreau-jean:solver=lcp"};
  std::set<std::string> names;
  for (const std::string& text : with_friction) {
    SCOPED_TRACE(text);
    names.insert(std::string(scheme_name(text)));
    expect_same(scenario_of("woodpecker", {"variant=body-points"}), scheme(text, 1e-4), {500, 340, 100});
  }
  for (const std::string& text : without_friction) {
    SCOPED_TRACE(text);
    names.insert(std::string(scheme_name(text)));
    expect_same(scenario_of("box-impact"), scheme(text, 1e-3), {900, 640, 200});
  }
  for (const Scheme& one : schemes()) EXPECT_TRUE(names.contains(one.name)) << one.name;
}

/// Checkpoints with a correct checksum may contain anything as measures of a model.
TEST_F(Resume, RefusesMeasuresThatNoRunLeaves) {
  const auto expect_refusal = [&](const RegisteredModel& model, const Checkpoint& checkpoint) {
    try {
      run(model.configure(), scheme("ds", model.info().step), 30, 0, &checkpoint);
      FAIL() << "it went on";
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("recorder 1 (file "));
    }
  };
  for (const RegisteredModel& model : registry()) {
    SCOPED_TRACE(model.info().name);
    run(model.configure(), scheme("ds", model.info().step), 20, 20, nullptr);
    Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
    std::vector<std::byte>& measured = checkpoint.recorders.at(0);
    ASSERT_FALSE(measured.empty());
    std::ranges::fill(measured, std::byte{0xff});  // not numbers, and neither true nor false
    expect_refusal(model, checkpoint);
    measured.pop_back();
    expect_refusal(model, checkpoint);
  }
  const RegisteredModel& ball = find_model("bouncing-ball");  // the sum of its errors comes first
  run(ball.configure(), scheme("ds", ball.info().step), 20, 20, nullptr);
  Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
  const double negative = -1.0;
  std::memcpy(checkpoint.recorders.at(0).data(), &negative, sizeof negative);
  expect_refusal(ball, checkpoint);
}

TEST_F(Resume, EveryModelFindsTheSame) {
  for (const RegisteredModel& model : registry()) {
    SCOPED_TRACE(model.info().name);
    const Scenario scenario = model.configure();
    expect_same(scenario, scheme("ds", model.info().step), {60, 47, 20});
  }
}

TEST_F(Resume, StaticEquilibriaGoOn) {
  const MakeIntegrator statics = [] {
    return std::make_unique<StaticEquilibrium>(
        StaticEquilibriumOptions{.increments = 10, .allow_free_motions = true});
  };
  expect_same(scenario_of("flexible-pendulum", {"wall=-2"}), statics, {10, 7, 3});
}

/// A cube with more than 1000 unknowns that hits the floor while sliding: factors of earlier tangents are reused, and
/// contacts are solved by GMRES with a preconditioner that depends on the history.
class LargeResume : public Resume {
 protected:
  const Scenario cube =
      scenario_of("flexible-cube", {"divisions=6", "mu=0.3", "height=0.001", "downward=5", "sideways=1"});
  static constexpr double h = 1e-4;
};

TEST_F(LargeResume, GoesOnWithReusedTangents) {
  const auto make = scheme("ds", h);
  expect_same(cube, make, {14, 9, 5});
  // Without checkpoints the integrator continues with its stored data: its steps differ, by less than their
  // tolerance.
  const Outcome with = run(cube, make, 14, 5, nullptr);
  const Outcome without = run(cube, make, 14, 0, nullptr);
  EXPECT_NE(bytes_of(with.summary.final_state), bytes_of(without.summary.final_state));
  EXPECT_LE((with.summary.final_state.v - without.summary.final_state.v).norm(),
            1e-5 * with.summary.final_state.v.norm());
}

TEST_F(LargeResume, GoesOnWithEveryLinearSolver) {
  for (const LinearSolverKind kind :
       {LinearSolverKind::klu, LinearSolverKind::umfpack, LinearSolverKind::cholmod,
        LinearSolverKind::conjugate_gradients, LinearSolverKind::gmres}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const auto make =
        scheme("ds:reuse=always", h, [=](SchemeOptions& options) { options.linear_solver = kind; });
    expect_same(scenario_of("flexible-cube", {"divisions=2", "mu=0.3", "height=0.001", "downward=5"}), make,
                {14, 9, 5});
  }
}

}  // namespace
}  // namespace picus::models
