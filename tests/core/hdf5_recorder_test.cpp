// The content of a result file, and the selection of what is recorded.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <picus/version.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::support::hdf5_recorder_test {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using Numbers = std::vector<double>;
using Shape = std::vector<hsize_t>;

class Hdf5RecorderTest : public testing::Test {
 protected:
  /// Runs to `until` and leaves the file at `path`.
  void run(Hdf5Recorder::Options options, double until = 1.0) {
    Hdf5Recorder recorder(path, std::move(options));
    simulate(model, flight, {.until = until}, {&recorder});
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "flight.h5";
  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(Hdf5RecorderTest, HoldsTheMotionOfAllKindsOfNode) {
  run({});
  const ResultReader result(path);
  Numbers time, z, x, half_turn;
  for (int n = 0; n <= 10; ++n) {
    time.push_back(n * 0.1);
    z.insert(z.end(), {1 + n * 0.1, 0.0, 2 - 5 * std::pow(n * 0.1, 2)});
    half_turn.insert(half_turn.end(), {std::cos(n * M_PI / 20), 0, 0, std::sin(n * M_PI / 20)});
    x.push_back(0.25 + 0.05 * n);
  }
  const auto near = Pointwise(DoubleNear(1e-13), time);
  EXPECT_THAT(result.numbers("time"), near);
  EXPECT_THAT(result.numbers("nodes/ball/position"), Pointwise(DoubleNear(1e-13), z));
  EXPECT_THAT(result.numbers("nodes/spinner/rotation"), Pointwise(DoubleNear(1e-13), half_turn));
  EXPECT_THAT(result.numbers("nodes/angle/value"), Pointwise(DoubleNear(1e-13), x));
  EXPECT_EQ(result.shape("nodes/spinner/position"), (Shape{11, 3}));
  EXPECT_EQ(result.shape("nodes/spinner/velocity"), (Shape{11, 6}));
  EXPECT_EQ(result.shape("nodes/spinner/acceleration"), (Shape{11, 6}));
  EXPECT_EQ(result.shape("nodes/ball/velocity"), (Shape{11, 3}));
  EXPECT_EQ(result.shape("nodes/ball/acceleration"), (Shape{11, 3}));
  EXPECT_EQ(result.shape("nodes/angle/velocity"), (Shape{11}));
  EXPECT_EQ(result.shape("nodes/angle/acceleration"), (Shape{11}));
  EXPECT_NEAR(result.numbers("nodes/spinner/velocity")[6 + 2], -1.0, 1e-13);
  EXPECT_NEAR(result.numbers("nodes/spinner/velocity")[6 + 5], M_PI, 1e-13);
}

TEST_F(Hdf5RecorderTest, KeepsTheSignOfQuaternionsContinuous) {
  run({}, 6.0);  // three turns
  const Numbers rotation = ResultReader(path).numbers("nodes/spinner/rotation");
  double smallest = 1;
  for (std::size_t k = 4; k < rotation.size(); k += 4) {
    double product = 0;
    for (std::size_t i = 0; i < 4; ++i) product += rotation[k + i] * rotation[k + i - 4];
    smallest = std::min(smallest, product);
  }
  EXPECT_NEAR(smallest, std::cos(M_PI / 20), 1e-12);
}

TEST_F(Hdf5RecorderTest, HoldsContactsConstraintsSolverAndEnergy) {
  run({});
  const ResultReader result(path);
  EXPECT_NEAR(result.numbers("contacts/floor/gap").back(), -3.0, 1e-13);
  EXPECT_EQ(result.shape("contacts/floor/slip"), (Shape{11, 2}));
  EXPECT_EQ(result.shape("contacts/floor/impulse"), (Shape{11, 3}));
  EXPECT_THAT(result.numbers("contacts/floor/state"), Each(0.0));
  EXPECT_FALSE(result.has("contacts/ice/slip"));
  EXPECT_EQ(result.shape("contacts/ice/impulse"), (Shape{11, 1}));
  EXPECT_EQ(result.number("contacts/floor", "mu"), 0.3);
  EXPECT_EQ(result.number("contacts/floor", "e_n"), 0.5);

  EXPECT_EQ(result.shape("constraints/tie/violation"), (Shape{11, 1}));
  EXPECT_EQ(result.shape("constraints/tie/impulse"), (Shape{11, 1}));

  EXPECT_THAT(result.numbers("solver/iterations_velocity"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(result.shape("solver/residuals"), (Shape{11, 3}));
  EXPECT_EQ(result.shape("solver/line_searches"), (Shape{11, 3}));
  EXPECT_EQ(result.shape("solver/fallbacks"), (Shape{11, 2}));  // one of three slots has no name
  EXPECT_EQ(result.text("solver/fallbacks", "description"),
            "step cut, accepted above tolerance: number since the last record");
  EXPECT_THAT(result.numbers("solver/accepted_residual"), ElementsAre(0, 0, 0, 0, 0, 0, 12.5, 0, 0, 0, 0));

  EXPECT_NEAR(result.numbers("energy/kinetic").front(), 0.5 * 2 * 1 + 0.5 * M_PI * M_PI + 0.5 * 3 * 1 + 0.125,
              1e-12);
  for (const char* part : {"potential", "gravitational", "springs", "strain", "other_potential",
                           "work_of_loads", "work_of_applied_loads", "work_of_dampers", "work_of_motions",
                           "work_of_contacts", "work_of_impacts", "work_of_friction"}) {
    EXPECT_EQ(result.shape(std::string("energy/") + part), (Shape{11}));
  }
  EXPECT_THAT(result.numbers("energy/balance"), Each(DoubleNear(0.0, 1e-10)));
}

TEST_F(Hdf5RecorderTest, RecordsStepsImpulsesAndStatesAsTheStateHasThem) {
  const System system(model);
  State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const RowValues rows(system, state);
  state.constraint_force[0] = 5.0;
  state.constraint_impulse[0] = 0.25;
  state.contact_impulse << 1, 2, 3, 4;
  state.contact_slip << 0, 0.1, 0.2, 0;
  state.contact_state = {ContactState::slip, ContactState::stick};
  Hdf5Recorder recorder(path);
  recorder.begin({system, flight, 1.0});
  recorder.record({system, state, {}, audit, rows});
  recorder.finish("complete");
  const ResultReader result(path);
  EXPECT_THAT(result.numbers("constraints/tie/impulse"), ElementsAre(0.1 * 5.0 + 0.25));
  EXPECT_THAT(result.numbers("contacts/floor/impulse"), ElementsAre(1, 2, 3));
  EXPECT_THAT(result.numbers("contacts/floor/slip"), ElementsAre(0.1, 0.2));
  EXPECT_THAT(result.numbers("contacts/floor/state"), ElementsAre(2));
  EXPECT_THAT(result.numbers("contacts/ice/impulse"), ElementsAre(4));
  EXPECT_THAT(result.numbers("contacts/ice/state"), ElementsAre(1));

  // The same for visualization: forces in the inertial frame, over the step of 0.1 s.
  EXPECT_THAT(result.numbers("visualization/contact_normal"), ElementsAre(0, 0, 1, 0, 0, 1));
  const Numbers force = result.numbers("visualization/contact_force");
  EXPECT_NEAR(force[2], 10, 1e-5);
  EXPECT_NEAR(std::hypot(force[0], force[1]), 10 * std::hypot(2, 3), 1e-5);
  EXPECT_THAT(Numbers(force.begin() + 3, force.end()), Pointwise(DoubleNear(1e-5), Numbers{0, 0, 40}));
  EXPECT_THAT(result.numbers("visualization/contact_gap"), ElementsAre(2, 2));
  EXPECT_THAT(result.numbers("visualization/contact_state"), ElementsAre(2, 1));
}

TEST_F(Hdf5RecorderTest, RecordsNoForceOfOpenContacts) {
  const System system(model);
  State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const RowValues rows(system, state);
  state.contact_impulse << 1e-17, -2e-17, 1e-19, 4;  // the first is rounding only
  state.contact_state = {ContactState::gap, ContactState::slip};
  Hdf5Recorder recorder(path);
  recorder.begin({system, flight, 1.0});
  recorder.record({system, state, {}, audit, rows});
  recorder.finish("complete");
  const ResultReader result(path);
  EXPECT_THAT(result.numbers("contacts/floor/impulse"), ElementsAre(0, 0, 0));
  EXPECT_THAT(result.numbers("contacts/ice/impulse"), ElementsAre(4));
  EXPECT_THAT(result.numbers("visualization/contact_force"), ElementsAre(0, 0, 0, 0, 0, 40));
}

TEST_F(Hdf5RecorderTest, RecordsStartAndLastStepWhateverTheInterval) {
  run({.every = 4});
  const ResultReader result(path);
  EXPECT_THAT(result.numbers("time"), Pointwise(DoubleNear(1e-14), Numbers{0, 0.4, 0.8, 1.0}));
  // Over the steps since the previous record: 1 to 4, 5 to 8, 9 and 10.
  EXPECT_THAT(result.numbers("solver/iterations_velocity"), ElementsAre(0, 4, 8, 10));
  EXPECT_NEAR(result.numbers("solver/residuals")[3 + 2], 1.0, 1e-15);
  EXPECT_EQ(result.numbers("solver/line_searches")[3 * 3 + 1], 2.0);
  EXPECT_THAT(result.numbers("solver/fallbacks"), ElementsAre(0, 0, 1, 0, 1, 1, 0, 0));
  EXPECT_THAT(result.numbers("solver/accepted_residual"), ElementsAre(0, 0, 12.5, 0));
}

TEST_F(Hdf5RecorderTest, RecordsTheLastStepBeforeAFailure) {
  flight = FreeFlight({.step = 0.1, .fails_at = 8});
  EXPECT_THROW(run({.every = 5}), SolverError);
  const ResultReader result(path);
  EXPECT_THAT(result.numbers("time"), Pointwise(DoubleNear(1e-14), Numbers{0, 0.5, 0.7}));
  EXPECT_EQ(result.text("/", "outcome"), "step 8 was asked to fail");
  EXPECT_EQ(result.number("/", "steps"), 7);
}

TEST_F(Hdf5RecorderTest, DescribesTheRunAndTheModel) {
  run({.every = 2, .command_line = "picus run flight"});
  const ResultReader result(path);
  EXPECT_EQ(result.text("/", "title"), "Picus: flight");
  EXPECT_EQ(result.number("/", "format_version"), 3);
  EXPECT_EQ(result.text("/", "picus_version"), version);
  EXPECT_EQ(result.text("/", "command_line"), "picus run flight");
  EXPECT_EQ(result.text("/", "integrator"), "free flight");
  EXPECT_EQ(result.number("/", "step"), 0.1);
  EXPECT_EQ(result.number("/", "until"), 1.0);
  EXPECT_EQ(result.number("/", "every"), 2);
  EXPECT_EQ(result.text("/", "outcome"), "complete");
  EXPECT_EQ(result.number("/", "steps"), 10);
  EXPECT_GT(result.number("/", "wall_seconds"), 0);
  EXPECT_EQ(result.text("/integrator", "note"), "exact");
  EXPECT_EQ(result.text("/model", "name"), "flight");
  EXPECT_EQ(result.text("/model/parameters", "colour"), "red & \"blue\" <\xC3\xA4>");
  EXPECT_EQ(result.shape("model/nodes"), (Shape{3}));
  EXPECT_EQ(result.shape("model/elements"), (Shape{7}));
  EXPECT_EQ(result.text("/nodes/spinner/rotation", "unit"), "1");
  EXPECT_THAT(result.text("/nodes/spinner/rotation", "description"), HasSubstr("w, x, y, z"));
}

TEST_F(Hdf5RecorderTest, TellsWhereTheTimeWent) {
  run({});
  EXPECT_FALSE(ResultReader(path).has("profile"));
  Hdf5Recorder recorder(path, {.overwrite = true});
  Profile profile;
  simulate(model, flight, {.until = 1.0, .profile = &profile}, {&recorder});
  const ResultReader result(path);
  // Start, energies, recording and the rest, at the time when the file was about to be closed.
  const std::vector<Profile::Entry> entries = profile.entries();
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(result.shape("profile/parts"), (Shape{4}));
  Numbers counts;
  for (const Profile::Entry& entry : entries) counts.push_back(static_cast<double>(entry.count));
  EXPECT_EQ(result.numbers("profile/count"), counts);
  const Numbers seconds = result.numbers("profile/seconds");
  ASSERT_EQ(seconds.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GE(seconds[i], 0.0);
    EXPECT_LE(seconds[i], entries[i].seconds);
  }
}

TEST_F(Hdf5RecorderTest, IsTheSameForAllCompressionsAndChunks) {
  FreeFlight fine({.step = 1e-4});
  const auto record = [&](int compression, double flush_seconds) {
    Hdf5Recorder recorder(path,
                          {.overwrite = true, .flush_seconds = flush_seconds, .compression = compression});
    simulate(model, fine, {.until = 0.25}, {&recorder});  // more than two chunks
    const ResultReader result(path);
    return std::pair(result.numbers("nodes/spinner/rotation"), result.numbers("VTKHDF/Points"));
  };
  const auto plain = record(0, 1e9);
  const auto size = std::filesystem::file_size(path);
  ASSERT_EQ(plain.first.size(), 4U * 2501U);
  EXPECT_TRUE(record(1, 1e9) == plain);
  EXPECT_LT(std::filesystem::file_size(path), size);
  EXPECT_TRUE(record(9, 1e9) == plain);
  EXPECT_TRUE(record(1, 1e-3) == plain);
}

TEST_F(Hdf5RecorderTest, RecordsWhatIsChosen) {
  run({.include = {"nodes/ball/*", "contacts", "/*/kinetic"},
       .exclude = {"*/gap", "nodes/*/a*"},
       .xdmf = false});
  EXPECT_THAT(ResultReader(path).data_sets(),
              testing::UnorderedElementsAre(
                  "time", "nodes/ball/position", "nodes/ball/velocity", "contacts/floor/slip",
                  "contacts/floor/impulse", "contacts/floor/state", "contacts/ice/impulse",
                  "contacts/ice/state", "energy/kinetic", "model/nodes", "model/elements"));
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST_F(Hdf5RecorderTest, RefusesPatternsThatMatchNothing) {
  EXPECT_EQ(message_of<OptionError>([&] { run({.include = {"nodes/bal/*"}}); }),
            "nothing that can be recorded is called \"nodes/bal/*\" (did you mean \"nodes/ball/*\"?)");
  EXPECT_EQ(message_of<OptionError>([&] { run({.exclude = {"contcts"}}); }),
            "nothing that can be recorded is called \"contcts\" (did you mean \"contacts\"?)");
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST_F(Hdf5RecorderTest, RefusesOptionsOutOfRange) {
  const auto refusal = [&](const Hdf5Recorder::Options& options) {
    return message_of<OptionError>([&] { Hdf5Recorder recorder(path, options); });
  };
  EXPECT_EQ(refusal({.every = 0}), "every is 0, must be at least 1 step");
  EXPECT_EQ(refusal({.flush_seconds = -1.0}), "flush_seconds is -1, must be finite and not negative");
  EXPECT_EQ(refusal({.compression = 10}), "compression is 10, must lie in [0, 9]");
  EXPECT_THAT(message_of<OptionError>([] { Hdf5Recorder recorder("x.xdmf"); }),
              HasSubstr("must not end in .xdmf"));
  EXPECT_THAT(message_of<OptionError>([] { Hdf5Recorder recorder(""); }), HasSubstr("no name"));
}

TEST_F(Hdf5RecorderTest, KeepsWhatACompleteRunHasFound) {
  int asked = 0;
  const auto findings = [&asked]() -> Findings {
    ++asked;
    return {{"range, m/2", "m", 2.5, 2.4, "theory"}, {"height", "", {}, {}, ""}};
  };
  run({.findings = findings});
  EXPECT_EQ(asked, 1);
  const ResultReader result(path);
  EXPECT_EQ(result.number("/findings", "range, m/2"), 2.5);
  EXPECT_EQ(result.text("/findings/unit", "range, m/2"), "m");
  EXPECT_EQ(result.number("/findings/reference", "range, m/2"), 2.4);
  EXPECT_EQ(result.text("/findings/source", "range, m/2"), "theory");
  EXPECT_FALSE(result.has_attribute("/findings", "height")) << "the run did not tell it";
  EXPECT_EQ(result.text("/findings/unit", "height"), "");

  FreeFlight failing{{.step = 0.1, .fails_at = 4}};
  Hdf5Recorder recorder(folder / "failed.h5", {.findings = findings});
  EXPECT_THROW(simulate(model, failing, {.until = 1.0}, {&recorder}), SolverError);
  EXPECT_EQ(asked, 1) << "a part of a run has found nothing";
}

TEST_F(Hdf5RecorderTest, DoesNothingOutsideARun) {
  Hdf5Recorder recorder(path);
  recorder.finish("never begun");
  EXPECT_EQ(folder.file_count(), 0U);
  simulate(model, flight, {.until = 0.5}, {&recorder});
  const auto size = std::filesystem::file_size(path);
  recorder.finish("again");
  EXPECT_EQ(std::filesystem::file_size(path), size);
  EXPECT_EQ(ResultReader(path).text("/", "outcome"), "complete");
}

TEST_F(Hdf5RecorderTest, ClosesTheFileOfARunThatNobodyFinished) {
  const System system(model);
  const State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const RowValues rows(system, state);
  {
    Hdf5Recorder recorder(path);
    recorder.begin({system, flight, 1.0});
    recorder.record({system, state, {}, audit, rows});
  }
  EXPECT_EQ(ResultReader(path).text("/", "outcome"), "abandoned");
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 1U);
}

}  // namespace
}  // namespace picus::support::hdf5_recorder_test
