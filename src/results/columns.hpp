#pragma once

/// What is recorded: for each data set its name, shape, unit and meaning, and how a row of it is filled.

#include "hdf5_file.hpp"
#include <picus/energy.hpp>
#include <picus/time_integrator.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace picus::results {

/// What solving took since the last record.
struct SolverWork {
  std::array<std::int32_t, 3> iterations{};              ///< largest of a step, by sub-problem
  std::array<double, 3> residuals{};                     ///< largest of a step, by sub-problem
  std::array<std::int32_t, 3> line_searches{};           ///< sum over the steps
  std::array<std::int32_t, fallback_count> fallbacks{};  ///< sum over the steps

  void add(const StepReport& report);
};

/// All that a record is made of.
struct Sample {
  const State& state;
  const Vector& violation;  ///< g of all constraint rows
  const Vector& gaps;       ///< of all contact rows
  const Vector& observed;   ///< what all observable elements report
  const Energies& energies;
  const SolverWork& work;
  const EnergyAudit& audit;
};

struct Column {
  std::string name;  ///< path in the file
  Number number;
  std::vector<Index> shape;  ///< of one row; empty: one number
  std::string unit;          ///< separated by commas where components differ
  std::string description;
  std::function<void(const Sample&, std::byte* row)> fill;  ///< writes one row of `number`s
  bool is_plain = false;  ///< never packed: other programs find the bytes of a row in the file
  /// Where rows depend on the one before: takes that from an earlier part of the run. Empty elsewhere.
  std::function<void(const std::byte* row)> take_up = {};

  std::size_t row_bytes() const;
};

/// A column of numbers T (double, float, std::int32_t or std::uint8_t), filled by fill(const Sample&, T*
/// row).
template <class T, class Fill>
Column make_column(std::string name, std::vector<Index> shape, std::string unit, std::string description,
                   Fill fill) {
  constexpr Number number = std::is_same_v<T, double>         ? Number::float64
                            : std::is_same_v<T, float>        ? Number::float32
                            : std::is_same_v<T, std::int32_t> ? Number::int32
                                                              : Number::uint8;
  static_assert(sizeof(T) == size_of(number));
  return {std::move(name),
          number,
          std::move(shape),
          std::move(unit),
          std::move(description),
          [fill = std::move(fill)](const Sample& sample, std::byte* row) mutable {
            fill(sample, reinterpret_cast<T*>(row));
          },
          false,
          {}};
}

/// /time, which comes first and is always recorded.
Column make_time_column();
/// Everything else about a system that moves in steps of h seconds; on request also the energies of each element and
/// contact.
std::vector<Column> make_columns(const System& system, double h, bool energy_details);

}  // namespace picus::results
