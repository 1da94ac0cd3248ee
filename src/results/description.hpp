#pragma once

/// What a result file says about its run, apart from the numbers.

#include "hdf5_file.hpp"
#include <picus/hdf5_recorder.hpp>
#include <picus/stepper.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace picus::results {

/// The newest version of the layout, which changes when a program that reads results has to: that of files with contact sets.
inline constexpr std::int64_t format_version = 4;
/// That of all others.
inline constexpr std::int64_t format_without_sets = 3;

/// Why this version cannot read an HDF5 file that is open: it is of a newer format. Empty if it can.
std::string newer_format(Hdf5Handle::Id file);

/// Attributes of the root, the integrator's options in /integrator, and the model in /model.
void describe_run(Hdf5File& file, const RunInfo& run, const Hdf5RecorderOptions& options);

/// The laws of the contacts, on those of their groups that have a data set among `names`.
void describe_contacts(Hdf5File& file, const System& system, const std::vector<std::string>& names);

/// Where the time of a run went until now, in /profile.
void describe_profile(Hdf5File& file, const Profile& profile);

/// What the run has found out: values by their names as attributes of /findings; those of /findings/unit, /findings/reference and
/// /findings/source say more of them.
void describe_findings(Hdf5File& file, const Findings& findings);

/// What the search for contacts of a run took.
void describe_search(Hdf5File& file, const SearchStatistics& search);

}  // namespace picus::results
