#include <picus/elements/principal_values.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>

namespace picus {
namespace {

template <class Matrix>
double smallest_scaled(Matrix matrix) {
  const auto diagonal = matrix.diagonal().eval();
  for (Index i = 0; i < matrix.rows(); ++i) {
    if (!(diagonal[i] > 0)) continue;
    matrix.row(i) /= std::sqrt(diagonal[i]);
    matrix.col(i) /= std::sqrt(diagonal[i]);
  }
  return principal_values(matrix)[0];
}

}  // namespace

Vec3 principal_values(const Mat3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}
Eigen::Matrix<double, 6, 1> principal_values(const Eigen::Matrix<double, 6, 6>& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

double smallest_scaled_eigenvalue(const Mat3& symmetric) {
  return smallest_scaled(symmetric);
}
double smallest_scaled_eigenvalue(const Eigen::Matrix<double, 6, 6>& symmetric) {
  return smallest_scaled(symmetric);
}

}  // namespace picus
