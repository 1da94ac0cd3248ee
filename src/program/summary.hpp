#pragma once

/// What a run took and what it found, on standard output.

#include <picus/model.hpp>
#include <picus/observer.hpp>
#include <picus/simulate.hpp>

#include <string>
#include <vector>

namespace picus::program {

/// What a run warns of, with those of its findings that are no numbers; a sentence each.
std::vector<std::string> warnings_of(const RunSummary& summary, const std::vector<Finding>& findings);
/// Steps, time, iterations, fallbacks, contacts found, errors of constraints and contacts, and where the energy went.
std::string summary_text(const Model& model, double step, const RunSummary& summary);

/// Where the time went, each part with its share of the whole.
std::string profile_text(const Profile& profile);

/// Each finding beside its reference, and a warning for each that is no number; empty without findings.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace picus::program
