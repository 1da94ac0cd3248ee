#pragma once

/// Programs in the folder of this one that execute some of its commands: users who only run models need not build them.

#include <picus/program.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// Its path, if it exists.
std::optional<std::filesystem::path> find_companion(const Companion& companion);

/// Replaces this process by that program, with these arguments. Throws FileError if it is missing or cannot be run.
[[noreturn]] void become_companion(const Companion& companion, const std::vector<std::string>& words);

}  // namespace picus::program
