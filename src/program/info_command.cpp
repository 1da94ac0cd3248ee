/// `picus info MODEL`: what a model is and what can be set.

#include "command_line.hpp"
#include "output.hpp"
#include <picus/error.hpp>
#include <picus/models/registry.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace picus::program {
namespace {

/// As they are with the default parameters.
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

void info(const std::string& name) {
  if (name.empty()) throw OptionError("picus info needs the name of a model; `picus list` names them");
  const models::RegisteredModel& model = models::find_model(name);
  const models::ModelInfo& about = model.info();

  print("{}\n\n  {}\n\n", about.name, wrapped(about.summary, 98, 2));
  print("source      {}\n", about.source);
  print("step        {} s\n", number_text(about.step));
  print("final time  {} s\n\n", number_text(about.until));

  print("parameters, to be set with --set NAME=VALUE\n\n");
  Table table({"name", "type", "default", "allowed", "unit", "meaning"});
  for (const ParameterInfo& parameter : model.parameters()) {
    table.add({parameter.name, std::string(parameter.kind_name()), parameter.default_value,
               parameter.allowed(), parameter.unit.empty() ? "-" : parameter.unit, parameter.doc});
  }
  print("{}", table.text());
  print_sensors(model.configure().build());
}

}  // namespace

void add_info_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Describe a model: summary, source, parameters");
  const auto name = std::make_shared<std::string>();
  command->add_option("MODEL", *name, "Name of the model")->type_name("");
  command->final_callback([&action, name] { action = [name] { info(*name); }; });
}

}  // namespace picus::program
