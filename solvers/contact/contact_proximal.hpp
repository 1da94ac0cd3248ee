#pragma once

/// The frictional contact problem by the proximal-point method: each iteration solves
/// y = b + W P + (epsilon / k) (P - P_before) by Newton's method, which hardly ever fails (epsilon is increased if it
/// does), since the multipliers of redundant contacts become unique. Convergence is slow, but it approaches a solution
/// where all other methods fail: in hyperstatic heaps, where forces must change considerably before another contact
/// slides.

#include <picus/solvers/contact/contact_newton.hpp>

namespace picus::solvers {

struct ContactProximalOptions {
  int max_iterations = 60;  ///< Newton iterations in total
  double tolerance = 1.0;   ///< of the weighted residual
};

class ContactProximal {
 public:
  /// Iterates from P and returns the best point in P.
  ContactNewtonReport solve(const DelassusProblem& problem, Vector& P,
                            const ContactProximalOptions& options = {});

 private:
  ContactNewton newton_;
  DelassusOperator shifted_;
  Vector shifted_b_, y_, r_, best_;
};

}  // namespace picus::solvers
