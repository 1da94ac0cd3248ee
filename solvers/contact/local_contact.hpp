#pragma once

/// The problem of a single contact: y = b + W P with the law of augmented_law.hpp, solved exactly.
///
/// With the normal row eliminated by y_N = 0, a contact that slides has y_T = -lambda P_T, lambda > 0, and
///
///     (W~ + lambda I) P_T = -b~,   |P_T| = mu P_N,   W~ = W_TT - W_TN W_NT / W_NN,   b~ = b_T - W_TN b_N / W_NN,
///
/// one equation for lambda, which has a root whenever sticking (lambda = 0) requires more friction than available: as
/// lambda tends to infinity, P_T vanishes and P_N does not.
///
/// Rolling has a cone of its own. If the contact does not stick altogether, the equations of sliding and of rolling are
/// solved in turn until they agree.

#include <picus/solvers/contact/augmented_law.hpp>

namespace picus::solvers {

/// Solves for P; W has cone.rows x cone.rows entries, column by column. With an apex P_N is that of the apex where y_N
/// = 0 would require less. A contact that is not a candidate gets P = 0, one without normal compliance keeps its P.
void solve_local(const ContactCone& cone, const double* W, const double* b, double* P);

/// Friction x of n rows, at most max_contact_rows - 1, with a given bound: A x + b = 0 if that has |x| <= bound,
/// otherwise |x| = bound, opposed to A x + b. A is symmetric, positive semidefinite and not zero, column by column.
void solve_friction(Index n, const double* A, const double* b, double bound, double* x);

}  // namespace picus::solvers
