#pragma once

/// Common helpers of the tests of vibration modes.

#include <picus/picus.hpp>
#include <support/rods.hpp>

#include <numbers>
#include <string>

namespace picus {

inline constexpr double pi = std::numbers::pi;

/// Statics balance forces to 1e-8 of their size, and geometric stiffness is as exact as forces are.
inline constexpr double balanced = 1e-7;
/// Where no forces act.
inline constexpr double rounded = 1e-10;

inline std::string numbered(const char* name, int i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

inline VibrationModes modes_of(const Model& model, const VibrationModesOptions& options = {}) {
  const System system(model);
  return find_vibration_modes(system, find_equilibrium(system), options);
}

}  // namespace picus
