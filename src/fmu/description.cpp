#include "description.hpp"

#include "model_description_xml.hpp"
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace picus::fmu {
namespace {

const FmuModel& choose_model(const std::vector<FmuModel>& models, const std::string& name) {
  std::vector<RegisteredModel> registered;
  for (const FmuModel& model : models) registered.push_back(model.model());
  check_models(registered);
  if (name.empty() && models.size() > 1)
    throw OptionError(fmt::format("which of the {} models of the library?", models.size()));
  const std::string& wanted = name.empty() ? registered.front().info().name : name;
  const RegisteredModel& found = find_model(registered, wanted);
  const FmuModel& model = models[static_cast<std::size_t>(&found - registered.data())];
  model.check();
  return model;
}

std::string identifier_of(std::string name) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (char& c : name) {
    if (!is_plain(c)) c = '_';
  }
  if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "model_");
  return name;
}

VariableType type_of(ParameterKind kind) {
  if (kind == ParameterKind::real) return VariableType::float64;
  if (kind == ParameterKind::integer) return VariableType::int32;
  return kind == ParameterKind::flag ? VariableType::boolean : VariableType::string;
}

/// The bounds of a range, if it includes them.
std::optional<double> low_of(const Range& range) {
  if (!std::isfinite(range.low) || !range.low_included) return std::nullopt;
  return range.low;
}
std::optional<double> high_of(const Range& range) {
  if (!std::isfinite(range.high)) return std::nullopt;
  return range.high;
}

std::string meaning_of(const ParameterInfo& info) {
  return info.kind == ParameterKind::choice ? fmt::format("{} ({})", info.doc, info.allowed()) : info.doc;
}

}  // namespace

Description::Description(const std::vector<FmuModel>& models, const Setup& setup)
    : model_(choose_model(models, setup.model)),
      output_patterns_(setup.outputs),
      until_(setup.until.empty() ? model_.model().info().until
                                 : read_real("--until", setup.until, Range::positive())),
      identifier_(identifier_of(model_.model().info().name)) {
  variables_.push_back(
      {.name = "time", .causality = Causality::independent, .unit = "s", .meaning = "time of the importer"});
  add_parameters(setup);
  first_input_ = variables_.size();
  add_inputs(setup);
  first_output_ = variables_.size();

  std::vector<std::string> parameters;
  std::vector<Input> inputs;
  for (std::size_t i = first_parameter(); i < first_input_; ++i) parameters.push_back(variables_[i].start);
  for (std::size_t i = first_input_; i < first_output_; ++i)
    inputs.emplace_back(read_real("start", variables_[i].start));
  add_outputs(*make_run(parameters, inputs));
  check_names();
  token_ = instantiation_token(xml_text(""));
}

void Description::add_parameters(const Setup& setup) {
  const ModelInfo& info = model_.model().info();
  const std::vector<Input> inputs(model_.inputs().size());
  const TextEntries values = model_.configure(setup.settings, inputs).parameters;
  const std::vector<ParameterInfo>& parameters = model_.model().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterInfo& parameter = parameters[i];
    variables_.push_back({.name = parameter.name,
                          .type = type_of(parameter.kind),
                          .causality = Causality::parameter,
                          .unit = parameter.unit,
                          .meaning = meaning_of(parameter),
                          .start = values[i].second,
                          .low = low_of(parameter.range),
                          .high = high_of(parameter.range)});
  }
  own_parameters_ = variables_.size();
  const auto add = [&](std::string_view name, VariableType type, std::string unit, const char* meaning,
                       std::string start) {
    variables_.push_back({.name = std::string(name),
                          .type = type,
                          .causality = Causality::parameter,
                          .unit = std::move(unit),
                          .meaning = meaning,
                          .start = std::move(start)});
  };
  add(own_parameter::scheme, VariableType::string, "", "time integration scheme",
      setup.scheme.empty() ? "ds" : setup.scheme);
  add(own_parameter::step, VariableType::float64, "s", "largest step of the scheme",
      setup.step.empty() ? number_text(info.step) : setup.step);
  add(own_parameter::threads, VariableType::int32, "", "threads of a run; 0: all cores where that pays off",
      "1");
}

void Description::add_inputs(const Setup& setup) {
  for (const FmuInputInfo& input : model_.inputs()) {
    variables_.push_back({.name = input.name,
                          .causality = Causality::input,
                          .unit = input.unit,
                          .meaning = input.meaning,
                          .start = number_text(input.start)});
  }
  for (const std::string& text : setup.inputs) {
    const NodeLoad& load = loads_.emplace_back(NodeLoad::read(text));
    variables_.push_back({.name = load.name,
                          .causality = Causality::input,
                          .unit = load.unit(),
                          .meaning = fmt::format("load {} on node {}", load.component, load.node),
                          .start = "0"});
  }
}

void Description::add_outputs(const Run& run) {
  for (const OutputInfo& output : run.outputs().infos())
    variables_.push_back({.name = output.name, .unit = output.unit, .meaning = output.meaning});
}

void Description::check_names() const {
  std::set<std::string> names;
  for (const Variable& variable : variables_) {
    if (!names.insert(variable.name).second)
      throw ModelError(fmt::format("two variables of the FMU are called \"{}\"", variable.name));
    if (std::ranges::any_of(variable.name, [](unsigned char c) { return c < ' '; }))
      throw ModelError("the name of a variable of the FMU has control characters");
  }
}

std::unique_ptr<Run> Description::make_run(std::span<const std::string> parameters,
                                           std::span<const Input> inputs) const {
  std::vector<std::string> assignments;
  RunOptions options;
  options.outputs = output_patterns_;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Variable& variable = variables_[first_parameter() + i];
    const std::string& text = parameters[i];
    if (first_parameter() + i < own_parameters_) {
      assignments.push_back(fmt::format("{}={}", variable.name, text));
    } else if (variable.name == own_parameter::scheme) {
      options.scheme = text;
    } else if (variable.name == own_parameter::step) {
      options.step = read_real(own_parameter::step, text, Range::positive());
    } else {
      options.threads = read_integer(own_parameter::threads, text, Range::between(0, 256));
    }
  }
  const std::size_t own_inputs = model_.inputs().size();
  const Scenario scenario = model_.configure(assignments, inputs.first(own_inputs));
  Model model = scenario.build();
  for (std::size_t i = 0; i < loads_.size(); ++i) loads_[i].add_to(model, inputs[own_inputs + i]);
  auto run = std::make_unique<Run>(std::move(model), scenario.signals, options);
  if (first_output_ == variables_.size()) return run;  // the outputs are not known yet
  const std::vector<OutputInfo>& outputs = run->outputs().infos();
  const std::span known = std::span(variables_).subspan(first_output_);
  const auto is_same = [](const OutputInfo& one, const Variable& other) { return one.name == other.name; };
  if (!std::ranges::equal(outputs, known, is_same)) {
    throw ModelError(fmt::format("model \"{}\" has other outputs with these parameters than the FMU",
                                 model_.model().info().name));
  }
  return run;
}

std::string Description::xml_text(const std::string& token) const {
  return model_description_xml({.info = model_.model().info(),
                                .identifier = identifier_,
                                .token = token,
                                .step = variables_[own_parameters_ + 1].start,
                                .until = until_,
                                .variables = variables_});
}

}  // namespace picus::fmu
