// Checkpoints with a correct checksum whose content no run of the model can have written.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/flying_model.hpp>
#include <support/flying_sensors.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_files.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <sys/stat.h>

namespace picus::support {
namespace {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class ForgedCheckpoints : public testing::Test {
 protected:
  ForgedCheckpoints() {
    add_flying_sensors(model, 0.25);
    Hdf5Recorder recorder(folder / "run.h5", {});
    simulate(model, flight, {.until = 1.0, .checkpoint = {.file = folder / "run.checkpoint", .every = 4}},
             {&recorder});
    good = read_checkpoint(folder / "run.checkpoint");
    results = content_of(folder / "run.h5");
  }

  /// The message with which a changed checkpoint is refused, after it was written and read again.
  std::string refusal(const std::function<void(Checkpoint&)>& change) {
    Checkpoint bad = good;
    bad.file = folder / "bad.checkpoint";
    change(bad);
    write_checkpoint(bad);
    const std::string message = message_of<FileError>([&] {
      const Checkpoint read = read_checkpoint(bad.file);
      Hdf5Recorder recorder(folder / "run.h5", {});
      simulate(model, flight, {.until = 2.0, .resume = &read}, {&recorder});
    });
    EXPECT_EQ(content_of(folder / "run.h5"), results);
    EXPECT_THAT(message, HasSubstr("bad.checkpoint\""));
    return message;
  }
  std::string refusal_of_state(const std::function<void(State&)>& change) {
    return refusal([&](Checkpoint& checkpoint) { change(checkpoint.state); });
  }

  ScratchFolder folder;
  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
  Checkpoint good;
  std::string results;
};

TEST_F(ForgedCheckpoints, AreRefusedForTheSizeOfEveryPart) {
  using Part = Vector State::*;
  const std::vector<std::pair<const char*, Part>> parts = {
      {"velocities", &State::v},
      {"accelerations", &State::acceleration},
      {"auxiliary rates", &State::auxiliary},
      {"forces of constraints", &State::constraint_force},
      {"impulses of constraints", &State::constraint_impulse},
      {"impulses of contacts", &State::contact_impulse},
      {"rates of contacts", &State::contact_rate},
      {"slips of contacts", &State::contact_slip},
      {"position multipliers", &State::position_multiplier},
      {"changes of impulses of contacts", &State::contact_impulse_change},
      {"changes of position multipliers", &State::position_multiplier_change},
      {"reactions", &State::reaction}};
  for (const auto& [name, part] : parts) {
    for (const Index size : {0, 1, 1000}) {
      if ((good.state.*part).size() == size) continue;
      EXPECT_THAT(refusal_of_state([&, at = part](State& state) { state.*at = Vector::Zero(size); }),
                  HasSubstr(std::string("its ") + name + " are " + std::to_string(size) +
                            " numbers, those of the model "));
    }
    const Index size = count_of(good.state.*part);
    for (const double number : {nan, infinity, -infinity}) {
      if (size == 0) continue;
      EXPECT_THAT(refusal_of_state([&, at = part](State& state) { (state.*at)[size - 1] = number; }),
                  HasSubstr(std::string("one of its ") + name + " is "));
    }
  }
  EXPECT_THAT(refusal_of_state([](State& state) { state.q = Configuration(std::vector<double>(3)); }),
              HasSubstr("its positions are 3 numbers"));
  EXPECT_THAT(refusal_of_state([](State& state) { state.q.data()[0] = nan; }),
              HasSubstr("one of its positions is nan, must be a finite number"));
}

TEST_F(ForgedCheckpoints, AreRefusedForContactsAndRotations) {
  EXPECT_THAT(refusal_of_state([](State& state) { state.contact_state.clear(); }),
              HasSubstr("it has 0 contacts, the model "));
  EXPECT_THAT(refusal_of_state([](State& state) { state.contact_state.resize(100'000); }),
              HasSubstr("it has 100000 contacts, the model "));
  EXPECT_THAT(refusal_of_state([](State& state) { state.contact_state[0] = static_cast<ContactState>(3); }),
              HasSubstr("contact \"floor\" is in state 3, which there is not"));
  const Node spinner = model.nodes()[0];
  EXPECT_THAT(refusal_of_state([&](State& state) { state.q.rotation(spinner) *= 1.001; }),
              HasSubstr("the rotation of node \"spinner\" is none"));
  EXPECT_THAT(refusal_of_state([&](State& state) { state.q.rotation(spinner) *= -1; }),
              HasSubstr("the rotation of node \"spinner\" is none"));
}

TEST_F(ForgedCheckpoints, AreRefusedForTimesAndSteps) {
  EXPECT_THAT(refusal_of_state([](State& state) { state.step = -1; }), HasSubstr("it is of step -1"));
  EXPECT_THAT(refusal_of_state([](State& state) { state.step = std::numeric_limits<std::int64_t>::max(); }),
              HasSubstr("it is of step 9223372036854775807"));
  EXPECT_THAT(refusal_of_state([](State& state) { state.step = 9; }),
              HasSubstr("its state is of step 9, its statistics of 8"));
  for (const double time : {nan, infinity, -1.0, 0.8 + 1e-9}) {
    EXPECT_THAT(refusal_of_state([&](State& state) { state.time = time; }),
                HasSubstr("but step 8 ends at 0.8"));
  }
  EXPECT_THAT(refusal_of_state([](State& state) { state.load_factor = nan; }),
              HasSubstr("its load factor is nan"));
  for (const std::int64_t every : {std::int64_t{0}, std::int64_t{-4}}) {
    EXPECT_THAT(refusal([&](Checkpoint& checkpoint) { checkpoint.every = every; }),
                HasSubstr("it is one of every " + std::to_string(every) + " steps"));
  }
  EXPECT_THAT(refusal([](Checkpoint& checkpoint) { checkpoint.start_time = 0.5; }),
              HasSubstr("its run began at 0.5 s"));
  EXPECT_THAT(refusal([](Checkpoint& checkpoint) { checkpoint.run.sums.pop_back(); }),
              HasSubstr("it is of another run, it has other sums"));
  EXPECT_THAT(refusal([](Checkpoint& checkpoint) { checkpoint.run.sums[0].second = infinity; }),
              HasSubstr("is another than in the checkpoint"));
}

/// Every 8 bytes of an archive in turn are replaced by invalid or mutually inconsistent numbers: one of four in turn,
/// all four if PICUS_FULL_TESTS is set.
TEST_F(ForgedCheckpoints, AreRefusedOrHarmlessWhateverTheyHoldOfRecorders) {
  constexpr std::array numbers = {std::uint64_t{0}, std::uint64_t{1} << 63U, ~std::uint64_t{0},
                                  std::uint64_t{1} << 40U};
  const bool takes_all = std::getenv("PICUS_FULL_TESTS") != nullptr;
  const auto try_out = [&](auto part) {
    const std::size_t size = part(good).size();
    int refused = 0;
    for (std::size_t at = 0; at + 8 <= size; at += 4) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!takes_all && i != at / 4 % numbers.size()) continue;
        Checkpoint bad = good;
        std::memcpy(part(bad).data() + at, &numbers[i], sizeof(numbers[i]));
        try {
          Hdf5Recorder recorder(folder / "run.h5", {});
          simulate(model, flight, {.until = 0.9, .resume = &bad}, {&recorder});
        } catch (const FileError& error) {
          ++refused;
        }
        std::filesystem::remove(folder / "run.h5");
        std::ofstream(folder / "run.h5", std::ios::binary) << results;
      }
    }
    return refused;
  };
  EXPECT_GT(try_out([](Checkpoint & checkpoint) -> auto& { return checkpoint.audit; }), 10);
  EXPECT_GT(try_out([](Checkpoint & checkpoint) -> auto& { return checkpoint.summary; }), 10);
  EXPECT_GT(try_out([](Checkpoint & checkpoint) -> auto& { return checkpoint.recorders[0]; }), 10);
}

TEST_F(ForgedCheckpoints, NameTheirFileWhenAnArchiveDoesNotFit) {
  const std::string end = " (file \"" + (folder / "bad.checkpoint").string() + "\") does not fit";
  EXPECT_EQ(refusal([](Checkpoint& checkpoint) { checkpoint.audit.resize(10); }),
            "what the checkpoint holds of the energies" + end);
  EXPECT_EQ(refusal([](Checkpoint& checkpoint) { checkpoint.summary.push_back(std::byte{0}); }),
            "what the checkpoint holds of the summary" + end);
  EXPECT_EQ(refusal([](Checkpoint& checkpoint) { checkpoint.recorders[0].resize(30); }),
            "what the checkpoint holds of recorder 1" + end);
}

TEST_F(ForgedCheckpoints, OfPipesAndSparseFilesAreNotRead) {
  const std::filesystem::path pipe = folder / "pipe.checkpoint";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(message_of<FileError>([&] { read_checkpoint(pipe); }),
              HasSubstr("it is a pipe or a device, not a file"));
  EXPECT_THAT(message_of<FileError>([] { read_checkpoint("/dev/zero"); }),
              HasSubstr("it is a pipe or a device, not a file"));
  const std::filesystem::path sparse = folder / "sparse.checkpoint";
  std::filesystem::copy_file(folder / "run.checkpoint", sparse);
  std::filesystem::resize_file(sparse, std::uintmax_t{1} << 42U);
  EXPECT_THAT(message_of<FileError>([&] { read_checkpoint(sparse); }),
              HasSubstr("it is too large for the memory of this machine"));
}

TEST_F(ForgedCheckpoints, CommandNoTerminal) {
  EXPECT_THAT(refusal([](Checkpoint& checkpoint) { checkpoint.run.texts[0].second = "\x1b[2J\n"; }),
              HasSubstr("the model is flight, in the checkpoint \\x1b[2J\\n"));
}

}  // namespace
}  // namespace picus::support
