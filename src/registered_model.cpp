#include <picus/registered_model.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace picus {
namespace {

/// Returns the result of `work`; exceptions other than Error are rethrown as E with the model's name.
template <class E, class Work>
auto with_name(const std::string& model, std::string_view part, const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw E(fmt::format("model \"{}\": its {} failed: {}", model, part, error.what()));
  } catch (...) {
    throw E(fmt::format("model \"{}\": its {} threw what is no std::exception", model, part));
  }
}

/// Signals of a model that defines none: the values of scalar nodes, then the positions of the nodes that were added
/// last, which are mostly at the end of a mechanism.
Signals motion_signals(const RunInfo& run) {
  constexpr std::size_t most = 6;
  const Model& model = run.system.model();
  Signals found;
  for (const Node& node : model.nodes()) {
    if (node.kind == NodeKind::scalar && found.size() < most)
      found.push_back(signals::scalar_value(run, model.node_name(node), std::string(model.unit_of(node))));
  }
  for (std::size_t i = model.nodes().size(); i > 0 && found.size() + 3 <= most; --i) {
    const Node& node = model.nodes()[i - 1];
    if (node.kind == NodeKind::scalar) continue;
    for (const auto axis : {signals::Axis::x, signals::Axis::y, signals::Axis::z})
      found.push_back(signals::position(run, model.node_name(node), axis));
  }
  return found;
}

}  // namespace

RegisteredModel::RegisteredModel(ModelInfo info, std::vector<ParameterInfo> parameters)
    : info_(std::move(info)), parameters_(std::move(parameters)) {}
RegisteredModel::RegisteredModel(const RegisteredModel& other) = default;
RegisteredModel::RegisteredModel(RegisteredModel&& other) noexcept = default;
RegisteredModel& RegisteredModel::operator=(const RegisteredModel& other) = default;
RegisteredModel& RegisteredModel::operator=(RegisteredModel&& other) noexcept = default;
RegisteredModel::~RegisteredModel() = default;

void RegisteredModel::check() const {
  if (info_.name.empty()) throw ModelError("a model of this program has no name");
  if (!is_typed_name(info_.name))
    throw ModelError(fmt::format("model \"{}\" cannot be typed: a name has letters, digits, '-', '_' and '.'",
                                 info_.name));
  try {
    if (info_.summary.empty()) throw OptionError("a sentence that says what it is is missing (info.summary)");
    if (!build_) throw OptionError("the function that builds it is missing (build)");
    require_in_range("its step", info_.step, Range::positive());
    require_in_range("its final time", info_.until, Range::positive());
    check_parameters(parameters_);
  } catch (const OptionError& error) {
    throw ModelError(fmt::format("model \"{}\": {}", info_.name, error.what()));
  }
}

Scenario RegisteredModel::configure(std::span<const std::string> assignments) const {
  Scenario scenario;
  std::shared_ptr<const void> p;
  try {
    p = read_(assignments, scenario.parameters);
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("model \"{}\": {}", info_.name, error.what()));
  }
  const std::string& name = info_.name;
  scenario.build = [name, p, entries = scenario.parameters, build = build_] {
    Model model = with_name<ModelError>(name, "builder", [&] { return build(p.get()); });
    for (const auto& [parameter, value] : entries) model.note_parameter(parameter, value);
    return model;
  };
  scenario.make_observer = [name, p, measures = measures_] {
    return std::make_unique<Observer>([name, p, measures](const RunInfo& run) {
      if (!measures) return Measures();
      return with_name<ModelError>(name, "list of measures", [&] { return measures(run, p.get()); });
    });
  };
  scenario.signals = [name, p, signals = signals_](const RunInfo& run) {
    if (!signals) return motion_signals(run);
    return with_name<ModelError>(name, "list of signals", [&] { return signals(run, p.get()); });
  };
  return scenario;
}

void check_models(std::span<const RegisteredModel> models) {
  if (models.empty()) throw ModelError("this program has no models");
  for (auto one = models.begin(); one != models.end(); ++one) {
    one->check();
    const auto has_its_name = [&](const RegisteredModel& other) {
      return other.info().name == one->info().name;
    };
    if (std::find_if(models.begin(), one, has_its_name) != one)
      throw ModelError(fmt::format("two models of this program are called \"{}\"", one->info().name));
  }
}

const RegisteredModel& find_model(std::span<const RegisteredModel> models, std::string_view name,
                                  std::string_view list) {
  std::vector<std::string> names;
  for (const RegisteredModel& model : models) {
    if (model.info().name == name) return model;
    names.push_back(model.info().name);
  }
  const std::string hint = suggestion(name, names);
  throw OptionError(fmt::format("there is no model \"{}\"{}", name,
                                hint.empty() ? fmt::format("; `{}` names them", list) : hint));
}

}  // namespace picus
