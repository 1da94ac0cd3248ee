#pragma once

/// The frictional contact problem of one linearisation: y = b + W P with the contact law of augmented_law.hpp between y and P.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>

#include <span>

namespace picus::solvers {

struct DelassusProblem {
  std::span<const ContactCone>
      cones;  ///< in the order of the contacts of W, with its rows; their first_row is not used
  const DelassusOperator& W;
  const Vector& b;       ///< motion without multipliers
  const Vector& weight;  ///< reciprocal tolerance of each row of the equations of the law
};

/// Largest weighted residual of the contact law, and the sum of squares.
struct WeightedResidual {
  double worst = 0.0;
  double square = 0.0;
};
/// Evaluates it at P; writes y = b + W P and the residual r. NaN in any row makes both NaN.
WeightedResidual weighted_residual(const DelassusProblem& problem, const Vector& P, Vector& y, Vector& r);

}  // namespace picus::solvers
