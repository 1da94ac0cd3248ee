#include <picus/solvers/subproblems/load_limits.hpp>

#include <fmt/format.h>

#include <array>

namespace picus {

LoadLimits::LoadLimits(const System& system) {
  for (const auto& block : system.constraints()) {
    if (const auto* limit = dynamic_cast<const LoadLimited*>(block.element))
      limited_.push_back({&block, limit});
  }
}

std::string LoadLimits::overload(const Vector& multipliers, double factor) const {
  std::array<double, max_local_dofs> rows{};
  for (const auto& [block, limit] : limited_) {
    for (Index i = 0; i < block->rows; ++i) rows[i] = factor * multipliers[block->first_row + i];
    const std::string excess = limit->overload(std::span(rows.data(), block->rows));
    if (!excess.empty()) return fmt::format("element \"{}\" {}", block->element->name(), excess);
  }
  return {};
}

}  // namespace picus
