#pragma once

#include <picus/model.hpp>

namespace picus::detail {

/// Throws ModelError if an element writes beyond its storage in one of its roles, e.g. due to a wrong row_count(),
/// before a solver calls it with storage shared with other elements. Every class of elements is tested once for each
/// size, at the start of the model.
void refuse_overruns(const Model& model);

}  // namespace picus::detail
