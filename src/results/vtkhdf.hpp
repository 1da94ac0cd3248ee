#pragma once

/// The group /VTKHDF, with which ParaView opens a result file by itself: an unstructured grid with steps in time, by
/// the VTKHDF file format 2.0 [VTK documentation, "VTKHDF File Format"].
///
/// The grid stays, its points move: those of the drawing, then those of the contacts. Cells are a vertex for each point,
/// then the lines and hexahedra of the drawing. Points and velocities are stored there; what only the contacts or only
/// lines and hexahedra have is stored compactly outside and seen through virtual data sets, which hold NaN elsewhere.

#include "cell_fields.hpp"
#include "drawing.hpp"

namespace picus::results {

inline constexpr const char* drawn_points = "VTKHDF/Points";
inline constexpr const char* drawn_velocity = "VTKHDF/PointData/velocity";

/// What is drawn: counts of points and cells.
struct VtkGrid {
  const Drawing& drawing;
  Index contacts;
  const std::vector<CellField>& fields;

  Index point_count() const { return count_of(drawing.points) + contacts; }
  Index cell_count() const { return point_count() + static_cast<Index>(drawing.cell_count()); }
};

/// Points and velocities, and where a step begins in each data set.
std::vector<Column> make_vtk_columns(const VtkGrid& grid);

/// Everything else; to be called when the columns have their data sets. The number of steps is 0.
void describe_vtk(Hdf5File& file, const VtkGrid& grid);
/// Tells how many steps there are. The file then says so after everything else has changed.
void set_vtk_steps(Hdf5File& file, std::int64_t steps);

}  // namespace picus::results
