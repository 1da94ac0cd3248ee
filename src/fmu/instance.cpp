#include "instance.hpp"

#include "../printable.hpp"
#include <picus/archive.hpp>
#include <picus/error.hpp>
#include <picus/text_values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::fmu {
namespace {

constexpr std::string_view warning_category = "logStatusWarning";
constexpr std::string_view error_category = "logStatusError";

std::string_view name_of(VariableType type) {
  if (type == VariableType::float64) return "Float64";
  if (type == VariableType::int32) return "Int32";
  return type == VariableType::boolean ? "Boolean" : "String";
}

std::string_view name_of(Mode mode) {
  if (mode == Mode::instantiated) return "before the initialization";
  if (mode == Mode::initialization) return "in initialization mode";
  if (mode == Mode::step) return "in step mode";
  return mode == Mode::terminated ? "after the end" : "after a failure";
}

void require_count(std::size_t references, std::size_t values) {
  if (references != values) throw OptionError(fmt::format("{} values for {} variables", values, references));
}

/// Tolerance for the rounding errors of importers that sum up their steps.
double time_slack(double time, double step_size) {
  constexpr double slack = 1e-9;
  return slack * std::max(std::abs(time), step_size);
}

}  // namespace

Instance::Instance(std::shared_ptr<const Description> description, Log log)
    : description_(std::move(description)), log_(std::move(log)) {
  reset();
}

void Instance::set_logging(bool is_on, std::span<const char* const> categories) {
  bool has_warnings = categories.empty();
  for (const char* category : categories) {
    const std::string_view name = category == nullptr ? "" : category;
    if (name != warning_category && name != error_category)
      throw OptionError(fmt::format("there is no log category \"{}\"", detail::printable(name)));
    has_warnings = has_warnings || name == warning_category;
  }
  if (has_warnings) logs_warnings_ = is_on;
}

void Instance::require_mode(std::string_view call, std::initializer_list<Mode> modes) const {
  if (std::ranges::find(modes, mode_) == modes.end())
    throw OptionError(fmt::format("{} is not possible {}", call, name_of(mode_)));
}

void Instance::enter_initialization(double start, std::optional<double> stop) {
  require_mode("fmi3EnterInitializationMode", {Mode::instantiated});
  if (!std::isfinite(start) || (stop && !(*stop >= start)))
    throw OptionError(
        fmt::format("a simulation from {} s to {} s cannot be started", start, stop.value_or(start)));
  start_ = time_ = start;
  stop_ = stop;
  mode_ = Mode::initialization;
}

void Instance::exit_initialization() {
  require_mode("fmi3ExitInitializationMode", {Mode::initialization});
  const Run& run = started_run();
  mode_ = Mode::step;
  log_warnings(run.warnings());
}

void Instance::log_warnings(const std::vector<std::string>& warnings) const {
  if (!logs_warnings_) return;
  for (const std::string& warning : warnings) log_(LogLevel::warning, warning);
}

void Instance::terminate() {
  require_mode("fmi3Terminate", {Mode::step, Mode::failed});
  if (mode_ == Mode::failed) return;
  mode_ = Mode::terminated;
  log_warnings(run_->doubts());
}

void Instance::reset() {
  parameters_.clear();
  inputs_.clear();
  const std::vector<Variable>& variables = description_->variables();
  for (std::size_t i = description_->first_parameter(); i < description_->first_input(); ++i)
    parameters_.push_back(variables[i].start);
  for (std::size_t i = description_->first_input(); i < description_->first_output(); ++i)
    inputs_.emplace_back(read_real(variables[i].name, variables[i].start));
  run_.reset();
  has_changed_ = false;
  start_ = time_ = 0.0;
  stop_.reset();
  mode_ = Mode::instantiated;
}

Run& Instance::started_run() {
  if (run_ && !has_changed_) return *run_;
  run_.reset();
  try {
    run_ = description_->make_run(parameters_, inputs_);
  } catch (...) {
    mode_ = Mode::failed;
    throw;
  }
  has_changed_ = false;
  return *run_;
}

const Variable& Instance::variable(std::uint32_t reference, VariableType type) const {
  const std::vector<Variable>& variables = description_->variables();
  if (reference >= variables.size())
    throw OptionError(fmt::format("there is no value reference {}", reference));
  const Variable& found = variables[reference];
  if (found.type != type) {
    throw OptionError(
        fmt::format("variable \"{}\" is of type {}, not {}", found.name, name_of(found.type), name_of(type)));
  }
  return found;
}

const std::string& Instance::parameter(std::uint32_t reference) const {
  return parameters_[reference - description_->first_parameter()];
}

template <class T, class Read>
void Instance::get_each(std::span<const std::uint32_t> references, std::span<T> values, VariableType type,
                        const Read& read) {
  require_count(references.size(), values.size());
  for (const std::uint32_t reference : references) variable(reference, type);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = read(references[i]);
}

double Instance::number(std::uint32_t reference) {
  const Variable& found = description_->variables()[reference];
  if (found.causality == Causality::independent) return time_;
  if (found.causality == Causality::parameter) return read_real(found.name, parameter(reference));
  if (found.causality == Causality::input) return inputs_[reference - description_->first_input()].value();
  if (mode_ == Mode::instantiated || (mode_ == Mode::failed && !run_))
    throw OptionError(fmt::format("output \"{}\" has no value {}", found.name, name_of(mode_)));
  const Run& run = mode_ == Mode::initialization ? started_run() : *run_;
  return run.outputs().values()[reference - description_->first_output()];
}

void Instance::get(std::span<const std::uint32_t> references, std::span<double> values) {
  get_each(references, values, VariableType::float64, [&](std::uint32_t i) { return number(i); });
}
void Instance::get(std::span<const std::uint32_t> references, std::span<std::int32_t> values) {
  get_each(references, values, VariableType::int32,
           [&](std::uint32_t i) { return read_integer(description_->variables()[i].name, parameter(i)); });
}
void Instance::get(std::span<const std::uint32_t> references, std::span<bool> values) {
  get_each(references, values, VariableType::boolean, [&](std::uint32_t i) { return parameter(i) == "yes"; });
}
void Instance::get(std::span<const std::uint32_t> references, std::span<const char*> values) {
  get_each(references, values, VariableType::string, [&](std::uint32_t i) { return parameter(i).c_str(); });
}

void Instance::set_parameter(std::uint32_t reference, std::string text) {
  const Variable& found = description_->variables()[reference];
  if (mode_ != Mode::instantiated && mode_ != Mode::initialization)
    throw OptionError(fmt::format("parameter \"{}\" cannot be set {}", found.name, name_of(mode_)));
  parameters_[reference - description_->first_parameter()] = std::move(text);
  has_changed_ = true;
}

void Instance::set_input(std::uint32_t reference, double value) {
  if (mode_ == Mode::terminated || mode_ == Mode::failed)
    throw OptionError(fmt::format("input \"{}\" cannot be set {}", description_->variables()[reference].name,
                                  name_of(mode_)));
  const Input& input = inputs_[reference - description_->first_input()];
  if (mode_ == Mode::step) {
    input.set(value, run_->time());
  } else {
    input.set(value, 0.0);
    has_changed_ = true;
  }
}

void Instance::set(std::span<const std::uint32_t> references, std::span<const double> values) {
  require_count(references.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Variable& found = variable(references[i], VariableType::float64);
    if (found.causality != Causality::parameter && found.causality != Causality::input)
      throw OptionError(fmt::format("variable \"{}\" cannot be set", found.name));
    if (!std::isfinite(values[i]))
      throw OptionError(
          fmt::format("variable \"{}\" is set to {}, must be a finite number", found.name, values[i]));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (description_->variables()[references[i]].causality == Causality::input) {
      set_input(references[i], values[i]);
    } else {
      set_parameter(references[i], number_text(values[i]));
    }
  }
}

template <class T, class Text>
void Instance::set_parameters(std::span<const std::uint32_t> references, std::span<T> values,
                              VariableType type, const Text& text) {
  require_count(references.size(), values.size());
  for (const std::uint32_t reference : references) variable(reference, type);
  for (std::size_t i = 0; i < values.size(); ++i) set_parameter(references[i], text(values[i]));
}
void Instance::set(std::span<const std::uint32_t> references, std::span<const std::int32_t> values) {
  set_parameters(references, values, VariableType::int32,
                 [](std::int32_t value) { return std::to_string(value); });
}
void Instance::set(std::span<const std::uint32_t> references, std::span<const bool> values) {
  set_parameters(references, values, VariableType::boolean,
                 [](bool value) { return std::string(value ? "yes" : "no"); });
}
void Instance::set(std::span<const std::uint32_t> references, std::span<const char* const> values) {
  set_parameters(references, values, VariableType::string,
                 [](const char* value) { return std::string(value == nullptr ? "" : value); });
}

void Instance::do_step(double point, double step_size) {
  require_mode("fmi3DoStep", {Mode::step});
  const double slack = time_slack(time_, step_size);
  if (!(std::abs(point - time_) <= slack))
    throw OptionError(fmt::format("the communication point is {} s, the FMU at {} s", point, time_));
  if (stop_ && point + step_size > *stop_ + slack)
    throw OptionError(
        fmt::format("a step to {} s goes beyond the stop time {} s", point + step_size, *stop_));
  run_->plan(step_size);  // rejects an invalid duration, before the run can fail
  try {
    run_->advance(step_size);
  } catch (...) {
    mode_ = Mode::failed;
    throw;
  }
  time_ = point + step_size;
}

std::vector<std::byte> Instance::save() {
  Archive archive;
  std::string token = description_->token();
  archive(token, mode_, has_changed_, start_, time_, stop_, parameters_);
  for (const Input& input : inputs_) input.serialize(archive);
  bool has_run = run_ && !has_changed_;
  archive(has_run);
  if (has_run) {
    std::vector<std::byte> run = run_->save();
    archive(run);
  }
  return archive.bytes();
}

void Instance::restore(std::span<const std::byte> bytes) {
  Archive archive(bytes, "an FMU state");
  std::string token;
  Mode mode{};
  bool has_changed = false;
  double start = 0.0;
  double time = 0.0;
  std::optional<double> stop;
  std::vector<std::string> parameters;
  archive(token);
  if (token != description_->token()) throw FileError("the state is of another FMU");
  archive(mode, has_changed, start, time, stop, parameters);
  archive.require(mode <= Mode::failed && parameters.size() == parameters_.size() && std::isfinite(start) &&
                  std::isfinite(time));
  std::vector<Input> inputs(inputs_.size());
  for (const Input& input : inputs) input.serialize(archive);
  bool has_run = false;
  archive(has_run);
  archive.require(has_run || (mode != Mode::step && mode != Mode::terminated));
  std::unique_ptr<Run> run;
  if (has_run) {
    std::vector<std::byte> content;
    archive(content);
    archive.finish_reading();
    if (run_ && !has_changed_ && parameters == parameters_) {
      run_->restore(content);
      run = std::move(run_);
      // The model reads the inputs that it was built with.
      Archive values;
      for (const Input& input : inputs) input.serialize(values);
      Archive written(values.bytes(), "inputs of an FMU state");
      for (const Input& input : inputs_) input.serialize(written);
      inputs = inputs_;
    } else {
      run = description_->make_run(parameters, inputs);
      run->restore(content);
    }
  }
  run_ = std::move(run);
  inputs_ = std::move(inputs);
  parameters_ = std::move(parameters);
  mode_ = mode;
  has_changed_ = has_changed;
  start_ = start;
  time_ = time;
  stop_ = stop;
}

}  // namespace picus::fmu
