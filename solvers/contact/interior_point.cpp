#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/interior_point.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace picus::solvers {
namespace {

constexpr int max_cone_rows = static_cast<int>(max_contact_rows);
using Part = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_cone_rows, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_cone_rows, max_cone_rows>;

/// Step lengths as a fraction of the distance to the boundary of the cones. The first is fastest; where friction
/// couples jammed contacts, the iterates may approach the boundary and stall, and the iteration restarts with the next
/// one.
constexpr std::array<double, 3> step_fractions = {0.99, 0.9, 0.7};

/// Consecutive steps shorter than this indicate that the iteration has stalled at the boundary.
constexpr double short_step = 1e-3;

/// This number of consecutive steps that leave more than this fraction of p z, close to the solution, indicates that
/// rounding prevents further progress.
constexpr int patience = 3;
constexpr double least_progress = 0.5;

/// The second-order cone of one contact among the unknowns, L = {|x_T| <= x_0}, of dimension 1 to 6. Rolling friction
/// shares this cone, although the law has a separate one: the result is a start for Newton's method.
struct Cone {
  Index first;
  Index size;

  template <class V>
  auto of(V&& x) const {
    return x.segment(first, size);
  }
};

/// x_0^2 - |x_T|^2.
double determinant(const Part& x) {
  const double length = x.tail(x.size() - 1).norm();
  return (x[0] - length) * (x[0] + length);
}

/// The matrix of the Jordan product x o.
Square arrow(const Part& x) {
  Square A = x[0] * Square::Identity(x.size(), x.size());
  A.row(0).tail(x.size() - 1) = x.tail(x.size() - 1).transpose();
  A.col(0).tail(x.size() - 1) = x.tail(x.size() - 1);
  return A;
}

/// The Nesterov-Todd scaling: symmetric, W z = W^-1 p.
Square nesterov_todd(const Part& p, const Part& z) {
  const auto n = p.size();
  const double det_p = determinant(p);
  const double det_z = determinant(z);
  Part unit_z = z / std::sqrt(det_z);
  const Part unit_p = p / std::sqrt(det_p);
  const double gamma = std::sqrt((1.0 + unit_z.dot(unit_p)) / 2.0);
  unit_z.tail(n - 1) *= -1.0;
  const Part w = (unit_p + unit_z) / (2.0 * gamma);
  Square W = arrow(w);
  W.bottomRightCorner(n - 1, n - 1) =
      Square::Identity(n - 1, n - 1) + w.tail(n - 1) * w.tail(n - 1).transpose() / (1.0 + w[0]);
  return std::pow(det_p / det_z, 0.25) * W;
}

/// Largest a, at most `limit`, with x + a dx in the cone.
double step_to_boundary(const Part& x, const Part& dx, double limit) {
  double a = limit;
  if (dx[0] < 0) a = std::min(a, -x[0] / dx[0]);
  if (x.size() == 1) return a;
  const auto n = x.size() - 1;
  const double quadratic = dx[0] * dx[0] - dx.tail(n).squaredNorm();
  const double half_linear = x[0] * dx[0] - x.tail(n).dot(dx.tail(n));
  const double constant = determinant(x);
  const double discriminant = half_linear * half_linear - quadratic * constant;
  if (discriminant < 0) return a;
  // Both roots without cancellation.
  const double q = -(half_linear + std::copysign(std::sqrt(discriminant), half_linear));
  for (const double root : {q / quadratic, constant / q}) {
    if (root > 0) a = std::min(a, root);
  }
  return a;
}

/// Q as a dense matrix.
class DenseCompliance {
 public:
  DenseCompliance(const Eigen::MatrixXd& A, std::span<const Index> rows, const Vector& S)
      : Q_(S.asDiagonal() * A(rows, rows) * S.asDiagonal()) {}

  Vector times(const Vector& p) const { return Q_ * p; }
  /// Factorises F Q + the squares of `inverses`, where F adds to the normal row of a cone its other rows times `slip`.
  bool factorize(std::span<const Cone> cones, const Vector& slip, std::span<const Square> inverses) {
    H_ = Q_;
    for (std::size_t i = 0; i < cones.size(); ++i) {
      const Cone& cone = cones[i];
      const Index n = cone.size - 1;
      H_.row(cone.first) += slip.segment(cone.first + 1, n).transpose() * Q_.middleRows(cone.first + 1, n);
      H_.block(cone.first, cone.first, cone.size, cone.size) += inverses[i] * inverses[i];
    }
    lu_.compute(H_);
    return true;
  }
  Vector solve(const Vector& b) { return lu_.solve(b); }

 private:
  Eigen::MatrixXd Q_, H_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// Q as a sparse block matrix.
class SparseCompliance {
 public:
  /// The rows of the `contacts` of W, as many of each as its cone has, scaled by S.
  SparseCompliance(const DelassusOperator& W, std::span<const Index> contacts, std::span<const Cone> cones,
                   const Vector& S)
      : nothing_(Vector::Zero(S.size())) {
    std::vector<Index> number(W.contact_count(), -1);
    for (std::size_t i = 0; i < contacts.size(); ++i) number[contacts[i]] = static_cast<Index>(i);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Cone& cone = cones[i];
      Q_.add_contact(cone.size);
      for (const auto& block : W.blocks(contacts[i])) {
        if (number[block.contact] < 0) continue;
        const Cone& other = cones[number[block.contact]];
        const Eigen::Map<const Eigen::MatrixXd> w(W.values(block), W.rows(contacts[i]),
                                                  W.rows(block.contact));
        Q_.add_to(number[block.contact], other.size) =
            cone.of(S).asDiagonal() * w.topLeftCorner(cone.size, other.size) * other.of(S).asDiagonal();
      }
    }
    H_.analyze(Q_);
    solver_.analyze(H_.matrix(), 0);
  }

  Vector times(const Vector& p) const {
    Vector y(p.size());
    for (Index c = 0; c < Q_.contact_count(); ++c) Q_.evaluate(c, nothing_, p, y.data() + Q_.first_row(c));
    return y;
  }
  bool factorize(std::span<const Cone> cones, const Vector& slip, std::span<const Square> inverses) {
    for (std::size_t i = 0; i < cones.size(); ++i) {
      const auto c = static_cast<Index>(i);
      const Index n = cones[i].size - 1;
      const auto blocks = Q_.blocks(c);
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        Square value =
            Eigen::Map<const Eigen::MatrixXd>(Q_.values(blocks[k]), n + 1, Q_.rows(blocks[k].contact));
        value.row(0) += slip.segment(cones[i].first + 1, n).transpose() * value.bottomRows(n);
        if (blocks[k].contact == c) value += inverses[i] * inverses[i];
        H_.set(Q_, c, k, value);
      }
    }
    return solver_.factorize(H_.matrix());
  }
  Vector solve(const Vector& b) {
    Vector x = b;
    solver_.solve(std::span(x.data(), x.size()));
    return x;
  }

 private:
  static constexpr int refinements = 2;  ///< H is ill-conditioned where P or y is nearly zero

  DelassusOperator Q_;
  BlockMatrix H_;
  UmfpackSolver solver_{refinements};
  Vector nothing_;
};

template <class Compliance>
class InteriorPoint {
 public:
  /// `diagonal(contact)` returns the compliance of its normal row.
  template <class Diagonal>
  InteriorPoint(std::span<const ContactCone> contacts, const Diagonal& diagonal, const Vector& b,
                std::span<const double> slip) {
    std::vector<double> scale;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const ContactCone& contact = contacts[c];
      const Index n = contact.first_row;
      if (!contact.is_candidate || !(diagonal(c) > 0)) continue;
      contacts_.push_back(static_cast<Index>(c));
      const double unit = std::sqrt(contact.k);
      const bool has_friction = contact.mu > 0 && contact.rows > 1;
      cones_.push_back({count_of(rows_), has_friction ? contact.rows : 1});
      rows_.push_back(n);
      scale.push_back(has_friction ? unit / contact.mu : unit);
      for (Index i = 1; i < cones_.back().size; ++i) {
        rows_.push_back(n + i);
        scale.push_back(unit);
      }
    }
    const auto size = count_of(rows_);
    S_ = Eigen::Map<const Vector>(scale.data(), size);
    c_ = S_.cwiseProduct(b(rows_));
    knows_slip_ = !slip.empty();
    for (std::size_t i = 0; knows_slip_ && i < cones_.size(); ++i) {
      if (cones_[i].size > 1) c_[cones_[i].first] += S_[cones_[i].first + 1] * slip[contacts_[i]];
    }
    unit_ = c_.size() > 0 ? c_.lpNorm<Eigen::Infinity>() : 0.0;
    p_ = z_ = Vector::Zero(size);
    scaling_.resize(cones_.size());
    lambda_ = target_ = p_;
  }

  std::span<const Index> rows() const { return rows_; }
  std::span<const Index> contacts() const { return contacts_; }
  std::span<const Cone> cones() const { return cones_; }
  const Vector& scale() const { return S_; }

  InteriorPointReport solve(Compliance& compliance, const InteriorPointOptions& options) {
    compliance_ = &compliance;
    InteriorPointReport report;
    if (unit_ == 0) {
      report.converged = true;
      return report;
    }
    Vector best_p = p_;
    double best_error = std::numeric_limits<double>::infinity();
    for (const double step_fraction : step_fractions) {
      const double error = iterate(options, step_fraction, report);
      if (error < best_error) {
        best_p = p_;
        best_error = error;
      }
      if (report.converged || report.iterations == options.max_iterations) break;
    }
    p_ = best_p;
    return report;
  }

  /// Writes P of the contacts considered.
  void write(Vector& P) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) P[rows_[i]] = S_[i] * p_[i];
  }

 private:
  /// Iterates from the initial point; returns the error of the best iterate.
  double iterate(const InteriorPointOptions& options, double step_fraction, InteriorPointReport& report) {
    p_.setZero();
    for (const Cone& cone : cones_) p_[cone.first] = unit_;
    z_ = p_;
    // Close to the solution a step may consist of rounding errors and increase the error: the best iterate is kept.
    Vector best_p = p_;
    double best_error = std::numeric_limits<double>::infinity();
    double best_gap = best_error;
    int idle_steps = 0;
    int short_steps = 0;
    while (true) {
      evaluate();
      const double error = std::max(residual_.lpNorm<Eigen::Infinity>() / unit_, gap_ / (unit_ * unit_));
      const bool has_progress = gap_ <= least_progress * best_gap;
      if (report.converged ? error <= options.tolerance && gap_ < best_gap : error < best_error) {
        best_p = p_;
        best_error = error;
        best_gap = gap_;
      }
      report.converged = best_error <= options.tolerance;
      idle_steps = report.converged && !has_progress ? idle_steps + 1 : 0;
      const bool is_exact = best_gap <= options.gap * unit_ * unit_ || idle_steps == patience;
      if ((report.converged && is_exact) || report.iterations == options.max_iterations ||
          short_steps == patience)
        break;
      const double step = improve(step_fraction);
      if (step == 0) break;
      short_steps = step < short_step ? short_steps + 1 : 0;
      ++report.iterations;
    }
    p_ = best_p;
    return best_error;
  }

  void evaluate() {
    residual_ = compliance_->times(p_) + c_ - z_;
    for (const Cone& cone : cones_) {
      if (!knows_slip_) residual_[cone.first] += z_.segment(cone.first + 1, cone.size - 1).norm();
    }
    gap_ = p_.dot(z_) / static_cast<double>(cones_.size());
  }

  /// One predictor-corrector step; returns the step length, 0 if rounding has destroyed the scaling.
  double improve(double step_fraction) {
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone& cone = cones_[i];
      scaling_[i] = nesterov_todd(cone.of(p_), cone.of(z_));
      if (!scaling_[i].allFinite()) return 0;
      cone.of(lambda_) = scaling_[i] * cone.of(z_);
    }
    // z' = F (Q p' + residual) with F = 1 + e_N z_T^T / |z_T|, the derivative of |z_T|.
    slip_.setZero(p_.size());
    for (const Cone& cone : cones_) {
      const auto z_T = z_.segment(cone.first + 1, cone.size - 1);
      const double length = z_T.norm();
      if (!knows_slip_ && length > 0) slip_.segment(cone.first + 1, cone.size - 1) = z_T / length;
    }
    F_residual_ = residual_;
    apply_friction(F_residual_);
    inverses_.resize(cones_.size());
    for (std::size_t i = 0; i < cones_.size(); ++i) inverses_[i] = scaling_[i].inverse();
    if (!compliance_->factorize(cones_, slip_, inverses_)) return 0;

    for (const Cone& cone : cones_) {
      const Part lambda = cone.of(lambda_);
      cone.of(target_) = -arrow(lambda) * lambda;
    }
    solve_direction();
    const double a = step_to_boundary(1.0);
    const double centring = (1 - a) * (1 - a) * (1 - a);
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone& cone = cones_[i];
      const Part dp = inverses_[i] * cone.of(dp_);
      const Part dz = scaling_[i] * cone.of(dz_);
      cone.of(target_) -= arrow(dp) * dz;
      target_[cone.first] += centring * gap_;
    }
    solve_direction();
    if (!dp_.allFinite() || !dz_.allFinite()) return 0;
    const double step = std::min(1.0, step_fraction * step_to_boundary(1.0 / step_fraction));
    p_ += step * dp_;
    z_ += step * dz_;
    return step;
  }

  /// x = F x
  void apply_friction(Vector& x) const {
    for (const Cone& cone : cones_)
      x[cone.first] +=
          slip_.segment(cone.first + 1, cone.size - 1).dot(x.segment(cone.first + 1, cone.size - 1));
  }

  /// W^-1 dp + W dz = lambda \ target, dz = F (Q dp + residual).
  void solve_direction() {
    Vector right = -F_residual_;
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone& cone = cones_[i];
      const Square product = arrow(cone.of(lambda_));
      const Part quotient = product.partialPivLu().solve(Part(cone.of(target_)));
      cone.of(right) += inverses_[i] * quotient;
    }
    dp_ = compliance_->solve(right);
    dz_ = compliance_->times(dp_) + residual_;
    apply_friction(dz_);
  }

  double step_to_boundary(double limit) const {
    double a = limit;
    for (const Cone& cone : cones_) {
      a = solvers::step_to_boundary(cone.of(p_), cone.of(dp_), a);
      a = solvers::step_to_boundary(cone.of(z_), cone.of(dz_), a);
    }
    return a;
  }

  Compliance* compliance_ = nullptr;
  std::vector<Cone> cones_;
  std::vector<Index> contacts_;  ///< contacts of the cones
  std::vector<Index> rows_;      ///< contact row of each unknown
  Vector S_, c_, p_, z_;
  double unit_ = 0.0;        ///< |c|
  bool knows_slip_ = false;  ///< |z_T| is known and included in c
  double gap_ = 0.0;         ///< mean of p z
  Vector residual_, lambda_, target_, dp_, dz_, slip_, F_residual_;
  std::vector<Square> scaling_, inverses_;
};

/// Sets P where the problem does not determine it: zero, except in normal rows without compliance, which keep their
/// value.
template <class Diagonal>
void clear_others(std::span<const ContactCone> cones, const Diagonal& diagonal, Vector& P) {
  for (std::size_t c = 0; c < cones.size(); ++c) {
    const ContactCone& cone = cones[c];
    const Index kept = cone.is_candidate && !(diagonal(c) > 0) ? 1 : 0;
    P.segment(cone.first_row + kept, cone.rows - kept).setZero();
  }
}

}  // namespace

InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const Eigen::MatrixXd& A,
                                         const Vector& b, Vector& P, const InteriorPointOptions& options) {
  const auto diagonal = [&](std::size_t c) { return A(cones[c].first_row, cones[c].first_row); };
  InteriorPoint<DenseCompliance> problem(cones, diagonal, b, options.slip);
  DenseCompliance compliance(A, problem.rows(), problem.scale());
  const InteriorPointReport report = problem.solve(compliance, options);
  clear_others(cones, diagonal, P);
  problem.write(P);
  return report;
}

InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const DelassusOperator& W,
                                         const Vector& b, Vector& P, const InteriorPointOptions& options) {
  const auto diagonal = [&](std::size_t c) { return *W.diagonal(static_cast<Index>(c)); };
  InteriorPoint<SparseCompliance> problem(cones, diagonal, b, options.slip);
  if (problem.contacts().empty()) {  // a matrix without entries cannot be analysed
    clear_others(cones, diagonal, P);
    return {};
  }
  SparseCompliance compliance(W, problem.contacts(), problem.cones(), problem.scale());
  const InteriorPointReport report = problem.solve(compliance, options);
  clear_others(cones, diagonal, P);
  problem.write(P);
  return report;
}

}  // namespace picus::solvers
