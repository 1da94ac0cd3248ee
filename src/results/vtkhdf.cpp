#include "vtkhdf.hpp"

#include "drawn_contacts.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>

namespace picus::results {
namespace {

constexpr const char* steps_group = "VTKHDF/Steps";

/// Cell types (vtkCellType.h).
enum class VtkCell : std::uint8_t { vertex = 1, poly_line = 4, hexahedron = 12 };

/// A column with the number `start + step * stride`.
Column make_offsets(const std::string& name, std::vector<Index> shape, const std::string& description,
                    std::int64_t start, std::int64_t stride) {
  const auto next = std::make_shared<std::int64_t>(start);
  Column column = make_column<std::int64_t>(fmt::format("{}/{}", steps_group, name), std::move(shape), "1",
                                            description, [next, stride](const Sample&, std::int64_t* row) {
                                              *row = *next;
                                              *next += stride;
                                            });
  column.resume = [next, stride](const std::byte* row) {
    std::memcpy(next.get(), row, sizeof(*next));
    *next += stride;
  };
  return column;
}

Column make_motion(const char* name, const VtkGrid& grid, const char* unit, const char* description,
                   void (*store)(const MaterialPoint&, const State&, float*),
                   Vec3 ContactPicture::*of_contact) {
  Column column =
      make_column<float>(name, {grid.point_count(), 3}, unit, description,
                         [points = grid.drawing.points, store, of_contact](const Sample& sample, float* row) {
                           for (const MaterialPoint& point : points) {
                             store(point, sample.state, row);
                             row += 3;
                           }
                           for (const ContactPicture& contact : sample.contacts) {
                             for (Index i = 0; i < 3; ++i)
                               *row++ = static_cast<float>((contact.*of_contact)[i]);
                           }
                         });
  column.is_plain = column.is_flat = true;
  return column;
}

void write_topology(Hdf5File& file, const VtkGrid& grid) {
  std::vector<std::int64_t> connectivity, offsets = {0};
  std::vector<std::uint8_t> types;
  const auto add = [&](VtkCell kind, const auto& points) {
    connectivity.insert(connectivity.end(), points.begin(), points.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(static_cast<std::uint8_t>(kind));
  };
  for (Index i = 0; i < grid.point_count(); ++i) add(VtkCell::vertex, std::array{i});
  for (const std::vector<Index>& line : grid.drawing.polylines) add(VtkCell::poly_line, line);
  for (const std::array<Index, 8>& cell : grid.drawing.hexahedra) add(VtkCell::hexahedron, cell);
  file.write_array<std::int64_t>("VTKHDF/Connectivity", connectivity);
  file.write_array<std::int64_t>("VTKHDF/Offsets", offsets);
  file.write_array<std::uint8_t>("VTKHDF/Types", types);
  file.write_array<std::int64_t>("VTKHDF/NumberOfPoints", std::array<std::int64_t, 1>{grid.point_count()});
  file.write_array<std::int64_t>("VTKHDF/NumberOfCells", std::array<std::int64_t, 1>{grid.cell_count()});
  file.write_array<std::int64_t>("VTKHDF/NumberOfConnectivityIds",
                                 std::array{static_cast<std::int64_t>(connectivity.size())});
}

void link_offsets(Hdf5File& file, const std::string& kind, const std::string& field, const char* offsets) {
  file.link(fmt::format("{}/{}Offsets/{}", steps_group, kind, field),
            fmt::format("/{}/{}", steps_group, offsets));
}

}  // namespace

std::vector<Column> make_vtk_columns(const VtkGrid& grid) {
  std::vector<Column> columns = {
      make_column<double>(fmt::format("{}/Values", steps_group), {}, "s",
                          "instants of the pictures; as many as there are complete ones",
                          [](const Sample& sample, double* row) { *row = sample.state.time; }),
      make_motion(drawn_points, grid, "m", "drawn points, then those of the contacts, in the inertial frame",
                  store_position, &ContactPicture::point),
      make_motion(drawn_velocity, grid, "m/s", "of the points", store_velocity, &ContactPicture::velocity),
      make_offsets("PartOffsets", {}, "first part of each step: always the only one", 0, 0),
      make_offsets("NumberOfParts", {}, "parts of each step", 1, 0),
      make_offsets("PointOffsets", {}, "first point of each step", 0, grid.point_count()),
      make_offsets("CellOffsets", {1}, "first cell of each step: the cells are those of the first", 0, 0)};
  if (!grid.fields.empty()) {
    columns.push_back(make_offsets("CellDataOffsets/" + grid.fields.front().name, {},
                                   "first value of each step", 0, grid.cell_count()));
  }
  return columns;
}

void describe_vtk(Hdf5File& file, const VtkGrid& grid) {
  file.set_attribute("VTKHDF", "Version", std::array<std::int64_t, 2>{2, 0});
  file.set_ascii_attribute("VTKHDF", "Type", "UnstructuredGrid");
  write_topology(file, grid);

  file.link(fmt::format("{}/ConnectivityIdOffsets", steps_group),
            fmt::format("/{}/CellOffsets", steps_group));
  link_offsets(file, "PointData", "velocity", "PointOffsets");
  file.set_attribute(steps_group, "NSteps", std::int64_t{0});

  if (grid.contacts > 0) {
    struct View {
      const char* name;
      const char* source;
      Index size;
    };
    for (const auto& [name, source, size] : {View{"contact_normal", contact_normal, 3},
                                             {"contact_force", contact_force, 3},
                                             {"contact_gap", contact_gap, 1},
                                             {"contact_state", contact_state, 1}}) {
      const Index first = grid.point_count() - grid.contacts;
      file.make_view(fmt::format("VTKHDF/PointData/{}", name), source,
                     {.size = size, .rows = grid.contacts, .first = first, .period = grid.point_count()});
      link_offsets(file, "PointData", name, "PointOffsets");
    }
  }
  for (const CellField& field : grid.fields) {
    const Index rows = grid.drawing.cell_count();
    file.make_view(
        "VTKHDF/CellData/" + field.name, field.column.name,
        {.size = field.size, .rows = rows, .first = grid.cell_count() - rows, .period = grid.cell_count()});
    const std::string& first = grid.fields.front().name;
    if (field.name != first) link_offsets(file, "CellData", field.name, ("CellDataOffsets/" + first).c_str());
  }
}

void set_vtk_steps(Hdf5File& file, std::int64_t steps) {
  file.update_last(steps_group, "NSteps", steps);
}

}  // namespace picus::results
