#include "columns.hpp"

#include <picus/so3.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::results {
namespace {

/// `count` entries of a vector from `first` on.
auto copy_entries(Vector State::*vector, Index first, Index count) {
  return [vector, first, count](const Sample& sample, double* row) {
    std::copy_n((sample.state.*vector).data() + first, count, row);
  };
}

/// The unit quaternion of a frame, with the sign that is nearer to that of the row before.
auto quaternion_of(const Node& node) {
  return [node, last = Eigen::Vector4d(1, 0, 0, 0)](const Sample& sample, double* row) mutable {
    Eigen::Vector4d quaternion = so3::quaternion(sample.state.q.rotation(node));
    if (quaternion.dot(last) < 0) quaternion = -quaternion;
    last = quaternion;
    Eigen::Map<Eigen::Vector4d>{row} = quaternion;
  };
}

void add_motion(std::vector<Column>& columns, const std::string& group, const Node& node,
                const std::string& velocity_unit, const std::string& acceleration_unit,
                const std::string& axes) {
  const Index n = velocity_size(node.kind);
  const std::vector<Index> shape = n == 1 ? std::vector<Index>{} : std::vector<Index>{n};
  columns.push_back(make_column<double>(group + "/velocity", shape, velocity_unit, "velocity" + axes,
                                        copy_entries(&State::v, node.v, n)));
  columns.push_back(make_column<double>(group + "/acceleration", shape, acceleration_unit,
                                        "smooth acceleration, without impacts" + axes,
                                        copy_entries(&State::acceleration, node.v, n)));
}

void add_node(std::vector<Column>& columns, const Model& model, const Node& node) {
  const std::string group = "nodes/" + model.node_name(node);
  if (node.kind == NodeKind::scalar) {
    columns.push_back(make_column<double>(
        group + "/value", {}, "unit of the node", "value",
        [node](const Sample& sample, double* row) { *row = sample.state.q.value(node); }));
    add_motion(columns, group, node, "unit of the node/s", "unit of the node/s2", "");
    return;
  }
  columns.push_back(make_column<double>(
      group + "/position", {3}, "m", "position in the inertial frame",
      [node](const Sample& sample, double* row) { Eigen::Map<Vec3>{row} = sample.state.q.position(node); }));
  if (node.kind == NodeKind::point) {
    add_motion(columns, group, node, "m/s", "m/s2", ", inertial frame");
    return;
  }
  columns.push_back(make_column<double>(
      group + "/rotation", {4}, "1",
      "unit quaternion w, x, y, z that turns the body frame into the inertial frame", quaternion_of(node)));
  add_motion(columns, group, node, "m/s, m/s, m/s, rad/s, rad/s, rad/s",
             "m/s2, m/s2, m/s2, rad/s2, rad/s2, rad/s2",
             ": of the origin in the inertial frame, then angular in the body frame");
}

void add_contact(std::vector<Column>& columns, const RowBlock<Contact>& contact, std::size_t number) {
  const std::string group = "contacts/" + contact.element->name();
  const Index first = contact.first_row;
  const Index directions = contact.rows - 1;
  columns.push_back(
      make_column<double>(group + "/gap", {}, "m", "normal gap, positive when open",
                          [first](const Sample& sample, double* row) { *row = sample.gaps[first]; }));
  if (directions > 0) {
    columns.push_back(make_column<double>(group + "/slip", {directions}, "m",
                                          "tangential motion while closed, gathered since the start",
                                          copy_entries(&State::contact_slip, first + 1, directions)));
  }
  columns.push_back(make_column<double>(group + "/impulse", {contact.rows}, "N s",
                                        "impulse over the last step, normal then tangential",
                                        copy_entries(&State::contact_impulse, first, contact.rows)));
  columns.push_back(make_column<std::uint8_t>(
      group + "/state", {}, "1", "0 gap, 1 stick, 2 slip", [number](const Sample& sample, std::uint8_t* row) {
        *row = static_cast<std::uint8_t>(sample.state.contact_state[number]);
      }));
}

void add_constraint(std::vector<Column>& columns, const RowBlock<BilateralConstraint>& constraint, double h) {
  const std::string group = "constraints/" + constraint.element->name();
  const Index first = constraint.first_row;
  const Index rows = constraint.rows;
  columns.push_back(make_column<double>(group + "/violation", {rows}, "m or rad",
                                        "g(q, t), zero in exact arithmetic",
                                        [first, rows](const Sample& sample, double* row) {
                                          std::copy_n(sample.violation.data() + first, rows, row);
                                        }));
  columns.push_back(make_column<double>(
      group + "/impulse", {rows}, "N s or N m s", "impulse of the reaction over the last step",
      [first, rows, h](const Sample& sample, double* row) {
        for (Index i = 0; i < rows; ++i) {
          row[i] = h * sample.state.constraint_force[first + i] + sample.state.constraint_impulse[first + i];
        }
      }));
}

void add_solver(std::vector<Column>& columns) {
  constexpr std::array<std::string_view, 3> subproblems = {"smooth", "position", "velocity"};
  for (std::size_t i = 0; i < subproblems.size(); ++i) {
    columns.push_back(make_column<std::int32_t>(
        fmt::format("solver/iterations_{}", subproblems[i]), {}, "1",
        "largest of a step since the last record",
        [i](const Sample& sample, std::int32_t* row) { *row = sample.work.iterations[i]; }));
  }
  columns.push_back(make_column<double>(
      "solver/residuals", {3}, "tolerance",
      "smooth, position, velocity: largest at the end of a step since the last record",
      [](const Sample& sample, double* row) { std::copy_n(sample.work.residuals.data(), 3, row); }));
  columns.push_back(make_column<std::int32_t>("solver/line_searches", {3}, "1",
                                              "smooth, position, velocity: number since the last record",
                                              [](const Sample& sample, std::int32_t* row) {
                                                std::copy_n(sample.work.line_searches.data(), 3, row);
                                              }));
  columns.push_back(make_column<std::int32_t>(
      "solver/fallbacks", {static_cast<Index>(fallback_count)}, "1",
      fmt::format("{}: number since the last record", fmt::join(fallback_names, ", ")),
      [](const Sample& sample, std::int32_t* row) {
        std::copy_n(sample.work.fallbacks.data(), fallback_count, row);
      }));
}

void add_energy(std::vector<Column>& columns, const char* name, const char* description,
                double Energies::*part) {
  columns.push_back(
      make_column<double>(std::string("energy/") + name, {}, "J", description,
                          [part](const Sample& sample, double* row) { *row = sample.energies.*part; }));
}

}  // namespace

void SolverWork::add(const StepReport& report) {
  for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
    const SubproblemReport& solved = report.subproblems[i];
    iterations[i] = std::max(iterations[i], static_cast<std::int32_t>(solved.iterations));
    residuals[i] = std::max(residuals[i], solved.residual);
    line_searches[i] += solved.line_searches;
  }
  for (std::size_t i = 0; i < fallback_count; ++i) fallbacks[i] += report.fallbacks[i];
}

std::size_t Column::row_bytes() const {
  std::size_t bytes = size_of(number);
  for (const Index length : shape) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

Column make_time_column() {
  return make_column<double>("time", {}, "s",
                             "instants of the records; as many as there are complete records",
                             [](const Sample& sample, double* row) { *row = sample.state.time; });
}

std::vector<Column> make_columns(const System& system, double h) {
  std::vector<Column> columns;
  for (const Node& node : system.nodes()) add_node(columns, system.model(), node);
  for (std::size_t i = 0; i < system.contacts().size(); ++i) add_contact(columns, system.contacts()[i], i);
  for (const auto& constraint : system.constraints()) add_constraint(columns, constraint, h);
  add_solver(columns);
  add_energy(columns, "kinetic", "v^T M v / 2", &Energies::kinetic);
  add_energy(columns, "potential", "gravity, springs, strain", &Energies::potential);
  add_energy(columns, "work_of_loads", "of loads and dampers since the start", &Energies::work_of_loads);
  add_energy(columns, "work_of_motions", "of driven components and moving constraints since the start",
             &Energies::work_of_motions);
  add_energy(columns, "work_of_contacts", "of impacts and friction since the start",
             &Energies::work_of_contacts);
  add_energy(columns, "balance", "gained (+) or lost (-) by the integrator since the start",
             &Energies::balance);
  return columns;
}

}  // namespace picus::results
