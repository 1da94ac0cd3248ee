#pragma once

/// Characteristic masses and speeds, by which residuals are measured and multipliers scaled.

#include <picus/kkt_assembler.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/system.hpp>

#include <array>
#include <limits>

namespace picus {

/// What a velocity component or a row of a constraint measures: m, rad, or the unit of a scalar node.
enum class MotionKind : std::uint8_t { translation = 0, rotation = 1, scalar = 2 };

/// Rounding of a coordinate on the way into a row of positions: a few sums and products of it.
inline constexpr double place_rounding = 8 * std::numeric_limits<double>::epsilon();

/// Rounding level of sums of a few dozen terms, in units of the terms.
inline constexpr double sum_rounding = 100 * std::numeric_limits<double>::epsilon();

/// One value for each MotionKind.
using PerKind = std::array<double, 3>;

class Scales {
 public:
  /// Masses at the configuration at which `mass` is assembled.
  Scales(const System& system, const MassMatrix& mass);

  MotionKind kind(Index dof) const { return dof_kind_[dof]; }
  MotionKind row_kind(Index row) const { return row_kind_[row]; }
  /// Mass of a component, M_ii; of a massless one the smallest of its kind, kg or kg m2.
  double mass(Index dof) const { return dof_mass_[dof]; }
  /// Effective mass of a bilateral row, 1 / (G M^-1 G^T) with the components that have mass.
  double row_mass(Index row) const { return row_mass_[row]; }
  /// A length for each kind: the size of the model, 1 rad, 1.
  double length(MotionKind kind) const { return kind == MotionKind::translation ? length_ : 1.0; }
  /// By how much coordinates of the kind are rounded at the start, in units of place_rounding: the largest distance of a node from the
  /// origin, 1 rad, 1.
  double place(MotionKind kind) const { return kind == MotionKind::translation ? reach_ : 1.0; }

 private:
  void measure_rows(const System& system, const MassMatrix& mass);

  std::vector<MotionKind> dof_kind_;
  std::vector<MotionKind> row_kind_;
  Vector dof_mass_;
  Vector row_mass_;
  double length_;
  double reach_ = 0.0;
};

}  // namespace picus
