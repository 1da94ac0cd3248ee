#include "summary.hpp"

#include "output.hpp"

#include <fmt/format.h>

#include <cmath>

namespace picus::program {
namespace {

std::string iterations_text(const RunSummary& summary) {
  Table table({"sub-problem", "iterations", "mean", "maximum", "line searches"},
              {false, true, true, true, true});
  for (const SubproblemStatistics& statistics : summary.subproblems) {
    if (statistics.name.empty()) continue;
    const double steps = summary.steps > 0 ? static_cast<double>(summary.steps) : 1.0;
    table.add({std::string(statistics.name), fmt::format("{}", statistics.iterations),
               fmt::format("{:.2f}", static_cast<double>(statistics.iterations) / steps),
               fmt::format("{}", statistics.worst_iterations), fmt::format("{}", statistics.line_searches)});
  }
  return table.text();
}

std::string fallbacks_text(const RunSummary& summary) {
  std::string text;
  for (std::size_t i = 0; i < max_fallbacks; ++i) {
    if (summary.fallbacks[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", summary.fallback_names[i], summary.fallbacks[i]);
  }
  if (text.empty()) return "none";
  if (summary.worst_accepted_residual > 0)
    text += fmt::format(" (at most {:.3g} times)", summary.worst_accepted_residual);
  return text;
}

std::string search_text(const SearchStatistics& search) {
  const auto steps = [](std::int64_t count) {
    return fmt::format("{} {}", count, count == 1 ? "step" : "steps");
  };
  const std::string missed = search.misses == 0 ? "none missed"
                                                : fmt::format("some missed in {}, at most {:.2e} m deep",
                                                              steps(search.misses), search.worst_depth);
  return fmt::format("changed in {}, {} repeated, {}", steps(search.changes), steps(search.repeats), missed);
}

std::string energies_text(const Energies& energies) {
  Table table({"energy at the end", "J"}, {false, true});
  const auto add = [&](std::string name, double value) {
    table.add({std::move(name), fmt::format("{:.6e}", value)});
  };
  add("kinetic", energies.kinetic);
  const auto add_part = [&](const char* name, double value) {
    if (value != 0.0) add(name, value);
  };
  add_part("gravitational", energies.gravitational);
  add_part("springs", energies.springs);
  add_part("strain", energies.strain);
  add_part("other potentials", energies.other_potential);
  add_part("work of loads", energies.work_of_loads);
  add_part("work of dampers", energies.work_of_dampers);
  add_part("work of driven motions", energies.work_of_motions);
  add_part("work of impacts", energies.work_of_impacts);
  add_part("work of friction", energies.work_of_friction);
  add("balance", energies.balance);
  add_part("  numerical gain", energies.numerical);
  add_part("  work of corrections", energies.work_of_corrections);
  add_part("  work of constraints", energies.work_of_constraints);
  add_part("  unexplained", energies.unexplained);
  return table.text();
}

/// The difference relative to the reference, or absolute where the reference is zero.
std::string difference_text(const Finding& finding) {
  const double difference = *finding.value - *finding.reference;
  if (*finding.reference == 0.0) return with_unit(fmt::format("{:+.2e}", difference), finding.unit);
  return fmt::format("{:+.2f} %", 100.0 * difference / std::abs(*finding.reference));
}

bool is_no_number(const Finding& finding) {
  return finding.value && !std::isfinite(*finding.value);
}

std::string warning_of(const Finding& finding) {
  return fmt::format("{} is {}: the run does not tell it", finding.quantity, *finding.value);
}

}  // namespace

std::vector<std::string> warnings_of(std::vector<std::string> warnings,
                                     const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (is_no_number(finding)) warnings.push_back(warning_of(finding));
  }
  return warnings;
}

std::string summary_text(const Model& model, double step, const RunSummary& summary) {
  const double steps = summary.steps > 0 ? static_cast<double>(summary.steps) : 1.0;
  std::string text =
      fmt::format("{}: {} steps of {} s to t = {:.6g} s in {:.3g} s, {:.3g} microseconds a step\n\n",
                  model.name(), summary.steps, step, summary.final_state.time, summary.wall_seconds,
                  1e6 * summary.wall_seconds / steps);
  for (const std::string& warning : summary.warnings) text += fmt::format("warning: {}\n\n", warning);
  text += iterations_text(summary);
  text += fmt::format("\n  fallbacks                     {}\n", fallbacks_text(summary));
  if (!model.contact_sets().empty())
    text += fmt::format("  contacts found                {}\n", search_text(summary.search));
  text += fmt::format("  largest constraint violation  {:.2e} m or rad\n", summary.worst_violation);
  text += fmt::format("  largest penetration           {:.2e} m\n\n", summary.worst_penetration);
  text += energies_text(summary.energies);
  return text;
}

std::string profile_text(const Profile& profile) {
  Table table({"sub-problem", "time went to", "count", "s", "%"}, {false, false, true, true, true});
  const double total = profile.seconds();
  const auto add = [&](const std::string& subproblem, std::string_view part, const std::string& count,
                       double seconds) {
    table.add({subproblem.empty() ? "-" : subproblem, std::string(part), count,
               fmt::format("{:.4f}", seconds),
               fmt::format("{:.1f}", total > 0 ? 100 * seconds / total : 0.0)});
  };
  for (const Profile::Entry& entry : profile.entries()) {
    const bool is_rest_of_all = entry.subproblem.empty() && entry.part == ProfilePart::rest;
    add(entry.subproblem, name_of(entry.part), is_rest_of_all ? "" : fmt::format("{}", entry.count),
        entry.seconds);
  }
  add("", "total", "", total);
  return table.text();
}

std::string findings_text(const std::vector<Finding>& findings) {
  if (findings.empty()) return "";
  Table table({"quantity", "Picus", "reference", "difference", "source"}, {false, true, true, true, false});
  for (const Finding& finding : findings) {
    const auto show = [&](const std::optional<double>& value) {
      return value ? with_unit(fmt::format("{:.4g}", *value), finding.unit) : std::string("-");
    };
    const bool both = finding.value && finding.reference && std::isfinite(*finding.value) &&
                      std::isfinite(*finding.reference);
    table.add({finding.quantity, show(finding.value), show(finding.reference),
               both ? difference_text(finding) : "-", finding.source});
  }
  std::string text = table.text();
  for (const Finding& finding : findings) {
    if (is_no_number(finding)) text += fmt::format("\nwarning: {}\n", warning_of(finding));
  }
  return text;
}

}  // namespace picus::program
