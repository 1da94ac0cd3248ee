/// Reads complete result files, checkpoints and problems in FCLIB format (.hdf5) in this process, where a sanitizer
/// checks it: `picus` does so in a separate process. Usage: read_foreign FILE...      Every error in them is printed,
/// one per line.

#include "../../src/program/result_file.hpp"
#include <picus/checkpoint.hpp>
#include <picus/error.hpp>
#include <picus/friction_problem.hpp>

#include <cstdio>
#include <filesystem>
#include <span>

namespace {

void read_result(const std::filesystem::path& path) {
  const picus::program::ResultFile file(path);
  const auto content = file.content();
  file.attributes("");
  for (const std::string& group : content.groups) file.attributes(group);
  for (const auto& set : content.data_sets) {
    file.attributes(set.name);
    try {
      file.for_each_row(set, [](std::span<const double>) {});
    } catch (const picus::FileError& error) {
      std::printf("%s\n", error.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* const name : std::span(argv, argc).subspan(1)) {
    try {
      const std::filesystem::path extension = std::filesystem::path(name).extension();
      if (extension == ".checkpoint")
        picus::read_checkpoint(name);
      else if (extension == ".hdf5")
        picus::read_friction_problem(name);
      else
        read_result(name);
    } catch (const picus::FileError& error) {
      std::printf("%s\n", error.what());
    }
  }
  return 0;
}
