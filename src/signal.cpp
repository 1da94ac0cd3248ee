#include <picus/observer.hpp>
#include <picus/signal.hpp>
#include <picus/so3.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

namespace picus {

Signal Signal::against(std::function<double(double t)> solution) const {
  Signal signal = *this;
  signal.exact = std::move(solution);
  return signal;
}

Signal Signal::named(std::string other) const {
  Signal signal = *this;
  signal.name = std::move(other);
  return signal;
}

namespace signals {
namespace {

constexpr std::array axis_names = {"x", "y", "z"};

Node find_node(const RunInfo& run, std::string_view name, std::initializer_list<NodeKind> kinds) {
  const Node node = run.system.model().find_node(name);
  for (const NodeKind kind : kinds) {
    if (node.kind == kind) return node;
  }
  throw ModelError(fmt::format("node \"{}\" is of the wrong kind for this signal", name));
}

Node find_body(const RunInfo& run, std::string_view name) {
  return find_node(run, name, {NodeKind::frame, NodeKind::point});
}

/// Row 0 is the normal row, 1 and 2 are the friction directions.
Index find_row(const RunInfo& run, std::string_view contact, Index row) {
  const ContactPlace place = find_contact(run.system, contact);
  const Index directions = run.system.contacts()[place.number].role->law().friction_directions;
  if (row > directions) {
    throw ModelError(fmt::format("contact \"{}\" has no friction direction {}", contact, row - 1));
  }
  return place.row + row;
}

std::string direction_suffix(Index direction) {
  return direction == 0 ? "" : fmt::format("_{}", direction);
}

}  // namespace

Signal position(const RunInfo& run, std::string_view node, Axis axis) {
  const Index i = place_of(axis);
  return {fmt::format("{}.{}", node, axis_names[place_of(axis)]), "m",
          fmt::format("{} of {}", axis_names[place_of(axis)], node),
          [place = find_body(run, node), i](const Snapshot& at) { return at.state.q.position(place)[i]; }};
}

Signal velocity(const RunInfo& run, std::string_view node, Axis axis) {
  const Index i = place_of(axis);
  return {fmt::format("{}.v{}", node, axis_names[place_of(axis)]), "m/s",
          fmt::format("{} velocity of {}", axis_names[place_of(axis)], node),
          [place = find_body(run, node), i](const Snapshot& at) { return at.state.v[place.v + i]; }};
}

Signal planar_angle(const RunInfo& run, std::string_view node) {
  return {fmt::format("{}.angle", node), "rad", fmt::format("angle of {} about z", node),
          [place = find_node(run, node, {NodeKind::frame})](const Snapshot& at) {
            const auto R = at.state.q.rotation(place);
            return std::atan2(R(1, 0), R(0, 0));
          }};
}

Signal rotation(const RunInfo& run, std::string_view node, Axis axis) {
  const Index i = place_of(axis);
  return {fmt::format("{}.rotation_{}", node, axis_names[place_of(axis)]), "rad",
          fmt::format("{} of the rotation vector of {}", axis_names[place_of(axis)], node),
          [place = find_node(run, node, {NodeKind::frame}), i](const Snapshot& at) {
            return so3::log(at.state.q.rotation(place))[i];
          }};
}

Signal angular_velocity(const RunInfo& run, std::string_view node, Axis axis) {
  const Index i = place_of(axis);
  return {fmt::format("{}.w{}", node, axis_names[place_of(axis)]), "rad/s",
          fmt::format("angular velocity of {} about its {}", node, axis_names[place_of(axis)]),
          [place = find_node(run, node, {NodeKind::frame}), i](const Snapshot& at) {
            return at.state.v[place.v + 3 + i];
          }};
}

Signal scalar_value(const RunInfo& run, std::string_view node, const std::string& unit) {
  return {fmt::format("{}.value", node), unit, fmt::format("value of {}", node),
          [place = find_node(run, node, {NodeKind::scalar})](const Snapshot& at) {
            return at.state.q.value(place);
          }};
}

Signal scalar_rate(const RunInfo& run, std::string_view node, const std::string& unit) {
  return {
      fmt::format("{}.rate", node), unit + "/s", fmt::format("rate of {}", node),
      [place = find_node(run, node, {NodeKind::scalar})](const Snapshot& at) { return at.state.v[place.v]; }};
}

Signal gap(const RunInfo& run, std::string_view contact) {
  const RowBlock<Contact>& block = run.system.contacts()[find_contact(run.system, contact).number];
  return {fmt::format("{}.gap", contact), "m", fmt::format("normal gap of {}", contact),
          [role = block.role](const Snapshot& at) {
            std::array<double, max_contact_rows> g{};
            role->displacement(at.state.q, at.state.q, std::span(g).first(role->row_count()));
            return g[0];
          }};
}

Signal gap_rate(const RunInfo& run, std::string_view contact) {
  return {fmt::format("{}.gap_rate", contact), "m/s", fmt::format("rate of the normal gap of {}", contact),
          [row = find_row(run, contact, 0)](const Snapshot& at) { return at.state.contact_rate[row]; }};
}

Signal normal_impulse(const RunInfo& run, std::string_view contact) {
  return {fmt::format("{}.impulse", contact), "N s", fmt::format("normal impulse of {} in a step", contact),
          [row = find_row(run, contact, 0)](const Snapshot& at) { return at.state.contact_impulse[row]; }};
}

Signal normal_force(const RunInfo& run, std::string_view contact) {
  return {fmt::format("{}.force", contact), "N", fmt::format("normal force of {}", contact),
          [row = find_row(run, contact, 0), h = run.integrator.step_size()](const Snapshot& at) {
            return at.state.contact_impulse[row] / h;
          }};
}

Signal friction_impulse(const RunInfo& run, std::string_view contact, Index direction) {
  return {fmt::format("{}.friction_impulse{}", contact, direction_suffix(direction)), "N s",
          fmt::format("friction impulse of {} in a step", contact),
          [row = find_row(run, contact, 1 + direction)](const Snapshot& at) {
            return at.state.contact_impulse[row];
          }};
}

Signal friction_force(const RunInfo& run, std::string_view contact, Index direction) {
  return {fmt::format("{}.friction{}", contact, direction_suffix(direction)), "N",
          fmt::format("friction force of {}", contact),
          [row = find_row(run, contact, 1 + direction), h = run.integrator.step_size()](const Snapshot& at) {
            return at.state.contact_impulse[row] / h;
          }};
}

Signal slip(const RunInfo& run, std::string_view contact, Index direction) {
  return {fmt::format("{}.slip{}", contact, direction_suffix(direction)), "m",
          fmt::format("tangential motion of {} while closed", contact),
          [row = find_row(run, contact, 1 + direction)](const Snapshot& at) {
            return at.state.contact_slip[row];
          }};
}

Signal slip_rate(const RunInfo& run, std::string_view contact, Index direction) {
  return {fmt::format("{}.slip_rate{}", contact, direction_suffix(direction)), "m/s",
          fmt::format("tangential velocity of {}", contact),
          [row = find_row(run, contact, 1 + direction)](const Snapshot& at) {
            return at.state.contact_rate[row];
          }};
}

Signal contact_state(const RunInfo& run, std::string_view contact) {
  return {fmt::format("{}.state", contact), "", fmt::format("state of {}: 0 gap, 1 stick, 2 slip", contact),
          [number = find_contact(run.system, contact).number](const Snapshot& at) {
            return static_cast<double>(at.state.contact_state[number]);
          }};
}

Signal energy(const RunInfo& /*run*/) {
  return {"energy", "J", "kinetic and potential energy", [](const Snapshot& at) {
            const Energies energies = at.audit.energies(at.state);
            return energies.kinetic + energies.potential;
          }};
}

Signal kinetic_energy(const RunInfo& /*run*/) {
  return {"kinetic", "J", "kinetic energy",
          [](const Snapshot& at) { return at.audit.energies(at.state).kinetic; }};
}

Signal potential_energy(const RunInfo& /*run*/) {
  return {"potential", "J", "potential energy",
          [](const Snapshot& at) { return at.audit.energies(at.state).potential; }};
}

Signal violation(const RunInfo& /*run*/) {
  return {"violation", "m", "largest violation of a bilateral constraint, m or rad", [](const Snapshot& at) {
            const Vector& g = at.rows.violation;
            return g.size() == 0 ? 0.0 : g.lpNorm<Eigen::Infinity>();
          }};
}

Signal violation(const RunInfo& run, std::string_view constraint) {
  for (const RowBlock<BilateralConstraint>& block : run.system.constraints()) {
    if (block.element->name() != constraint) continue;
    return {fmt::format("{}.violation", constraint), "m",
            fmt::format("largest violation of {}, m or rad", constraint),
            [first = block.first_row, rows = block.rows](const Snapshot& at) {
              return at.rows.violation.segment(first, rows).lpNorm<Eigen::Infinity>();
            }};
  }
  throw ModelError(fmt::format("there is no joint or link \"{}\"", constraint));
}

}  // namespace signals
}  // namespace picus
