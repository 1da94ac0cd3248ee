#include <picus/configuration.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <array>

namespace picus {

void Configuration::refuse(std::string_view what, const Node& node, bool has_it) const {
  constexpr std::array<std::string_view, 3> kinds = {"frame", "point", "scalar"};
  if (!node.valid()) throw ModelError(fmt::format("{} of a node that no model has made", what));
  if (!has_it) {
    throw ModelError(
        fmt::format("node {} is a {}, which has no {}", node.index, kinds[place_of(node.kind)], what));
  }
  if (model_ != any_model && node.model != model_) {
    throw ModelError(
        fmt::format("{} of node {}: the node is of another model than the configuration", what, node.index));
  }
  if (node.q < 0 || node.q > count_of(data_) - configuration_size(node.kind)) {
    throw ModelError(fmt::format(
        "{} of node {}: the configuration is of fewer nodes (was it taken before the node was added?)", what,
        node.index));
  }
}

void retract(std::span<const Node> nodes, const Configuration& q_0, ConstVectorRef increment,
             Configuration& q) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case NodeKind::frame: {
        const Mat3 turned = q_0.rotation(node) * so3::exp(increment.segment<3>(node.v + 3));
        q.rotation(node) = turned;
        [[fallthrough]];
      }
      case NodeKind::point:
        q.position(node) = q_0.position(node) + increment.segment<3>(node.v);
        break;
      case NodeKind::scalar:
        q.value(node) = q_0.value(node) + increment[node.v];
        break;
    }
  }
}

void difference(std::span<const Node> nodes, const Configuration& q_0, const Configuration& q,
                VectorRef increment) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case NodeKind::frame: {
        const Mat3 relative = q_0.rotation(node).transpose() * q.rotation(node);
        increment.segment<3>(node.v + 3) = so3::log(relative);
        [[fallthrough]];
      }
      case NodeKind::point:
        increment.segment<3>(node.v) = q.position(node) - q_0.position(node);
        break;
      case NodeKind::scalar:
        increment[node.v] = q.value(node) - q_0.value(node);
        break;
    }
  }
}

void orthonormalize(std::span<const Node> nodes, Configuration& q) {
  for (const Node& node : nodes) {
    if (node.kind == NodeKind::frame) q.rotation(node) = so3::orthonormalized(q.rotation(node));
  }
}

}  // namespace picus
