#pragma once

/// The frictional contact problem by proximal points: each solves y = b + W P + (epsilon / k) (P - P_before) by Newton's
/// iteration, which hardly ever fails there (epsilon grows where it does), since redundant contacts no longer admit many multipliers. It is slow, but comes near
/// where nothing else does: in hyperstatic heaps, where a force must go a long way before another contact slides.

#include <picus/solvers/contact/contact_newton.hpp>

#include <span>

namespace picus::solvers {

struct ContactProximalOptions {
  int max_iterations = 60;  ///< of Newton, in all
  double tolerance = 1.0;   ///< of the weighted residual
};

class ContactProximal {
 public:
  /// Goes on from P, to the best point; cones, `weight` and report as those of ContactNewton.
  ContactNewtonReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            const Vector& weight, Vector& P, const ContactProximalOptions& options = {});

 private:
  ContactNewton newton_;
  DelassusOperator shifted_;
  Vector shifted_b_, y_, r_, best_;
};

}  // namespace picus::solvers
