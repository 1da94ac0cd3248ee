#include <picus/component_units.hpp>
#include <picus/solvers/analyses/constraint_rank.hpp>

#include <random>

namespace picus::solvers {

UnitRows unit_rows(const System& system, const Configuration& q, double t, std::span<const Index> index) {
  UnitRows rows;
  const Vector unit = component_units(system);
  const auto active_row = system.active_row();
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, t, G);
  rows.length = Vector::Zero(system.row_count());
  for (const GradientEntry& e : system.constraint_entries()) {
    const double value = G.values[e.source] * unit[e.dof];
    if (index[e.dof] >= 0) rows.length[e.row] += value * value;
  }
  rows.length = rows.length.cwiseSqrt();
  rows.negligible = 1e-12 * rows.length.lpNorm<Eigen::Infinity>();
  for (const GradientEntry& e : system.constraint_entries()) {
    const double value = G.values[e.source] * unit[e.dof];
    if (index[e.dof] < 0 || active_row[e.row] < 0 || value == 0 || !(rows.length[e.row] > rows.negligible))
      continue;
    rows.entries.push_back({index[e.dof], active_row[e.row], value / rows.length[e.row]});
  }
  return rows;
}

bool lose_redundancies(const System& system, const Configuration& q, double t, Index count) {
  // The components of motions include the driven ones.
  const auto free_index = system.free_index();
  std::vector<Index> index(free_index.begin(), free_index.end());
  Index components = count_of(system.free_dofs());
  for (const auto& [dof, motion] : system.model().driven()) index[dof] = components++;
  const Index equations = system.active_row_count();
  const SparseRank rows(components, equations, unit_rows(system, q, t, index).entries, dependent);
  std::mt19937 generator(521288629U);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector motion(components);
  for (double& value : motion) value = uniform(generator);
  motion = rows.orthogonal_part(motion);
  const double largest = motion.lpNorm<Eigen::Infinity>();
  if (!(largest > dependent)) return false;

  // Violates the constraints, and changes dependent rows, by some 1e-3.
  constexpr double step = 0.03;
  const Vector unit = component_units(system);
  Vector increment = Vector::Zero(system.velocity_count());
  for (Index dof = 0; dof < count_of(increment); ++dof) {
    if (index[dof] >= 0) increment[dof] = step / largest * motion[index[dof]] * unit[dof];
  }
  Configuration moved = q;
  retract(system.nodes(), q, increment, moved);
  const SparseRank there(count_of(system.free_dofs()), equations,
                         unit_rows(system, moved, t, free_index).entries, dependent);
  return equations - there.rank() < count;
}

}  // namespace picus::solvers
