#include "node_columns.hpp"

#include "name_groups.hpp"
#include "quaternion_column.hpp"
#include <picus/so3.hpp>

#include <algorithm>

namespace picus::results {
namespace {

/// The nodes of one group, and the path of their data sets.
struct NodeGroup {
  std::string path;
  std::vector<Node> nodes;
  NameGroup names;

  NodeKind kind() const { return nodes.front().kind; }
  std::vector<Index> vector_shape() const {
    const Index n = velocity_size(kind());
    return names.shape(n == 1 ? std::vector<Index>{} : std::vector<Index>{n});
  }
};

/// The components of all nodes of the group in a vector of natural layout.
auto copy_components(Vector State::*vector, const std::vector<Node>& nodes) {
  return [vector, nodes](const Sample& sample, double* row) {
    for (const Node& node : nodes) {
      row = std::copy_n((sample.state.*vector).data() + node.v, velocity_size(node.kind), row);
    }
  };
}

Column make_rotation_column(const NodeGroup& group) {
  return make_quaternion_column<double>(
      group.path + "/rotation", group.names.shape({4}),
      "unit quaternion w, x, y, z that turns the body frame into the inertial frame", group.nodes.size(),
      [nodes = group.nodes](const Sample& sample, std::size_t i) {
        return so3::quaternion(sample.state.q.rotation(nodes[i]));
      });
}

void add_motion(std::vector<Column>& columns, const NodeGroup& group, const std::string& velocity_unit,
                const std::string& acceleration_unit, const std::string& axes) {
  columns.push_back(make_column<double>(group.path + "/velocity", group.vector_shape(), velocity_unit,
                                        "velocity" + axes, copy_components(&State::v, group.nodes)));
  columns.push_back(make_column<double>(group.path + "/acceleration", group.vector_shape(), acceleration_unit,
                                        "smooth acceleration, without impacts" + axes,
                                        copy_components(&State::acceleration, group.nodes)));
}

/// The unit of the values of all nodes of the group.
std::string unit_of(const Model& model, const NodeGroup& group) {
  const std::string unit(model.unit_of(group.nodes.front()));
  const bool is_common =
      std::ranges::all_of(group.nodes, [&](const Node& node) { return model.unit_of(node) == unit; });
  return is_common && !unit.empty() ? unit : "unit of the node";
}

void add_scalars(std::vector<Column>& columns, const NodeGroup& group, const std::string& unit) {
  columns.push_back(make_column<double>(group.path + "/value", group.names.shape({}), unit, "value",
                                        [nodes = group.nodes](const Sample& sample, double* row) {
                                          for (const Node& node : nodes) *row++ = sample.state.q.value(node);
                                        }));
  add_motion(columns, group, unit + "/s", unit + "/s2", "");
}

void add_bodies(std::vector<Column>& columns, const NodeGroup& group) {
  columns.push_back(make_column<double>(group.path + "/position", group.names.shape({3}), "m",
                                        "position in the inertial frame",
                                        [nodes = group.nodes](const Sample& sample, double* row) {
                                          for (const Node& node : nodes) {
                                            Eigen::Map<Vec3>{row} = sample.state.q.position(node);
                                            row += 3;
                                          }
                                        }));
  if (group.kind() == NodeKind::point) {
    add_motion(columns, group, "m/s", "m/s2", ", inertial frame");
    return;
  }
  columns.push_back(make_rotation_column(group));
  add_motion(columns, group, "m/s, m/s, m/s, rad/s, rad/s, rad/s", "m/s2, m/s2, m/s2, rad/s2, rad/s2, rad/s2",
             ": of the origin in the inertial frame, then angular in the body frame");
}

}  // namespace

void add_node_columns(std::vector<Column>& columns, const System& system) {
  std::vector<std::string> names;
  std::vector<Index> kinds;
  for (const Node& node : system.nodes()) {
    names.push_back(system.model().node_name(node));
    kinds.push_back(place_of(node.kind));
  }
  for (NameGroup& named : group_names(names, kinds)) {
    NodeGroup group{"nodes/" + named.name, {}, std::move(named)};
    for (const Index i : group.names.members) group.nodes.push_back(system.nodes()[i]);
    if (group.kind() == NodeKind::scalar) {
      add_scalars(columns, group, unit_of(system.model(), group));
    } else {
      add_bodies(columns, group);
    }
  }
}

}  // namespace picus::results
