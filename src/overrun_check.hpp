#pragma once

#include <picus/model.hpp>

namespace picus::detail {

/// Throws ModelError when an element writes past the storage of one of its roles, as with a wrong row_count(), before a solver
/// calls it on storage that other elements share. Every class of elements is tried once for each size, at the start of
/// the model.
void refuse_overruns(const Model& model);

}  // namespace picus::detail
