#include <picus/component_units.hpp>
#include <picus/error.hpp>
#include <picus/local_dofs.hpp>
#include <picus/solvers/analyses/constraint_rank.hpp>
#include <picus/solvers/analyses/mobility.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace picus {

using solvers::dependent;
using solvers::SparseRank;
using solvers::unit_rows;
using solvers::UnitRows;

namespace {

/// Smaller entries of a redundancy vector count as zero.
constexpr double least_share = 1e-6;

/// Curvature y . d(G v)/dq v of a singular position, for motions of the size of the model.
constexpr double curved = 1e-6;

/// d(G v)/dq v in all rows: the curvature of the constraints along the motion v.
Vector curvature_along(const System& system, const Configuration& q, double t, const Vector& v) {
  Vector result = Vector::Zero(system.row_count());
  std::vector<double> H, H_0, local;
  for (const auto& block : system.constraints()) {
    H.assign(block.rows * block.dofs, 0.0);
    H_0 = H;
    local.assign(block.dofs, 0.0);
    block.role->rate_jacobian(q, t, local, H_0);  // of g_t only
    gather(*block.element, v, local);
    block.role->rate_jacobian(q, t, local, H);
    for (Index c = 0; c < block.dofs; ++c) {
      for (Index r = 0; r < block.rows; ++r) {
        const std::size_t k = c * block.rows + r;
        result[block.first_row + r] += (H[k] - H_0[k]) * local[c];
      }
    }
  }
  return result;
}

}  // namespace

Mobility analyse_mobility(const System& system, const Configuration& q, double t) {
  Mobility mobility;
  const auto free_dofs = system.free_dofs();
  const auto free_index = system.free_index();
  const auto active_row = system.active_row();
  mobility.components = count_of(free_dofs);
  mobility.equations = system.active_row_count();
  if (mobility.equations == 0) return mobility;

  const UnitRows rows = unit_rows(system, q, t, free_index);
  const Vector& length = rows.length;
  const Vector unit = component_units(system);
  const SparseRank factors(mobility.components, mobility.equations, rows.entries, dependent);
  mobility.rank = factors.rank();
  if (factors.null_space().empty()) return mobility;

  Vector g = Vector::Zero(system.row_count());
  Vector g_t = g;
  system.evaluate_constraint_residual(q, t, g);
  if (system.is_rheonomic()) system.evaluate_partial_rates(q, t, g_t);
  std::vector<Vector> curvatures;
  std::mt19937 generator(521288629U);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int sample = 0; sample < 2 && mobility.degrees_of_freedom() > 0; ++sample) {
    Vector random(mobility.components);
    for (double& value : random) value = uniform(generator);
    const Vector motion = factors.orthogonal_part(random);
    Vector v = Vector::Zero(system.velocity_count());
    for (std::size_t i = 0; i < free_dofs.size(); ++i) v[free_dofs[i]] = motion[i] * unit[free_dofs[i]];
    curvatures.push_back(curvature_along(system, q, t, v));
  }

  std::vector<Index> row_of(mobility.equations);
  for (Index row = 0; row < system.row_count(); ++row) {
    if (active_row[row] >= 0) row_of[active_row[row]] = row;
  }
  for (const Vector& y : factors.null_space()) {
    Redundancy redundancy;
    double largest = 0;
    for (Index i = 0; i < mobility.equations; ++i) {
      if (std::abs(y[i]) < least_share) continue;
      const Index row = row_of[i];
      const double weight = y[i] / (length[row] > rows.negligible ? length[row] : 1.0);
      redundancy.rows.emplace_back(row, weight);
      largest = std::max(largest, std::abs(weight));
    }
    double scale = 0;
    Vector curve = Vector::Zero(count_of(curvatures));
    for (auto& [row, weight] : redundancy.rows) {
      scale += std::abs(weight) * length[row];
      for (std::size_t k = 0; k < curvatures.size(); ++k) curve[k] += weight * curvatures[k][row];
      weight /= largest;
      redundancy.violation += weight * g[row];
      redundancy.rate += weight * g_t[row];
    }
    const double bend = curve.size() > 0 ? curve.lpNorm<Eigen::Infinity>() : 0.0;
    redundancy.is_singular_position = bend > curved * std::max(scale, 1e-300);
    mobility.redundancies.push_back(std::move(redundancy));
  }
  return mobility;
}

Mobility analyse_mobility(const System& system) {
  return analyse_mobility(system, system.model().initial_configuration(), 0.0);
}

}  // namespace picus
