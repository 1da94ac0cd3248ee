#include <picus/solvers/analyses/free_motion.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace picus::solvers {
namespace {

/// Each reduces motions with more than ten times the energy of indistinct_stiffness by a factor of ten or more.
constexpr int iterations = 6;
/// Random forces added to `push` in all directions, relative to its largest entry.
constexpr double background = 1e-3;
/// An open contact is named if the motion changes its gap by this fraction of the motion's size.
constexpr double notable = 0.1;
/// Open contacts that a message names.
constexpr Index most_named = 3;

}  // namespace

SoftestMotion find_softest_motion(const System& system, const Scales& scales, const SparseMatrix& matrix,
                                  const Vector& stiffness, LinearSolver& solver, const Vector& push) {
  const auto free_dofs = system.free_dofs();
  const auto n = count_of(free_dofs);
  SparseMatrix shifted = matrix;
  for (Index i = 0; i < n; ++i)
    shifted.values[matrix.find(i, i)] += indistinct_stiffness * stiffness[free_dofs[i]];

  SoftestMotion result;
  result.x = Vector::Zero(system.velocity_count());
  if (!solver.factorize(shifted)) return result;
  Vector x = Vector::Zero(matrix.size);
  std::mt19937 generator(2463534242U);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto size_of = [&](Index i) { return scales.length(scales.kind(free_dofs[i])); };
  double strongest = 0;
  for (Index i = 0; i < n; ++i) strongest = std::max(strongest, std::abs(push[free_dofs[i]]) * size_of(i));
  for (Index i = 0; i < n; ++i) {
    const double noise = uniform(generator);
    x[i] = strongest > 0 ? push[free_dofs[i]] + background * noise * strongest / size_of(i)
                         : noise * stiffness[free_dofs[i]] * size_of(i);
  }
  for (int k = 0; k < iterations; ++k) {
    for (Index i = 0; i < n && k > 0; ++i) x[i] *= stiffness[free_dofs[i]];
    x.tail(matrix.size - n).setZero();
    solver.solve(std::span(x.data(), matrix.size));
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      const double motion = std::abs(x[i]) / size_of(i);
      if (motion <= largest) continue;
      largest = motion;
      result.dof = free_dofs[i];
    }
    if (!(largest > 0) || !x.allFinite()) return result;
    x /= largest;
  }
  for (Index c = 0; c < n; ++c) {
    result.x[free_dofs[c]] = x[c];
    result.terms += x[c] * x[c] * stiffness[free_dofs[c]];
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Index r = matrix.row[k];
      if (r >= n) continue;
      result.energy += x[r] * matrix.values[k] * x[c];
      result.terms += std::abs(x[r] * matrix.values[k] * x[c]);
    }
  }
  double work_of_rows = 0.0;
  for (Index c = n; c < matrix.size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (matrix.row[k] < n) work_of_rows += x[matrix.row[k]] * matrix.values[k] * x[c];
    }
  }
  // A share of 1e-8 for motions that satisfy the rows, 1e8 for those that cannot: the regularisation or its reciprocal.
  result.is_held = work_of_rows > result.terms;
  result.found = true;
  return result;
}

std::string describe_motion(const System& system, const Scales& scales, const SoftestMotion& motion,
                            const Gradients& contact_G, std::span<const ContactState> states) {
  std::string text = system.describe_dof(motion.dof);
  Vector change = Vector::Zero(system.contact_row_count());
  System::multiply(system.contact_entries(), contact_G, motion.x, change);
  const double size = notable * scales.length(MotionKind::translation);
  const auto name = [&](std::string_view what, auto&& takes_part) {
    Index count = 0;
    for (std::size_t c = 0; c < states.size(); ++c) {
      const auto& block = system.contacts()[c];
      if (!takes_part(block, states[c])) continue;
      if (++count <= most_named) text += fmt::format(", contact \"{}\" {}", block.element->name(), what);
    }
    if (count > most_named) text += fmt::format(", and {} more", count - most_named);
  };
  name("is open", [&](const auto& block, ContactState state) {
    return state == ContactState::gap && std::abs(change[block.first_row]) > size;
  });
  name("slides", [&](const auto& block, ContactState state) {
    const Index directions = std::min<Index>(block.rows - 1, block.role->law().friction_directions);
    return state == ContactState::slip && change.segment(block.first_row + 1, directions).norm() > size;
  });
  return text;
}

}  // namespace picus::solvers
