#pragma once

/// Results of element evaluations, as vectors and matrices by value.

#include <picus/local_dofs.hpp>
#include <picus/model.hpp>

namespace picus::support {

inline std::span<double> storage(Eigen::MatrixXd& matrix) {
  return std::span(matrix.data(), matrix.size());
}
inline std::span<const double> values(const Vector& vector) {
  return std::span(vector.data(), vector.size());
}

/// The matrix that fill(storage) writes into zeros.
template <class Fill>
Eigen::MatrixXd filled(Index rows, Index columns, Fill&& fill) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows, columns);
  fill(storage(result));
  return result;
}

template <class E>
Eigen::MatrixXd mass(const E& element, const Configuration& q) {
  return filled(element.dof_count(), element.dof_count(), [&](auto M) { element.mass(q, M); });
}

template <class E>
Vector force(const E& element, const Configuration& q, const Vector& v, double t = 0.0) {
  return filled(element.dof_count(), 1, [&](auto f) { element.force({q, v, t}, f); });
}

template <class E>
Vector violation(const E& element, const Configuration& q) {
  return filled(element.row_count(), 1, [&](auto g) { element.residual(q, 0.0, g); });
}

/// The gradient of a constraint.
template <class E>
requires std::derived_from<E, BilateralConstraint> Eigen::MatrixXd gradient(const E& element,
                                                                            const Configuration& q) {
  return filled(element.row_count(), element.dof_count(), [&](auto G) { element.gradient(q, 0.0, G); });
}

/// The gradient of a contact.
template <class E>
requires std::derived_from<E, Contact> Eigen::MatrixXd gradient(const E& element, const Configuration& q) {
  return filled(element.row_count(), element.dof_count(), [&](auto G) { element.gradient(q, G); });
}

template <class E>
Vector gap(const E& element, const Configuration& q_n, const Configuration& q) {
  return filled(element.row_count(), 1, [&](auto g) { element.displacement(q_n, q, g); });
}

/// The element's part of a vector in natural layout.
inline Vector local(const Element& element, const Vector& natural) {
  return filled(element.dof_count(), 1, [&](auto part) { gather(element, natural, part); });
}

/// The configuration reached from q by an increment.
inline Configuration moved(const Model& model, const Configuration& q, const Vector& increment) {
  Configuration result = q;
  retract(model.nodes(), q, increment, result);
  return result;
}

}  // namespace picus::support
