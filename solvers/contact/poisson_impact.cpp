#include <picus/solvers/contact/poisson_impact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// Accuracy of rates, relative to the largest speed; a residual below the second one counts as solved.
constexpr double rate_tolerance = 1e-12;
constexpr double solved_residual = 1e3;
constexpr int expansion_sweeps = 2000;
/// Number of friction pyramids that are tried, each with an edge opposed to the sliding that results from the
/// previous one.
constexpr int pyramids = 8;
/// Compliance added to the problem of every other pyramid.
constexpr double added_compliance = 1e-12;
/// Halvings of the interval of s; the impact retains too little energy by a fraction of 2^-40 at most.
constexpr int bisections = 40;
/// Gain of energy attributed to rounding errors, relative to the energy of the compression.
constexpr double energy_rounding = 1e-12;

}  // namespace

PoissonReport PoissonImpact::solve(const Impact& impact, Vector& P) {
  begin(impact);
  PoissonReport report{.converged = compress(impact)};
  report.converged = expand(impact, 1.0) && report.converged;
  const double lost = -impact.energy_change(P_C_);
  const auto gains = [&] { return impact.energy_change(P_C_ + P_E_) > energy_rounding * lost; };
  if (gains()) {
    double low = 0.0, high = 1.0;
    for (int k = 0; k < bisections; ++k) {
      const double s = 0.5 * (low + high);
      expand(impact, s);
      (gains() ? high : low) = s;
    }
    report.restored = low;
    report.converged = expand(impact, low) && report.converged;
  }
  P = P_C_ + P_E_;
  if (!P.allFinite()) {
    P.setZero();
    report.converged = false;
  }
  return report;
}

void PoissonImpact::begin(const Impact& impact) {
  W_.clear();
  cones_.clear();
  speed_ = impact.u_0.lpNorm<Eigen::Infinity>();
  diagonal_ = impact.W.diagonal();
  weight_.resize(impact.u_0.size());
  for (const ImpactContact& c : impact.contacts) {
    W_.add_contact(c.rows);
    for (Index k = 0; k < count_of(impact.contacts); ++k) {
      const ImpactContact& other = impact.contacts[k];
      const auto block = impact.W.block(c.first_row, other.first_row, c.rows, other.rows);
      if (!block.isZero(0.0)) W_.add_to(k, other.rows) = block;
    }
    const double compliance = impact.W(c.first_row, c.first_row);
    const double mass = compliance > 0 ? 1.0 / compliance : 1.0;
    cones_.push_back({.rows = c.rows,
                      .first_row = c.first_row,
                      .mu = c.mu,
                      .k = mass,
                      .p = mass,
                      .rolling_rows = c.rolling_rows});
    weight_.segment(c.first_row, c.rows).setConstant(1.0 / (mass * rate_tolerance * speed_));
  }
}

bool PoissonImpact::compress(const Impact& impact) {
  P_C_.setZero(impact.u_0.size());
  compression_.solve({cones_, W_, impact.u_0, weight_}, P_C_, {.acceptable_residual = solved_residual});
  double left = residual(impact.u_0, P_C_);
  if (!(left <= solved_residual)) left = solve_from_pyramids(impact, impact.u_0, left, P_C_);
  u_C_ = impact.u_0 + impact.W * P_C_;
  return left <= solved_residual;
}

double PoissonImpact::solve_from_pyramids(const Impact& impact, const Vector& u, double before, Vector& P) {
  apexes_.clear();
  for (const ContactCone& cone : cones_) apexes_.push_back(cone.apex);
  best_ = P;
  double best = before;
  const auto take = [&] {
    const double left = residual(u, P);
    if (!(left < best)) return;
    best = left;
    best_ = P;
  };
  P.setZero();
  for (int k = 0; k < pyramids && best > solved_residual; ++k) {
    if (!pyramids_.solve(impact, u, apexes_, k % 2 == 0 ? 0.0 : added_compliance, P)) continue;
    take();
    if (best <= solved_residual) break;
    start_ = P;
    newton_.solve({cones_, W_, u, weight_}, P);
    take();
    P = start_;
  }
  P = best_;
  return best;
}

/// The report of the sweeps contains the residual before the last sweep instead.
double PoissonImpact::residual(const Vector& u, const Vector& P) {
  constexpr double unsolved = std::numeric_limits<double>::infinity();
  if (!P.allFinite()) return unsolved;
  // Impulses that jam bodies may be so large that rates are rounding errors.
  const double rounding =
      std::numeric_limits<double>::epsilon() * diagonal_.cwiseProduct(P).lpNorm<Eigen::Infinity>();
  if (rounding > solved_residual * rate_tolerance * speed_) return unsolved;
  y_.resize(P.size());
  r_.resize(P.size());
  const double worst = weighted_residual({cones_, W_, u, weight_}, P, y_, r_).worst;
  return std::isnan(worst) ? unsolved : worst;
}

bool PoissonImpact::expand(const Impact& impact, double s) {
  P_E_.setZero(impact.u_0.size());
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Index n = cones_[i].first_row;
    cones_[i].apex = P_E_[n] = s * impact.contacts[i].e * std::max(0.0, P_C_[n]);
  }
  // A body with one degree of freedom may have stopped in the compression: no sweeps are needed.
  if (residual(u_C_, P_E_) <= 1.0) return true;
  sweeps_.solve({cones_, W_, u_C_, weight_}, P_E_, {.max_sweeps = expansion_sweeps});
  double left = residual(u_C_, P_E_);
  if (left <= 1.0) return true;
  best_ = P_E_;
  newton_.solve({cones_, W_, u_C_, weight_}, P_E_);
  const double found = residual(u_C_, P_E_);
  if (found < left) {
    left = found;
  } else {
    P_E_ = best_;
  }
  if (!(left <= solved_residual)) left = solve_from_pyramids(impact, u_C_, left, P_E_);
  return left <= solved_residual;
}

}  // namespace picus::solvers
