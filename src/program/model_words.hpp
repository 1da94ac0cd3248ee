#pragma once

/// The model that a command is about, with its settings, as typed.

#include <picus/models/registry.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

struct ModelWords {
  std::string name;
  std::vector<std::string> settings;  ///< NAME=VALUE
};

/// Adds MODEL and --set.
void add_model_options(CLI::App& command, ModelWords& words);

struct ModelChoice {
  const models::RegisteredModel& model;
  models::Scenario scenario;
};

/// Throws OptionError that names the model or the parameter that is wrong; `command` is "picus run".
ModelChoice read_model(const ModelWords& words, std::string_view command);

}  // namespace picus::program
