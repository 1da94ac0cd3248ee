#pragma once

#include <picus/types.hpp>

#include <Eigen/Core>

#include <optional>

// Factorisations and products of dense matrices of any size, for analyses: by LAPACK, and compiled once, as each file that
// instantiates Eigen's own takes seconds. All but the products throw SolverError if an entry is not finite, or if the
// iteration for eigenvalues does not converge.
namespace picus::solvers {

struct SymmetricEigenpairs {
  Vector values;            ///< ascending
  Eigen::MatrixXd vectors;  ///< columns, orthonormal
};

/// Of a symmetric matrix, of which only the lower triangle is read.
SymmetricEigenpairs find_symmetric_eigenpairs(Eigen::MatrixXd A);

/// Ascending eigenvalues s of A x = s B x, of which only the lower triangles are read. Nothing if B is not positive definite.
std::optional<Vector> find_symmetric_eigenvalues(Eigen::MatrixXd A, Eigen::MatrixXd B);

/// Eigenvalues alpha / beta of A x = s B x; they are infinite where beta is zero.
struct GeneralEigenpairs {
  Eigen::VectorXcd alphas;
  Vector betas;
  Eigen::MatrixXcd vectors;  ///< columns; the largest component of each has |re| + |im| = 1
};

GeneralEigenpairs find_general_eigenpairs(Eigen::MatrixXd A, Eigen::MatrixXd B);

/// Orthonormal columns that span those of X, of which there are no more than rows.
Eigen::MatrixXd orthonormalize(Eigen::MatrixXd X);

/// Orthonormal columns that span what is orthogonal to all columns of A. A column counts as dependent on others if what
/// these leave of it is smaller than `dependent` times the largest column.
Eigen::MatrixXd orthogonal_complement(Eigen::MatrixXd A, double dependent);

/// The inverse of a symmetric matrix, of which only the lower triangle is read. Nothing if it is not positive definite.
std::optional<Eigen::MatrixXd> inverse_of_positive_definite(Eigen::MatrixXd A);

/// A B
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A^T B
Eigen::MatrixXd transpose_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// (A + A^T) / 2
Eigen::MatrixXd symmetric_part(const Eigen::MatrixXd& A);

}  // namespace picus::solvers
