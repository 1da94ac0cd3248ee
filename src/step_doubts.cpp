#include "step_doubts.hpp"

#include <picus/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::detail {

void check_bounds(const System& system, const State& state) {
  if (std::isfinite(state.v.squaredNorm())) return;
  Index worst = 0;
  for (Index i = 0; i < state.v.size(); ++i) {
    if (!(std::abs(state.v[i]) <= std::abs(state.v[worst]))) worst = i;
    if (std::isnan(state.v[i])) break;
  }
  throw SolverError(
      fmt::format("step to t = {} s: the motion has grown beyond all bounds; the rate of {} is {:.3g}",
                  state.time, system.describe_dof(worst), state.v[worst]));
}

std::optional<std::string> missed_contacts(const SearchStatistics& search) {
  if (search.misses == 0) return std::nullopt;
  return fmt::format(
      "surfaces passed each other unseen in {}, at most {:.3g} m deep; a smaller step sees them",
      search.misses == 1 ? "1 step" : fmt::format("{} steps", search.misses), search.worst_depth);
}

}  // namespace picus::detail
