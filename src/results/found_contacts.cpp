#include "found_contacts.hpp"

#include <picus/contact_set.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string>

namespace picus::results {
namespace {

constexpr Index impulse_rows = 3;  // normal and at most two of sliding
constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

std::string path_of_set(const Model& model, std::size_t set) {
  return "contact_sets/" + model.contact_sets()[set].element->name() + '/';
}

Column make_vector_column(std::string name, std::string unit, std::string description, Vec3 FoundRow::*part) {
  return make_column<double>(
      std::move(name), {3}, std::move(unit), std::move(description),
      [part](const Sample& sample, double* row) { Eigen::Map<Vec3>{row} = sample.found->*part; });
}

std::vector<Column> make_row_columns(const std::string& path) {
  std::vector<Column> columns;
  columns.push_back(make_column<std::int64_t>(
      path + "key", {3}, "1", "kind of the contact, features of its two sides: the same in all records",
      [](const Sample& sample, std::int64_t* row) {
        const ContactKey& key = sample.found->key;
        *row++ = key.kind;
        *row++ = key.a;
        *row = key.b;
      }));
  columns.push_back(make_vector_column(
      path + "point", "m", "where the force acts on the first side, inertial frame", &FoundRow::point));
  columns.push_back(
      make_vector_column(path + "normal", "1", "unit normal, towards the first side", &FoundRow::normal));
  columns.push_back(make_column<double>(path + "gap", {}, "m", "normal gap, positive when open",
                                        [](const Sample& sample, double* row) { *row = sample.found->gap; }));
  columns.push_back(make_vector_column(
      path + "force", "N", "on the first side, inertial frame, mean over the last step", &FoundRow::force));
  columns.push_back(make_vector_column(path + "impulse", "N s",
                                       "impulse over the last step, normal then tangential; 0 in directions "
                                       "that the contact does not have",
                                       &FoundRow::impulse));
  columns.push_back(make_column<std::uint8_t>(path + "state", {}, "1", "0 gap, 1 stick, 2 slip",
                                              [](const Sample& sample, std::uint8_t* row) {
                                                *row = static_cast<std::uint8_t>(sample.found->state);
                                              }));
  return columns;
}

Column make_count_column(std::string name, std::string description, std::size_t set,
                         std::int64_t FoundCount::*part) {
  return make_column<std::int64_t>(
      std::move(name), {}, "1", std::move(description),
      [set, part](const Sample& sample, std::int64_t* row) { *row = sample.found_counts[set].*part; });
}

/// dg_k/dx of the node whose first column is `column`, from a gradient with `rows` rows.
Vec3 direction_of_row(std::span<const double> G, Index rows, Index k, Index column) {
  const auto entry = [&](Index i) { return G[k + rows * (column + i)]; };
  return {entry(0), entry(1), entry(2)};
}

Vec3 point_of(const RowBlock<Contact>& block, const Configuration& q) {
  if (const std::optional<Vec3> point = block.role->contact_point(q)) return *point;
  const auto nodes = block.element->nodes();
  if (nodes.empty() || nodes[0].kind == NodeKind::scalar) return Vec3::Constant(unknown_number);
  return q.position(nodes[0]);
}

/// The nodes of the first side are those whose motion along the normal opens the contact: an edge has two.
void read_directions(const RowBlock<Contact>& block, const State& state, double seconds, FoundRow& row) {
  std::array<double, max_contact_rows * max_local_dofs> storage;
  const std::span<double> G(storage.data(), block.rows * block.dofs);
  std::fill(G.begin(), G.end(), 0.0);
  block.role->gradient(state.q, G);
  const bool is_closed = row.state != ContactState::gap;  // otherwise its impulses are rounding errors
  Index column = 0;
  for (const Node& node : block.element->nodes()) {
    if (node.kind != NodeKind::scalar) {
      const Vec3 normal = direction_of_row(G, block.rows, 0, column);
      if (row.normal.isZero(0)) row.normal = normal.normalized();
      for (Index k = 0; is_closed && normal.dot(row.normal) > 0 && k < block.rows; ++k) {
        row.force +=
            state.contact_impulse[block.first_row + k] / seconds * direction_of_row(G, block.rows, k, column);
      }
    }
    column += velocity_size(node.kind);
  }
  if (row.normal.isZero(0)) row.normal = row.force = Vec3::Constant(unknown_number);
}

FoundRow row_of(const ContactKey& key, const RowBlock<Contact>& block, const State& state, ContactState how,
                double seconds) {
  FoundRow row;
  row.key = key;
  row.state = how;
  row.point = point_of(block, state.q);
  std::array<double, max_contact_rows> gap{};
  block.role->displacement(state.q, state.q, std::span(gap.data(), block.rows));
  row.gap = gap[0];
  if (how != ContactState::gap) {
    const Index rows = std::min(1 + block.role->law().friction_directions, impulse_rows);
    row.impulse.head(rows) = state.contact_impulse.segment(block.first_row, rows);
  }
  read_directions(block, state, seconds, row);
  return row;
}

}  // namespace

std::vector<Column> make_found_columns(const Model& model) {
  std::vector<Column> columns;
  for (Index set = 0; set < count_of(model.contact_sets()); ++set) {
    const std::string path = path_of_set(model, set);
    columns.push_back(make_count_column(path + "count", "contacts of the last step, open ones among them",
                                        set, &FoundCount::found));
    columns.push_back(
        make_count_column(path + "closed", "contacts that are closed", set, &FoundCount::closed));
    for (Column& column : make_row_columns(path)) {
      column.contact_set = set;
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

std::vector<Column> make_end_columns(const Model& model, const std::vector<Column>& columns) {
  std::vector<Column> ends;
  Index last = -1;  // columns are in the order of the sets
  for (const Column& column : columns) {
    if (column.contact_set == last) continue;
    last = column.contact_set;
    ends.push_back(make_count_column(path_of_set(model, last) + "end",
                                     "rows of the contacts of all records up to this one", last,
                                     &FoundCount::rows));
  }
  return ends;
}

void describe_features(Hdf5File& file, const Model& model, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    if (column.contact_set < 0 || column.name != path_of_set(model, column.contact_set) + "key") continue;
    TextTable table{{"first", "surface", "feature"}, {}};
    for (const FeatureRange& range : model.contact_sets()[column.contact_set].role->features(model))
      table.rows.push_back({std::to_string(range.first), range.surface, range.feature});
    if (!table.rows.empty()) file.write_table(path_of_set(model, column.contact_set) + "features", table);
  }
}

FoundContacts::FoundContacts(Hdf5File& file, const System& system, double seconds,
                             std::vector<Column> columns, int level)
    : system_(system),
      seconds_(seconds),
      table_of_(system.model().contact_sets().size(), nullptr),
      counts_(table_of_.size()) {
  for (auto first = columns.begin(); first != columns.end();) {  // in the order of the sets
    const Index set = first->contact_set;
    const auto next =
        std::find_if(first, columns.end(), [set](const Column& column) { return column.contact_set != set; });
    std::vector<Column> own(std::make_move_iterator(first), std::make_move_iterator(next));
    constexpr double many = 1e9;
    const std::int64_t chunk_rows = choose_chunk_rows(own, many);
    table_of_[set] =
        &tables_.emplace_back(file, std::move(own), chunk_rows, level, SeriesTable::Completion::elsewhere);
    first = next;
  }
}

void FoundContacts::record(const Sample& sample) {
  for (FoundCount& count : counts_) count.found = count.closed = 0;
  const State& state = sample.state;
  const std::span<const ContactKey> keys = system_.found_contacts();
  const std::size_t declared = system_.declared_contacts().size();
  // A failed step may have left the system with contacts for which the state has no rows.
  const bool fits = std::ranges::equal(keys, state.found_contacts);
  FoundRow row;
  Sample own = sample;
  own.found = &row;
  for (std::size_t i = 0; fits && i < keys.size(); ++i) {
    const ContactState how = state.contact_state[declared + i];
    FoundCount& count = counts_[keys[i].set];
    ++count.found;
    if (how != ContactState::gap) ++count.closed;
    SeriesTable* const table = table_of_[keys[i].set];
    if (table == nullptr) continue;
    row = row_of(keys[i], system_.contacts()[declared + i], state, how, seconds_);
    table->append(own);
  }
  for (std::size_t set = 0; set < counts_.size(); ++set) {
    if (table_of_[set] != nullptr) counts_[set].rows = table_of_[set]->rows();
  }
}

void FoundContacts::write_out(bool is_last) {
  for (SeriesTable& table : tables_) table.write_out(is_last);
}

void FoundContacts::close() {
  for (SeriesTable& table : tables_) table.close();
}

std::vector<SeriesTable*> FoundContacts::tables() {
  std::vector<SeriesTable*> tables;
  for (SeriesTable& table : tables_) tables.push_back(&table);
  return tables;
}

}  // namespace picus::results
