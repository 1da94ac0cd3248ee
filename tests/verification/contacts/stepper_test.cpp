/// Runs with contact detection: by simulate(), by hand, with checkpoints, and refused input.

#include "boxes.hpp"
#include <picus/checkpoint.hpp>
#include <picus/energy.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <support/message.hpp>
#include <support/scratch_folder.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

namespace picus::stepper_test {
namespace {

using support::message_of;
using support::ScratchFolder;

/// Three balls fall on each other and on a box.
void fill(Scene& scene, double mu = 0.3) {
  scene.add_floor();
  scene.add_box("box", {0.3, 0.3, 0.1}, {.position = {0, 0, 0.05}});
  for (int i = 0; i < 3; ++i) {
    scene.add_ball(fmt::format("ball[{}]", i), {.mass = 0.2, .radius = 0.05},
                   {.position = {0.02 * i, 0.01 * i, 0.17 + 0.12 * i}});
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = mu, .e_n = 0.2});
}

bool are_equal(const State& a, const State& b) {
  const auto same = [](const Vector& x, const Vector& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), sizeof(double) * x.size()) == 0;
  };
  return same(a.v, b.v) && same(a.acceleration, b.acceleration) &&
         same(a.contact_impulse, b.contact_impulse) && same(a.contact_rate, b.contact_rate) &&
         same(a.contact_slip, b.contact_slip) && a.found_contacts == b.found_contacts &&
         a.contact_state == b.contact_state && std::ranges::equal(a.q.data(), b.q.data());
}

TEST(Stepper, DoesWhatSimulateDoes) {
  Scene scene;
  fill(scene);
  DecoupledNsga integrator({.step = 1e-3});
  const RunSummary summary = simulate(scene.model, integrator, {.until = 0.3});
  const Seen seen = run(scene, integrator, 0.3);
  EXPECT_TRUE(are_equal(summary.final_state, seen.state));
  EXPECT_EQ(summary.search.changes, seen.search.changes);
  EXPECT_GT(summary.search.changes, 2);
  EXPECT_EQ(summary.search.misses, 0);
}

// The works of contacts that come and go are in the balance: the energy defect is the dissipation of the scheme in
// impacts.
TEST(Stepper, WorksOfFoundContactsAreInTheEnergyBalance) {
  Scene scene;
  fill(scene);
  double last = 0;
  for (const double h : {1e-3, 2.5e-4}) {
    DecoupledNsga integrator({.step = h});
    const RunSummary summary = simulate(scene.model, integrator, {.until = 0.3});
    const Energies& e = summary.energies;
    EXPECT_LT(e.work_of_impacts, -0.05);
    EXPECT_LT(e.work_of_friction, 0);
    const double rest = std::abs(e.balance) / std::abs(e.work_of_impacts);
    EXPECT_LT(rest, 0.1);
    last = rest;
  }
  EXPECT_LT(last, 0.03);  // impacts leave terms of the order of the step
}

TEST(Stepper, RunGoesOnFromACheckpointBitForBit) {
  const ScratchFolder folder;
  Scene scene;
  fill(scene);
  const auto make = [&](double until, const std::string& name, const Checkpoint* resume) {
    DecoupledNsga integrator({.step = 1e-3});
    SimulationOptions options{.until = until};
    if (resume == nullptr) options.checkpoint = {.file = folder / name, .every = 30};
    options.resume = resume;
    return simulate(scene.model, integrator, options);
  };
  const RunSummary whole = make(0.3, "whole", nullptr);
  make(0.15, "half", nullptr);  // the last checkpoint at 0.15 s: in the middle of the collisions
  const Checkpoint checkpoint = read_checkpoint(folder / "half");
  EXPECT_FALSE(checkpoint.state.found_contacts.empty());
  const RunSummary rest = make(0.3, "", &checkpoint);
  EXPECT_TRUE(are_equal(whole.final_state, rest.final_state));
  EXPECT_EQ(whole.search.changes, rest.search.changes);
  EXPECT_EQ(whole.energies.work_of_impacts, rest.energies.work_of_impacts);

  Scene other;
  fill(other, 0.31);
  DecoupledNsga integrator({.step = 1e-3});
  EXPECT_THAT(message_of<FileError>(
                  [&] { simulate(other.model, integrator, {.until = 0.3, .resume = &checkpoint}); }),
              ::testing::HasSubstr("a number of contact set \"all\" is another than in the checkpoint"));

  Checkpoint forged = checkpoint;
  forged.state.found_contacts[0].b = 100000;
  const auto refusal = [&] { return message_of<FileError>([&] { make(0.3, "", &forged); }); };
  EXPECT_THAT(refusal(), ::testing::HasSubstr("contact set \"all\" has no feature 100000"));
  forged.state.found_contacts[0] = {.set = 3};
  EXPECT_THAT(refusal(), ::testing::HasSubstr("cannot go on from checkpoint"));
  forged = checkpoint;
  forged.state.found_contacts.push_back(forged.state.found_contacts[0]);
  EXPECT_THAT(refusal(), ::testing::HasSubstr("not in ascending order"));
  forged = checkpoint;
  forged.state.found_contacts.pop_back();
  EXPECT_THAT(refusal(), ::testing::HasSubstr("cannot go on from checkpoint"));
}

TEST(Stepper, GoesBackToAnyStateOfItsModel) {
  Scene scene;
  fill(scene);
  DecoupledNsga integrator({.step = 1e-3});
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  for (int i = 0; i < 120; ++i) stepper.step(state);
  const State middle = state;
  for (int i = 0; i < 80; ++i) stepper.step(state);
  State again = middle;
  stepper.resume(again);
  for (int i = 0; i < 80; ++i) stepper.step(again);
  // The stored factors of the runs differ: equal to the tolerance of the solves.
  EXPECT_LT((again.v - state.v).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(Stepper, AnEnergyAuditMustBeToldOfOtherContacts) {
  Scene scene;
  fill(scene);
  DecoupledNsga integrator({.step = 1e-3});
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  EnergyAudit told(stepper.system(), state), untold(stepper.system(), state);
  int changes = 0;
  while (changes == 0 && state.time < 0.3) {
    stepper.step(state);
    if (stepper.has_changed_contacts()) {
      ++changes;
      EXPECT_EQ(message_of<ModelError>([&] { untold.add_step(state, 1e-3); }),
                "energy audit: the contacts have changed, but change_contacts() was not called");
      told.change_contacts(stepper.begin());
    } else {
      untold.add_step(state, 1e-3);
    }
    EXPECT_NO_THROW(told.add_step(state, 1e-3));
  }
  EXPECT_EQ(changes, 1);
}

TEST(Stepper, RefusesWhatHasNoSearch) {
  Scene scene;
  fill(scene);
  const System system(scene.model);
  DecoupledNsga integrator({.step = 1e-3});
  EXPECT_EQ(
      message_of<SolverError>([&] { integrator.start(system); }),
      "model \"model\" has contacts that are found as bodies move: run it by simulate() or by a Stepper");
  Scene deep;
  deep.add_floor();
  deep.add_ball("ball", {.mass = 1, .radius = 0.1}, {.position = {0, 0, 0.05}});
  deep.model.add<ContactsBetween>({.name = "all"});
  EXPECT_EQ(message_of<ModelError>([&] { simulate(deep.model, integrator, {.until = 1}); }),
            "contact set \"all\": ball and floor are 0.05 m deep in each other at the start");
}

// Weights on a box supported only by the floor: each of its corners carries its share.
TEST(Stepper, EquilibriaHaveFoundContactsToo) {
  Scene scene;
  scene.add_floor();
  scene.add_box("box", {1, 1, 1}, {.position = {0, 0, 0.5}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  StaticEquilibrium statics({.increments = 2});
  const RunSummary summary = simulate(scene.model, statics, {.until = 1.0});
  double force = 0;
  for (Index i = 0; i < summary.final_state.contact_impulse.size(); i += 3)
    force += summary.final_state.contact_impulse[i];
  EXPECT_EQ(summary.final_state.found_contacts.size(), 4U);
  EXPECT_NEAR(force, 600 * g, 1e-4 * 600 * g);
}

}  // namespace
}  // namespace picus::stepper_test
