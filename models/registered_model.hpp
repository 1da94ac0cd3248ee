#pragma once

/// The common include of ready-made models.

#include <picus/registered_model.hpp>

namespace picus::models {

using namespace signals;  // NOLINT(google-build-using-namespace): models name signals all over

}  // namespace picus::models
