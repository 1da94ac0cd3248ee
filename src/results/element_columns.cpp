#include "element_columns.hpp"

#include "name_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace picus::results {
namespace {

/// Assigns equal numbers to equal keys, in the order of their first occurrence.
template <class Key>
class Kinds {
 public:
  Index operator()(const Key& key) { return known_.try_emplace(key, count_of(known_)).first->second; }

 private:
  std::map<Key, Index> known_;
};

template <class Blocks>
std::vector<std::string> names_of(const Blocks& blocks) {
  std::vector<std::string> names;
  for (const auto& block : blocks) names.push_back(block.element->name());
  return names;
}

std::vector<NameGroup> group_contacts(const System& system) {
  Kinds<std::tuple<Index, Index, double, double, double>> kinds;
  std::vector<Index> kind;
  for (const auto& contact : system.declared_contacts()) {
    const ContactLaw& law = contact.role->law();
    kind.push_back(kinds({contact.rows, law.friction_directions, law.mu, law.e_n, law.e_t}));
  }
  return group_names(names_of(system.declared_contacts()), kind);
}

std::vector<NameGroup> group_constraints(const System& system) {
  std::vector<Index> kind;
  for (const auto& constraint : system.constraints()) kind.push_back(constraint.rows);
  return group_names(names_of(system.constraints()), kind);
}

/// First rows of the members of a group, in the layout of System.
template <class Blocks>
std::vector<Index> first_rows(const NameGroup& group, const Blocks& blocks) {
  std::vector<Index> rows;
  for (const Index i : group.members) rows.push_back(blocks[i].first_row);
  return rows;
}

/// Copies `count` entries of a vector starting at each row.
template <class Entries>
auto copy_rows(std::vector<Index> rows, Index count, Entries entries) {
  return [rows = std::move(rows), count, entries](const Sample& sample, double* out) {
    const Vector& vector = entries(sample);
    for (const Index row : rows) out = std::copy_n(vector.data() + row, count, out);
  };
}

}  // namespace

void add_contact_columns(std::vector<Column>& columns, const System& system) {
  for (const NameGroup& group : group_contacts(system)) {
    const std::string path = "contacts/" + group.name;
    const Index rows = system.declared_contacts()[group.members.front()].rows;
    std::vector<Index> normal = first_rows(group, system.declared_contacts());
    std::vector<Index> tangential = normal;
    for (Index& row : tangential) ++row;
    columns.push_back(make_column<double>(
        path + "/gap", group.shape({}), "m", "normal gap, positive when open",
        copy_rows(normal, 1, [](const Sample& sample) -> const Vector& { return sample.rows.gaps; })));
    if (rows > 1) {
      columns.push_back(make_column<double>(
          path + "/slip", group.shape({rows - 1}), "m",
          "tangential motion while closed, gathered since the start",
          copy_rows(tangential, rows - 1,
                    [](const Sample& sample) -> const Vector& { return sample.state.contact_slip; })));
    }
    columns.push_back(make_column<double>(
        path + "/impulse", group.shape({rows}), "N s",
        "impulse over the last step, normal then tangential (drilling and rolling: moment over its length)",
        [normal, rows, members = group.members](const Sample& sample, double* out) {
          for (std::size_t i = 0; i < normal.size(); ++i) {
            // For an open contact the solver leaves rounding errors.
            if (sample.state.contact_state[members[i]] == ContactState::gap)
              out = std::fill_n(out, rows, 0.0);
            else
              out = std::copy_n(sample.state.contact_impulse.data() + normal[i], rows, out);
          }
        }));
    columns.push_back(
        make_column<std::uint8_t>(path + "/state", group.shape({}), "1", "0 gap, 1 stick, 2 slip",
                                  [members = group.members](const Sample& sample, std::uint8_t* row) {
                                    for (const Index i : members) {
                                      *row++ = static_cast<std::uint8_t>(sample.state.contact_state[i]);
                                    }
                                  }));
  }
}

void add_constraint_columns(std::vector<Column>& columns, const System& system, double h) {
  for (const NameGroup& group : group_constraints(system)) {
    const std::string path = "constraints/" + group.name;
    const Index rows = system.constraints()[group.members.front()].rows;
    const std::vector<Index> first = first_rows(group, system.constraints());
    columns.push_back(make_column<double>(
        path + "/violation", group.shape({rows}), "m or rad", "g(q, t), zero in exact arithmetic",
        copy_rows(first, rows, [](const Sample& sample) -> const Vector& { return sample.rows.violation; })));
    columns.push_back(make_column<double>(
        path + "/impulse", group.shape({rows}), "N s or N m s", "impulse of the reaction over the last step",
        [first, rows, h](const Sample& sample, double* out) {
          for (const Index row : first) {
            for (Index i = row; i < row + rows; ++i) {
              *out++ = h * sample.state.constraint_force[i] + sample.state.constraint_impulse[i];
            }
          }
        }));
  }
}

std::vector<ContactGroup> contact_groups(const System& system) {
  std::vector<ContactGroup> groups;
  for (const NameGroup& group : group_contacts(system)) {
    groups.push_back({group.name, &system.declared_contacts()[group.members.front()].role->law()});
  }
  return groups;
}

}  // namespace picus::results
