#pragma once

/// The models that run by name.

#include <picus/models/registered_model.hpp>

#include <string_view>
#include <vector>

namespace picus::models {

/// All of them, by name.
const std::vector<RegisteredModel>& registry();

/// The model of that name; throws OptionError that offers the nearest one.
const RegisteredModel& find_model(std::string_view name);

}  // namespace picus::models
