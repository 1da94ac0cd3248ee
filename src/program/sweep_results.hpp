#pragma once

/// What a sweep has found: a table of its points, as CSV, in an HDF5 file and in short on the screen.

#include "integrator_options.hpp"
#include "sweep_journal.hpp"
#include "sweep_plan.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace picus::program {

/// What is swept, and where what is found goes.
struct SweepOptions {
  const RegisteredModel* model;
  SweepPlan plan;
  IntegratorChoice integrator;
  double until;
  Index workers;
  int threads;
  std::filesystem::path table, data, journal;  ///< STEM.csv, STEM.h5, STEM.sweep
  std::filesystem::path figure;                ///< STEM.png; empty: none
  std::string head;                            ///< of the journal: what makes two sweeps the same
  bool retry, force, quiet;
};

/// A finding over all points, NaN where it is missing.
struct SweepColumn {
  std::string name, unit;
  std::vector<double> values;
};

/// A column for each finding, in the order in which they come.
std::vector<SweepColumn> columns_of(const SweepOptions& options, const SweepJournal& journal);
/// Points that failed.
std::size_t count_failures(const SweepJournal& journal);

/// A line for each point: parameters, findings, steps, fallbacks, seconds, failure.
std::string csv_text(const SweepOptions& options, const SweepJournal& journal,
                     const std::vector<SweepColumn>& columns);
/// The same as data sets of the file that the options name. Throws Error where it cannot be written.
void write_data(const SweepOptions& options, const SweepJournal& journal,
                const std::vector<SweepColumn>& columns);
/// Smallest, mean and largest of each finding, and the first failures.
void print_summary(const SweepOptions& options, const SweepJournal& journal,
                   const std::vector<SweepColumn>& columns);

}  // namespace picus::program
