#include <picus/local_dofs.hpp>
#include <picus/solvers/subproblems/contact_rate_rows.hpp>

#include <algorithm>
#include <numeric>

namespace picus {

ContactRateRows::ContactRateRows(const System& system)
    : system_(&system), rows_(system.make_contact_gradients()), all_contacts_(system.contacts().size()) {
  std::iota(all_contacts_.begin(), all_contacts_.end(), std::size_t{0});
}

const Gradients& ContactRateRows::evaluate(const Configuration& q, const Vector& v, const Gradients& G,
                                           double v_rate, double dq_rate, const Chart& chart,
                                           std::span<const std::size_t> contacts) {
  for (const std::size_t contact : contacts) {
    const auto& block = system_->contacts()[contact];
    const std::size_t m = block.rows;
    const std::size_t n = block.dofs;
    rate_jacobian_.assign(m * n, 0.0);
    curvature_.resize(n * n);
    local_v_.resize(n);
    gather(*block.element, v, local_v_);
    for (std::size_t i = 0; i < m; ++i) {
      unit_.assign(m, 0.0);
      unit_[i] = 1.0;
      std::fill(curvature_.begin(), curvature_.end(), 0.0);
      block.role->geometric_stiffness(q, unit_, curvature_);
      for (std::size_t col = 0; col < n; ++col) {
        for (std::size_t row = 0; row < n; ++row)
          rate_jacobian_[col * m + i] += local_v_[row] * curvature_[col * n + row];
      }
    }
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.rows, rate_jacobian_);
    const std::size_t first = block.first_source;
    for (std::size_t i = 0; i < m * n; ++i)
      rows_.values[first + i] = v_rate * G.values[first + i] + dq_rate * rate_jacobian_[i];
  }
  return rows_;
}

}  // namespace picus
