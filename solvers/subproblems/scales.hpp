#pragma once

/// Characteristic masses and lengths, for the tolerances of residuals and the scaling of multipliers.

#include <picus/kkt_assembler.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/system.hpp>

#include <array>
#include <limits>

namespace picus {

/// Kind of a velocity component or a constraint row: m, rad, or the unit of a scalar node.
enum class MotionKind : std::uint8_t { translation = 0, rotation = 1, scalar = 2 };

/// Relative rounding error of a coordinate in a row at position level: a few sums and products.
inline constexpr double coordinate_rounding = 8 * std::numeric_limits<double>::epsilon();

/// Rounding level of sums of a few dozen terms, relative to the terms.
inline constexpr double sum_rounding = 100 * std::numeric_limits<double>::epsilon();

/// One value for each MotionKind.
using PerKind = std::array<double, 3>;

class Scales {
 public:
  /// Masses at the configuration at which `mass` is assembled.
  Scales(const System& system, const MassMatrix& mass);

  MotionKind kind(Index dof) const { return dof_kind_[dof]; }
  MotionKind row_kind(Index row) const { return row_kind_[row]; }
  /// Mass of a component, M_ii; for a massless one the smallest of its kind, kg or kg m2.
  double mass(Index dof) const { return dof_mass_[dof]; }
  /// Effective mass of a bilateral row, 1 / (G M^-1 G^T) over the components with mass.
  double row_mass(Index row) const { return row_mass_[row]; }
  /// For analyses that know the size of the model better than its System, m.
  void set_size(double size) { length_ = size; }
  /// Characteristic length of each kind: the size of the model, 1 rad, 1.
  double length(MotionKind kind) const { return kind == MotionKind::translation ? length_ : 1.0; }
  /// Magnitude of coordinates of the kind at the start, to which coordinate_rounding applies: the largest distance of a
  /// node from the origin, 1 rad, 1.
  double coordinate_magnitude(MotionKind kind) const {
    return kind == MotionKind::translation ? distance_from_origin_ : 1.0;
  }

 private:
  void measure_rows(const System& system, const MassMatrix& mass);

  std::vector<MotionKind> dof_kind_;
  std::vector<MotionKind> row_kind_;
  Vector dof_mass_;
  Vector row_mass_;
  double length_;
  double distance_from_origin_ = 0.0;
};

}  // namespace picus
