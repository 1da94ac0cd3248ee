// What killed processes leave of their unfinished files, and how later ones handle it.

#include "../../src/part_file.hpp"

#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace picus::support {
namespace {

using results::open_part;
using results::PartFile;
using testing::HasSubstr;

class PartFiles : public testing::Test {
 protected:
  /// A process that has started to write the target and lives until it is killed.
  class Writer {
   public:
    explicit Writer(const std::filesystem::path& target) {
      std::array<int, 2> ends{};
      EXPECT_EQ(pipe(ends.data()), 0);
      pid_ = fork();
      if (pid_ == 0) {
        const PartFile part = open_part(target);
        const char sign = part.descriptor >= 0 ? 'y' : 'n';
        if (::write(ends[1], &sign, 1) == 1) pause();
        _exit(0);
      }
      close(ends[1]);
      char sign = 'n';
      EXPECT_EQ(read(ends[0], &sign, 1), 1);
      EXPECT_EQ(sign, 'y');
      close(ends[0]);
    }
    ~Writer() { end(); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    void end() {
      if (pid_ <= 0) return;
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
      pid_ = 0;
    }

   private:
    pid_t pid_ = 0;
  };

  void record(const std::filesystem::path& file) {
    Hdf5Recorder recorder(file, {.overwrite = true});
    simulate(model, flight, {.until = 1.0}, {&recorder});
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "flight.h5";
  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(PartFiles, OfAKilledProcessGoWithTheNextRun) {
  Writer(path).end();
  Writer(folder / "flight.xdmf").end();
  EXPECT_EQ(folder.file_count(), 2U);
  record(path);
  EXPECT_EQ(folder.file_count(), 2U);  // the result and its XDMF file
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 11U);
}

TEST_F(PartFiles, OfALivingProcessStay) {
  const Writer living(path);
  record(path);
  EXPECT_EQ(folder.file_count(), 3U);
}

TEST_F(PartFiles, OfOthersStay) {
  Writer(folder / "other.h5").end();
  for (const char* name : {"flight.h5.part-01", "flight.h5.part-12", "flight.h5.part-12-backup",
                           "flight.h5.part-1-0123456789", "flight.h5.part"}) {
    std::ofstream(folder / name) << "precious";
  }
  std::filesystem::create_directory(folder / "flight.h5.part-1-01234567");
  record(path);
  EXPECT_EQ(folder.file_count(), 7U + 2U);
}

TEST_F(PartFiles, OfTwoWritersAreTwo) {
  const PartFile one = open_part(path);
  const PartFile other = open_part(path);
  EXPECT_NE(one.path, other.path);
  EXPECT_EQ(folder.file_count(), 2U);
  close(one.descriptor);
  close(other.descriptor);
}

TEST_F(PartFiles, LeaveNoLockOnAResultThatIsBeingWritten) {
  const System system(model);
  Hdf5Recorder recorder(path, {});
  recorder.begin({system, flight, 1.0});
  // HDF5 locks what it reads.
  EXPECT_EQ(ResultReader(path).numbers("time").size(), 0U);
}

/// Does something to the file in the middle of a run.
class Meddler : public Recorder {
 public:
  Meddler(std::int64_t step, std::function<void()> meddle) : step_(step), meddle_(std::move(meddle)) {}
  void begin(const RunInfo& /*run*/) override {}
  void record(const Snapshot& at) override {
    if (at.state.step == step_) meddle_();
  }
  void finish(const std::string& /*outcome*/) override {}

 private:
  std::int64_t step_;
  std::function<void()> meddle_;
};

class MeddledFiles : public PartFiles {
 protected:
  /// Detected immediately if much is written, and at the end if nothing is written before.
  void expect_noticed(const std::function<void()>& meddle, const std::string& reason) {
    for (const double flush_seconds : {0.0, 1e9}) {
      for (const std::int64_t step : {1, 5, 10}) {
        Hdf5Recorder recorder(path, {.overwrite = true, .flush_seconds = flush_seconds});
        Meddler meddler(step, meddle);
        const std::string message = message_of<FileError>([&] {
          simulate(model, flight, {.until = 1.0}, {&recorder, &meddler});
        });
        EXPECT_EQ(message, "cannot write file \"" + path.string() + "\": " + reason);
      }
    }
  }
};

TEST_F(MeddledFiles, AFileThatIsShortenedIsNoticed) {
  expect_noticed([&] { std::filesystem::resize_file(path, 1000); }, "another program has shortened it");
}

TEST_F(MeddledFiles, AFileWhoseContentIsReplacedIsNoticed) {
  // A longer run of the same model: the same data sets at the same places.
  const std::filesystem::path other = folder / "other.h5";
  {
    Hdf5Recorder recorder(other, {});
    simulate(model, flight, {.until = 500.0}, {&recorder});
  }
  const std::string content = content_of(other);
  expect_noticed([&] { std::ofstream(path) << content; }, "another program has written to it");
  expect_noticed([&] { std::ofstream(path) << std::string(content.size(), 'x'); },
                 "another program has written to it");
}

TEST_F(MeddledFiles, AFileThatIsMovedOrReplacedIsNoticed) {
  const std::filesystem::path moved = folder / "moved.h5";
  expect_noticed([&] { std::filesystem::rename(path, moved); }, "it was removed, moved or replaced");
  expect_noticed(
      [&] {
        std::ofstream(folder / "new.h5") << "of somebody else";
        std::filesystem::rename(folder / "new.h5", path);
      },
      "it was removed, moved or replaced");
  EXPECT_EQ(content_of(path), "of somebody else");
}

TEST_F(MeddledFiles, AnInterruptedRunSaysThatItsFileWasMoved) {
  std::atomic<bool> stop = false;
  Hdf5Recorder recorder(path, {});
  Meddler meddler(5, [&] {
    std::filesystem::rename(path, folder / "moved.h5");
    stop = true;
  });
  EXPECT_THAT(message_of<FileError>([&] {
                simulate(model, flight, {.until = 1.0, .stop_request = &stop}, {&recorder, &meddler});
              }),
              testing::HasSubstr("it was removed, moved or replaced"));
}

}  // namespace
}  // namespace picus::support
