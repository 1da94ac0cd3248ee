#pragma once

/// Summary of a run on standard output.

#include <picus/model.hpp>
#include <picus/observer.hpp>
#include <picus/simulate.hpp>

#include <string>
#include <vector>

namespace picus::program {

/// Warnings of a run (RunSummary::warnings), and one for each finding that is not finite; one sentence each.
std::vector<std::string> warnings_of(std::vector<std::string> warnings, const std::vector<Finding>& findings);
/// Steps, time, iterations, fallbacks, contact search, errors of constraints and contacts, and energy balance.
std::string summary_text(const Model& model, double step, const RunSummary& summary);

/// Profile of the run, each part with its share of the total.
std::string profile_text(const Profile& profile);

/// Findings with their references, and a warning for each that is not finite; empty without findings.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace picus::program
