#pragma once

/// Programs beside this one, which take over some of its commands: who only runs models need not build them.

#include <picus/program.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// Where it is, if it is there.
std::optional<std::filesystem::path> find_companion(const Companion& companion);

/// Goes on as that program, with these words. Throws FileError when it is missing or cannot be run.
[[noreturn]] void become_companion(const Companion& companion, const std::vector<std::string>& words);

}  // namespace picus::program
