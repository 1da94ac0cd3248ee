#include <picus/solvers/contact/interior_compliance.hpp>
#include <picus/solvers/contact/interior_point.hpp>
#include <picus/solvers/contact/second_order_cone.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace picus::solvers {
namespace {

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

/// Whether a contact has more than a normal force.
bool is_frictional(const ContactCone& contact) {
  return contact.mu > 0 && contact.rows > 1;
}

/// A second-order cone L = {|x_T| <= x_0}, of dimension 1 to 6: of the normal force of a contact and its sliding rows,
/// or of the same normal force and its rolling rows. The cones of a contact share p_0, and each has a z_0 of its own.
template <int Size>
struct Cone {
  static constexpr int Tangents = tangents_of_cone<Size>;

  Index normal;         ///< row of p_0 among the unknowns
  Index first_tangent;  ///< row of the first component of p_T
  Index tangents;       ///< number of components of p_T
  Index dual;           ///< first component in vectors of all cones, as z

  Index size() const { return 1 + tangents; }
  /// The part of a vector of the unknowns.
  ConeVector<Size> of(const Vector& x) const {
    ConeVector<Size> part(size());
    part[0] = x[normal];
    tangent_of<Size>(part) = tangent(x);
    return part;
  }
  auto tangent(Vector& x) const { return x.segment<Tangents>(first_tangent, tangents); }
  auto tangent(const Vector& x) const { return x.segment<Tangents>(first_tangent, tangents); }
  /// The part of a vector of all cones, and its tangential components.
  auto dual_of(Vector& x) const { return x.segment<Size>(dual, size()); }
  auto dual_of(const Vector& x) const { return x.segment<Size>(dual, size()); }
  auto dual_tangent(Vector& x) const { return x.segment<Tangents>(dual + 1, tangents); }
  auto dual_tangent(const Vector& x) const { return x.segment<Tangents>(dual + 1, tangents); }
  /// Adds to a vector of the unknowns.
  void add_to(Vector& x, const ConeVector<Size>& part) const {
    x[normal] += part[0];
    tangent(x) += tangent_of<Size>(part);
  }
};

/// Size: of all cones, with one for each contact, or Eigen::Dynamic.
template <class Compliance, int Size>
class InteriorPoint {
 public:
  /// `diagonal(contact)` returns the compliance of its normal row.
  template <class Diagonal>
  InteriorPoint(std::span<const ContactCone> contacts, const Diagonal& diagonal, const Vector& b) {
    std::vector<double> scale;
    for (Index c = 0; c < count_of(contacts); ++c) {
      const ContactCone& contact = contacts[c];
      const Index n = contact.first_row;
      if (!contact.is_candidate || !(diagonal(c) > 0)) continue;
      contacts_.push_back(c);
      const double unit = std::sqrt(contact.k);
      const bool has_friction = is_frictional(contact);
      const ContactUnknowns unknowns{count_of(rows_), has_friction ? contact.rows : 1};
      unknowns_.push_back(unknowns);
      first_cone_.push_back(count_of(cones_));
      const Index rolling = has_friction ? contact.rolling_rows : 0;
      const Index sliding = unknowns.size - 1 - rolling;
      if (sliding > 0 || rolling == 0) add_cone(unknowns.first, unknowns.first + 1, sliding);
      if (rolling > 0) add_cone(unknowns.first, unknowns.first + 1 + sliding, rolling);
      rows_.push_back(n);
      scale.push_back(has_friction ? unit / contact.mu : unit);
      for (Index i = 1; i < unknowns.size; ++i) {
        rows_.push_back(n + i);
        scale.push_back(unit);
      }
    }
    first_cone_.push_back(count_of(cones_));
    const auto size = count_of(rows_);
    S_ = Eigen::Map<const Vector>(scale.data(), size);
    c_ = S_.cwiseProduct(b(rows_));
    unit_ = c_.size() > 0 ? c_.lpNorm<Eigen::Infinity>() : 0.0;
    p_ = residual_ = slip_ = Vector::Zero(size);
    z_ = lambda_ = target_ = dz_ = p_of_cones_ = Vector::Zero(dual_size_);
    scaling_.resize(cones_.size());
    inverse_squares_.resize(cones_.size());
    added_.resize(unknowns_.size());
  }

  std::span<const Index> rows() const { return rows_; }
  std::span<const Index> contacts() const { return contacts_; }
  std::span<const ContactUnknowns> unknowns() const { return unknowns_; }
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
  void add_cone(Index normal, Index first_tangent, Index tangents) {
    cones_.push_back({normal, first_tangent, tangents, dual_size_});
    dual_size_ += 1 + tangents;
  }

  /// Iterates from the initial point; returns the error of the best iterate.
  double iterate(const InteriorPointOptions& options, double step_fraction, InteriorPointReport& report) {
    p_.setZero();
    z_.setZero();
    for (const Cone<Size>& cone : cones_) {
      p_[cone.normal] = options.first_force * unit_;
      z_[cone.dual] = unit_;
    }
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
    residual_ = compliance_->times(p_) + c_;
    for (const Cone<Size>& cone : cones_) {
      const auto z_T = cone.dual_tangent(z_);
      residual_[cone.normal] -= z_[cone.dual];
      residual_[cone.normal] += z_T.norm();
      cone.tangent(residual_) -= z_T;
      cone.dual_of(p_of_cones_) = cone.of(p_);
    }
    gap_ = p_of_cones_.dot(z_) / static_cast<double>(cones_.size());
  }

  /// One predictor-corrector step; returns the step length, 0 if rounding has destroyed the scaling.
  double improve(double step_fraction) {
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone<Size>& cone = cones_[i];
      scaling_[i] = NesterovTodd<Size>(cone.of(p_), cone.dual_of(z_));
      if (!scaling_[i].is_finite()) return 0;
      cone.dual_of(lambda_) = scaling_[i].times(cone.dual_of(z_));
      inverse_squares_[i] = scaling_[i].inverse_square();
    }
    // z' = F (Q p' + residual) with F = 1 + e_N z_T^T / |z_T|, the derivative of |z_T|.
    slip_.setZero();
    for (const Cone<Size>& cone : cones_) {
      const auto z_T = cone.dual_tangent(z_);
      const double length = z_T.norm();
      if (length > 0) cone.tangent(slip_) = z_T / length;
    }
    F_residual_ = residual_;
    apply_friction(F_residual_);
    for (std::size_t c = 0; c < unknowns_.size(); ++c) {
      added_[c] = ConeMatrix<Size>::Zero(unknowns_[c].size, unknowns_[c].size);
      for (Index i = first_cone_[c]; i < first_cone_[c + 1]; ++i)
        add_to_block(cones_[i], inverse_squares_[i], added_[c]);
    }
    if (!compliance_->factorize(unknowns_, slip_, added_)) return 0;

    for (const Cone<Size>& cone : cones_) {
      const ConeVector<Size> lambda = cone.dual_of(lambda_);
      cone.dual_of(target_) = -jordan_product<Size>(lambda, lambda);
    }
    solve_direction();
    const double a = step_to_boundary(1.0);
    const double centring = (1 - a) * (1 - a) * (1 - a);
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone<Size>& cone = cones_[i];
      const ConeVector<Size> dp = scaling_[i].solve(cone.of(dp_));
      const ConeVector<Size> dz = scaling_[i].times(cone.dual_of(dz_));
      cone.dual_of(target_) -= jordan_product<Size>(dp, dz);
      target_[cone.dual] += centring * gap_;
    }
    solve_direction();
    if (!dp_.allFinite() || !dz_.allFinite()) return 0;
    const double step = std::min(1.0, step_fraction * step_to_boundary(1.0 / step_fraction));
    p_ += step * dp_;
    z_ += step * dz_;
    return step;
  }

  /// Adds a matrix of a cone to a block of the rows of its contact.
  static void add_to_block(const Cone<Size>& cone, const ConeMatrix<Size>& matrix, ConeMatrix<Size>& block) {
    if constexpr (Size != Eigen::Dynamic) {
      block += matrix;
      return;
    }
    const Index n = cone.tangents;
    const Index at = cone.first_tangent - cone.normal;
    block(0, 0) += matrix(0, 0);
    block.block(0, at, 1, n) += matrix.topRightCorner(1, n);
    block.block(at, 0, n, 1) += matrix.bottomLeftCorner(n, 1);
    block.block(at, at, n, n) += matrix.bottomRightCorner(n, n);
  }

  /// x = F x
  void apply_friction(Vector& x) const {
    for (const Cone<Size>& cone : cones_) x[cone.normal] += cone.tangent(slip_).dot(cone.tangent(x));
  }

  /// W^-1 dp + W dz = lambda \ target in each cone; the sum of dz over the cones of a contact is F (Q dp + residual).
  void solve_direction() {
    Vector right = -F_residual_;
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone<Size>& cone = cones_[i];
      cone.dual_of(dz_) =
          scaling_[i].solve(jordan_quotient<Size>(cone.dual_of(lambda_), cone.dual_of(target_)));
      cone.add_to(right, cone.dual_of(dz_));
    }
    dp_ = compliance_->solve(right);
    Vector sum = compliance_->times(dp_) + residual_;
    apply_friction(sum);
    for (std::size_t c = 0; c < unknowns_.size(); ++c) {
      // The last cone receives the remainder of the normal row, whose equation then contains no rounding error of W^-2.
      double rest = sum[unknowns_[c].first];
      for (Index i = first_cone_[c]; i < first_cone_[c + 1]; ++i) {
        const Cone<Size>& cone = cones_[i];
        double& dz_N = dz_[cone.dual];
        if (i + 1 == first_cone_[c + 1]) {
          dz_N = rest;
        } else {
          dz_N -= inverse_squares_[i].row(0).dot(cone.of(dp_));
          rest -= dz_N;
        }
        cone.dual_tangent(dz_) = cone.tangent(sum);
      }
    }
  }

  double step_to_boundary(double limit) const {
    double a = limit;
    for (const Cone<Size>& cone : cones_) {
      a = solvers::step_to_boundary<Size>(cone.of(p_), cone.of(dp_), a);
      a = solvers::step_to_boundary<Size>(cone.dual_of(z_), cone.dual_of(dz_), a);
    }
    return a;
  }

  Compliance* compliance_ = nullptr;
  std::vector<Cone<Size>> cones_;
  std::vector<Index> contacts_;            ///< contacts of the unknowns
  std::vector<ContactUnknowns> unknowns_;  ///< of each contact
  std::vector<Index> first_cone_;          ///< of each contact, and the number of cones
  Index dual_size_ = 0;                    ///< of vectors of all cones
  std::vector<Index> rows_;                ///< contact row of each unknown
  Vector S_, c_, p_, z_, p_of_cones_;
  double unit_ = 0.0;  ///< |c|
  double gap_ = 0.0;   ///< mean of p z
  Vector residual_, lambda_, target_, dp_, dz_, slip_, F_residual_;
  std::vector<NesterovTodd<Size>> scaling_;
  std::vector<ConeMatrix<Size>> inverse_squares_, added_;
};

/// Sets P where the problem does not determine it: zero, except in normal rows without compliance, which keep their
/// value.
template <class Diagonal>
void clear_others(std::span<const ContactCone> cones, const Diagonal& diagonal, Vector& P) {
  for (Index c = 0; c < count_of(cones); ++c) {
    const ContactCone& cone = cones[c];
    const Index kept = cone.is_candidate && !(diagonal(c) > 0) ? 1 : 0;
    P.segment(cone.first_row + kept, cone.rows - kept).setZero();
  }
}

/// The scaled operator of the `contacts` of W, with as many rows of each as `unknowns` has.
void scale_operator(const DelassusOperator& W, std::span<const Index> contacts,
                    std::span<const ContactUnknowns> unknowns, const Vector& S, DelassusOperator& Q) {
  Q.clear();
  std::vector<Index> number(W.contact_count(), -1);
  for (Index i = 0; i < count_of(contacts); ++i) number[contacts[i]] = i;
  for (Index i = 0; i < count_of(contacts); ++i) {
    const ContactUnknowns& own = unknowns[i];
    Q.add_contact(own.size);
    for (const auto& block : W.blocks(contacts[i])) {
      if (number[block.contact] < 0) continue;
      const ContactUnknowns& other = unknowns[number[block.contact]];
      const Eigen::Map<const Eigen::MatrixXd> w(W.values(block), W.rows(contacts[i]), W.rows(block.contact));
      Q.add_to(number[block.contact], other.size) = S.segment(own.first, own.size).asDiagonal() *
                                                    w.topLeftCorner(own.size, other.size) *
                                                    S.segment(other.first, other.size).asDiagonal();
    }
  }
}

}  // namespace

InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const Eigen::MatrixXd& A,
                                         const Vector& b, Vector& P, const InteriorPointOptions& options) {
  const auto diagonal = [&](Index c) { return A(cones[c].first_row, cones[c].first_row); };
  InteriorPoint<DenseCompliance, Eigen::Dynamic> problem(cones, diagonal, b);
  DenseCompliance compliance(A, problem.rows(), problem.scale());
  const InteriorPointReport report = problem.solve(compliance, options);
  clear_others(cones, diagonal, P);
  problem.write(P);
  return report;
}

InteriorPointReport InteriorPointSolver::solve(std::span<const ContactCone> cones, const DelassusOperator& W,
                                               const Vector& b, Vector& P,
                                               const InteriorPointOptions& options) {
  constexpr Index usual_rows = 3;
  const bool is_usual = std::ranges::all_of(cones, [](const ContactCone& cone) {
    return !cone.is_candidate || (is_frictional(cone) && cone.rows == usual_rows && cone.rolling_rows == 0);
  });
  return is_usual ? solve_cones<usual_rows>(cones, W, b, P, options)
                  : solve_cones<Eigen::Dynamic>(cones, W, b, P, options);
}

template <int Size>
InteriorPointReport InteriorPointSolver::solve_cones(std::span<const ContactCone> cones,
                                                     const DelassusOperator& W, const Vector& b, Vector& P,
                                                     const InteriorPointOptions& options) {
  const auto diagonal = [&](Index c) { return *W.diagonal(c); };
  InteriorPoint<SparseCompliance<Size>, Size> problem(cones, diagonal, b);
  clear_others(cones, diagonal, P);
  if (problem.contacts().empty()) return {};  // a matrix without entries cannot be analysed
  scale_operator(W, problem.contacts(), problem.unknowns(), problem.scale(), Q_);
  H_.analyze(Q_);
  solver_.analyze(H_.matrix(), H_.first_rows());
  SparseCompliance<Size> compliance(Q_, H_, solver_);
  const InteriorPointReport report = problem.solve(compliance, options);
  problem.write(P);
  return report;
}

}  // namespace picus::solvers
