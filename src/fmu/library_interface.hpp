#pragma once

/// The functions that the library of an FMU exports for the program that makes FMUs from it.

namespace picus::fmu {

/// Receives a named text.
using PutText = void (*)(void* sink, const char* name, const char* text);

/// The type of picus_fmu_describe(): `setup` is a text written by setup_text(). Puts "identifier", "platform" (the
/// folder of the library in an FMU), "inputs", "outputs" (names, a line each) and "modelDescription.xml", and returns
/// 0; or puts "error" and returns the exit status for it.
using Describe = int(const char* setup, void* sink, PutText put);
inline constexpr const char* describe_name = "picus_fmu_describe";

}  // namespace picus::fmu
