#include <picus/error.hpp>
#include <picus/solvers/analyses/constraint_rank.hpp>
#include <picus/solvers/analyses/lanczos.hpp>
#include <picus/solvers/analyses/modal_problem.hpp>
#include <picus/solvers/analyses/option_check.hpp>
#include <picus/solvers/analyses/vibration_modes.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace picus {

using solvers::check_option;
using solvers::dependent;
using solvers::find_general_eigenpairs;
using solvers::find_symmetric_eigenpairs;
using solvers::find_symmetric_eigenvalues;
using solvers::GeneralEigenpairs;
using solvers::LanczosResult;
using solvers::ModalProblem;
using solvers::orthogonal_complement;
using solvers::orthonormalize;
using solvers::product;
using solvers::solve_lanczos;
using solvers::symmetric_part;
using solvers::SymmetricEigenpairs;
using solvers::transpose_product;

namespace {

/// The default shift: minus this fraction of the smallest ratio of stiffness to mass.
constexpr double default_shift = 1e-3;
/// Eigenvalues of the shift-and-invert operator below this fraction of the largest are rounding errors, or motions that
/// violate a constraint due to the proximal term of the multipliers.
constexpr double rounding = 1e-10;
constexpr double largest_residual = 1e-6;
/// If the Krylov space would contain all modes, problems with up to this many components with mass are solved by a
/// dense method.
constexpr Index largest_dense = 3000;

struct Eigenpairs {
  Vector values;
  Eigen::MatrixXd vectors;  ///< free components
};

void check_options(const VibrationModesOptions& o) {
  check_option(o.count >= 1, "count", o.count, "at least 1");
  check_option(o.dense_limit >= 0, "dense-limit", o.dense_limit, "not negative");
  if (o.shift) check_option(std::isfinite(*o.shift), "shift", *o.shift, "finite");
  if (o.angular_velocity && !o.angular_velocity->allFinite())
    throw OptionError("angular-velocity is not finite");
}

/// With M = L L^T the nonzero eigenvalues of (K - s M)^-1 M are those of L^T (K - s M)^-1 L, which is symmetric.
Eigenpairs solve_dense(ModalProblem& problem, Index count) {
  const Eigen::MatrixXd L = problem.mass_root();
  if (L.cols() == 0) return {Vector(0), Eigen::MatrixXd(problem.size(), 0)};
  Eigen::MatrixXd X(problem.size(), L.cols());
  Vector x;
  for (Index j = 0; j < L.cols(); ++j) {
    problem.solve(L.col(j), x);
    X.col(j) = x;
  }
  Eigen::MatrixXd S = symmetric_part(transpose_product(L, X));
  if (!S.allFinite()) throw SolverError("the matrix of the vibration modes is singular to rounding");
  const SymmetricEigenpairs spectrum = find_symmetric_eigenpairs(std::move(S));
  const Vector& theta = spectrum.values;
  std::vector<Index> order(theta.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(theta[a]) > std::abs(theta[b]); });
  const double least = order.empty() ? 0.0 : rounding * std::abs(theta[order.front()]);
  while (!order.empty() && !(std::abs(theta[order.back()]) > least)) order.pop_back();
  if (count_of(order) > count) order.resize(count);
  Eigenpairs result{Vector(std::ssize(order)), Eigen::MatrixXd(problem.size(), std::ssize(order))};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = theta[order[i]];
    result.values[i] = problem.shift() + 1.0 / value;
    result.vectors.col(i) = X * spectrum.vectors.col(order[i]) / value;
  }
  return result;
}

/// A space of vectors that inverse iterations turn towards the modes nearest to the shift.
class Subspace {
 public:
  Subspace(ModalProblem& problem, Index dimension) : problem_(problem), X_(problem.size(), dimension) {
    std::mt19937 generator(362436069U);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (double& value : X_.reshaped()) value = uniform(generator);
  }
  void iterate(int times) {
    Vector x, y;
    for (int i = 0; i < times; ++i) {
      for (Index j = 0; j < columns_of(X_); ++j) {
        problem_.multiply_mass(X_.col(j), y);
        problem_.solve(y, x);
        X_.col(j) = x / x.lpNorm<Eigen::Infinity>();
      }
      X_ = orthonormalize(std::move(X_));
    }
  }
  /// Magnitudes of the Ritz values, upper bounds of eigenvalues; nullopt if M is singular in the space.
  std::optional<Vector> ritz() const {
    Eigen::MatrixXd KX = X_, MX = X_;
    Vector y;
    for (Index j = 0; j < columns_of(X_); ++j) {
      problem_.multiply_stiffness(X_.col(j), y);
      KX.col(j) = y;
      problem_.multiply_mass(X_.col(j), y);
      MX.col(j) = y;
    }
    std::optional<Vector> values =
        find_symmetric_eigenvalues(transpose_product(X_, KX), transpose_product(X_, MX));
    if (values) *values = values->cwiseAbs();
    return values;
  }

 private:
  ModalProblem& problem_;
  Eigen::MatrixXd X_;
};

/// Moves the default shift towards zero until it has the magnitude of the requested eigenvalues, as estimated by a few
/// subspace iterations: shift-and-invert cannot separate eigenvalues that are tiny relative to the shift. Iterations
/// hardly damp the modes between these and the shift: where these may remain, the shift is moved on trial, and stays
/// there if all Ritz values follow.
void refine_shift(ModalProblem& problem, Index count) {
  constexpr int max_rounds = 10;
  constexpr double least = 1e-12;
  /// Part of the shift that is tried. Modes about it then stand out from those about the shift by 10^8 in four
  /// iterations.
  constexpr double trial = 0.01;
  const double first = std::abs(problem.shift());
  Subspace space(problem, std::min<Index>(problem.size(), count + 2));
  space.iterate(2);
  for (int round = 0; round < max_rounds; ++round) {
    const double shift = std::abs(problem.shift());
    std::optional<Vector> ritz = space.ritz();
    // Modes far below the shift, as many as there are vectors, would keep all values below it.
    if (!ritz || ritz->maxCoeff() > shift) return;
    const double wanted = std::max(ritz->maxCoeff(), least * first);
    const bool is_known = wanted < 0.1 * shift;
    if (!is_known && trial * shift < least * first) return;
    problem.set_shift(is_known ? -0.5 * wanted : -trial * shift);
    space.iterate(is_known ? 2 : 4);
    if (is_known) continue;
    ritz = space.ritz();
    if (ritz && ritz->maxCoeff() < 0.5 * shift) continue;
    problem.set_shift(-shift);
    return;
  }
}

Eigenpairs solve_sparse(ModalProblem& problem, Index count) {
  LanczosResult found = solve_lanczos(
      problem.size(), count, problem.shift(), [&](const Vector& b, Vector& x) { problem.solve(b, x); },
      [&](const Vector& x, Vector& out) { problem.multiply_mass(x, out); });
  return {std::move(found.eigenvalues), std::move(found.vectors)};
}

/// One more inverse iteration, which removes the null space of M, and the Rayleigh quotient. The iteration amplifies
/// rounding errors along modes that are nearer to the shift; these come first and are projected out.
void polish(ModalProblem& problem, Eigenpairs& pairs) {
  Vector Mx, x, Kx;
  Eigen::MatrixXd MV(problem.size(), pairs.values.size());
  for (Index i = 0; i < pairs.values.size(); ++i) {
    problem.multiply_mass(pairs.vectors.col(i), Mx);
    problem.solve(Mx, x);
    x -= pairs.vectors.leftCols(i) * (MV.leftCols(i).transpose() * x).eval();
    problem.multiply_mass(x, Mx);
    x /= std::sqrt(x.dot(Mx));
    problem.multiply_mass(x, Mx);
    MV.col(i) = Mx;
    problem.multiply_stiffness(x, Kx);
    pairs.vectors.col(i) = x;
    pairs.values[i] = x.dot(Kx) / x.dot(Mx);
  }
}

double frequency_of(double eigenvalue) {
  return std::copysign(std::sqrt(std::abs(eigenvalue)), eigenvalue) / (2 * std::numbers::pi);
}

}  // namespace

VibrationModes find_vibration_modes(const System& system, const State& state,
                                    const VibrationModesOptions& options) {
  check_options(options);
  system.require_state(state);
  ModalProblem problem(system, state, options.holds_contacts, options.angular_velocity,
                       options.linear_solver);
  const Index most = problem.mode_count();
  const Index count = std::min<Index>(options.count, most);
  Eigenpairs pairs{Vector(0), Eigen::MatrixXd(problem.size(), 0)};
  if (count > 0) {
    problem.set_shift(options.shift.value_or(-default_shift * problem.typical_eigenvalue()));
    const Index masses = problem.mass_count();
    const bool is_small = masses <= options.dense_limit || problem.size() / 3 <= count + 6 ||
                          (masses <= largest_dense && most / 3 <= count + 6);
    if (!is_small && !options.shift) refine_shift(problem, count);
    pairs = is_small ? solve_dense(problem, count) : solve_sparse(problem, count);
    polish(problem, pairs);
  }

  std::vector<Index> order(pairs.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return pairs.values[a] < pairs.values[b]; });
  VibrationModes modes;
  const auto found = count_of(order);
  modes.asymmetry = problem.asymmetry();
  modes.eigenvalues = pairs.values(order);
  modes.frequencies = modes.eigenvalues.unaryExpr(&frequency_of);
  modes.residuals = modes.roundings = Vector::Zero(found);
  modes.shapes = Eigen::MatrixXd::Zero(system.velocity_count(), found);
  for (Index i = 0; i < found; ++i) {
    const Vector x = pairs.vectors.col(order[i]);
    modes.residuals[i] = problem.residual(x, modes.eigenvalues[i]);
    modes.roundings[i] = problem.stiffness_rounding(x);
    if (!(modes.residuals[i] <= largest_residual)) {
      throw SolverError(fmt::format("vibration mode {} ({:.6g} Hz) misses its equation by {:.3g}", i + 1,
                                    modes.frequencies[i], modes.residuals[i]));
    }
    for (std::size_t k = 0; k < system.free_dofs().size(); ++k) modes.shapes(system.free_dofs()[k], i) = x[k];
  }
  return modes;
}

// On a basis Z of the null space of G, with y = (x, s x):  [0 I; -K -C] y = s [I 0; 0 M] y.
RotatingModes find_rotating_modes(const System& system, const State& state,
                                  const VibrationModesOptions& options) {
  check_options(options);
  system.require_state(state);
  ModalProblem problem(system, state, options.holds_contacts, options.angular_velocity,
                       options.linear_solver);
  const ModalProblem::Dense dense = problem.make_dense();
  const Index n = problem.size();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  if (dense.G.rows() > 0) {
    Eigen::MatrixXd rows = dense.G.transpose();
    for (auto row : rows.colwise()) {
      if (row.norm() > 0) row.normalize();
    }
    Z = orthogonal_complement(std::move(rows), dependent);
  }
  const auto m = columns_of(Z);
  if (m == 0) return {.shapes = Eigen::MatrixXcd(system.velocity_count(), 0)};
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * m, 2 * m);
  Eigen::MatrixXd B = Eigen::MatrixXd::Identity(2 * m, 2 * m);
  A.topRightCorner(m, m).setIdentity();
  A.bottomLeftCorner(m, m) = -transpose_product(Z, product(dense.K, Z));
  A.bottomRightCorner(m, m) = -transpose_product(Z, product(dense.gyroscopic, Z));
  B.bottomRightCorner(m, m) = transpose_product(Z, product(dense.M, Z));
  const GeneralEigenpairs pairs = find_general_eigenpairs(std::move(A), std::move(B));

  std::vector<Index> order;
  const double largest = pairs.alphas.cwiseAbs().maxCoeff();
  for (Index i = 0; i < 2 * m; ++i) {
    // Without mass beta is 0, and s infinite.
    const bool is_finite =
        std::abs(pairs.betas[i]) > 1e-12 * std::abs(pairs.alphas[i]) / std::max(largest, 1.0);
    if (is_finite && pairs.alphas[i].imag() / pairs.betas[i] >= 0) order.push_back(i);
  }
  const Eigen::VectorXcd s = pairs.alphas.cwiseQuotient(pairs.betas.cast<std::complex<double>>());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return s[a].imag() < s[b].imag(); });
  if (std::ssize(order) > options.count) order.resize(options.count);

  RotatingModes modes;
  const auto found = count_of(order);
  modes.eigenvalues = s(order);
  modes.frequencies = modes.eigenvalues.imag() / (2 * std::numbers::pi);
  modes.growth_rates = modes.eigenvalues.real();
  modes.shapes = Eigen::MatrixXcd::Zero(system.velocity_count(), found);
  modes.residuals = Vector::Zero(found);
  for (Index i = 0; i < found; ++i) {
    const std::complex<double> value = modes.eigenvalues[i];
    Eigen::VectorXcd y = pairs.vectors.col(order[i]).head(m);
    Eigen::VectorXcd x = Z * y;
    const double mass = std::real(x.dot(dense.M * x));
    if (mass > 0) x /= std::sqrt(mass);
    const Eigen::VectorXcd inertia = Z.transpose() * (value * value * dense.M * x);
    const Eigen::VectorXcd damping = Z.transpose() * (value * dense.gyroscopic * x);
    const Eigen::VectorXcd elastic = Z.transpose() * (dense.K * x);
    modes.residuals[i] =
        (inertia + damping + elastic).norm() / (inertia.norm() + damping.norm() + elastic.norm());
    for (std::size_t k = 0; k < system.free_dofs().size(); ++k) modes.shapes(system.free_dofs()[k], i) = x[k];
  }
  return modes;
}

}  // namespace picus
