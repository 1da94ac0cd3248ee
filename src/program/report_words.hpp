#pragma once

/// The interface between picus and picus-report, which has the benchmarks.

namespace picus::program {

/// The command that picus-report executes, and its summary.
inline constexpr const char* report_command = "report";
inline constexpr const char* report_summary = "Run the benchmarks and write a page of what they show";
/// Its command that prints the table of the benchmarks.
inline constexpr const char* benchmarks_command = "benchmarks";

}  // namespace picus::program
