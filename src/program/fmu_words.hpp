#pragma once

/// The interface between picus and picus-fmu.

namespace picus::program {

/// The command that picus-fmu executes, and its summary.
inline constexpr const char* fmu_command = "fmu";
inline constexpr const char* fmu_summary = "Make an FMU of a model, for co-simulation in other programs";

}  // namespace picus::program
