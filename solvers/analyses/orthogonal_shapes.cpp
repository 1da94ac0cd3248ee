#include <picus/error.hpp>
#include <picus/solvers/analyses/orthogonal_shapes.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>

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
  const Eigen::MatrixXd M = transpose_product(shapes, M_shapes);
  const Eigen::MatrixXd K = transpose_product(shapes, K_shapes);
  const SymmetricEigenpairs spectrum = find_symmetric_eigenpairs(symmetric_part(M));
  Index first = 0;
  while (!(spectrum.values[first] > dependent_shape)) ++first;
  const Index independent = columns_of(shapes) - first;
  const Eigen::MatrixXd whitening = spectrum.vectors.rightCols(independent) *
                                    spectrum.values.tail(independent).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd white = transpose_product(whitening, product(symmetric_part(K), whitening));
  const SymmetricEigenpairs modes = find_symmetric_eigenpairs(symmetric_part(white));
  shapes = product(shapes, product(whitening, modes.vectors));
  return modes.values;
}

}  // namespace picus::solvers
