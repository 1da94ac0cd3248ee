#pragma once

/// What ready-made models are written with.

#include <picus/registered_model.hpp>

namespace picus::models {

using namespace signals;

}  // namespace picus::models
