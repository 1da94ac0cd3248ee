#pragma once

/// Contact problems that are given as one sparse matrix, whose contacts have the same number of rows: u = W r + q (FCLIB).

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/sparse_matrix.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

/// The blocks of W, of contacts with `rows` rows each; `W.size` is a multiple of it.
DelassusOperator make_delassus_operator(const SparseMatrix& W, Index rows);

/// All entries of all blocks.
SparseMatrix make_sparse_matrix(const DelassusOperator& W);

/// Contacts with friction `mu`, one value each, whose scale and penalty are their effective masses: rows / trace of their block.
std::vector<ContactCone> make_contact_cones(const DelassusOperator& W, const Vector& mu);

/// 1 over the tolerance of each row of the law: multipliers and rates may be as wrong as `speed` times effective masses. Rates of this size
/// in all rows have the length tolerance |q| where `speed` is tolerance |q| / sqrt(rows).
Vector make_contact_weights(std::span<const ContactCone> cones, double speed);

}  // namespace picus::solvers
