#include "trouble_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace picus::watch {
namespace {

/// Fraction of the steps with fallbacks from which on a warning is given.
constexpr double notable_part = 0.01;

/// Limit of distinct causes; the most frequent ones are among the first of a long run.
constexpr std::size_t max_culprits = 1000;

/// "row 2 of contact "toe"" is attributed to the contact.
std::string_view without_row(std::string_view culprit) {
  constexpr std::string_view of = " of ";
  const std::size_t end = culprit.find(of);
  return culprit.starts_with("row ") && end != culprit.npos ? culprit.substr(end + of.size()) : culprit;
}

}  // namespace

void TroubleWatch::record_step(const StepReport& report) {
  if (report.culprit.empty()) return;
  ++steps_;
  const std::string_view name = without_row(report.culprit);
  const auto known = std::ranges::find(culprits_, name, &Culprit::first);
  if (known != culprits_.end()) {
    ++known->second;
  } else if (culprits_.size() < max_culprits) {
    culprits_.emplace_back(name, 1);
  }
}

bool TroubleWatch::is_sound(std::int64_t steps) const {
  return steps_ >= 0 && steps_ <= steps && culprits_.size() <= max_culprits &&
         std::ranges::all_of(culprits_,
                             [&](const Culprit& one) { return one.second >= 1 && one.second <= steps_; });
}

std::optional<std::string> TroubleWatch::warning(std::int64_t steps) const {
  if (culprits_.empty() || static_cast<double>(steps_) < notable_part * static_cast<double>(steps))
    return std::nullopt;
  const auto most = std::ranges::max_element(culprits_, {}, &Culprit::second);
  return fmt::format(
      "{} of {} steps were hard to solve, {} of them first at {}; a smaller step helps, or what "
      "docs/troubleshooting.md says of the fallbacks",
      steps_, steps, most->second, most->first);
}

}  // namespace picus::watch
