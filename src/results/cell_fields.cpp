#include "cell_fields.hpp"

#include "observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

namespace picus::results {
namespace {

/// The index of a quantity of each cell in the observed values; -1: none.
struct Places {
  std::string unit, description;
  std::vector<Index> of_cell;
};

}  // namespace

std::vector<CellField> make_cell_fields(const Model& model, const Drawing& drawing,
                                        const std::vector<std::string>& recorded) {
  const std::unordered_set<std::string> names(recorded.begin(), recorded.end());
  std::map<const Element*, std::vector<Index>> cells_of;
  for (Index i = 0; i < count_of(drawing.cell_owners); ++i) {
    cells_of[drawing.cell_owners[i]].push_back(i);
  }
  std::map<std::pair<std::string, Index>, Places> quantities;
  for (const Observed& observed : observed_quantities(model)) {
    const auto cells = cells_of.find(observed.element);
    if (cells == cells_of.end() || !names.contains(observed.path)) continue;
    Places& places = quantities[{observed.quantity.name, observed.quantity.size()}];
    places.unit = observed.quantity.unit;
    places.description = observed.quantity.description;
    places.of_cell.resize(drawing.cell_count(), -1);
    for (const Index cell : cells->second) places.of_cell[cell] = observed.place;
  }

  std::vector<CellField> fields;
  for (const auto& [key, places] : quantities) {
    const auto& [name, size] = key;
    const bool is_known = std::any_of(fields.begin(), fields.end(),
                                      [&key = key](const auto& field) { return field.name == key.first; });
    const std::string field = is_known ? fmt::format("{}_{}", name, size) : name;
    std::vector<Index> shape = {drawing.cell_count()};
    if (size > 1) shape.push_back(size);
    Column column =
        make_column<float>("visualization/cells/" + field, shape, places.unit, places.description,
                           [of_cell = places.of_cell, size = size](const Sample& sample, float* row) {
                             for (const Index place : of_cell) {
                               for (Index i = 0; i < size; ++i) {
                                 *row++ = place < 0 ? std::numeric_limits<float>::quiet_NaN()
                                                    : static_cast<float>(sample.observed[place + i]);
                               }
                             }
                           });
    column.is_plain = column.is_flat = true;
    fields.push_back({field, size, std::move(column)});
  }
  return fields;
}

}  // namespace picus::results
