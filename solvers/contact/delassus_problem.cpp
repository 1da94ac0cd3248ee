#include <picus/solvers/contact/delassus_problem.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {

WeightedResidual weighted_residual(const DelassusProblem& problem, const Vector& P, Vector& y, Vector& r) {
  const DelassusOperator& W = problem.W;
  WeightedResidual norm;
  for (Index c = 0; c < W.contact_count(); ++c) {
    const Index first = W.first_row(c);
    W.evaluate(c, problem.b, P, y.data() + first);
    contact_residual(problem.cones[c], y.data() + first, P.data() + first, r.data() + first);
    for (Index i = first; i < first + W.rows(c); ++i) {
      const double measure = std::abs(r[i]) * problem.weight[i];
      norm.square += measure * measure;
      norm.worst = std::max(norm.worst, measure);
    }
  }
  if (std::isnan(norm.square)) norm.worst = norm.square;
  return norm;
}

}  // namespace picus::solvers
