#include <picus/error.hpp>
#include <picus/models/study/scheme_comparison.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::models {
namespace {

/// A failure of any kind but a stop request is a result.
TrialResult run_or_fail(const Trial& trial) {
  try {
    return run(trial);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    TrialResult failed;
    failed.failure = error.what();
    return failed;
  }
}

/// Times of a few milliseconds mostly measure the first use of code and memory: such runs are repeated, and the shortest
/// counts.
TrialResult run_repeatedly(const Trial& trial) {
  constexpr double long_enough = 0.1;  // s, of all together
  constexpr int most_runs = 20;
  TrialResult result = run_or_fail(trial);
  double sum = result.step_seconds;
  const bool is_whole = result.is_complete() && !result.is_cut_short;
  for (int i = 1; is_whole && i < most_runs && sum < long_enough; ++i) {
    const double seconds = run_or_fail(trial).step_seconds;
    result.step_seconds = std::min(result.step_seconds, seconds);
    sum += seconds;
  }
  return result;
}

double largest_distance(const Model& model, const Configuration& a, const Configuration& b) {
  double places = 0.0;
  double scalars = 0.0;
  bool has_places = false;
  for (const Node& node : model.nodes()) {
    const std::size_t at = node.q;
    if (node.kind == NodeKind::scalar) {
      scalars = std::max(scalars, std::abs(a.data()[at] - b.data()[at]));
    } else {
      has_places = true;
      double square = 0.0;
      for (std::size_t i = at; i < at + 3; ++i) square += std::pow(a.data()[i] - b.data()[i], 2);
      places = std::max(places, std::sqrt(square));
    }
  }
  return has_places ? places : scalars;
}

}  // namespace

std::vector<SchemeOutcome> compare_schemes(const SchemeComparison& comparison) {
  std::vector<SchemeOutcome> outcomes;
  double until = comparison.until;
  double longest = comparison.longest;
  for (const std::string& scheme : comparison.schemes) {
    TrialResult result = run_repeatedly({.scenario = comparison.scenario,
                                         .scheme = scheme,
                                         .options = {.step = comparison.step},
                                         .until = until,
                                         .signals = {},
                                         .stop_request = comparison.stop_request,
                                         .longest = longest});
    outcomes.push_back({.scheme = scheme, .result = std::move(result), .until = until});
    if (outcomes.size() > 1) continue;
    longest *= longest_of_others;
    const SchemeOutcome& first = outcomes.front();
    if (first.result.is_cut_short && first.result.summary.steps > 0)
      until = outcomes.front().until = first.reached();
  }
  const Model model = comparison.scenario.build();
  const SchemeOutcome& first = outcomes.front();
  const auto is_whole = [&](const SchemeOutcome& outcome) {
    const bool is_cut = outcome.result.is_cut_short && &outcome != &first;
    return outcome.result.is_complete() && !is_cut;
  };
  for (SchemeOutcome& outcome : outcomes) {
    if (&outcome == &first || !is_whole(first) || !is_whole(outcome)) continue;
    outcome.time_ratio = outcome.result.step_seconds / first.result.step_seconds;
    outcome.distance =
        largest_distance(model, first.result.summary.final_state.q, outcome.result.summary.final_state.q);
  }
  return outcomes;
}

}  // namespace picus::models
