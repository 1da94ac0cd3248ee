#pragma once

/// The model that a command is about, with its settings, as typed.

#include "command_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

struct ModelWords {
  Models models = {};  ///< those to choose from
  std::string name;
  std::vector<std::string> settings;  ///< NAME=VALUE
};

/// The command that names the models.
std::string list_command();

/// Adds MODEL and --set.
void add_model_options(CLI::App& command, ModelWords& words);

struct ModelChoice {
  const RegisteredModel& model;
  Scenario scenario;
};

/// Throws OptionError that names the model or the parameter that is wrong; `command` is "run".
ModelChoice read_model(const ModelWords& words, std::string_view command);

}  // namespace picus::program
