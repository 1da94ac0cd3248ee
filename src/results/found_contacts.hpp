#pragma once

/// The contacts that the sets of a model find as bodies move, on their way into a file. Their number changes from record to record:
/// each set has a table "contact_sets/NAME/*" with a row for each contact of each record, and beside it, in the table of the
/// records, the number of its rows that there are with each record.

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
  Vec3 point = Vec3::Zero();    ///< where the force acts on the first node of the element, m
  Vec3 normal = Vec3::Zero();   ///< along which the first side moves to open the contact, unit vector
  Vec3 force = Vec3::Zero();    ///< on the first side, mean over the last step, N
  double gap = 0.0;             ///< m
  Vec3 impulse = Vec3::Zero();  ///< normal, then tangential, of the last step, N s
  ContactState state = ContactState::gap;
};

/// The contacts of one set at one record.
struct FoundCount {
  std::int64_t rows = 0;   ///< of the table of the set, those of this record being the last
  std::int64_t found = 0;  ///< in this record
  std::int64_t closed = 0;
};

/// What can be chosen of all sets: columns "count" and "closed" of the records, and those of the tables (Column::contact_set).
std::vector<Column> make_found_columns(const Model& model);
/// Columns "end" of the records for the sets that have one of `columns`, which are of tables.
std::vector<Column> make_end_columns(const Model& model, const std::vector<Column>& columns);

/// Writes the tables "contact_sets/NAME/features", what the numbers in keys mean, of the sets that have a column "key" among
/// `columns` and say it.
void describe_features(Hdf5File& file, const Model& model, const std::vector<Column>& columns);

class FoundContacts {
 public:
  /// Makes a table for each set that has one of the columns, which are of make_found_columns(). Impulses of a step are forces
  /// times `seconds`.
  FoundContacts(Hdf5File& file, const System& system, double seconds, std::vector<Column> columns, int level);

  /// Adds the rows of a record. Allocates nothing.
  void record(const Sample& sample);
  /// Those of the record, by contact set.
  std::span<const FoundCount> counts() const { return counts_; }

  /// To be called before the records are written out.
  void write_out(bool is_last);
  void close();
  /// The tables, in order.
  std::vector<SeriesTable*> tables();

 private:
  const System& system_;
  double seconds_;
  std::list<SeriesTable> tables_;
  std::vector<SeriesTable*> table_of_;  ///< by contact set; null: it has none
  std::vector<FoundCount> counts_;      ///< by contact set
};

}  // namespace picus::results
