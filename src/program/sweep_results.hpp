#pragma once

/// Results of a sweep: a table of its points as CSV and in an HDF5 file, and a summary on the screen.

#include "integrator_options.hpp"
#include "sweep_journal.hpp"
#include "sweep_plan.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace picus::program {

/// Options of a sweep.
struct SweepOptions {
  const RegisteredModel* model;
  SweepPlan plan;
  IntegratorChoice integrator;
  double until;
  Index workers;
  int threads;
  std::string scheduler;                    ///< address of a scheduler of Dask; empty: the runs are made here
  std::vector<std::string> worker_command;  ///< command run by its workers, without `--point NUMBER`
  std::filesystem::path table, data, journal;  ///< STEM.csv, STEM.h5, STEM.sweep
  std::filesystem::path figure;                ///< STEM.png; empty: none
  std::string head;                            ///< head of the journal, which identifies the sweep
  bool retry, force, quiet;
};

/// A finding over all points, NaN where it is missing.
struct SweepColumn {
  std::string name, unit;
  std::vector<double> values;
};

/// One column per finding, in the order of first occurrence.
std::vector<SweepColumn> columns_of(const SweepOptions& options, const SweepJournal& journal);
/// Number of failed points.
std::size_t count_failures(const SweepJournal& journal);

/// "2 of 6 points have warnings:", and the first warnings, each a line with its point; empty without warnings.
std::string sweep_warnings_text(const SweepOptions& options, const SweepJournal& journal);

/// One line per point: parameters, findings, steps, fallbacks, number of warnings, seconds, failure.
std::string csv_text(const SweepOptions& options, const SweepJournal& journal,
                     const std::vector<SweepColumn>& columns);
/// Writes the same as data sets to options.data. Throws Error if that fails.
void write_data(const SweepOptions& options, const SweepJournal& journal,
                const std::vector<SweepColumn>& columns);
/// Prints the minimum, mean and maximum of each finding, and the first failures and warnings.
void print_summary(const SweepOptions& options, const SweepJournal& journal,
                   const std::vector<SweepColumn>& columns);

}  // namespace picus::program
