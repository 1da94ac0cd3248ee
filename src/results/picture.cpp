#include "picture.hpp"

#include <iterator>

namespace picus::results {
namespace {

constexpr const char* node_topology = "visualization/topology/nodes";
constexpr const char* cell_topology = "visualization/topology/cells";
constexpr const char* contact_topology = "visualization/topology/contacts";
constexpr std::size_t vertex_size = 3;  // numbers of a vertex in a topology

/// Cells in XDMF's encoding of mixed topologies: kind, number of points (not for hexahedra), points. Each point is a
/// cell of its own, since not all readers support cells of several points.
std::vector<std::int32_t> vertices(Index count) {
  constexpr std::int32_t polyvertex = 1;
  std::vector<std::int32_t> topology;
  for (Index i = 0; i < count; ++i) topology.insert(topology.end(), {polyvertex, 1, i});
  return topology;
}

std::vector<std::int32_t> lines_and_solids(const Drawing& drawing) {
  constexpr std::int32_t polyline = 2;
  constexpr std::int32_t hexahedron = 9;
  std::vector<std::int32_t> topology;
  for (const std::vector<Index>& line : drawing.polylines) {
    topology.push_back(polyline);
    topology.push_back(static_cast<std::int32_t>(line.size()));
    topology.insert(topology.end(), line.begin(), line.end());
  }
  for (const std::array<Index, 8>& cell : drawing.hexahedra) {
    topology.push_back(hexahedron);
    topology.insert(topology.end(), cell.begin(), cell.end());
  }
  return topology;
}

TextTable column_of(const std::string& title, const std::vector<std::string>& texts) {
  TextTable table{{title}, {}};
  for (const std::string& text : texts) table.rows.push_back({text});
  return table;
}

std::vector<float> half_edges(const std::vector<Box>& boxes) {
  std::vector<float> edges;
  for (const Box& box : boxes) {
    for (Index i = 0; i < 3; ++i) edges.push_back(static_cast<float>(box.half[i]));
  }
  return edges;
}

template <class T>
std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Picture::Picture(const System& system, double seconds, const std::vector<std::string>& recorded)
    : drawing_(make_drawing(system.model())),
      contacts_(system, seconds),
      fields_(make_cell_fields(system.model(), drawing_, recorded)),
      grid_{drawing_, contacts_.count(), fields_} {}

std::vector<Column> Picture::make_columns() const {
  std::vector<Column> columns = make_vtk_columns(grid_);
  const auto add = [&](std::vector<Column> more) {
    columns.insert(columns.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(make_box_columns(drawing_));
  add(contacts_.make_columns());
  for (const CellField& field : fields_) columns.push_back(field.column);
  return columns;
}

void Picture::describe(Hdf5File& file) const {
  describe_vtk(file, grid_);
  const auto nodes = count_of(drawing_.points);
  file.write_array<std::int32_t>(node_topology, vertices(nodes));
  file.write_array<std::int32_t>(cell_topology, lines_and_solids(drawing_));
  file.write_table("visualization/owners", column_of("owner", joined(drawing_.owners, contact_owners())));
  file.write_array<float>("visualization/line_radius", drawing_.radii);
  file.write_array<std::int32_t>("visualization/point_node", drawing_.point_nodes());
  if (!drawing_.sphere_points.empty()) {
    file.write_array<std::int32_t>("visualization/sphere_point", drawing_.sphere_points);
    file.write_array<float>("visualization/sphere_radius", drawing_.sphere_radii);
  }
  if (!drawing_.triangles.empty())
    file.write_array<std::int32_t>("visualization/triangle", drawing_.triangles, 3);
  if (!drawing_.boxes.empty()) {
    file.write_array<std::int32_t>("visualization/box_point", drawing_.box_points);
    file.write_array<float>("visualization/box_half", half_edges(drawing_.boxes), 3);
  }
  if (has_contacts()) {
    file.write_array<std::int32_t>(contact_topology, vertices(contacts_.count()));
    file.write_table("visualization/contacts", column_of("name", contacts_.names()));
  }
}

std::vector<std::string> Picture::contact_owners() const {
  std::vector<std::string> owners = contacts_.names();
  for (std::string& owner : owners) owner = "contact \"" + owner + '"';
  return owners;
}

std::string Picture::xdmf_text(const std::string& title, const std::string& file, std::vector<double> frames,
                               const SeriesTable& table) const {
  const auto field = [&](const std::string& name, const std::string& set, Index count, Index size,
                         XdmfCentre centre = XdmfCentre::point) {
    return XdmfField{name, centre, count, size, false, table.find_rows(set)};
  };
  const auto nodes = count_of(drawing_.points);
  const Index cells = drawing_.cell_count();
  const XdmfField points = field("points", drawn_points, nodes, 3);
  const XdmfField velocity = field("velocity", drawn_velocity, nodes, 3);

  XdmfMotion motion{title, file, std::move(frames), {}};
  motion.grids.push_back({"nodes", node_topology, nodes * vertex_size, nodes, points, {velocity}});
  if (cells > 0) {
    XdmfGrid grid{"cells", cell_topology, lines_and_solids(drawing_).size(), cells, points, {velocity}};
    for (const CellField& quantity : fields_) {
      grid.fields.push_back(
          field(quantity.name, quantity.column.name, cells, quantity.size, XdmfCentre::cell));
    }
    motion.grids.push_back(std::move(grid));
  }
  if (const Index count = contacts_.count(); count > 0) {
    XdmfField place = field("points", drawn_points, count, 3);
    for (std::uint64_t& begin : place.places) begin += static_cast<std::uint64_t>(nodes) * 3 * sizeof(float);
    XdmfField state = field("contact_state", contact_state, count, 1);
    state.is_byte = true;
    motion.grids.push_back(
        {"contacts",
         contact_topology,
         count * vertex_size,
         count,
         std::move(place),
         {field("contact_normal", contact_normal, count, 3), field("contact_force", contact_force, count, 3),
          field("contact_gap", contact_gap, count, 1), std::move(state)}});
  }
  return results::xdmf_text(motion);
}

}  // namespace picus::results
