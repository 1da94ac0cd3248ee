#include "node_words.hpp"

#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/elements/forces/scalar_load.hpp>
#include <picus/error.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace picus::fmu {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

/// Index of the axis if `text` consists of `before` and the name of an axis; empty otherwise.
std::optional<int> axis_behind(std::string_view text, std::string_view before) {
  if (!text.starts_with(before)) return std::nullopt;
  const auto found = std::ranges::find(axis_names, text.substr(before.size()));
  if (found == axis_names.end()) return std::nullopt;
  return static_cast<int>(found - axis_names.begin());
}

Vec3 along(int axis, double value) {
  Vec3 vector = Vec3::Zero();
  vector[axis] = value;
  return vector;
}

[[noreturn]] void refuse_component(const NodeLoad& load) {
  throw ModelError(
      fmt::format("node \"{}\" has no load component {}: frames have fx to mz, points fx to fz, "
                  "scalar nodes f",
                  load.node, load.component));
}

}  // namespace

std::optional<Signal> find_node_signal(const RunInfo& run, std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view node = text.substr(0, dot);
  const std::string_view word = text.substr(dot + 1);
  const Model& model = run.system.model();
  if (std::ranges::none_of(model.nodes(), [&](const Node& one) { return model.node_name(one) == node; }))
    return std::nullopt;
  const auto axis = [](int i) { return static_cast<signals::Axis>(i); };
  if (const auto i = axis_behind(word, "")) return signals::position(run, node, axis(*i));
  if (const auto i = axis_behind(word, "v")) return signals::velocity(run, node, axis(*i));
  if (const auto i = axis_behind(word, "w")) return signals::angular_velocity(run, node, axis(*i));
  if (const auto i = axis_behind(word, "rotation_")) return signals::rotation(run, node, axis(*i));
  if (word == "angle") return signals::planar_angle(run, node);
  if (word != "value" && word != "rate") return std::nullopt;
  const std::string_view known = model.unit_of(model.find_node(node));
  const std::string unit(known.empty() ? "unit of the node" : known);
  if (word == "value") return signals::scalar_value(run, node, unit);
  if (word == "rate") return signals::scalar_rate(run, node, unit);
  return std::nullopt;
}

NodeLoad NodeLoad::read(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view target = equals == std::string_view::npos ? text : text.substr(equals + 1);
  const std::string_view name = text.substr(0, equals);
  const std::size_t dot = target.rfind('.');
  if (name.empty() || dot == std::string_view::npos || dot == 0 || dot + 1 == target.size())
    throw OptionError(fmt::format("input \"{}\" must be NAME=NODE.COMPONENT, such as push=cart.fx", text));
  return {std::string(name), std::string(target.substr(0, dot)), std::string(target.substr(dot + 1))};
}

std::string NodeLoad::unit() const {
  if (axis_behind(component, "f")) return "N";
  return axis_behind(component, "m") ? "N m" : "";
}

void NodeLoad::add_to(Model& model, const Input& input) const {
  const Node found = model.find_node(node);
  const std::string element = fmt::format("input {}", name);
  const auto force = axis_behind(component, "f");
  const auto moment = axis_behind(component, "m");
  if (force && found.kind != NodeKind::scalar) {
    const auto point =
        found.kind == NodeKind::frame ? MaterialPoint(FrameNode{found}) : MaterialPoint(PointNode{found});
    model.add<NodalForce>({.name = element, .point = point, .force = [input, i = *force](double t) {
                             return along(i, input(t));
                           }});
  } else if (moment && found.kind == NodeKind::frame) {
    model.add<NodalMoment>({.name = element,
                            .node = FrameNode{found},
                            .moment = [input, i = *moment](double t) { return along(i, input(t)); }});
  } else if (component == "f" && found.kind == NodeKind::scalar) {
    model.add<ScalarLoad>({.name = element, .node = ScalarNode{found}, .load = input});
  } else {
    refuse_component(*this);
  }
}

}  // namespace picus::fmu
