#pragma once

/// Contact problems given by one sparse matrix, whose contacts have the same number of rows: u = W r + q (FCLIB).

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/sparse_matrix.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

/// W in blocks for contacts with `rows` rows each; `W.size` is a multiple of `rows`.
DelassusOperator make_delassus_operator(const SparseMatrix& W, Index rows);

/// W as a sparse matrix with all entries of all blocks.
SparseMatrix make_sparse_matrix(const DelassusOperator& W);

/// Contacts with friction coefficients `mu`, whose scale and penalty parameter are their effective masses: rows / trace
/// of the diagonal block.
std::vector<ContactCone> make_contact_cones(const DelassusOperator& W, const Vector& mu);

/// Reciprocal tolerance of each row of the law, which is `speed` times the effective mass. With `speed` = tolerance |q|
/// / sqrt(rows), rates of this size in all rows have the norm tolerance |q|.
Vector make_contact_weights(std::span<const ContactCone> cones, double speed);

}  // namespace picus::solvers
