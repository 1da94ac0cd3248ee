// The recorder when the file system fails or the process is terminated.

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/file_size_limit.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace picus::support {
namespace {

using testing::HasSubstr;

class ResultFiles : public testing::Test {
 protected:
  void run(const std::filesystem::path& file, Hdf5Recorder::Options options = {}, double until = 1.0) {
    Hdf5Recorder recorder(file, std::move(options));
    simulate(model, flight, {.until = until}, {&recorder});
  }
  std::string refusal(const std::filesystem::path& file, const Hdf5Recorder::Options& options = {}) {
    return message_of<FileError>([&] { run(file, options); });
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "flight.h5";
  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(ResultFiles, AreReplacedOnlyOnRequest) {
  std::ofstream(path) << "precious";
  EXPECT_EQ(refusal(path),
            "file \"" + path.string() + "\" exists; allow overwriting (--force) to replace it");
  EXPECT_EQ(content_of(path), "precious");
  EXPECT_EQ(folder.file_count(), 1U);
  run(path, {.overwrite = true});
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 11U);
  EXPECT_EQ(folder.file_count(), 2U);
}

TEST_F(ResultFiles, AreReplacedTogetherWithTheirXdmf) {
  const auto xdmf = folder / "flight.xdmf";
  std::ofstream(xdmf) << "precious";
  EXPECT_THAT(refusal(path), HasSubstr("flight.xdmf\" exists"));
  EXPECT_EQ(folder.file_count(), 1U);
  run(path, {.overwrite = true});
  EXPECT_THAT(content_of(xdmf), HasSubstr("<Xdmf"));
}

TEST_F(ResultFiles, KeepWhatALinkLeadsTo) {
  const auto target = folder / "target.h5";
  std::ofstream(target) << "old";
  std::filesystem::create_symlink(target, path);
  run(path, {.overwrite = true, .xdmf = false});
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_EQ(ResultReader(target).numbers("time").size(), 11U);
}

TEST_F(ResultFiles, NameTheReasonWhyTheyCannotBeWritten) {
  const std::string missing = (folder / "nowhere/flight.h5").string();
  EXPECT_EQ(refusal(missing), "cannot write file \"" + missing + "\": No such file or directory");
  std::filesystem::create_directory(path);
  EXPECT_EQ(refusal(path, {.overwrite = true}),
            "cannot write file \"" + path.string() + "\": Is a directory");
  EXPECT_EQ(refusal("/dev/full"), "cannot write file \"/dev/full\": No space left on device");
  EXPECT_THAT(refusal("/proc/flight.h5"), HasSubstr("cannot write file \"/proc/flight.h5\": "));
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST_F(ResultFiles, NeedTheirFolderToBeWritable) {
  const auto locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, std::filesystem::perms::owner_exec);
  const bool is_root = geteuid() == 0;
  constexpr uid_t nobody = 65534;
  if (is_root) {
    ASSERT_EQ(seteuid(nobody), 0);  // root may write anywhere
  }
  EXPECT_THAT(refusal(locked / "flight.h5"), HasSubstr("Permission denied"));
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST_F(ResultFiles, KeepWhatTheyHadWhenTheDiskIsFull) {
  flight = FreeFlight({.step = 1e-4});
  std::string message;
  {
    const FileSizeLimit limit(3'000'000);
    message = message_of<FileError>([&] { run(path, {.flush_seconds = 1e-3, .compression = 0}, 1.0); });
  }
  EXPECT_EQ(message, "cannot write file \"" + path.string() + "\": File too large");
  const ResultReader result(path);
  const std::size_t rows = result.numbers("time").size();
  EXPECT_GT(rows, 0U);
  EXPECT_GE(result.numbers("nodes/ball/position").size(), 3 * rows);
  EXPECT_FALSE(result.has_attribute("/", "outcome"));
  EXPECT_THAT(content_of(folder / "flight.xdmf"), HasSubstr("</Xdmf>"));
}

TEST_F(ResultFiles, DoNotAppearWhenTheDiskIsFullFromTheStart) {
  const FileSizeLimit limit(5000);
  EXPECT_THAT(refusal(path), HasSubstr("File too large"));
  EXPECT_EQ(folder.file_count(), 0U);
}

/// HDF5 closes open files when a process ends, and crashes on files that it could not close before.
TEST_F(ResultFiles, LetTheProcessEndInPeaceWhereverTheDiskIsFull) {
  flight = FreeFlight({.step = 1e-3});
  for (rlim_t limit = 1000; limit < 600'000; limit = limit * 5 / 4) {
    const auto try_run = [&] {
      const FileSizeLimit full(limit);
      try {
        run(path, {.overwrite = true, .flush_seconds = 0, .compression = 0});
      } catch (const FileError&) {
      }
      std::exit(0);
    };
    EXPECT_EXIT(try_run(), testing::ExitedWithCode(0), "") << limit;
  }
}

TEST_F(ResultFiles, CanBeReadWhileTheyAreWritten) {
  const System system(model);
  State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const RowValues measured(system, state);
  Hdf5Recorder recorder(path, {.flush_seconds = 0, .frames = std::int64_t{1} << 40});
  recorder.begin({system, flight, 1.0});
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 0U);
  for (std::size_t rows = 1; rows < 4; ++rows) {
    recorder.record({system, state, {}, audit, measured});
    const ResultReader result(path);
    EXPECT_EQ(result.numbers("time").size(), rows);
    EXPECT_EQ(result.numbers("nodes/ball/position").size(), 3 * rows);
  }
}

TEST_F(ResultFiles, HoldAllRecordsOnceTheyAreFlushed) {
  const System system(model);
  State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const RowValues measured(system, state);
  Hdf5Recorder recorder(path, {.flush_seconds = 1e9, .frames = std::int64_t{1} << 40});
  recorder.flush();  // nothing has begun
  recorder.begin({system, flight, 1.0});
  for (int i = 0; i < 3; ++i) recorder.record({system, state, {}, audit, measured});
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 0U);
  recorder.flush();
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 3U);
}

/// Checks every data set of a file that was cut short.
void expect_whole(const std::filesystem::path& path) {
  const ResultReader result(path);
  const auto time = result.numbers("time");
  for (const std::string& name : result.data_sets()) {
    const bool is_table =
        name.starts_with("model/") || name == "visualization/owners" || name == "visualization/contacts";
    if (is_table) continue;
    const auto numbers = result.numbers(name);
    if (!support::is_constant(name)) {
      EXPECT_GE(result.shape(name)[0], time.size()) << name;
    }
  }
  const auto steps = static_cast<hsize_t>(result.number("VTKHDF/Steps", "NSteps"));
  const auto points = static_cast<hsize_t>(result.numbers("VTKHDF/NumberOfPoints")[0]);
  for (const char* name : {"VTKHDF/Points", "VTKHDF/PointData/velocity", "VTKHDF/PointData/contact_gap"}) {
    EXPECT_GE(result.shape(name)[0], steps * points) << name;
  }
  EXPECT_GE(result.shape("VTKHDF/Steps/PointOffsets")[0], steps);
  const auto position = result.numbers("nodes/ball/position");
  for (std::size_t n = 0; n < time.size(); ++n) {
    ASSERT_NEAR(time[n], 1e-3 * static_cast<double>(n), 1e-12);
    ASSERT_NEAR(position[3 * n + 2], 2 - 5 * time[n] * time[n], 1e-9 * (1 + 5 * time[n] * time[n]));
  }
}

TEST_F(ResultFiles, AreWholeWheneverTheProcessIsKilled) {
  flight = FreeFlight({.step = 1e-3});
  std::mt19937 random(1);
  std::size_t most_rows = 0;
  // On a busy machine a run may need seconds for its first rows: then it is given more time.
  for (int kill = 0; kill < 20 || (most_rows <= 10 && kill < 26); ++kill) {
    const int longer = kill < 20 ? 1 : 1 << (kill - 19);
    // Half of them flush so rarely that chunks fill up in between.
    const double flush_seconds = kill % 2 == 0 ? 0.0 : 2e-3;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        run(path, {.overwrite = true, .flush_seconds = flush_seconds, .frames = std::int64_t{1} << 40}, 1e9);
      } catch (...) {
      }
      _exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(longer * (30 + random() % 100)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the run ended by itself";
    if (!std::filesystem::exists(path)) continue;  // killed before it began
    expect_whole(path);
    most_rows = std::max(most_rows, ResultReader(path).numbers("time").size());
  }
  EXPECT_GT(most_rows, 10U);
}

}  // namespace
}  // namespace picus::support
