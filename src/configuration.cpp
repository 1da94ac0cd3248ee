#include <picus/configuration.hpp>
#include <picus/so3.hpp>

namespace picus {

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
