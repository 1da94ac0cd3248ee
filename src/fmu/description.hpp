#pragma once

/// The variables of an FMU, and its modelDescription.xml.

#include "node_words.hpp"
#include "run.hpp"
#include "setup.hpp"
#include <picus/fmu.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace picus::fmu {

/// Types of variables.
enum class VariableType : std::uint8_t {
  float64,  ///< a number
  int32,    ///< an integer
  boolean,  ///< a flag
  string,   ///< a choice or a text
};

/// The role of a variable for the importer.
enum class Causality : std::uint8_t {
  independent,  ///< the time
  parameter,    ///< set before the start
  input,        ///< set at each communication point
  output,       ///< read at each communication point
};

struct Variable {
  std::string name;
  VariableType type = VariableType::float64;
  Causality causality = Causality::output;
  std::string unit = {};     ///< empty for a pure number
  std::string meaning = {};  ///< a short description
  std::string start = {};    ///< start value as text, of parameters and inputs
  std::optional<double> low = {}, high = {};
};

/// Parameters of every FMU besides those of its model.
namespace own_parameter {
inline constexpr std::string_view scheme = "picus.scheme";
inline constexpr std::string_view step = "picus.step";
inline constexpr std::string_view threads = "picus.threads";
}  // namespace own_parameter

class Description {
 public:
  /// Describes a model of the library, which is built and started with its default parameters to determine its outputs.
  /// Throws OptionError and ModelError for a setup that does not fit it, and the exceptions of the start.
  Description(const std::vector<FmuModel>& models, const Setup& setup);

  /// All variables; the value reference of a variable is its index.
  const std::vector<Variable>& variables() const { return variables_; }
  /// Index of the first parameter, input and output; each kind is followed by the next.
  std::size_t first_parameter() const { return 1; }
  std::size_t first_input() const { return first_input_; }
  std::size_t first_output() const { return first_output_; }
  /// Name of the model as an identifier of C, which is the name of the library in the FMU.
  const std::string& identifier() const { return identifier_; }
  /// Changes with any part of the description.
  const std::string& token() const { return token_; }
  /// modelDescription.xml.
  std::string xml() const { return xml_text(token_); }

  /// Starts a run with these values of the parameters, as texts, and these inputs. Throws OptionError for a value out of
  /// its range, and ModelError if the model has other outputs with these parameters.
  std::unique_ptr<Run> make_run(std::span<const std::string> parameters, std::span<const Input> inputs) const;

 private:
  void add_parameters(const Setup& setup);
  void add_inputs(const Setup& setup);
  void add_outputs(const Run& run);
  void check_names() const;
  std::string xml_text(const std::string& token) const;

  FmuModel model_;
  std::vector<NodeLoad> loads_;
  std::vector<std::string> output_patterns_;
  double until_;
  std::vector<Variable> variables_;
  std::size_t own_parameters_ = 0;  ///< index of the first parameter that does not belong to the model
  std::size_t first_input_ = 0;
  std::size_t first_output_ = 0;
  std::string identifier_;
  std::string token_;
};

}  // namespace picus::fmu
