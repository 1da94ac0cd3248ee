#pragma once

/// What a result file says about its run, apart from the numbers.

#include "hdf5_file.hpp"
#include <picus/hdf5_recorder.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace picus::results {

/// The version of the layout; changes when a program that reads results has to.
inline constexpr std::int64_t format_version = 3;

/// Why this version cannot read an HDF5 file that is open: it is of a newer format. Empty if it can.
std::string newer_format(Hdf5Handle::Id file);

/// Attributes of the root, the integrator's options in /integrator, and the model in /model.
void describe_run(Hdf5File& file, const RunInfo& run, const Hdf5RecorderOptions& options);

/// The laws of the contacts, on those of their groups that have a data set among `names`.
void describe_contacts(Hdf5File& file, const System& system, const std::vector<std::string>& names);

}  // namespace picus::results
