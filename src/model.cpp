#include "printable.hpp"
#include <picus/checks.hpp>
#include <picus/model.hpp>
#include <picus/so3.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace picus {
namespace {

constexpr std::array<std::string_view, 7> component_names = {"x", "y", "z", "rx", "ry", "rz", "s"};

void require_name(std::string_view what, const std::string& name) {
  if (name.empty()) throw ModelError(fmt::format("a {} needs a name", what));
  if (const std::string shown = detail::printable(name); shown != name)
    throw ModelError(fmt::format("{} name \"{}\" has characters that are not printable UTF-8", what, shown));
  if (name == "." || name == "..") {
    throw ModelError(fmt::format("{} name \"{}\" means a folder in result files", what, name));
  }
  if (name.find('/') != std::string::npos) {
    throw ModelError(
        fmt::format("{} name \"{}\" contains '/', which separates groups in result files", what, name));
  }
}

void require_quantities(const Culprit& who, std::span<const Quantity> quantities) {
  std::set<std::string_view> names;
  for (const Quantity& quantity : quantities) {
    if (quantity.name.empty()) throw ModelError(who.text() + ": a quantity needs a name");
    const std::string what = fmt::format("quantity \"{}\"", quantity.name);
    if (quantity.name.find('/') != std::string::npos || quantity.name == "." || quantity.name == "..") {
      throw ModelError(fmt::format("{}: {} cannot be the name of a data set", who.text(), what));
    }
    if (quantity.name == "time") {
      throw ModelError(fmt::format("{}: {} would hide the instants of the samples", who.text(), what));
    }
    if (!names.insert(quantity.name).second)
      throw ModelError(fmt::format("{}: {} comes twice", who.text(), what));
    for (const Index length : quantity.shape) {
      if (length >= 1) continue;
      throw ModelError(
          fmt::format("{}: {} has a dimension of {}, must be at least 1", who.text(), what, length));
    }
  }
}

}  // namespace

Model::Model(Model&& other) = default;
Model& Model::operator=(Model&& other) = default;
Model::~Model() = default;

Model::Model(std::string name) : identity_(std::move(name)) {}

Node Model::add_node(std::string name, NodeKind kind, std::span<const double> q, std::span<const double> v) {
  require_name("node", name);
  identity_.require_unused(fmt::format("node \"{}\" cannot be added", name));
  if (nodes_.empty()) initial_configuration_ = Configuration(number());
  const Node node{count_of(nodes_), kind, count_of(initial_configuration_.data()),
                  count_of(initial_velocity_), number()};
  if (!node_by_name_.emplace(name, node.index).second) {
    throw ModelError(fmt::format("there is a node \"{}\" already; names of nodes are unique", name));
  }
  nodes_.push_back(node);
  node_names_.push_back(std::move(name));
  initial_configuration_.append(q);
  initial_velocity_.insert(initial_velocity_.end(), v.begin(), v.end());
  fixed_.resize(initial_velocity_.size(), false);
  return node;
}

FrameNode Model::add_frame(std::string name, const FrameStart& start) {
  const Culprit who{"node", name};
  require_finite(who, "position", start.position, "m");
  require_finite(who, "velocity", start.velocity, "m/s");
  require_finite(who, "angular velocity", start.angular_velocity, "rad/s");
  const double defect = (start.rotation.transpose() * start.rotation - Mat3::Identity()).norm();
  if (!(defect <= 1e-9) || start.rotation.determinant() < 0) {
    throw ModelError(fmt::format("{}: rotation is not a proper orthogonal matrix", who.text()));
  }
  std::array<double, 12> q{};
  std::array<double, 6> v{};
  Eigen::Map<Vec3>(q.data()) = start.position;
  Eigen::Map<Mat3>(q.data() + 3) = so3::orthonormalized(start.rotation);
  Eigen::Map<Vec3>(v.data()) = start.velocity;
  Eigen::Map<Vec3>(v.data() + 3) = start.angular_velocity;
  return {add_node(std::move(name), NodeKind::frame, q, v)};
}

PointNode Model::add_point(std::string name, const PointStart& start) {
  const Culprit who{"node", name};
  require_finite(who, "position", start.position, "m");
  require_finite(who, "velocity", start.velocity, "m/s");
  return {add_node(std::move(name), NodeKind::point, {start.position.data(), 3}, {start.velocity.data(), 3})};
}

std::string_view Model::unit_of(const Node& scalar) const {
  for (const auto& element : elements_) {
    const std::span<const Node> nodes = element->nodes();
    if (std::ranges::find(nodes, scalar) == nodes.end()) continue;
    if (const std::string_view unit = element->unit_of(scalar); !unit.empty()) return unit;
  }
  return {};
}

ScalarNode Model::add_scalar(std::string name, const ScalarStart& start) {
  const Culprit who{"node", name};
  require_finite(who, "value", start.value, "");
  require_finite(who, "rate", start.rate, "");
  return {add_node(std::move(name), NodeKind::scalar, {&start.value, 1}, {&start.rate, 1})};
}

Index Model::dof_of(const Node& node, Component component) const {
  require_node(node, "a fixation", "its node");
  identity_.require_unused(fmt::format("node \"{}\" cannot be fixed or driven", node_name(node)));
  const auto c = place_of(component);
  const bool has_it =
      node.kind == NodeKind::scalar ? component == Component::s : c < velocity_size(node.kind);
  if (!has_it) {
    throw ModelError(fmt::format("node \"{}\" has no component {}", node_name(node), component_names[c]));
  }
  return node.v + (node.kind == NodeKind::scalar ? 0 : c);
}

void Model::fix(const Node& node, std::initializer_list<Component> components) {
  for (const Component component : components) {
    const Index dof = dof_of(node, component);
    if (driven_.contains(dof)) {
      throw ModelError(fmt::format("{} is both fixed and driven", describe_dof(dof)));
    }
    const double rate = initial_velocity_[dof];
    if (rate != 0) {
      throw ModelError(fmt::format("{} is fixed but starts with a velocity of {}", describe_dof(dof), rate));
    }
    fixed_[dof] = true;
  }
}

void Model::fix(const Node& node) {
  using enum Component;
  require_node(node, "a fixation", "its node");
  switch (node.kind) {
    case NodeKind::frame:
      return fix(node, {x, y, z, rx, ry, rz});
    case NodeKind::point:
      return fix(node, {x, y, z});
    case NodeKind::scalar:
      return fix(node, {s});
  }
}

void Model::restrict_to_plane(const Node& node) {
  using enum Component;
  require_node(node, "a fixation", "its node");
  if (node.kind == NodeKind::frame) {
    const Mat3 R = initial_configuration_.rotation(node);
    if (std::hypot(R(0, 2), R(1, 2)) > 1e-9) {
      throw ModelError(fmt::format("node \"{}\" cannot move in the plane x-y: its axis z is not normal to it",
                                   node_name(node)));
    }
    fix(node, {z, rx, ry});
  } else {
    fix(node, {z});
  }
}

void Model::drive(const Node& node, Component component, PrescribedMotion motion) {
  const Index dof = dof_of(node, component);
  const std::string what = describe_dof(dof);
  if (is_fixed(dof)) throw ModelError(fmt::format("{} is both fixed and driven", what));
  if (driven_.contains(dof)) throw ModelError(fmt::format("{} is driven twice", what));
  if (!motion.displacement || !motion.rate) {
    throw ModelError(fmt::format("{} is driven without a displacement or without its rate", what));
  }
  const double rate = motion.rate(0.0);
  if (!std::isfinite(rate) || !std::isfinite(motion.displacement(0.0))) {
    throw ModelError(fmt::format("{} is driven by a motion that is not finite at t = 0", what));
  }
  initial_velocity_[dof] = rate;
  driven_.emplace(dof, std::move(motion));
}

Index Model::register_element(std::unique_ptr<Element> element) {
  require_name("element", element->name());
  identity_.require_unused(fmt::format("element \"{}\" cannot be added", element->name()));
  for (const Node& node : element->nodes()) require_node(node, element->name(), "a node");
  const auto index = count_of(elements_);
  if (element->dof_count() > max_local_dofs) {
    throw ModelError(fmt::format("element \"{}\" has {} velocity components, more than {}", element->name(),
                                 element->dof_count(), max_local_dofs));
  }
  if (!element_by_name_.emplace(element->name(), index).second) {
    throw ModelError(
        fmt::format("there is an element \"{}\" already; names of elements are unique", element->name()));
  }
  elements_.push_back(std::move(element));
  return index;
}

void Model::evaluate_serially(Index index, const Element& element) {
  const std::size_t place = index;
  if (place >= elements_.size() || elements_[place].get() != &element)
    throw ModelError(fmt::format("element \"{}\" is not one of model \"{}\": it cannot be called alone",
                                 element.name(), name()));
  identity_.require_unused(fmt::format("element \"{}\" cannot be marked as called alone", element.name()));
  elements_[place]->evaluate_serially();
}

void Model::add_sensor(Sensor sensor) {
  require_name("sensor", sensor.name);
  const Culprit who{"sensor", sensor.name};
  identity_.require_unused(fmt::format("{} cannot be added", who.text()));
  require_not_negative(who, "interval", sensor.interval, "s");
  if (sensor.quantities.empty()) throw ModelError(who.text() + ": it has no quantities");
  require_quantities(who, sensor.quantities);
  if (!sensor.read) throw ModelError(who.text() + ": it has no function to read its quantities");
  if (sensor.check) sensor.check(*this);
  for (const Sensor& other : sensors_) {
    if (other.name != sensor.name) continue;
    throw ModelError(
        fmt::format("there is a sensor \"{}\" already; names of sensors are unique", sensor.name));
  }
  sensors_.push_back(std::move(sensor));
}

const std::string& Model::node_name(const Node& node) const {
  require_node(node, "the name of a node", "it");
  return node_names_[node.index];
}

Node Model::find_node(std::string_view name) const {
  const auto found = node_by_name_.find(name);
  if (found == node_by_name_.end()) {
    throw ModelError(fmt::format("there is no node \"{}\"{}", name, suggestion(name, node_names_)));
  }
  return nodes_[found->second];
}

const Element& Model::find_element(std::string_view name) const {
  const auto found = element_by_name_.find(name);
  if (found == element_by_name_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, index] : element_by_name_) names.push_back(known);
    throw ModelError(fmt::format("there is no element \"{}\"{}", name, suggestion(name, names)));
  }
  return *elements_[found->second];
}

std::string Model::describe_dof(Index dof) const {
  for (const Node& node : nodes_) {
    const Index local = dof - node.v;
    if (local < 0 || local >= velocity_size(node.kind)) continue;
    const std::size_t c = node.kind == NodeKind::scalar ? 6 : local;
    return fmt::format("{} of node \"{}\"", component_names[c], node_name(node));
  }
  return fmt::format("component {}", dof);
}

void Model::require_node(const Node& node, std::string_view user, std::string_view role) const {
  const bool known = node.index >= 0 && node.index < count_of(nodes_) && nodes_[node.index] == node;
  if (!known) throw ModelError(fmt::format("{}: {} is not a node of model \"{}\"", user, role, name()));
}

void Model::require_element(const Element* element, std::string_view user, std::string_view role) const {
  const bool known =
      std::any_of(elements_.begin(), elements_.end(), [&](const auto& own) { return own.get() == element; });
  if (!known) throw ModelError(fmt::format("{}: {} is not an element of model \"{}\"", user, role, name()));
}

void Model::note_parameter(std::string key, std::string value) {
  identity_.require_unused(fmt::format("parameter \"{}\" cannot be noted", key));
  parameters_.emplace_back(std::move(key), std::move(value));
}

}  // namespace picus
