#pragma once

/// Models as FMUs: units of the Functional Mock-up Interface 3.0 for co-simulation (https://fmi-standard.org), which
/// other simulation programs load and step. The sources of a library for them define fmu_models():
///
///     struct Cart {
///       double mass = 2.0;
///       picus::Input force;  // N, set by the importer
///     };
///
///     picus::ModelParts<Cart> cart();  // as for run_main(): parameters, builder, signals
///
///     std::vector<picus::FmuModel> picus::fmu_models() {
///       return {picus::FmuModel(cart(), {{"force", &Cart::force, "N", "pushes the cart"}})};
///     }
///
/// and `picus_add_fmu(cart SOURCES cart.cpp)` of the CMake package makes cart.fmu. Outputs are the signals of the model
/// and its sensors. See docs/fmu.md for a complete example.

#include <picus/input.hpp>
#include <picus/registered_model.hpp>

#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace picus {

/// An input of a model whose parameters have the type P.
template <class P>
struct FmuInput {
  std::string name;          ///< name of the variable in the FMU
  Input P::*member;          ///< its value in the parameters is the start value
  std::string unit = {};     ///< empty for a pure number
  std::string meaning = {};  ///< a short description
};

/// Description of an input.
struct FmuInputInfo {
  std::string name;     ///< name of the variable in the FMU
  std::string unit;     ///< empty for a pure number
  std::string meaning;  ///< a short description
  double start = 0.0;   ///< value until the importer sets it, in `unit`
};

/// A model with the inputs that it has in an FMU. Cheap to copy.
class FmuModel {
 public:
  /// A model with inputs among its parameters. check() validates them.
  template <class P>
  FmuModel(const ModelParts<P>& parts, const std::type_identity_t<std::vector<FmuInput<P>>>& inputs)
      : model_(parts) {
    const P defaults = parts.parameters.read({});
    for (const FmuInput<P>& input : inputs) {
      const double start = input.member == nullptr ? 0.0 : (defaults.*input.member).value();
      inputs_.push_back({input.name, input.unit, input.meaning, start});
      has_members_ = has_members_ && input.member != nullptr;
    }
    configure_ = [parts, inputs](std::span<const std::string> assignments, std::span<const Input> values) {
      // Each instance has its own inputs, whereas all copies of the defaults share theirs.
      const auto bound = [inputs, values = std::vector<Input>(values.begin(), values.end())](P p) {
        for (std::size_t i = 0; i < inputs.size(); ++i) p.*inputs[i].member = values[i];
        return p;
      };
      ModelParts<P> own = parts;
      own.build = [build = parts.build, bound](const P& p) { return build(bound(p)); };
      if (parts.signals)
        own.signals = [signals = parts.signals, bound](const RunInfo& run, const P& p) {
          return signals(run, bound(p));
        };
      own.measures = {};
      return RegisteredModel(own).configure(assignments);
    };
  }
  /// A model without inputs of its own; loads on its nodes can be inputs (`picus fmu --input`).
  explicit FmuModel(const RegisteredModel& model);

  /// Name, description and parameters.
  const RegisteredModel& model() const { return model_; }
  /// Its inputs, in the order given.
  const std::vector<FmuInputInfo>& inputs() const { return inputs_; }

  /// Throws ModelError, one line that names the model and the cause: what RegisteredModel::check() refuses, an input
  /// without a name or a member, or with an invalid unit.
  void check() const;

  /// The model with settings NAME=VALUE applied to the defaults, and with these inputs, one for each of inputs(). Throws
  /// as RegisteredModel::configure() does.
  Scenario configure(std::span<const std::string> assignments, std::span<const Input> values) const {
    return configure_(assignments, values);
  }

 private:
  RegisteredModel model_;
  std::vector<FmuInputInfo> inputs_;
  bool has_members_ = true;  ///< whether each input has one
  std::function<Scenario(std::span<const std::string>, std::span<const Input>)> configure_;
};

/// The models of a library for FMUs, to be defined by its sources. Called once for each FMU that is loaded.
std::vector<FmuModel> fmu_models();

}  // namespace picus
