#include "probe.hpp"

#include <picus/local_dofs.hpp>

#include <cmath>

namespace picus::tangent_check {

Probe::Probe(const Model& model, const Element& element, const TangentCheckOptions& options)
    : model_(model), element_(element), options_(options), random_(options.seed) {
  for (const Node& node : element.nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) {
      dofs_.push_back(node.v + i);
      units_.push_back(node.kind != NodeKind::scalar && i < 3 ? options.length : 1.0);
    }
  }
}

Sample Probe::random_sample() {
  Sample sample{random_configuration(), Vector::Zero(model_.velocity_count()), 0.0};
  for (std::size_t i = 0; i < dofs_.size(); ++i) sample.v[dofs_[i]] = units_[i] * uniform();
  sample.t = 0.5 * options_.time * (1 + uniform());
  return sample;
}

Configuration Probe::random_configuration() {
  Vector increment = Vector::Zero(model_.velocity_count());
  for (std::size_t i = 0; i < dofs_.size(); ++i) increment[dofs_[i]] = units_[i] * uniform();
  for (const Node& node : element_.nodes()) {
    if (node.kind == NodeKind::scalar) increment[node.v] *= options_.angle;
    if (node.kind != NodeKind::frame) continue;
    auto turn = increment.segment<3>(node.v + 3);
    turn *= options_.angle * std::abs(uniform()) / turn.norm();
  }
  return moved(model_.initial_configuration(), increment);
}

Vector Probe::random_vector(Index size) {
  Vector vector(size);
  for (double& entry : vector) entry = uniform();
  return vector;
}

Vector Probe::local(const Vector& natural) const {
  Vector result(size());
  gather(element_, natural, {result.data(), dofs_.size()});
  return result;
}

Configuration Probe::moved(const Configuration& q, const Vector& increment) const {
  Configuration result = q;
  retract(element_.nodes(), q, increment, result);
  return result;
}

Probe::Matrix Probe::difference(const Configuration& q, const std::function<Vector(const Configuration&)>& f,
                                double step) const {
  return difference(
      Vector::Zero(model_.velocity_count()), [&](const Vector& increment) { return f(moved(q, increment)); },
      step);
}

Probe::Matrix Probe::difference(const Vector& v, const std::function<Vector(const Vector&)>& f,
                                double step) const {
  Matrix result;
  for (std::size_t j = 0; j < dofs_.size(); ++j) {
    const Vector column = central_difference([&](double k) {
      Vector shifted = v;
      shifted[dofs_[j]] += k * step * units_[j];
      return f(shifted);
    });
    result.conservativeResize(column.size(), size());
    result.col(j) = column / step;
  }
  return result;
}

Probe::Matrix Probe::gathered(const Matrix& exact) const {
  Matrix result = Matrix::Zero(exact.rows(), size());
  for (std::size_t j = 0; j < dofs_.size(); ++j) {
    for (std::size_t k = 0; k < dofs_.size(); ++k) {
      if (dofs_[k] != dofs_[j]) continue;
      result.col(j) += units_[j] * exact.col(k);
    }
  }
  return result;
}

}  // namespace picus::tangent_check
