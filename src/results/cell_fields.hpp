#pragma once

/// What elements report of themselves, on the lines and solid cells that they draw.

#include "drawing.hpp"

namespace picus::results {

/// A quantity of cells: those of elements that do not report it have NaN.
struct CellField {
  std::string name;  ///< "von_mises"; "section_force_12" where others of that name have another size
  Index size;        ///< numbers a cell
  Column column;     ///< visualization/cells/NAME, flat and plain
};

/// The fields of all quantities that are recorded: their data sets are among `recorded`.
std::vector<CellField> make_cell_fields(const Model& model, const Drawing& drawing,
                                        const std::vector<std::string>& recorded);

}  // namespace picus::results
