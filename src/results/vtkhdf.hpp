#pragma once

/// The group /VTKHDF, by which ParaView opens a result file directly: a time-dependent unstructured grid in the VTKHDF
/// file format 2.0 [VTK documentation, "VTKHDF File Format"].
///
/// The topology is constant, the points move: those of the drawing, then those of the contacts. Cells are a vertex for
/// each point, then the lines and hexahedra of the drawing. Points and velocities are stored in the group; fields of
/// contacts only, or of lines and hexahedra only, are stored compactly outside and accessed through virtual data sets,
/// which are NaN elsewhere.

#include "cell_fields.hpp"
#include "drawing.hpp"

namespace picus::results {

inline constexpr const char* drawn_points = "VTKHDF/Points";
inline constexpr const char* drawn_velocity = "VTKHDF/PointData/velocity";

/// The drawn grid, with its numbers of points and cells.
struct VtkGrid {
  const Drawing& drawing;
  Index contacts;
  const std::vector<CellField>& fields;

  Index point_count() const { return count_of(drawing.points) + contacts; }
  Index cell_count() const { return point_count() + drawing.cell_count(); }
};

/// Columns with points, velocities, and the offset of each step in the data sets.
std::vector<Column> make_vtk_columns(const VtkGrid& grid);

/// Writes everything else; to be called when the data sets of the columns exist. The number of steps is 0.
void describe_vtk(Hdf5File& file, const VtkGrid& grid);
/// Sets the number of steps, which is changed in the file after everything else.
void set_vtk_steps(Hdf5File& file, std::int64_t steps);

}  // namespace picus::results
