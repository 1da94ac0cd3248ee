#include <picus/error.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>
#include <picus/solvers/linear/dense_threads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

// LAPACK has no header of its own. The lengths of strings come last, as Fortran passes them.
extern "C" {
void dsyevd_(const char* job, const char* triangle, const int* n, double* A, const int* lda, double* values,
             double* work, const int* work_size, int* integers, const int* integers_size, int* info,
             std::size_t, std::size_t);
void dsygv_(const int* type, const char* job, const char* triangle, const int* n, double* A, const int* lda,
            double* B, const int* ldb, double* values, double* work, const int* work_size, int* info,
            std::size_t, std::size_t);
void dggev_(const char* left, const char* right, const int* n, double* A, const int* lda, double* B,
            const int* ldb, double* alphas_real, double* alphas_imaginary, double* betas,
            double* left_vectors, const int* ldl, double* right_vectors, const int* ldr, double* work,
            const int* work_size, int* info, std::size_t, std::size_t);
void dpotrf_(const char* triangle, const int* n, double* A, const int* lda, int* info, std::size_t);
void dpotri_(const char* triangle, const int* n, double* A, const int* lda, int* info, std::size_t);
void dgeqrf_(const int* rows, const int* columns, double* A, const int* lda, double* tau, double* work,
             const int* work_size, int* info);
void dgeqp3_(const int* rows, const int* columns, double* A, const int* lda, int* pivots, double* tau,
             double* work, const int* work_size, int* info);
void dorgqr_(const int* rows, const int* columns, const int* reflectors, double* A, const int* lda,
             const double* tau, double* work, const int* work_size, int* info);
}

namespace picus::solvers {
namespace {

constexpr int ask = -1;  ///< as the size of a workspace: the routine tells the best one

void require_finite(const Eigen::MatrixXd& A) {
  if (!A.allFinite())
    throw SolverError(fmt::format("a matrix of {} x {} has entries that are not finite", A.rows(), A.cols()));
}

[[noreturn]] void refuse(int rows) {
  throw SolverError(fmt::format("the eigenvalues of a matrix of {} rows were not found", rows));
}

/// Calls `routine(work, size)` for the best size, and again with a workspace of this size.
template <typename Routine>
void with_workspace(const Routine& routine) {
  double best = 0.0;
  routine(&best, ask);
  std::vector<double> work(static_cast<std::size_t>(std::max(best, 1.0)));
  routine(work.data(), static_cast<int>(work.size()));
}

/// The first `count` columns of the product of the reflectors that `A` and `tau` hold after a factorisation.
Eigen::MatrixXd first_columns(const Eigen::MatrixXd& A, const Vector& tau, int count) {
  const auto rows = static_cast<int>(A.rows()), reflectors = static_cast<int>(tau.size());
  Eigen::MatrixXd Q(rows, count);
  Q.leftCols(reflectors) = A.leftCols(reflectors);
  int info = 0;
  with_workspace([&](double* work, int size) {
    dorgqr_(&rows, &count, &reflectors, Q.data(), &rows, tau.data(), work, &size, &info);
  });
  return Q;
}

}  // namespace

SymmetricEigenpairs find_symmetric_eigenpairs(Eigen::MatrixXd A) {
  require_finite(A);
  const OneDenseThread one_thread;
  const auto n = static_cast<int>(A.rows());
  Vector values(n);
  if (n == 0) return {values, A};
  int info = 0;
  double best = 0.0;
  int best_integers = 0;
  dsyevd_("V", "L", &n, A.data(), &n, values.data(), &best, &ask, &best_integers, &ask, &info, 1, 1);
  std::vector<double> work(static_cast<std::size_t>(best));
  std::vector<int> integers(best_integers);
  const auto size = static_cast<int>(work.size());
  dsyevd_("V", "L", &n, A.data(), &n, values.data(), work.data(), &size, integers.data(), &best_integers,
          &info, 1, 1);
  if (info != 0) refuse(n);
  return {values, A};
}

std::optional<Vector> find_symmetric_eigenvalues(Eigen::MatrixXd A, Eigen::MatrixXd B) {
  require_finite(A);
  require_finite(B);
  const OneDenseThread one_thread;
  const auto n = static_cast<int>(A.rows());
  constexpr int type = 1;  // A x = s B x
  Vector values(n);
  if (n == 0) return values;
  int info = 0;
  with_workspace([&](double* work, int size) {
    dsygv_(&type, "N", "L", &n, A.data(), &n, B.data(), &n, values.data(), work, &size, &info, 1, 1);
  });
  if (info > n) return std::nullopt;
  if (info != 0) refuse(n);
  return values;
}

GeneralEigenpairs find_general_eigenpairs(Eigen::MatrixXd A, Eigen::MatrixXd B) {
  require_finite(A);
  require_finite(B);
  const OneDenseThread one_thread;
  const auto n = static_cast<int>(A.rows());
  GeneralEigenpairs result{Eigen::VectorXcd(n), Vector(n), Eigen::MatrixXcd(n, n)};
  if (n == 0) return result;
  Vector real(n), imaginary(n);
  Eigen::MatrixXd vectors(n, n);
  int info = 0;
  with_workspace([&](double* work, int size) {
    dggev_("N", "V", &n, A.data(), &n, B.data(), &n, real.data(), imaginary.data(), result.betas.data(),
           nullptr, &n, vectors.data(), &n, work, &size, &info, 1, 1);
  });
  if (info != 0) refuse(n);
  for (int i = 0; i < n; ++i) {
    result.alphas[i] = {real[i], imaginary[i]};
    // Of a conjugate pair, whose first value has the positive imaginary part, two columns are the real and the imaginary part.
    const bool is_second = imaginary[i] < 0;
    const int first = is_second ? i - 1 : i;
    for (int j = 0; j < n; ++j) {
      const double part = imaginary[i] == 0 ? 0.0 : vectors(j, first + 1);
      result.vectors(j, i) = {vectors(j, first), is_second ? -part : part};
    }
  }
  return result;
}

Eigen::MatrixXd orthonormalize(Eigen::MatrixXd X) {
  require_finite(X);
  const OneDenseThread one_thread;
  const auto rows = static_cast<int>(X.rows()), columns = static_cast<int>(X.cols());
  if (columns == 0) return X;
  Vector tau(columns);
  int info = 0;
  with_workspace([&](double* work, int size) {
    dgeqrf_(&rows, &columns, X.data(), &rows, tau.data(), work, &size, &info);
  });
  return first_columns(X, tau, columns);
}

Eigen::MatrixXd orthogonal_complement(Eigen::MatrixXd A, double dependent) {
  require_finite(A);
  const OneDenseThread one_thread;
  const auto rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols());
  if (columns == 0 || rows == 0) return Eigen::MatrixXd::Identity(rows, rows);
  Vector tau(std::min(rows, columns));
  std::vector<int> pivots(columns, 0);
  int info = 0;
  with_workspace([&](double* work, int size) {
    dgeqp3_(&rows, &columns, A.data(), &rows, pivots.data(), tau.data(), work, &size, &info);
  });
  const double least = dependent * std::abs(A(0, 0));
  int rank = 0;
  while (rank < static_cast<int>(tau.size()) && std::abs(A(rank, rank)) > least) ++rank;
  return first_columns(A, tau, rows).rightCols(rows - rank);
}

std::optional<Eigen::MatrixXd> inverse_of_positive_definite(Eigen::MatrixXd A) {
  require_finite(A);
  const OneDenseThread one_thread;
  const auto n = static_cast<int>(A.rows());
  if (n == 0) return A;
  int info = 0;
  dpotrf_("L", &n, A.data(), &n, &info, 1);
  if (info != 0) return std::nullopt;
  dpotri_("L", &n, A.data(), &n, &info, 1);
  A.triangularView<Eigen::StrictlyUpper>() = A.transpose();
  return A;
}

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A * B;
}
Eigen::MatrixXd transpose_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.transpose() * B;
}
Eigen::MatrixXd symmetric_part(const Eigen::MatrixXd& A) {
  return 0.5 * (A + A.transpose());
}

}  // namespace picus::solvers
