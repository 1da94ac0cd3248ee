#include "energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::watch {
namespace {

/// Balance, relative to the largest energy, above which it is not attributed to discretisation errors: a run of n steps
/// may in addition have an error of 1/n, like a scheme of first order in its first steps. Balances are of second order
/// in smooth motion and of first order with impacts. No ready-made model reaches this limit with the step of its paper.
constexpr double limit = 0.1;
/// Increase of the work of impacts, relative to the largest energy, above which it is told. It is of first order where
/// bodies turn in a step.
constexpr double limit_of_impacts = 0.05;
/// Rounding level relative to the energies, below which their differences are meaningless; relevant for a model at
/// rest.
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
  lowest_work_ = std::min(lowest_work_, now.work_of_impacts);
  if (now.work_of_impacts - lowest_work_ > added_) {
    added_ = now.work_of_impacts - lowest_work_;
    time_of_added_ = time;
  }
}

std::optional<std::string> EnergyWatch::warning(std::int64_t steps) const {
  if (!std::isfinite(worst_))
    return fmt::format("the balance of energies is {} from t = {:.6g} s on", worst_, time_of_worst_);
  const double part = limit + 1.0 / static_cast<double>(std::max<std::int64_t>(steps, 1));
  // False also if the energy at the start was not finite.
  if (!(std::abs(worst_) > part * turned_over_ + rounding * std::abs(start_))) return std::nullopt;
  return fmt::format(
      "the energies do not balance: at t = {:.6g} s {:.3g} J have {}, where no more than {:.3g} J are turned "
      "over; the "
      "step is too large, or a force, a potential or a motion contradicts itself",
      time_of_worst_, std::abs(worst_), worst_ > 0 ? "come from nowhere" : "gone nowhere", turned_over_);
}

std::optional<std::string> EnergyWatch::warning_of_impacts() const {
  if (!(added_ > limit_of_impacts * turned_over_ + rounding * std::abs(start_))) return std::nullopt;
  return fmt::format(
      "impacts have added energy: {:.3g} J up to t = {:.6g} s, where no more than {:.3g} J are turned over; "
      "bodies turn too far in a step, or Newton's law gains between several contacts or with friction",
      added_, time_of_added_, turned_over_);
}

}  // namespace picus::watch
