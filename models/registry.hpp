#pragma once

/// The models that can be run by name.

#include <picus/models/registered_model.hpp>

#include <string_view>
#include <vector>

namespace picus::models {

/// All models, sorted by name.
const std::vector<RegisteredModel>& registry();

/// The model of that name; throws OptionError, which suggests the closest name, if there is none.
const RegisteredModel& find_model(std::string_view name);

}  // namespace picus::models
