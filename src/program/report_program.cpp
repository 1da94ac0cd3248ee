#include "report_program.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace picus::program {

std::optional<std::filesystem::path> find_report_program() {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  std::filesystem::path program = own.parent_path() / "picus-report";
  if (own.empty() || !std::filesystem::is_regular_file(program, unknown)) return std::nullopt;
  return program;
}

void become_report_program(const std::vector<std::string>& words) {
  const std::optional<std::filesystem::path> program = find_report_program();
  if (!program) {
    throw FileError(
        "the program picus-report is missing; it belongs beside the program picus (build target "
        "picus_report)");
  }
  std::string name = "picus";
  std::vector<char*> arguments = {name.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program->c_str(), arguments.data());
  throw FileError(fmt::format("{} cannot be run: {}", program->string(), std::strerror(errno)));
}

}  // namespace picus::program
