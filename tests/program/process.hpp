#pragma once

/// Runs programs as a user does and checks their output, exit status and files.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace picus::test {

/// How a program ended: exit status, or minus the number of the signal that ended it.
struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::filesystem::path directory = ".";                ///< where it runs
  bool errors_on_terminal = false;                      ///< standard error is a terminal of 100 columns
  bool ignores_hangup = false;                          ///< as under nohup
  std::optional<unsigned long> largest_file = {};       ///< limit on the size of files, bytes
  std::optional<std::filesystem::path> output_to = {};  ///< standard output is redirected there
};

/// A program that runs in parallel with the test; it is killed when this object is destroyed.
class Process {
 public:
  explicit Process(const std::vector<std::string>& words, const ProcessOptions& options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads until `text` appears on standard error; false if the program ends or `patience` runs out first.
  bool wait_for_error_text(const std::string& text, std::chrono::seconds patience);
  void send(int signal) const;
  /// Reads to the end and waits for the program to exit.
  Outcome finish();

 private:
  /// Reads available output, waiting up to a tenth of a second; false at the end of both streams.
  bool read_some();

  int pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  Outcome outcome_;
};

/// Runs the program under test with these arguments until it exits.
Outcome run_picus(std::vector<std::string> words, const ProcessOptions& options = {});

/// A folder of its own for each test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs the program in a folder of its own and checks the files there.
class ProgramTest : public testing::Test {
 protected:
  Outcome picus(const std::vector<std::string>& words, ProcessOptions options = {}) const {
    options.directory = folder.path();
    return run_picus(words, options);
  }
  std::filesystem::path file(const std::string& name) const { return folder.path() / name; }
  /// The content of a file; empty if it does not exist.
  std::string text_of(const std::string& name) const;

  TemporaryFolder folder;
};

}  // namespace picus::test
