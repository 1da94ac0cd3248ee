/// `picus info MODEL`: description and parameters of a model.

#include "command_line.hpp"
#include "model_words.hpp"
#include "output.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace picus::program {
namespace {

/// Sensors of the model with default parameters.
void print_sensors(const Model& model) {
  if (model.sensors().empty()) return;
  print("\nsensors, in the result as sensors/NAME/QUANTITY\n\n");
  Table table({"name", "every", "of a sample", "quantities"});
  for (const Sensor& sensor : model.sensors()) {
    std::vector<std::string> names;
    for (const Quantity& quantity : sensor.quantities) names.push_back(quantity.name);
    table.add({sensor.name, sensor.interval == 0 ? "step" : number_text(sensor.interval) + " s",
               sensor.sampling == Sampling::mean ? "mean" : "instant",
               fmt::format("{}", fmt::join(names, ", "))});
  }
  print("{}", table.text());
}

void print_parameters(const RegisteredModel& model) {
  print("parameters, to be set with --set NAME=VALUE\n\n");
  Table table({"name", "type", "default", "allowed", "unit", "meaning"});
  for (const ParameterInfo& parameter : model.parameters()) {
    table.add({parameter.name, std::string(parameter.kind_name()), parameter.default_value,
               parameter.allowed(), parameter.unit.empty() ? "-" : parameter.unit, parameter.doc});
  }
  print("{}", table.text());
}

void info(Models models, const std::string& name) {
  if (name.empty()) {
    throw OptionError(
        fmt::format("{} info needs the name of a model; `{}` names them", program_name(), list_command()));
  }
  const RegisteredModel& model = find_model(models, name, list_command());
  const ModelInfo& about = model.info();

  print("{}\n\n  {}\n\n", about.name, wrapped(about.summary, 98, 2));
  if (!about.source.empty()) print("source      {}\n", about.source);
  print("step        {} s\n", number_text(about.step));
  print("final time  {} s\n\n", number_text(about.until));

  if (!model.parameters().empty()) print_parameters(model);
  print_sensors(model.configure().build());
}

}  // namespace

void add_info_command(CLI::App& app, Models models, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Describe a model: summary, source, parameters");
  const auto name = std::make_shared<std::string>();
  command->add_option("MODEL", *name, "Name of the model")->type_name("");
  command->final_callback([&action, models, name] { action = [models, name] { info(models, *name); }; });
}

}  // namespace picus::program
