/// Results name the sub-problems as the scheme does.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/hdf5_recorder.hpp>
#include <picus/models/registry.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus::models {
namespace {

using support::ResultReader;
using support::ScratchFolder;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// The names reported by steps, omitting unnamed ones; and the iterations of the last step.
class NameRecorder : public Recorder {
 public:
  void begin(const RunInfo& run) override { declared = run.integrator.subproblem_names(); }
  void record(const Snapshot& at) override {
    if (at.state.step == 0) return;
    for (std::size_t i = 0; i < declared.size(); ++i) {
      EXPECT_EQ(at.report.subproblems[i].name, declared[i]);
      iterations[i] = at.report.subproblems[i].iterations;
    }
  }
  void finish(const std::string& /*outcome*/) override {}

  SubproblemNames declared;
  std::array<int, 3> iterations{};
};

void expect_own_names(const Model& model, TimeIntegrator& integrator, double until) {
  const ScratchFolder folder;
  NameRecorder names;
  Hdf5Recorder file(folder / "a.h5", {});
  simulate(model, integrator, {.until = until}, {&names, &file});

  const ResultReader result(folder / "a.h5");
  std::vector<std::string> expected, found;
  std::string label;
  for (std::size_t i = 0; i < names.declared.size(); ++i) {
    if (names.declared[i].empty()) continue;
    expected.push_back("solver/iterations_" + std::string(names.declared[i]));
    label += (label.empty() ? "" : ", ") + std::string(names.declared[i]);
    EXPECT_EQ(result.numbers(expected.back()).back(), names.iterations[i]) << expected.back();
  }
  ASSERT_FALSE(expected.empty());
  for (const std::string& name : result.data_sets()) {
    if (name.starts_with("solver/iterations_")) found.push_back(name);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
  for (const char* set : {"solver/residuals", "solver/line_searches"}) {
    EXPECT_EQ(result.shape(set)[1], expected.size());
    EXPECT_THAT(result.text(set, "description"), testing::StartsWith(label + ": "));
  }
}

TEST(SubproblemNames, AreThoseOfTheSchemeInItsResults) {
  const Model model = find_model("bouncing-ball").configure().build();
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    expect_own_names(model, *make_integrator(scheme.name, {.step = 1e-2}), 0.6);
    for (const ParameterInfo& option : scheme.options) {
      if (option.name != "projection") continue;
      expect_own_names(model, *make_integrator(scheme.name + ":projection=yes", {.step = 1e-2}), 0.6);
    }
  }
}

TEST(SubproblemNames, OfASchemeWithOneHaveNoneOfAnother) {
  const auto integrator = make_integrator("moreau-jean:projection=yes", {});
  EXPECT_EQ(integrator->subproblem_names(), (SubproblemNames{"velocity-level", "projection", ""}));
  EXPECT_EQ(make_integrator("mixed", {})->subproblem_names(), (SubproblemNames{"base", "impact", ""}));
}

TEST(SubproblemNames, OfAnEquilibriumAreThoseOfStatics) {
  Model model("hanging");
  const PointNode anchor = model.add_point("anchor");
  model.fix(anchor);
  const PointNode node = model.add_point("weight", {.position = {0.0, -1.0, 0.0}});
  model.fix(node, {Component::x, Component::z});
  const auto mass = model.add<PointMass>({.name = "mass", .node = node, .mass = 1.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {0.0, -9.81, 0.0}, .bodies = {mass->mass_point()}});
  model.add<SpringDamper>({.name = "spring", .a = anchor, .b = node, .stiffness = 100.0, .free_length = 1.0});
  StaticEquilibrium statics({.increments = 4});
  EXPECT_EQ(statics.subproblem_names(), (SubproblemNames{"static", "", ""}));
  expect_own_names(model, statics, 1.0);
}

}  // namespace
}  // namespace picus::models
