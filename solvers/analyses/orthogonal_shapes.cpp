#include <picus/error.hpp>
#include <picus/solvers/analyses/orthogonal_shapes.hpp>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <cmath>

namespace picus::solvers {
namespace {

/// Mass of a combination of unit shapes below which these count as linearly dependent: rounding error.
constexpr double dependent_shape = 1e-12;

}  // namespace

Vector orthogonalize(Eigen::MatrixXd& shapes, Eigen::MatrixXd M_shapes, Eigen::MatrixXd K_shapes,
                     const std::string& part) {
  if (shapes.cols() == 0) return {};
  for (Index k = 0; k < shapes.cols(); ++k) {
    const double mass = shapes.col(k).dot(M_shapes.col(k));
    if (!(mass > 0)) throw SolverError(fmt::format("a shape of \"{}\" moves no mass", part));
    for (Eigen::MatrixXd* columns : {&shapes, &M_shapes, &K_shapes}) columns->col(k) /= std::sqrt(mass);
  }
  const Eigen::MatrixXd M = shapes.transpose() * M_shapes;
  const Eigen::MatrixXd K = shapes.transpose() * K_shapes;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(0.5 * (M + M.transpose()));
  Index first = 0;
  while (!(spectrum.eigenvalues()[first] > dependent_shape)) ++first;
  const Index independent = columns_of(shapes) - first;
  const Eigen::MatrixXd whitening =
      spectrum.eigenvectors().rightCols(independent) *
      spectrum.eigenvalues().tail(independent).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd white = whitening.transpose() * (0.5 * (K + K.transpose())) * whitening;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(0.5 * (white + white.transpose()));
  shapes = (shapes * (whitening * modes.eigenvectors())).eval();
  return modes.eigenvalues();
}

}  // namespace picus::solvers
