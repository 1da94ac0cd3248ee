#pragma once

/// A model that the program can run: what it is, its parameters, how it is built and what it measures.

#include <picus/model.hpp>
#include <picus/models/observer.hpp>
#include <picus/models/signal.hpp>
#include <picus/parameter_table.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace picus::models {

/// What `picus converge` studies of a model unless told otherwise.
struct ConvergenceDefaults {
  std::vector<std::string> quantities;  ///< names or patterns of signals; empty: all
  std::vector<double> steps;            ///< s
  double until = 0.0;                   ///< s; 0: that of the model
};

/// What a user is told about a model.
struct ModelInfo {
  std::string name;     ///< as typed by the user, e.g. "bouncing-ball"
  std::string summary;  ///< one paragraph; the first sentence stands alone
  std::string source;   ///< paper and section
  double step;          ///< recommended step, s
  double until;         ///< recommended final time, s
  ConvergenceDefaults convergence = {};

  /// The first sentence of the summary.
  std::string title() const { return summary.substr(0, summary.find(". ")); }
};

/// A model with settled parameters. Cheap to copy; building it again gives the same model.
struct Scenario {
  std::function<Model()> build;  ///< the model, which carries its parameters as texts
  std::function<std::unique_ptr<Observer>()> make_observer;  ///< for one run
  std::function<Signals(const RunInfo&)> signals;            ///< of one run
  TextEntries parameters;                                    ///< names and values
};

/// What makes a model with parameters of type P. All but the first three may be left out.
template <class P>
struct ModelParts {
  ModelInfo info;
  ParameterTable<P> parameters;
  Model (*build)(const P&);
  Measures (*measures)(const RunInfo&, const P&) = nullptr;
  Signals (*signals)(const RunInfo&, const P&) = nullptr;
};

class RegisteredModel {
 public:
  template <class P>
  RegisteredModel(
      const ModelParts<P>& parts)  // NOLINT(google-explicit-constructor): { .info = ... } makes one
      : info_(parts.info), parameters_(parts.parameters.infos()) {
    configure_ = [table = parts.parameters, build = parts.build, measures = parts.measures,
                  signals = parts.signals](std::span<const std::string> assignments) {
      const P p = table.read(assignments);
      const TextEntries entries = table.write(p);
      Scenario scenario;
      scenario.build = [p, entries, build] {
        Model model = build(p);
        for (const auto& [name, value] : entries) model.note_parameter(name, value);
        return model;
      };
      scenario.make_observer = [p, measures] {
        return std::make_unique<Observer>([p, measures](const RunInfo& run) {
          return measures == nullptr ? Measures() : measures(run, p);
        });
      };
      scenario.signals = [p, signals](const RunInfo& run) {
        return signals == nullptr ? Signals{} : signals(run, p);
      };
      scenario.parameters = entries;
      return scenario;
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
