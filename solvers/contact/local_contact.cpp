#include <picus/solvers/contact/local_contact.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

constexpr int max_tangents = static_cast<int>(max_contact_rows) - 1;

/// Iterations for lambda, each of which at least halves its interval.
constexpr int max_root_iterations = 60;
constexpr double root_tolerance = 1e-14;
/// Added to the diagonal of a possibly singular matrix, relative to its trace.
constexpr double least_part = 1e-14;

/// Friction force x in a disc whose radius depends on x: |x| <= mu (c - d . x), with A x + b = 0 (sticking), or x
/// opposing the motion (sliding). With a fixed number of `tangents` it is solved several times as fast.
template <int tangents>
struct Disc {
  static constexpr int capacity = tangents == Eigen::Dynamic ? max_tangents : tangents;
  using TangentVector = Eigen::Matrix<double, tangents, 1, 0, capacity, 1>;
  using TangentMatrix = Eigen::Matrix<double, tangents, tangents, 0, capacity, capacity>;

  TangentMatrix A;
  TangentVector b;
  double mu;
  double c;         ///< P_N without friction
  TangentVector d;  ///< minus the derivative of P_N

  double normal(const TangentVector& x) const { return c - d.dot(x); }

  TangentVector at(double lambda, TangentVector* slope) const {
    if (b.size() == 1) {
      const TangentVector x = -b / (A(0, 0) + lambda);
      if (slope != nullptr) *slope = -x / (A(0, 0) + lambda);
      return x;
    }
    if (b.size() == 2) {
      const double a_00 = A(0, 0) + lambda, a_11 = A(1, 1) + lambda;
      const double factor = 1.0 / (a_00 * a_11 - A(0, 1) * A(1, 0));
      const auto solve = [&](const TangentVector& r) {
        TangentVector x(2);
        x[0] = factor * (a_11 * r[0] - A(0, 1) * r[1]);
        x[1] = factor * (a_00 * r[1] - A(1, 0) * r[0]);
        return x;
      };
      const TangentVector x = solve(-b);
      if (slope != nullptr) *slope = solve(-x);
      return x;
    }
    TangentMatrix shifted = A;
    shifted.diagonal().array() += lambda;
    const Eigen::PartialPivLU<TangentMatrix> lu(shifted);
    const TangentVector x = lu.solve(-b);
    if (slope != nullptr) *slope = lu.solve(-x);
    return x;
  }

  /// A lambda for which sliding with the friction x is nearly a solution, if x is one of a similar problem; zero if x is
  /// zero.
  double lambda_at(const TangentVector& x) const {
    const double square = x.squaredNorm();
    return square > 0 ? -x.dot(b + A * x) / square : 0.0;
  }

  /// `guess`: an estimate of lambda for sliding.
  TangentVector solve(double guess = 0.0) const {
    const double trace = A.trace();
    const double least = least_part * std::abs(trace);
    TangentVector x = at(least, nullptr);
    if (x.norm() <= mu * normal(x)) return x;
    // Newton's method for mu P_N / |P_T| = 1, which is nearly linear in lambda, between bounds.
    double low = least;
    double high = std::numeric_limits<double>::infinity();
    double lambda = guess > low && std::isfinite(guess) ? guess : low;
    TangentVector slope;
    for (int k = 0; k < max_root_iterations; ++k) {
      x = at(lambda, &slope);
      const double length = x.norm();
      if (length == 0) return x;
      const double value = mu * normal(x) / length - 1.0;
      if (std::abs(value) <= root_tolerance) break;
      (value < 0 ? low : high) = lambda;
      const double rate = -mu * d.dot(slope) / length - (value + 1.0) * x.dot(slope) / (length * length);
      double next = lambda - value / rate;
      if (!(next > low && next < high)) next = std::isinf(high) ? 2.0 * low + trace : 0.5 * (low + high);
      if (next == lambda) break;
      lambda = next;
    }
    // The remaining rounding error is put into the length: on the boundary of the cone it decides between sticking and
    // sliding.
    const double length = x.norm();
    const double most = mu * std::max(normal(x), 0.0);
    return length > 0 ? TangentVector(most / length * x) : x;
  }
};

/// Passes over sliding and rolling: their coupling through the rotation of a rolling ball leaves 0.7 of an error in each.
constexpr int max_passes = 60;
constexpr double pass_tolerance = 1e-13;

using ContactVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, static_cast<int>(max_contact_rows), 1>;
using ContactMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0,
                                    static_cast<int>(max_contact_rows), static_cast<int>(max_contact_rows)>;

/// Solves W P + b = 0; false if this P is not in the cones. W may be singular.
bool solve_sticking(const ContactCone& cone, const double* W, const double* b, double* P) {
  const Index m = cone.rows;
  const Eigen::Map<const ContactMatrix> matrix(W, m, m);
  const Eigen::Map<const ContactVector> free(b, m);
  const ContactVector x = Eigen::PartialPivLU<ContactMatrix>(matrix).solve(-free);
  if (!x.allFinite() || !(x[0] > 0)) return false;
  const Index sliding = m - cone.rolling_rows - 1;
  if (!(x.segment(1, sliding).norm() <= cone.mu * x[0])) return false;
  if (!(x.tail(cone.rolling_rows).norm() <= cone.mu * x[0])) return false;
  constexpr double residual_part = 1e-12;
  if (!((matrix * x + free).norm() <= residual_part * free.norm())) return false;
  Eigen::Map<ContactVector>(P, m) = x;
  return true;
}

/// Solves for the normal force and sliding friction with the rolling friction of P, then for rolling friction with
/// these. `tangents`: number of rows of sliding, Eigen::Dynamic for any.
template <int tangents>
void solve_in_turn(const ContactCone& cone, const double* W, const double* b, double* P) {
  // Loops over a fixed number of rows are unrolled.
  constexpr bool is_fixed = tangents != Eigen::Dynamic;
  const Index m = is_fixed ? tangents + 1 : cone.rows;
  const Index first_rolling = is_fixed ? m : m - cone.rolling_rows;
  const Index n = first_rolling - 1;
  const auto w = [&](Index i, Index k) { return W[k * m + i]; };
  const bool keeps_normal = !(w(0, 0) > 0);
  const double normal = P[0];
  // Contribution of the previous rolling friction to the motion.
  std::array<double, max_contact_rows> y{};
  for (Index i = 0; i < m; ++i) {
    y[i] = b[i];
    for (Index k = first_rolling; k < m; ++k) y[i] += w(i, k) * P[k];
  }
  if (!keeps_normal && y[0] >= 0 && cone.rolling_rows == 0 && cone.apex == 0) {
    std::fill_n(P, m, 0.0);
    return;
  }
  const double pressed = keeps_normal ? normal : -y[0] / w(0, 0);
  const double normal_0 = keeps_normal ? normal : std::max(cone.apex, pressed);
  using TangentVector = typename Disc<tangents>::TangentVector;
  using TangentMatrix = typename Disc<tangents>::TangentMatrix;
  Disc<tangents> disc{
      .A = TangentMatrix(n, n), .b = TangentVector(n), .mu = cone.mu, .c = 0.0, .d = TangentVector::Zero(n)};
  const TangentVector before = Eigen::Map<const TangentVector>(P + 1, n);
  /// Friction for the normal force c, or, with y_N = 0, for the normal force c without friction.
  const auto friction = [&](double c, bool is_free) {
    disc.c = c;
    if (!is_free) disc.d.setZero();
    for (Index i = 0; i < n; ++i) {
      disc.b[i] = y[1 + i] + w(1 + i, 0) * c;
      if (is_free) disc.d[i] = w(0, 1 + i) / w(0, 0);
      for (Index k = 0; k < n; ++k) {
        disc.A(i, k) = w(1 + i, 1 + k);
        if (is_free) disc.A(i, k) -= w(1 + i, 0) * w(0, 1 + k) / w(0, 0);
      }
    }
    return disc.solve(disc.lambda_at(before));
  };
  TangentVector x = TangentVector::Zero(n);
  const bool is_free = !keeps_normal && pressed > cone.apex;
  if (normal_0 > 0) x = friction(normal_0, is_free);
  double P_N = normal_0 > 0 ? std::max(0.0, disc.normal(x)) : normal_0;
  if (cone.apex > 0 && !keeps_normal) {
    double rate = y[0] + w(0, 0) * cone.apex;
    for (Index i = 0; i < n; ++i) rate += w(0, 1 + i) * x[i];
    if (is_free && P_N < cone.apex) x = friction(P_N = cone.apex, false);
    if (!is_free && rate < 0) {
      // Friction increases the normal force beyond the apex.
      const TangentVector free = friction(pressed, true);
      if (disc.normal(free) > cone.apex) {
        x = free;
        P_N = disc.normal(free);
      }
    }
  }
  for (Index i = 0; i < n; ++i) P[1 + i] = x[i];
  P[0] = P_N;
  if (is_fixed || cone.rolling_rows == 0) return;
  const Index r = cone.rolling_rows;
  using RollingDisc = Disc<Eigen::Dynamic>;
  using RollingVector = RollingDisc::TangentVector;
  RollingDisc rolling{.A = RollingDisc::TangentMatrix(r, r),
                      .b = RollingVector(r),
                      .mu = cone.mu,
                      .c = P[0],
                      .d = RollingVector::Zero(r)};
  for (Index i = 0; i < r; ++i) {
    rolling.b[i] = b[first_rolling + i];
    for (Index k = 0; k < first_rolling; ++k) rolling.b[i] += w(first_rolling + i, k) * P[k];
    for (Index k = 0; k < r; ++k) rolling.A(i, k) = w(first_rolling + i, first_rolling + k);
  }
  const RollingVector turn = P[0] > 0 ? rolling.solve() : RollingVector::Zero(r);
  for (Index i = 0; i < r; ++i) P[first_rolling + i] = turn[i];
}

}  // namespace

void solve_friction(Index n, const double* A, const double* b, double bound, double* x) {
  using TangentVector = Disc<Eigen::Dynamic>::TangentVector;
  const Disc<Eigen::Dynamic> disc{.A = Eigen::Map<const Eigen::MatrixXd>(A, n, n),
                                  .b = Eigen::Map<const Vector>(b, n),
                                  .mu = 1.0,
                                  .c = bound,
                                  .d = TangentVector::Zero(n)};
  Eigen::Map<Vector>(x, n) = bound > 0 ? disc.solve() : TangentVector::Zero(n);
}

void solve_local(const ContactCone& cone, const double* W, const double* b, double* P) {
  const Index m = cone.rows;
  if (!cone.is_candidate || !(cone.mu > 0)) {
    const double normal = W[0] > 0 ? std::max(cone.apex, -b[0] / W[0]) : P[0];
    std::fill_n(P, m, 0.0);
    if (cone.is_candidate) P[0] = normal;
    return;
  }
  if (m == 3 && cone.rolling_rows == 0) return solve_in_turn<2>(cone, W, b, P);
  if (cone.rolling_rows == 0) return solve_in_turn<Eigen::Dynamic>(cone, W, b, P);
  if (W[0] > 0 && cone.apex == 0 && solve_sticking(cone, W, b, P)) return;
  const Eigen::Map<const ContactVector> now(P, m);
  ContactVector before;
  for (int pass = 0; pass < max_passes; ++pass) {
    before = now;
    solve_in_turn<Eigen::Dynamic>(cone, W, b, P);
    if (!((now - before).norm() > pass_tolerance * now.norm())) return;
  }
}

}  // namespace picus::solvers
