#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/reduction_interfaces.hpp>

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Below this ratio of the smallest to the largest moment of their positions, nodes lie on a line.
constexpr double on_a_line = 1e-10;

/// Moments of the positions about their mean: sum over the nodes of |r|^2 I - r r^T.
Mat3 moments(const std::vector<Vec3>& arms) {
  Mat3 A = Mat3::Zero();
  for (const Vec3& r : arms) A += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
  return A;
}

/// Adds translations d + theta x (position - mean) for a mean displacement d and rotation theta given by rows.
std::vector<BorderRow> shifted(const std::array<BorderRow, 3>& mean, const std::array<BorderRow, 3>& rotation,
                               const Vec3& arm) {
  std::vector<BorderRow> rows(mean.begin(), mean.end());
  const Mat3 lever = -so3::skew(arm);
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) {
      for (const auto& [dof, value] : rotation[b]) {
        if (lever(a, b) != 0) rows[a].push_back({dof, lever(a, b) * value});
      }
    }
  }
  rows.insert(rows.end(), rotation.begin(), rotation.end());
  return rows;
}

/// The least-squares rigid motion of nodes whose positions are not on a line.
std::vector<BorderRow> fit_positions(const std::vector<Node>& nodes, const std::vector<Vec3>& arms,
                                     const Vec3& arm) {
  const double weight = 1.0 / static_cast<double>(nodes.size());
  const Mat3 inverse = moments(arms).inverse();
  std::array<BorderRow, 3> mean, rotation;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Mat3 turn = inverse * so3::skew(arms[i]);
    for (Index a = 0; a < 3; ++a) {
      mean[a].push_back({nodes[i].v + a, weight});
      for (Index b = 0; b < 3; ++b) rotation[a].push_back({nodes[i].v + b, turn(a, b)});
    }
  }
  return shifted(mean, rotation, arm);
}

/// The motion of a frame.
std::vector<BorderRow> fit_frame(const Node& node, const Mat3& axes, const Vec3& arm) {
  std::array<BorderRow, 3> mean, rotation;
  for (Index a = 0; a < 3; ++a) {
    mean[a] = {{node.v + a, 1.0}};
    for (Index b = 0; b < 3; ++b) rotation[a].push_back({node.v + 3 + b, axes(a, b)});
  }
  return shifted(mean, rotation, arm);
}

void add_ties(PartInterface& interface, const Node& node, const Configuration& q) {
  const Mat3 lever = -so3::skew(q.position(node) - interface.position);
  for (Index a = 0; a < 3; ++a) {
    PartInterface::Tie tie{{{node.v + a, 1.0}}, {{a, -1.0}}};
    for (Index b = 0; b < 3; ++b) {
      if (lever(a, b) != 0) tie.displacements.push_back({3 + b, -lever(a, b)});
    }
    interface.ties.push_back(tie);
  }
  if (node.kind != NodeKind::frame) return;
  const Mat3 axes = q.rotation(node);
  for (Index a = 0; a < 3; ++a) {
    PartInterface::Tie tie{{{node.v + 3 + a, 1.0}}, {}};
    for (Index b = 0; b < 3; ++b) {
      if (axes(b, a) != 0) tie.displacements.push_back({3 + b, -axes(b, a)});
    }
    interface.ties.push_back(tie);
  }
}

bool is_in_plane(Index component) {
  return component < 2 || component == 5;
}

std::vector<Index> movable_components(NodeKind kind, bool is_planar) {
  std::vector<Index> movable;
  for (Index a = 0; a < velocity_size(kind); ++a) {
    if (!is_planar || is_in_plane(a)) movable.push_back(a);
  }
  return movable;
}

PartInterface make_interface(const System& system, const ReductionInterface& wanted) {
  const Model& model = system.model();
  const Configuration& q = model.initial_configuration();
  const bool is_planar = is_restricted_to_plane(system);
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("interface \"{}\" of \"{}\": {}", wanted.name, model.name(), what));
  };
  if (wanted.name.empty()) fail("it needs a name");
  if (wanted.nodes.empty()) fail("it has no nodes");
  Vec3 mean = Vec3::Zero();
  for (const Node& node : wanted.nodes) {
    model.require_node(node, fmt::format("interface \"{}\"", wanted.name), "node");
    if (node.kind == NodeKind::scalar)
      fail(fmt::format("\"{}\" is a scalar node, must be a frame or a point", model.node_name(node)));
    for (Index i = 0; i < velocity_size(node.kind); ++i) {
      if (system.free_index()[node.v + i] < 0 && !(is_planar && !is_in_plane(i)))
        fail(fmt::format("{} is fixed; interfaces must be free to move", model.describe_dof(node.v + i)));
    }
    mean += q.position(node) / static_cast<double>(wanted.nodes.size());
  }
  PartInterface interface {
    .name = wanted.name, .kind = NodeKind::frame, .nodes = wanted.nodes,
    .movable = movable_components(NodeKind::frame, is_planar), .position = wanted.position.value_or(mean),
    .is_tied = wanted.kind == InterfaceKind::rigid && wanted.nodes.size() > 1, .fit = {}, .ties = {}
  };
  if (!interface.position.allFinite()) fail("its position is not finite");
  const Vec3 arm = interface.position - mean;
  const auto frame = std::find_if(wanted.nodes.begin(), wanted.nodes.end(),
                                  [](const Node& node) { return node.kind == NodeKind::frame; });
  if (wanted.nodes.size() == 1 && frame == wanted.nodes.end()) {
    if (arm.norm() > 0) fail("a single point cannot carry it at another position");
    interface.kind = NodeKind::point;
    interface.movable = movable_components(NodeKind::point, is_planar);
    for (Index a = 0; a < 3; ++a) interface.fit.push_back({{wanted.nodes[0].v + a, 1.0}});
    return interface;
  }
  std::vector<Vec3> arms;
  for (const Node& node : wanted.nodes) arms.push_back(q.position(node) - mean);
  const Vec3 spread =
      Eigen::SelfAdjointEigenSolver<Mat3>(moments(arms), Eigen::EigenvaluesOnly).eigenvalues();
  const bool has_frame = frame != wanted.nodes.end();
  if (spread[0] > on_a_line * spread[2] && spread[2] > 0) {
    interface.fit = fit_positions(wanted.nodes, arms, arm);
  } else if (has_frame && (interface.is_tied || wanted.nodes.size() == 1)) {
    interface.fit = fit_frame(*frame, q.rotation(*frame), interface.position - q.position(*frame));
  } else {
    fail("its nodes lie on a line, about which they do not determine a rotation");
  }
  if (interface.is_tied) {
    for (const Node& node : wanted.nodes) add_ties(interface, node, q);
  }
  return interface;
}

}  // namespace

Eigen::MatrixXd PartInterface::displacements(const Eigen::MatrixXd& shapes) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size(), shapes.cols());
  for (Index a = 0; a < size(); ++a) {
    for (const auto& [dof, value] : fit[a]) result.row(a) += value * shapes.row(dof);
  }
  return result;
}

Eigen::MatrixXd rigid_motions(const System& system) {
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(system.velocity_count(), 6);
  const Configuration& q = system.model().initial_configuration();
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    motions.block<3, 3>(node.v, 0).setIdentity();
    motions.block<3, 3>(node.v, 3) = -so3::skew(q.position(node));
    if (node.kind == NodeKind::frame) motions.block<3, 3>(node.v + 3, 3) = q.rotation(node).transpose();
  }
  return motions;
}

std::vector<Index> find_free_motions(const System& system) {
  constexpr double rounding = 1e-12;
  const Eigen::MatrixXd motions = rigid_motions(system);
  std::vector<Index> free;
  for (Index k = 0; k < 6; ++k) {
    bool is_free = true;
    for (Index dof = 0; dof < system.velocity_count(); ++dof) {
      if (system.free_index()[dof] < 0 && std::abs(motions(dof, k)) > rounding) is_free = false;
    }
    if (is_free) free.push_back(k);
  }
  return free;
}

bool is_restricted_to_plane(const System& system) {
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    for (Index a = 0; a < velocity_size(node.kind); ++a) {
      if ((system.free_index()[node.v + a] >= 0) != is_in_plane(a)) return false;
    }
  }
  return true;
}

std::vector<PartInterface> find_interfaces(const System& system,
                                           const std::vector<ReductionInterface>& wanted) {
  std::vector<PartInterface> interfaces;
  std::vector<Index> user(system.model().nodes().size(), -1);
  for (const ReductionInterface& one : wanted) {
    interfaces.push_back(make_interface(system, one));
    for (std::size_t i = 0; i + 1 < interfaces.size(); ++i) {
      if (interfaces[i].name == one.name)
        throw ModelError(
            fmt::format("two interfaces of \"{}\" are called \"{}\"", system.model().name(), one.name));
    }
    for (const Node& node : one.nodes) {
      if (user[node.index] >= 0) {
        throw ModelError(fmt::format("interface \"{}\" of \"{}\": node \"{}\" already belongs to \"{}\"",
                                     one.name, system.model().name(), system.model().node_name(node),
                                     interfaces[user[node.index]].name));
      }
      user[node.index] = count_of(interfaces) - 1;
    }
  }
  return interfaces;
}

PartInterface find_support(const System& system) {
  const Model& model = system.model();
  const Configuration& q = model.initial_configuration();
  std::vector<Node> nodes;
  for (const Node& node : model.nodes()) {
    if (node.kind == NodeKind::frame)
      return make_interface(system, {.name = "support", .nodes = {node}, .kind = InterfaceKind::average});
    if (node.kind == NodeKind::point) nodes.push_back(node);
  }
  if (nodes.size() < 3)
    throw ModelError(fmt::format("\"{}\" has fewer than three nodes: it is not a body", model.name()));
  const Vec3 first = q.position(nodes[0]);
  const auto farthest = [&](const auto& distance) {
    return *std::max_element(nodes.begin(), nodes.end(),
                             [&](const Node& a, const Node& b) { return distance(a) < distance(b); });
  };
  const Node second = farthest([&](const Node& node) { return (q.position(node) - first).norm(); });
  const Vec3 line = q.position(second) - first;
  const Node third =
      farthest([&](const Node& node) { return (q.position(node) - first).cross(line).norm(); });
  return make_interface(
      system, {.name = "support", .nodes = {nodes[0], second, third}, .kind = InterfaceKind::average});
}

}  // namespace picus::solvers
