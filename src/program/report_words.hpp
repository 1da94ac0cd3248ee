#pragma once

/// What picus and picus-report, which has the benchmarks, say to each other.

namespace picus::program {

/// The command that picus-report takes over, and what it does.
inline constexpr const char* report_command = "report";
inline constexpr const char* report_summary = "Run the benchmarks and write a page of what they show";
/// Its command that prints the table of the benchmarks.
inline constexpr const char* benchmarks_command = "benchmarks";

}  // namespace picus::program
