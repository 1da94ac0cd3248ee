#pragma once

/// The program picus-report, which has the benchmarks, beside this one: who only runs models need not build them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// The command that it takes over, and what it does.
inline constexpr const char* report_command = "report";
inline constexpr const char* report_summary = "Run the benchmarks and write a page of what they show";
/// Its command that prints the table of the benchmarks.
inline constexpr const char* benchmarks_command = "benchmarks";

/// Where it is, if it is there.
std::optional<std::filesystem::path> find_report_program();

/// Goes on as that program, with these words. Throws FileError when it is missing or cannot be run.
[[noreturn]] void become_report_program(const std::vector<std::string>& words);

}  // namespace picus::program
