#include <picus/checks.hpp>
#include <picus/elements/reduced/recovered_sensor.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace picus::sensors {
namespace {

/// An element of the part, and the displacements of its nodes due to eta without its mean rotation.
class RecoveredElement {
 public:
  RecoveredElement(const Culprit& who, const RecoveredElementOptions& options)
      : coordinates_(options.body->coordinates()), q_(options.part->initial_configuration()) {
    const Element& element = options.part->find_element(options.element);
    observable_ = dynamic_cast<const Observable*>(&element);
    if (observable_ == nullptr)
      throw ModelError(fmt::format("{}: element \"{}\" of \"{}\" reports nothing", who.text(), element.name(),
                                   options.part->name()));
    const ReducedBasis& basis = *options.body->basis();
    for (const Node& node : element.nodes()) {
      const std::string& name = options.part->node_name(node);
      const auto found = std::find_if(basis.nodes.begin(), basis.nodes.end(),
                                      [&](const ReducedPoint& point) { return point.name == name; });
      if (found == basis.nodes.end() || found->kind != node.kind)
        throw ModelError(fmt::format("{}: the basis of \"{}\" has no node \"{}\" of element \"{}\"",
                                     who.text(), options.body->name(), name, element.name()));
      nodes_.push_back({node, q_.position(node), found->axes, found->translation, found->rotation});
    }
    remove_mean_rotation();
    Index size = 0;
    for (const Node& node : options.part->nodes()) size = std::max(size, node.v + velocity_size(node.kind));
    v_ = Vector::Zero(size);
    eta_ = rate_ = Vector::Zero(count_of(coordinates_));
  }

  std::vector<Quantity> quantities() const {
    std::vector<Quantity> all = observable_->quantities();
    for (Quantity& one : all) one.description += ", with the part as it was modelled";
    return all;
  }

  void read(const Reading& at, std::span<double> values) {
    for (Index k = 0; k < count_of(coordinates_); ++k) {
      eta_[k] = at.state.q.value(coordinates_[k]);
      rate_[k] = at.state.v[coordinates_[k].v];
    }
    for (const MovedNode& one : nodes_) {
      q_.position(one.node) = one.position + one.translation * eta_;
      v_.segment<3>(one.node.v).noalias() = one.translation * rate_;
      if (one.node.kind != NodeKind::frame) continue;
      q_.rotation(one.node) = one.axes * so3::exp(one.rotation * eta_);
      v_.segment<3>(one.node.v + 3).noalias() = one.rotation * rate_;
    }
    observable_->observe({q_, v_, at.state.time}, values);
  }

 private:
  struct MovedNode {
    Node node;  ///< of the part
    Vec3 position;
    Mat3 axes;
    Eigen::Matrix3Xd translation, rotation;
  };

  /// The mean of the rotations of its frames, or the rotation that fits the displacements of its points best.
  Eigen::Matrix3Xd mean_rotation(const Vec3& centre) const {
    const auto modes = columns_of(nodes_.front().translation);
    Eigen::Matrix3Xd mean = Eigen::Matrix3Xd::Zero(3, modes);
    int frames = 0;
    for (const MovedNode& one : nodes_) {
      if (one.node.kind != NodeKind::frame) continue;
      mean += one.axes * one.rotation;
      ++frames;
    }
    if (frames > 0) return mean / frames;
    Mat3 moments = Mat3::Zero();
    for (const MovedNode& one : nodes_) {
      const Vec3 arm = one.position - centre;
      moments += arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose();
      mean += so3::skew(arm) * one.translation;
    }
    const Eigen::FullPivLU<Mat3> lu(moments);
    if (!lu.isInvertible()) return Eigen::Matrix3Xd::Zero(3, modes);
    return lu.solve(mean);
  }

  void remove_mean_rotation() {
    Vec3 centre = Vec3::Zero();
    for (const MovedNode& one : nodes_) centre += one.position / static_cast<double>(nodes_.size());
    const Eigen::Matrix3Xd mean = mean_rotation(centre);
    for (MovedNode& one : nodes_) {
      one.translation += so3::skew(one.position - centre) * mean;
      if (one.node.kind == NodeKind::frame) one.rotation -= one.axes.transpose() * mean;
    }
  }

  const Observable* observable_ = nullptr;
  std::vector<ScalarNode> coordinates_;
  std::vector<MovedNode> nodes_;
  Configuration q_;  ///< of the part
  Vector v_;
  Vector eta_, rate_;
};

}  // namespace

Sensor recovered_element(const RecoveredElementOptions& options) {
  const Culprit who{"sensor", options.name};
  if (options.body == nullptr) throw ModelError(who.text() + ": it has no body");
  if (options.part == nullptr) throw ModelError(who.text() + ": it has no part");
  RecoveredElement element(who, options);
  std::vector<Quantity> quantities = element.quantities();
  return {.name = options.name,
          .interval = options.interval,
          .quantities = std::move(quantities),
          .read = [element = std::move(element)](
                      const Reading& at, std::span<double> values) mutable { element.read(at, values); },
          .check =
              [body = options.body, name = options.name](const Model& model) {
                model.require_element(body, Culprit{"sensor", name}.text(), "body");
              }};
}

}  // namespace picus::sensors
