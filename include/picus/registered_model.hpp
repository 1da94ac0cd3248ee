#pragma once

/// A model that a program runs by name: its description, parameters, builder and measures.
///
///     struct Swing {
///       double length = 2.0;  // m
///       double angle = 0.5;   // rad
///     };
///
///     picus::RegisteredModel registered_swing() {
///       return picus::ModelParts<Swing>{
///           .info = {.name = "swing", .summary = "A point mass on a rod swings.", .step = 1e-3, .until = 5.0},
///           .parameters = picus::ParameterTable<Swing>()
///                             .real("length", &Swing::length, picus::Range::positive(), "m", "length of the rod")
///                             .real("angle", &Swing::angle, {}, "rad", "angle at the start"),
///           .build = build_swing,         // Model build_swing(const Swing&)
///           .measures = measure_swing};   // Measures measure_swing(const RunInfo&, const Swing&); may be left out
///     }
///
/// run_main() (picus/program.hpp) implements a program for such models.

#include <picus/model.hpp>
#include <picus/observer.hpp>
#include <picus/parameter_table.hpp>
#include <picus/signal.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace picus {

/// Defaults of `picus converge` for a model.
struct ConvergenceDefaults {
  std::vector<std::string> quantities;  ///< names or patterns of signals; empty: all
  std::vector<double> steps;            ///< s
  double until = 0.0;                   ///< final time, s; 0: that of the model
};

/// Description of a model for the user.
struct ModelInfo {
  std::string name;         ///< as typed by the user, e.g. "bouncing-ball": letters, digits, '-', '_', '.'
  std::string summary;      ///< one paragraph; the first sentence is also used by itself
  std::string source = {};  ///< paper and section, if there is one
  double step = 1e-3;       ///< recommended step, s
  double until = 1.0;       ///< recommended final time, s
  ConvergenceDefaults convergence = {};  ///< defaults of `picus converge`

  /// The first sentence of the summary.
  std::string title() const { return summary.substr(0, summary.find(". ")); }
};

/// A model with its parameters set. Cheap to copy; building it again gives the same model.
struct Scenario {
  std::function<Model()> build;  ///< builds the model, which carries its parameters as texts
  std::function<std::unique_ptr<Observer>()> make_observer;  ///< creates the observer of one run
  std::function<Signals(const RunInfo&)> signals;            ///< creates the signals of one run
  TextEntries parameters;                                    ///< names and values
};

/// The parts of a registered model with parameters of type P. All but the first three are optional.
template <class P>
struct ModelParts {
  ModelInfo info;                        ///< name, summary and defaults
  ParameterTable<P> parameters;          ///< parameters that can be set
  std::function<Model(const P&)> build;  ///< builds the model; what it throws is reported in one line
  /// Quantities measured during a run, with their reference values: its findings.
  std::function<Measures(const RunInfo&, const P&)> measures = {};
  /// Signals over time, with the reference solution where one is known (Signal::exact): for `converge`. Without any:
  /// values of scalar nodes and positions of the last nodes, six at most.
  std::function<Signals(const RunInfo&, const P&)> signals = {};
};

class RegisteredModel {
 public:
  /// From its parts, for any type of parameters. check() validates them.
  template <class P>
  // NOLINTNEXTLINE(google-explicit-constructor): { .info = ... } makes one
  RegisteredModel(const ModelParts<P>& parts) : RegisteredModel(parts.info, parts.parameters.infos()) {
    read_ = [table = parts.parameters](std::span<const std::string> assignments, TextEntries& entries) {
      auto p = std::make_shared<P>(table.read(assignments));
      entries = table.write(*p);
      return std::shared_ptr<const void>(std::move(p));
    };
    if (parts.build)
      build_ = [build = parts.build](const void* p) { return build(*static_cast<const P*>(p)); };
    if (parts.measures) {
      measures_ = [measures = parts.measures](const RunInfo& run, const void* p) {
        return measures(run, *static_cast<const P*>(p));
      };
    }
    if (parts.signals) {
      signals_ = [signals = parts.signals](const RunInfo& run, const void* p) {
        return signals(run, *static_cast<const P*>(p));
      };
    }
  }
  /// Copies share the functions of the parts.
  RegisteredModel(const RegisteredModel& other);
  /// The moved-from object can only be assigned to or destroyed.
  RegisteredModel(RegisteredModel&& other) noexcept;
  /// As the copy constructor.
  RegisteredModel& operator=(const RegisteredModel& other);
  /// As the move constructor.
  RegisteredModel& operator=(RegisteredModel&& other) noexcept;
  ~RegisteredModel();

  /// Name, summary and defaults.
  const ModelInfo& info() const { return info_; }
  /// The parameters that can be set, with their defaults.
  const std::vector<ParameterInfo>& parameters() const { return parameters_; }

  /// Throws ModelError, one line that names the model and the cause: a name that is invalid or missing, no summary, no
  /// builder, a step or final time that is not a positive number, a parameter that occurs twice, has an invalid unit or
  /// a default outside its range.
  void check() const;

  /// The model with settings NAME=VALUE applied to the defaults. Throws OptionError that names the model and the
  /// setting. An exception of the builder other than Error is rethrown as ModelError with the model's name.
  Scenario configure(std::span<const std::string> assignments = {}) const;

 private:
  RegisteredModel(ModelInfo info, std::vector<ParameterInfo> parameters);

  ModelInfo info_;
  std::vector<ParameterInfo> parameters_;
  // The type of the parameters is known to these functions only.
  std::function<std::shared_ptr<const void>(std::span<const std::string>, TextEntries&)> read_;
  std::function<Model(const void*)> build_;
  std::function<Measures(const RunInfo&, const void*)> measures_;
  std::function<Signals(const RunInfo&, const void*)> signals_;
};

/// Throws ModelError unless there is at least one model, each passes its check() and no two have the same name.
void check_models(std::span<const RegisteredModel> models);

/// The model of that name; throws OptionError with the nearest name, or with the command that lists all, if there is
/// none.
const RegisteredModel& find_model(std::span<const RegisteredModel> models, std::string_view name,
                                  std::string_view list = "picus list");

}  // namespace picus
