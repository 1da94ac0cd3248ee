#pragma once

/// A model that the program can run: what it is, its parameters, how it is built and what it measures.

#include <picus/model.hpp>
#include <picus/models/observer.hpp>
#include <picus/models/parameters.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace picus::models {

/// What a user is told about a model.
struct ModelInfo {
  std::string name;     ///< as typed by the user, e.g. "bouncing-ball"
  std::string summary;  ///< one paragraph; the first sentence stands alone
  std::string source;   ///< paper and section
  double step;          ///< recommended step, s
  double until;         ///< recommended final time, s

  /// The first sentence of the summary.
  std::string title() const { return summary.substr(0, summary.find(". ")); }
};

/// A model with settled parameters. Cheap to copy; building it again gives the same model.
struct Scenario {
  std::function<Model()> build;  ///< the model, which carries its parameters as texts
  std::function<std::unique_ptr<Observer>()> make_observer;  ///< for one run
  TextEntries parameters;                                    ///< names and values
};

class RegisteredModel {
 public:
  /// P: the struct of parameters, `build` and `make_observer` make what belongs to one P.
  template <class P>
  RegisteredModel(ModelInfo info, const ParameterTable<P>& table,
                  Model (*build)(const std::type_identity_t<P>&),
                  std::unique_ptr<Observer> (*make_observer)(const std::type_identity_t<P>&))
      : info_(std::move(info)), parameters_(table.infos()) {
    configure_ = [table, build, make_observer](std::span<const std::string> assignments) {
      const P p = table.read(assignments);
      const TextEntries entries = table.write(p);
      const auto build_noted = [p, entries, build] {
        Model model = build(p);
        for (const auto& [name, value] : entries) model.note_parameter(name, value);
        return model;
      };
      return Scenario{build_noted, [p, make_observer] { return make_observer(p); }, entries};
    };
  }

  const ModelInfo& info() const { return info_; }
  const std::vector<ParameterInfo>& parameters() const { return parameters_; }

  /// Settings NAME=VALUE on top of the defaults. Throws OptionError that names model and culprit.
  Scenario configure(std::span<const std::string> assignments = {}) const;

 private:
  ModelInfo info_;
  std::vector<ParameterInfo> parameters_;
  std::function<Scenario(std::span<const std::string>)> configure_;
};

}  // namespace picus::models
