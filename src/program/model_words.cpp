#include "model_words.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace picus::program {

std::string list_command() {
  return program_name() + " list";
}

void add_model_options(CLI::App& command, ModelWords& words) {
  command
      .add_option("MODEL", words.name, fmt::format("Name of the model, as `{}` prints it", list_command()))
      ->type_name("");
  command.add_option("--set", words.settings, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE");
}

ModelChoice read_model(const ModelWords& words, std::string_view command) {
  std::vector<std::string> settings = words.settings;
  std::string name = words.name;
  // `--set mu=0.35 woodpecker`: the last word looks like one more setting, but is the model.
  if (name.empty() && settings.size() > 1 && settings.back().find('=') == std::string::npos) {
    name = settings.back();
    settings.pop_back();
  }
  if (name.empty()) {
    throw OptionError(fmt::format("{} {} needs the name of a model; `{}` names them", program_name(), command,
                                  list_command()));
  }
  const RegisteredModel& model = find_model(words.models, name, list_command());
  return {model, model.configure(settings)};
}

}  // namespace picus::program
