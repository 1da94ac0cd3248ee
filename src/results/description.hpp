#pragma once

/// The metadata of a run in a result file.

#include "hdf5_file.hpp"
#include <picus/hdf5_recorder.hpp>
#include <picus/stepper.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace picus::results {

/// The newest version of the layout, that of files with contact sets. It changes whenever programs that read results
/// must be adapted.
inline constexpr std::int64_t format_version = 4;
/// Version of all other files.
inline constexpr std::int64_t format_without_sets = 3;

/// Message if an open HDF5 file has a newer format than this version can read; empty if it can be read.
std::string newer_format(Hdf5Handle::Id file);

/// Writes the attributes of the root, the integrator's options in /integrator, and the model in /model.
void describe_run(Hdf5File& file, const RunInfo& run, const Hdf5RecorderOptions& options);

/// Writes the laws of the contacts, for groups with a data set among `names`.
void describe_contacts(Hdf5File& file, const System& system, const std::vector<std::string>& names);

/// Writes the profile of the run so far to /profile.
void describe_profile(Hdf5File& file, const Profile& profile);

/// Writes the findings of the run: values by name as attributes of /findings, with further attributes in
/// /findings/unit, /findings/reference and /findings/source.
void describe_findings(Hdf5File& file, const Findings& findings);

/// Writes the statistics of the contact search of a run.
void describe_search(Hdf5File& file, const SearchStatistics& search);

}  // namespace picus::results
