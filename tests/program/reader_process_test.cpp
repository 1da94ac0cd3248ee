/// The separate process in which `picus` reads files of unknown origin.

#include "../../src/program/reader_process.hpp"

#include <picus/error.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace picus::program {
namespace {

std::string message_of(const std::function<std::string()>& read) {
  try {
    return "no message but " + read_apart("no-such-file", read, 1.0);
  } catch (const FileError& error) {
    return error.what();
  }
}

TEST(ReaderProcess, GivesWhatItsReaderReturnsOrThrows) {
  EXPECT_EQ(message_of([] { return std::string("all"); }), "no message but all");
  EXPECT_EQ(message_of([]() -> std::string { throw FileError("it is odd"); }), "it is odd");
}

TEST(ReaderProcess, IsGivenUpWhenItComputesForEver) {
  EXPECT_EQ(
      message_of([]() -> std::string {
        for (volatile bool goes_on = true; goes_on;) {
        }
        return "";
      }),
      "cannot read file \"no-such-file\": it is damaged or made to be read for ever; after 1 s of computing "
      "it is given up");
}

TEST(ReaderProcess, IsGivenUpWhenItWaitsForEver) {
  EXPECT_EQ(message_of([]() -> std::string {
              for (;;) ::pause();
            }),
            "cannot read file \"no-such-file\": it is made to be waited for, or where it stands is slow; "
            "after 6 s it is "
            "given up");
}

TEST(ReaderProcess, IsGivenUpWhenItTakesTooMuchMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers reserve more addresses than the limit";
#endif
  EXPECT_EQ(message_of([] {
              // Untouched memory takes no computing time, which is limited, too.
              std::vector<std::string> all(30);
              for (std::string& one : all) one.reserve(100'000'000);
              return std::string("all");
            }),
            "cannot read file \"no-such-file\": it takes more than 2 GB of memory");
}

TEST(ReaderProcess, MayFall) {
  EXPECT_EQ(message_of([]() -> std::string {
              std::raise(SIGKILL);
              return "";
            }),
            "cannot read file \"no-such-file\": it is damaged, and reading it fails in the library for HDF5");
}

}  // namespace
}  // namespace picus::program
