#pragma once

/// The recorded data sets: name, shape, unit and meaning of each, and the function that fills a row.

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

/// Effort of the solvers since the last record.
struct SolverWork {
  std::array<std::int32_t, 3> iterations{};             ///< maximum over the steps, by sub-problem
  std::array<double, 3> residuals{};                    ///< maximum over the steps, by sub-problem
  std::array<std::int32_t, 3> line_searches{};          ///< sum over the steps
  std::array<std::int32_t, max_fallbacks> fallbacks{};  ///< sum over the steps
  double accepted_residual = 0.0;                       ///< maximum over the steps

  void add(const StepReport& report);
};

/// The data of a record.
struct Sample {
  const State& state;
  const RowValues& rows;
  const Vector& observed;  ///< quantities of all observable elements
  const Energies& energies;
  const SolverWork& work;
  const EnergyAudit& audit;
  const Momentum& momentum;
  std::span<const ContactPicture> contacts;       ///< the drawn contacts
  std::span<const double> sensor = {};            ///< sample of the sensor of the row
  std::span<const FoundCount> found_counts = {};  ///< numbers of detected contacts, by contact set
  const FoundRow* found = nullptr;                ///< the detected contact of the row
};

struct Column {
  std::string name;  ///< path in the file
  Number number;
  std::vector<Index> shape;  ///< of one row; empty: one number
  std::string unit;          ///< comma-separated where components differ
  std::string description;
  std::function<void(const Sample&, std::byte* row)> fill;  ///< writes one row of `number`s
  bool is_plain = false;  ///< never compressed: other programs access the bytes of a row in the file
  /// The first dimension of a row is merged with that of the records: N rows of {5, 3} make a data set of (5 N, 3).
  bool is_flat = false;
  /// If a row depends on the previous one: sets that from an earlier part of the run. Otherwise empty.
  std::function<void(const std::byte* row)> resume = {};
  /// Index of the contact set for whose contacts there are rows, one each; -1: none.
  Index contact_set = -1;

  std::size_t row_bytes() const;
  /// Length of a row in the first dimension of the data set.
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

/// A column of instants, load factors or frequencies, depending on `unit` (RunInfo::time_unit), which is the first of
/// its table and always recorded; `of` names the rows, e.g. "records".
Column make_time_column(const std::string& unit, std::string name, std::string_view of);
/// All other columns of a system advanced by the integrator in steps of size h (s); with `energy_details` also the
/// energies of each element and contact.
std::vector<Column> make_columns(const System& system, double h, const TimeIntegrator& integrator,
                                 bool energy_details);

}  // namespace picus::results
