#include "companion_program.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace picus::program {

std::optional<std::filesystem::path> find_companion(const Companion& companion) {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  std::filesystem::path program = own.parent_path() / companion.program;
  if (own.empty() || !std::filesystem::is_regular_file(program, unknown)) return std::nullopt;
  return program;
}

void become_companion(const Companion& companion, const std::vector<std::string>& words) {
  const std::optional<std::filesystem::path> program = find_companion(companion);
  if (!program) {
    const std::string origin = companion.origin.empty() ? "" : fmt::format(" ({})", companion.origin);
    throw FileError(fmt::format("the program {} is missing; it belongs beside the program {}{}",
                                companion.program, program_name(), origin));
  }
  std::string name = program_name();
  std::vector<char*> arguments = {name.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program->c_str(), arguments.data());
  throw FileError(fmt::format("{} cannot be run: {}", program->string(), std::strerror(errno)));
}

}  // namespace picus::program
