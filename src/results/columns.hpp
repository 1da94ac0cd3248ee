#pragma once

/// What is recorded: for each data set its name, shape, unit and meaning, and how a row of it is filled.

#include "hdf5_file.hpp"
#include <picus/energy.hpp>
#include <picus/row_values.hpp>
#include <picus/time_integrator.hpp>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace picus::results {

struct ContactPicture;
struct FoundCount;
struct FoundRow;

/// What solving took since the last record.
struct SolverWork {
  std::array<std::int32_t, 3> iterations{};              ///< largest of a step, by sub-problem
  std::array<double, 3> residuals{};                     ///< largest of a step, by sub-problem
  std::array<std::int32_t, 3> line_searches{};           ///< sum over the steps
  std::array<std::int32_t, most_fallbacks> fallbacks{};  ///< sum over the steps
  double accepted_residual = 0.0;                        ///< largest of a step

  void add(const StepReport& report);
};

/// All that a record is made of.
struct Sample {
  const State& state;
  const RowValues& rows;
  const Vector& observed;  ///< what all observable elements report
  const Energies& energies;
  const SolverWork& work;
  const EnergyAudit& audit;
  const Momentum& momentum;
  std::span<const ContactPicture> contacts;       ///< those that are drawn
  std::span<const double> sensor = {};            ///< what the sensor shows whose row it is
  std::span<const FoundCount> found_counts = {};  ///< contacts that were found, by contact set
  const FoundRow* found = nullptr;                ///< the one of them whose row it is
};

struct Column {
  std::string name;  ///< path in the file
  Number number;
  std::vector<Index> shape;  ///< of one row; empty: one number
  std::string unit;          ///< separated by commas where components differ
  std::string description;
  std::function<void(const Sample&, std::byte* row)> fill;  ///< writes one row of `number`s
  bool is_plain = false;  ///< never packed: other programs find the bytes of a row in the file
  /// The first dimension of a row and that of the records are one: rows of {5, 3} make a data set of (5 N, 3).
  bool is_flat = false;
  /// Where rows depend on the one before: takes that from an earlier part of the run. Empty elsewhere.
  std::function<void(const std::byte* row)> resume = {};
  /// Place of the contact set for whose contacts, one by one, there are rows; -1: of none.
  Index contact_set = -1;

  std::size_t row_bytes() const;
  /// How long a row is in the first dimension of the data set.
  std::int64_t row_length() const { return is_flat ? shape.front() : 1; }
  /// The other dimensions.
  std::span<const Index> row_shape() const { return std::span(shape).subspan(is_flat ? 1 : 0); }
};

/// A column of numbers T (double, float, std::int64_t, std::int32_t or std::uint8_t), filled by fill(const Sample&, T*
/// row).
template <class T, class Fill>
Column make_column(std::string name, std::vector<Index> shape, std::string unit, std::string description,
                   Fill fill) {
  constexpr Number number = number_of<T>();
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

/// A column of instants, load factors or frequencies, as `unit` tells (RunInfo::time_unit), which comes first in its table
/// and is always recorded; `of` is what there is at each, "records".
Column make_time_column(const std::string& unit, std::string name, std::string_view of);
/// Everything else about a system that moves in steps of h seconds by the integrator; on request also the energies of each
/// element and contact.
std::vector<Column> make_columns(const System& system, double h, const TimeIntegrator& integrator,
                                 bool energy_details);

}  // namespace picus::results
