#pragma once

/// One contact by itself: y = b + W P with the law of augmented_law.hpp, solved exactly.
///
/// With the normal row eliminated by y_N = 0, a contact that slides has y_T = -lambda P_T, lambda > 0, and
///
///     (W~ + lambda I) P_T = -b~,   |P_T| = mu P_N,   W~ = W_TT - W_TN W_NT / W_NN,   b~ = b_T - W_TN b_N / W_NN,
///
/// one equation for lambda, which has a root wherever sticking (lambda = 0) needs more friction than there is: for lambda to
/// infinity P_T vanishes and P_N does not.

#include <picus/solvers/contact/augmented_law.hpp>

namespace picus::solvers {

/// P of the contact: W has cone.rows x cone.rows entries, column by column. A contact that is not enabled gets P = 0, one whose normal
/// row nothing moves keeps it.
void solve_local(const ContactCone& cone, const double* W, const double* b, double* P);

}  // namespace picus::solvers
