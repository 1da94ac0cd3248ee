// A run that is resumed from a checkpoint, and all that may be wrong with its files.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <picus/version.hpp>
#include <support/file_size_limit.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_files.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace picus::support {
namespace {

using testing::HasSubstr;

/// Sums the values it is shown, and can be made to interfere.
class Meter : public Recorder {
 public:
  void begin(const RunInfo& /*run*/) override { sum_ = 0.0; }
  void record(const Snapshot& snapshot) override {
    sum_ += snapshot.state.q.data()[0] * snapshot.state.time;
    if (on_record) on_record(snapshot.state);
  }
  void finish(const std::string& /*outcome*/) override {}
  void serialize(Archive& archive) override { archive(sum_); }
  double sum() const { return sum_; }
  std::function<void(const State&)> on_record;

 private:
  double sum_ = 0.0;
};

/// The checksum of zip and Ethernet, bit by bit.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

class Checkpoints : public testing::Test {
 protected:
  static constexpr double h = 0.1;

  RunSummary begin(const std::string& name, double until, std::int64_t every = 4) {
    Hdf5Recorder recorder(folder / (name + ".h5"), options);
    return simulate(model, flight,
                    {.until = until, .checkpoint = {.file = folder / (name + ".checkpoint"), .every = every}},
                    {&recorder, &meter});
  }
  RunSummary go_on(const std::string& name, double until) {
    const Checkpoint checkpoint = read_checkpoint(folder / (name + ".checkpoint"));
    Hdf5Recorder recorder(folder / (name + ".h5"), options);
    return simulate(model, flight, {.until = until, .resume = &checkpoint}, {&recorder, &meter});
  }
  std::string refusal(const std::string& name, double until = 2.0) {
    return message_of<FileError>([&] { go_on(name, until); });
  }
  std::string bytes_in(const std::string& name) const { return content_of(folder / name); }

  ScratchFolder folder;
  Model model = make_flying_model();
  FreeFlight flight{{.step = h}};
  Meter meter;
  Hdf5Recorder::Options options = {.every = 3};
};

TEST_F(Checkpoints, LetARunGoOnAsIfItHadNotStopped) {
  const RunSummary whole = begin("whole", 4.0);
  const double whole_sum = meter.sum();
  // Stops between checkpoints, between records; twice.
  begin("parts", 1.0);
  EXPECT_EQ(read_checkpoint(folder / "parts.checkpoint").state.step, 8);
  go_on("parts", 2.3);
  EXPECT_EQ(read_checkpoint(folder / "parts.checkpoint").state.step, 20);
  const RunSummary parts = go_on("parts", 4.0);

  EXPECT_EQ(bytes_of(parts.final_state), bytes_of(whole.final_state));
  EXPECT_EQ(meter.sum(), whole_sum);
  EXPECT_EQ(parts.steps, whole.steps);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(parts.subproblems[i].name, whole.subproblems[i].name);
    EXPECT_EQ(parts.subproblems[i].iterations, whole.subproblems[i].iterations);
    EXPECT_EQ(parts.subproblems[i].worst_iterations, whole.subproblems[i].worst_iterations);
    EXPECT_EQ(parts.subproblems[i].line_searches, whole.subproblems[i].line_searches);
  }
  EXPECT_EQ(parts.fallbacks, whole.fallbacks);
  EXPECT_EQ(parts.worst_accepted_residual, whole.worst_accepted_residual);
  EXPECT_EQ(parts.worst_accepted_residual, 12.5) << "accepted before the checkpoint";
  EXPECT_EQ(parts.worst_violation, whole.worst_violation);
  EXPECT_EQ(parts.worst_penetration, whole.worst_penetration);
  EXPECT_EQ(parts.energies.balance, whole.energies.balance);
  expect_equal_results(folder / "parts.h5", folder / "whole.h5");
  EXPECT_EQ(ResultReader(folder / "parts.h5").number("/", "until"), 4.0);
}

TEST_F(Checkpoints, TakeWholeChunksOfRecords) {
  constexpr std::int64_t of_every_record = 1 << 20;
  options = {.every = 1, .flush_seconds = 1e9, .frames = of_every_record};
  flight = FreeFlight({.step = 1e-3});
  begin("whole", 3.0, 500);
  begin("parts", 2.7, 500);
  go_on("parts", 3.0);
  expect_equal_results(folder / "parts.h5", folder / "whole.h5");
}

TEST_F(Checkpoints, FinishARunThatHadNothingLeftToDo) {
  begin("whole", 1.2);
  begin("parts", 1.2);
  const RunSummary parts = go_on("parts", 1.2);
  EXPECT_EQ(parts.steps, 12);
  EXPECT_EQ(parts.subproblems[1].name, "position");
  expect_equal_results(folder / "parts.h5", folder / "whole.h5");
  EXPECT_EQ(message_of<OptionError>([&] { go_on("parts", 1.1); }),
            "the final time is 1.1 s, the checkpoint already at 1.2 s");
}

TEST_F(Checkpoints, StayWithTheRunBesidesOthersThatKeepNothing) {
  class Silent : public Recorder {
   public:
    void begin(const RunInfo& /*run*/) override { ++begun; }
    void record(const Snapshot& /*snapshot*/) override {}
    void finish(const std::string& /*outcome*/) override {}
    int begun = 0;
  } silent;
  begin("run", 1.0);
  const Checkpoint checkpoint = read_checkpoint(folder / "run.checkpoint");
  Hdf5Recorder recorder(folder / "run.h5", options);
  simulate(model, flight, {.until = 2.0, .resume = &checkpoint}, {&recorder, &meter, &silent});
  EXPECT_EQ(silent.begun, 1);
  EXPECT_THAT(message_of<FileError>(
                  [&] { simulate(model, flight, {.until = 2.0, .resume = &checkpoint}, {&recorder}); }),
              HasSubstr("recorder 2 of the run is missing"));
}

TEST_F(Checkpoints, HaveToBeAskedForProperly) {
  EXPECT_EQ(message_of<OptionError>([&] { begin("run", 1.0, 0); }),
            "checkpoint.every is 0, must be at least 1 step");
  EXPECT_EQ(message_of<OptionError>(
                [&] { simulate(model, flight, {.until = 1.0, .checkpoint = {.every = 3}}, {}); }),
            "checkpoint.every is 3, but checkpoint.file is not given");
  write(folder / "run.checkpoint", "precious");
  EXPECT_THAT(message_of<FileError>([&] { begin("run", 1.0); }), HasSubstr("run.checkpoint\" exists"));
  EXPECT_EQ(bytes_in("run.checkpoint"), "precious");
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST_F(Checkpoints, OfAnotherRunAreRefused) {
  begin("run", 1.0);
  const std::string head =
      "cannot go on from checkpoint \"" + (folder / "run.checkpoint").string() + "\": it is of another run, ";
  const std::string results = bytes_in("run.h5");
  flight = FreeFlight({.step = 0.05});
  EXPECT_EQ(refusal("run"), head + "the step size is 0.05 s, in the checkpoint 0.1 s");
  flight = FreeFlight({.step = h});

  Model other = make_flying_model();
  other.note_parameter("size", "2");
  std::swap(model, other);
  EXPECT_EQ(refusal("run"),
            head + "parameter size (2) is where the checkpoint has the integrator (free flight)");
  std::swap(model, other);

  // Parameters that were not recorded.
  const auto with_mass = [](double mass) {
    Model one("one");
    const PointNode node = one.add_point("ball");
    one.add<PointMass>({.name = "mass", .node = node, .mass = mass, .gravity = {0, 0, -10}});
    return one;
  };
  model = with_mass(1.0);
  begin("one", 1.0);
  model = with_mass(1.0 + 1e-6);
  EXPECT_THAT(refusal("one"), HasSubstr("it is of another run, a mass is another than in the checkpoint"));
  EXPECT_EQ(bytes_in("run.h5"), results);
}

TEST_F(Checkpoints, AreRefusedWhenDamaged) {
  begin("run", 1.0);
  const std::string good = bytes_in("run.checkpoint");
  const std::string results = bytes_in("run.h5");
  const auto file = folder / "run.checkpoint";
  const std::string head = "cannot go on from checkpoint \"" + file.string() + "\": ";
  for (std::size_t place = 0; place < good.size(); place += 7) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 0x10);
    write(file, bad);
    EXPECT_EQ(refusal("run"), head + (place < 8 ? "it is not a checkpoint of Picus"
                                                : "it is damaged, its checksum is wrong"));
  }
  for (std::size_t size = 0; size < good.size(); size += 97) {
    write(file, std::string_view(good).substr(0, size));
    EXPECT_EQ(refusal("run"),
              head + (size < 8 ? "it is not a checkpoint of Picus" : "it is damaged, its checksum is wrong"));
  }
  std::filesystem::remove(file);
  EXPECT_EQ(refusal("run"), head + "No such file or directory");
  std::filesystem::create_directory(file);
  EXPECT_EQ(refusal("run"), head + "Is a directory");
  EXPECT_EQ(bytes_in("run.h5"), results);
}

TEST_F(Checkpoints, AreRefusedWhenOfAnotherVersion) {
  begin("run", 1.0);
  const std::string good = bytes_in("run.checkpoint");
  const std::string content = good.substr(0, good.size() - 4);
  const auto rewrite = [&](std::size_t place, std::string_view bytes) {
    std::string other = content;
    other.replace(place, bytes.size(), bytes);
    const std::uint32_t checksum = crc32(other);
    other.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    write(folder / "run.checkpoint", other);
  };
  const std::string known(version);
  const std::size_t place = content.find(known);
  rewrite(place, known);  // the test knows the layout
  EXPECT_EQ(bytes_in("run.checkpoint"), good);

  rewrite(place, std::string(known.size(), '9'));
  EXPECT_THAT(refusal("run"),
              HasSubstr("it was written by Picus " + std::string(known.size(), '9') +
                        ", and only that version can go on as before; this is Picus " + known));
  rewrite(8, std::string("\x63\0\0\0", 4));
  EXPECT_THAT(refusal("run"), HasSubstr("it has format 99 of Picus " + known + "; this is Picus " + known +
                                        ", which knows format " + std::to_string(checkpoint_format)));
}

TEST_F(Checkpoints, NeedTheirResultFile) {
  begin("run", 1.0);
  const auto file = folder / "run.h5";
  const std::string head = "cannot go on with file \"" + file.string() + "\": ";
  const std::string good = bytes_in("run.h5");
  const std::string checkpoint = bytes_in("run.checkpoint");

  begin("other", 0.4);
  std::filesystem::rename(folder / "other.h5", file);  // has the records of steps 0, 3 and 4
  EXPECT_EQ(refusal("run"), head + "its record 3 is not that of the checkpoint");
  const std::string other = bytes_in("run.h5");
  EXPECT_EQ(refusal("run"), head + "its record 3 is not that of the checkpoint");
  EXPECT_EQ(bytes_in("run.h5"), other);

  begin("short", 0.1);
  std::filesystem::rename(folder / "short.h5", file);
  EXPECT_EQ(refusal("run"), head + "its data set time has 2 rows, the checkpoint needs 3");
  options.include = {"nodes/*"};
  begin("poor", 1.0);
  std::filesystem::rename(folder / "poor.h5", file);
  options.include = {};
  EXPECT_THAT(refusal("run"), HasSubstr("it has no data set contacts/"));
  write(file, "nonsense");
  EXPECT_EQ(refusal("run"), head + "it is not an HDF5 file, or damaged");
  std::filesystem::remove(file);
  EXPECT_EQ(refusal("run"), head + "No such file or directory");

  EXPECT_EQ(bytes_in("run.checkpoint"), checkpoint);
  write(file, good);
  go_on("run", 2.0);
  begin("whole", 2.0);
  expect_equal_results(file, folder / "whole.h5");
}

TEST_F(Checkpoints, NameTheReasonWhyTheyCannotBeWritten) {
  Hdf5Recorder recorder(folder / "run.h5", options);
  const auto refused = [&](const std::filesystem::path& file) {
    return message_of<FileError>([&] {
      simulate(model, flight, {.until = 1.0, .checkpoint = {.file = file, .every = 4}}, {&recorder});
    });
  };
  const std::string missing = (folder / "nowhere/run.checkpoint").string();
  EXPECT_EQ(refused(missing), "cannot write file \"" + missing + "\": No such file or directory");
  EXPECT_EQ(ResultReader(folder / "run.h5").text("/", "outcome"),
            "cannot write file \"" + missing + "\": No such file or directory");

  std::filesystem::remove(folder / "run.h5");
  std::filesystem::remove(folder / "run.xdmf");
  const auto locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked,
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const bool is_root = geteuid() == 0;
  constexpr uid_t nobody = 65534;
  std::filesystem::permissions(folder / ".", std::filesystem::perms::all);
  if (is_root) {
    ASSERT_EQ(seteuid(nobody), 0);  // root may write anywhere
  }
  EXPECT_THAT(refused(locked / "run.checkpoint"), HasSubstr("Permission denied"));
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST_F(Checkpoints, KeepTheLastOneWhenTheDiskIsFull) {
  std::string message;
  {
    std::optional<FileSizeLimit> limit;
    meter.on_record = [&](const State& state) {
      // Only the beginning of this checkpoint fits.
      if (state.step == 20) limit.emplace(1000);
    };
    message = message_of<FileError>([&] {
      simulate(model, flight, {.until = 4.0, .checkpoint = {.file = folder / "run.checkpoint", .every = 4}},
               {&meter});
    });
    meter.on_record = {};
  }
  EXPECT_EQ(message, "cannot write file \"" + (folder / "run.checkpoint").string() + "\": File too large");
  const Checkpoint kept = read_checkpoint(folder / "run.checkpoint");
  EXPECT_EQ(kept.state.step, 16);
  EXPECT_EQ(folder.file_count(), 1U);  // and no partially written file
  const RunSummary summary = simulate(model, flight, {.until = 4.0, .resume = &kept}, {&meter});
  EXPECT_EQ(summary.steps, 40);
}

TEST_F(Checkpoints, KeepTheResultWhenThereIsNoRoomForTheNextOne) {
  begin("run", 1.0);
  const std::string results = bytes_in("run.h5");
  {
    const FileSizeLimit limit(results.size() / 2);
    EXPECT_EQ(refusal("run"), "cannot write file \"" + (folder / "run.h5").string() + "\": File too large");
  }
  EXPECT_EQ(bytes_in("run.h5"), results);
  EXPECT_EQ(folder.file_count(), 3U);
  go_on("run", 2.0);
}

TEST_F(Checkpoints, ARunWhoseResultIsRemovedSaysSo) {
  options.flush_seconds = 0;
  meter.on_record = [&](const State& state) {
    if (state.step == 9) std::filesystem::remove(folder / "run.h5");
  };
  const std::string message = message_of<FileError>([&] { begin("run", 10.0); });
  meter.on_record = {};
  EXPECT_EQ(message,
            "cannot write file \"" + (folder / "run.h5").string() + "\": it was removed, moved or replaced");
  EXPECT_EQ(read_checkpoint(folder / "run.checkpoint").state.step, 8);
  EXPECT_THAT(refusal("run", 10.0), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace picus::support
