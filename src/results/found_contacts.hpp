#pragma once

/// Recording of the contacts detected by the contact sets of a model. Their number varies between records: each set has
/// a table "contact_sets/NAME/*" with a row for each contact of each record, and the table of the records contains the
/// cumulative number of its rows.

#include "columns.hpp"
#include "series.hpp"
#include <picus/contact_key.hpp>
#include <picus/system.hpp>

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace picus::results {

/// One contact at one record, in the inertial frame.
struct FoundRow {
  ContactKey key;
  Vec3 point = Vec3::Zero();    ///< point of application of the force on the first node of the element, m
  Vec3 normal = Vec3::Zero();   ///< direction of opening for the first side, unit vector
  Vec3 force = Vec3::Zero();    ///< on the first side, mean over the last step, N
  double gap = 0.0;             ///< m
  Vec3 impulse = Vec3::Zero();  ///< normal, then tangential, of the last step, N s
  ContactState state = ContactState::gap;
};

/// The contacts of one set at one record.
struct FoundCount {
  std::int64_t rows = 0;   ///< cumulative number of rows in the table of the set, including this record
  std::int64_t found = 0;  ///< number in this record
  std::int64_t closed = 0;
};

/// The columns available for all sets: "count" and "closed" of the records, and those of the tables
/// (Column::contact_set).
std::vector<Column> make_found_columns(const Model& model);
/// Columns "end" of the records for the sets that have any of the table columns `columns`.
std::vector<Column> make_end_columns(const Model& model, const std::vector<Column>& columns);

/// Writes the tables "contact_sets/NAME/features", the meaning of the numbers in keys, for the sets that have a column
/// "key" among `columns` and provide it.
void describe_features(Hdf5File& file, const Model& model, const std::vector<Column>& columns);

class FoundContacts {
 public:
  /// Creates a table for each set that has any of the columns, which come from make_found_columns(). `seconds` is the
  /// ratio of impulses of a step to forces.
  FoundContacts(Hdf5File& file, const System& system, double seconds, std::vector<Column> columns, int level);

  /// Adds the rows of a record. Allocates nothing.
  void record(const Sample& sample);
  /// The counts of the last record, by contact set.
  std::span<const FoundCount> counts() const { return counts_; }

  /// To be called before the table of the records is written.
  void write_out(bool is_last);
  void close();
  /// The tables, in order.
  std::vector<SeriesTable*> tables();

 private:
  const System& system_;
  double seconds_;
  std::list<SeriesTable> tables_;
  std::vector<SeriesTable*> table_of_;  ///< by contact set; null: no table
  std::vector<FoundCount> counts_;      ///< by contact set
};

}  // namespace picus::results
