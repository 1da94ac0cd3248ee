#include "energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::watch {
namespace {

/// Part of the energy turned over from which on a balance is no error of discretisation any more: a run of n steps may
/// be wrong by 1/n besides, as a scheme of first order is in its first steps. Balances are of second order in smooth
/// motion and of first through impacts. No ready-made model gets here with the step of its paper.
constexpr double limit = 0.1;
/// Of the energies as they stand, whose differences say nothing below that: of a model at rest nothing else is left.
constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon();

}  // namespace

EnergyWatch::EnergyWatch(const Energies& start) : start_(start.potential), turned_over_(start.kinetic) {}

void EnergyWatch::record_step(const Energies& now, double time) {
  for (const double part : {now.kinetic, now.potential - start_, now.work_of_loads, now.work_of_dampers,
                            now.work_of_motions, now.work_of_impacts, now.work_of_friction}) {
    if (std::abs(part) > turned_over_) turned_over_ = std::abs(part);
  }
  const double other = now.balance + doubt_;
  const double balance = std::abs(other) < std::abs(now.balance) ? other : now.balance;
  if (std::isfinite(worst_) && !(std::abs(balance) <= std::abs(worst_))) {
    worst_ = balance;
    time_of_worst_ = time;
  }
}

std::optional<std::string> EnergyWatch::warning(std::int64_t steps) const {
  if (!std::isfinite(worst_))
    return fmt::format("the balance of energies is {} from t = {:.6g} s on", worst_, time_of_worst_);
  const double part = limit + 1.0 / static_cast<double>(std::max<std::int64_t>(steps, 1));
  // Neither where the energy of the start was no number.
  if (!(std::abs(worst_) > part * turned_over_ + rounding * std::abs(start_))) return std::nullopt;
  return fmt::format(
      "the energies do not balance: at t = {:.6g} s {:.3g} J have {}, where no more than {:.3g} J are turned "
      "over; the "
      "step is too large, or a force, a potential or a motion contradicts itself",
      time_of_worst_, std::abs(worst_), worst_ > 0 ? "come from nowhere" : "gone nowhere", turned_over_);
}

}  // namespace picus::watch
