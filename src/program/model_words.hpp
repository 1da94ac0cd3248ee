#pragma once

/// The model of a command and its settings, as typed.

#include "command_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

struct ModelWords {
  Models models = {};  ///< available models
  std::string name;
  std::vector<std::string> settings;  ///< NAME=VALUE
};

/// The command that lists the models.
std::string list_command();

/// Adds MODEL and --set.
void add_model_options(CLI::App& command, ModelWords& words);

struct ModelChoice {
  const RegisteredModel& model;
  Scenario scenario;
};

/// The model with its parameters. Throws OptionError that names the invalid model or parameter; `command` is e.g.
/// "run".
ModelChoice read_model(const ModelWords& words, std::string_view command);

}  // namespace picus::program
