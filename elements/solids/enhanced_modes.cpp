#include <picus/elements/solids/enhanced_modes.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::solids {
namespace {

constexpr double c = gauss_coordinate;

/// A mode is the tensor T_[tensor] times the product of the coordinates marked true.
struct Mode {
  std::size_t tensor;
  bool xi, eta, zeta;
};
constexpr std::array<Mode, EnhancedModes::count> modes = {{{0, true, false, false},
                                                           {1, false, true, false},
                                                           {2, false, false, true},
                                                           {3, true, false, false},
                                                           {3, false, true, false},
                                                           {4, false, true, false},
                                                           {4, false, false, true},
                                                           {5, false, false, true},
                                                           {5, true, false, false},
                                                           {6, true, true, false},
                                                           {6, false, true, true},
                                                           {6, true, false, true}}};

/// The polynomials of the modes at the integration points.
constexpr auto values = [] {
  std::array<std::array<double, EnhancedModes::count>, point_count> table{};
  for (std::size_t g = 0; g < point_count; ++g) {
    for (std::size_t i = 0; i < EnhancedModes::count; ++i) {
      table[g][i] = (modes[i].xi ? c * corner_signs[g][0] : 1) * (modes[i].eta ? c * corner_signs[g][1] : 1) *
                    (modes[i].zeta ? c * corner_signs[g][2] : 1);
    }
  }
  return table;
}();

Vec6 scaled_product(const Vec3& a, const Vec3& b) {
  const Mat3 T = a * b.transpose() + b * a.transpose();
  return strain_of_matrix(T / T.norm());
}

/// T as a matrix from its strain components.
Mat3 matrix_of_strain(const Vec6& E) {
  Vec6 half = E;
  half.tail<3>() /= 2;
  return matrix_of_stress(half);
}

/// W with K^-1 = W^T W; false if K is not positive definite.
bool invert_factor(const EnhancedModes::Matrix& K, EnhancedModes::Matrix& W) {
  const Eigen::LLT<EnhancedModes::Matrix> factor(K);
  W.setIdentity();
  factor.matrixL().solveInPlace(W);
  return factor.info() == Eigen::Success;
}

}  // namespace

EnhancedModes::EnhancedModes(const Corners& X, const SaintVenantKirchhoff& law) {
  const Mat3 J_0 = jacobian(X, Vec3::Zero());
  const Mat3 t = J_0.inverse().transpose();
  centre_weight_ = J_0.determinant();
  for (std::size_t g = 0; g < point_count; ++g) {
    ratio_[g] = centre_weight_ / jacobian(X, gauss_point(g)).determinant();
  }
  T_ = {scaled_product(t.col(0), t.col(0)),
        scaled_product(t.col(1), t.col(1)),
        scaled_product(t.col(2), t.col(2)),
        scaled_product(t.col(0), t.col(1)),
        scaled_product(t.col(1), t.col(2)),
        scaled_product(t.col(2), t.col(0)),
        strain_of_matrix(Mat3::Identity() / std::sqrt(3.0))};
  volume_ = 0;
  for (const double ratio : ratio_) volume_ += centre_weight_ / ratio;
  Z_ = stress_changes(law.respond(Vec6::Zero()));
  stiffness_scale_ = (law.lambda + 2 * law.mu) * 8 * centre_weight_;
  Matrix K = Matrix::Zero();
  for (std::size_t g = 0; g < point_count; ++g) add_stiffness(g, Z_, K);
  invert_factor(K, W_);
}

EnhancedModes::Alpha EnhancedModes::residual(const AtPoints<Vec6>& S) const {
  Alpha r = Alpha::Zero();
  for (std::size_t g = 0; g < point_count; ++g) {
    std::array<double, tensor_count> work;
    for (std::size_t k = 0; k < tensor_count; ++k) work[k] = centre_weight_ * T_[k].dot(S[g]);
    for (std::size_t i = 0; i < count; ++i) r[i] += values[g][i] * work[modes[i].tensor];
  }
  return r;
}

void EnhancedModes::add_strain(const Alpha& alpha, AtPoints<Vec6>& E) const {
  for (std::size_t g = 0; g < point_count; ++g) {
    std::array<double, tensor_count> amount{};
    for (std::size_t i = 0; i < count; ++i) {
      amount[modes[i].tensor] += values[g][i] * alpha[i];
    }
    for (std::size_t k = 0; k < tensor_count; ++k) E[g] += (ratio_[g] * amount[k]) * T_[k];
  }
}

std::array<Mat3, EnhancedModes::tensor_count> EnhancedModes::stress_changes(const Response& at) const {
  std::array<Mat3, tensor_count> Z;
  const Vec6 A = stress_of_matrix(at.A);
  for (std::size_t k = 0; k < tensor_count; ++k) {
    const Mat3 AT = at.A * matrix_of_strain(T_[k]);
    Z[k] = (at.lambda * A.dot(T_[k])) * at.A + (2 * at.mu) * (AT * at.A);
  }
  return Z;
}

void EnhancedModes::add_stiffness(std::size_t g, const std::array<Mat3, tensor_count>& Z, Matrix& K) const {
  std::array<std::array<double, tensor_count>, tensor_count> stiffness;
  for (std::size_t k = 0; k < tensor_count; ++k) {
    const Vec6 z = (centre_weight_ * ratio_[g]) * stress_of_matrix(Z[k]);
    for (std::size_t l = 0; l < tensor_count; ++l) stiffness[l][k] = T_[l].dot(z);
  }
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      K(i, j) += values[g][i] * values[g][j] * stiffness[modes[i].tensor][modes[j].tensor];
    }
  }
}

void EnhancedModes::equilibrate(const SaintVenantKirchhoff& law, AtPoints<Vec6>& E) const {
  AtPoints<Vec6> S;
  for (std::size_t g = 0; g < point_count; ++g) S[g] = law.stress(E[g]);
  const Alpha y = W_ * residual(S);
  add_strain(-(W_.transpose() * y), E);
}

EnhancedModes::Alpha EnhancedModes::mean_volume_change(const AtPoints<Response>& responses) const {
  AtPoints<Vec6> A;  // in d ln J = A : dE
  for (std::size_t g = 0; g < point_count; ++g) A[g] = stress_of_matrix(responses[g].A);
  return residual(A) / volume_;
}

EnhancedModes::Trial EnhancedModes::respond(const NeoHooke& law, const AtPoints<Vec6>& E) const {
  Trial trial;
  AtPoints<double> ln_J;
  trial.m = 0;
  for (std::size_t g = 0; g < point_count; ++g) {
    ln_J[g] = ln_volume(E[g]);
    trial.m += centre_weight_ / ratio_[g] * ln_J[g] / volume_;
  }
  trial.energy = 0;
  AtPoints<Vec6> S;
  for (std::size_t g = 0; g < point_count; ++g) {
    const double excess = ln_J[g] - trial.m;
    const double density = law.mu * (E[g].head<3>().sum() - ln_J[g]) + 0.5 * law.lambda * excess * excess;
    trial.energy += centre_weight_ / ratio_[g] * density;
    trial.responses[g] = law.respond(E[g], trial.m);
    S[g] = trial.responses[g].S;
  }
  trial.r = residual(S);
  return trial;
}

bool EnhancedModes::factorize(const NeoHooke& law, const AtPoints<Response>& responses, double least_mu,
                              Matrix& W) const {
  const Alpha dm = mean_volume_change(responses);
  Matrix K = -(law.lambda * volume_) * dm * dm.transpose();
  for (std::size_t g = 0; g < point_count; ++g) {
    Response at = responses[g];
    at.mu = std::max(at.mu, least_mu);
    add_stiffness(g, stress_changes(at), K);
  }
  return invert_factor(K, W);
}

void EnhancedModes::equilibrate(const NeoHooke& law, AtPoints<Vec6>& E, double& m,
                                AtPoints<Response>& responses, Matrix& W) const {
  // The error is a strain: the energy norm of a step relative to that of a unit strain. Below `fine` one more step
  // reaches rounding level, since convergence is quadratic; above `coarse` the energy must decrease.
  constexpr double fine = 1e-8;
  constexpr double coarse = 1e-4;
  constexpr int max_iterations = 60;
  constexpr int max_halvings = 20;
  constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

  Trial now = respond(law, E);
  bool is_found = false;
  // There is no way back from an inverted element (NaN).
  for (int i = 0; i < max_iterations && !is_found && std::isfinite(now.energy); ++i) {
    // Far from the minimum the energy need not be convex; without the pressure part of the stiffness it is.
    const bool is_convex = factorize(law, now.responses, minus_infinity, W);
    if (!is_convex && !factorize(law, now.responses, law.mu, W)) break;
    const Alpha y = W * now.r;
    const Alpha direction = -(W.transpose() * y);
    const double error = y.norm() / std::sqrt(stiffness_scale_);
    is_found = is_convex && error < fine;
    // An inverted element (NaN) is never accepted.
    double length = 1;
    AtPoints<Vec6> next;
    Trial trial;
    for (int halvings = 0; halvings < max_halvings; ++halvings, length /= 2) {
      next = E;
      add_strain(length * direction, next);
      trial = respond(law, next);
      if (error < coarse || trial.energy <= now.energy - 0.1 * length * y.squaredNorm()) break;
    }
    E = next;
    now = trial;
  }
  responses = now.responses;
  m = now.m;
  if (is_found && factorize(law, responses, minus_infinity, W)) return;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t g = 0; g < point_count; ++g) {
    E[g].setConstant(nan);
    responses[g] = {Vec6::Constant(nan), Mat3::Constant(nan), nan, nan};
  }
  m = nan;
  W.setConstant(nan);
}

void EnhancedModes::add_coupling(std::size_t g, const Corners& G, const Mat3& F,
                                 const std::array<Mat3, tensor_count>& Z, Coupling& L) const {
  for (std::size_t k = 0; k < tensor_count; ++k) {
    const Corners u = (G * (centre_weight_ * Z[k]).lazyProduct(F.transpose()));
    for (std::size_t i = 0; i < count; ++i) {
      if (modes[i].tensor != k) continue;
      for (std::size_t j = 0; j < 3; ++j) {
        L[j].col(i) += values[g][i] * u.col(j);
      }
    }
  }
}

void EnhancedModes::couple(const AtPoints<Corners>& G, const AtPoints<Mat3>& F, Coupling& L) const {
  for (auto& matrix : L) matrix.setZero();
  for (std::size_t g = 0; g < point_count; ++g) add_coupling(g, G[g], F[g], Z_, L);
}

void EnhancedModes::couple(const AtPoints<Corners>& G, const AtPoints<Mat3>& F,
                           const AtPoints<Response>& responses, const Corners& dm, Coupling& L) const {
  const Alpha dm_modes = mean_volume_change(responses);
  for (std::size_t j = 0; j < 3; ++j) {
    L[j] = (-responses[0].lambda * volume_) * dm.col(j) * dm_modes.transpose();
  }
  for (std::size_t g = 0; g < point_count; ++g) {
    add_coupling(g, G[g], F[g], stress_changes(responses[g]), L);
  }
}

}  // namespace picus::solids
