#pragma once

/// Quantities reported by elements, as fields on the lines and solid cells that they draw.

#include "drawing.hpp"

namespace picus::results {

/// A quantity of cells; NaN on cells of elements that do not report it.
struct CellField {
  std::string name;  ///< "von_mises"; "section_force_12" if quantities of the same name have different sizes
  Index size;        ///< numbers per cell
  Column column;     ///< visualization/cells/NAME, flat and plain
};

/// The fields of all recorded quantities, i.e. whose data sets are among `recorded`.
std::vector<CellField> make_cell_fields(const Model& model, const Drawing& drawing,
                                        const std::vector<std::string>& recorded);

}  // namespace picus::results
