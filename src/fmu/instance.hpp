#pragma once

/// An instance of an FMU for co-simulation: the values of its variables, its mode, and its run. Errors in the sense of
/// FMI are exceptions here.

#include "description.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::fmu {

/// A text for the importer's log.
enum class LogLevel : std::uint8_t {
  warning,  ///< only if the importer wants it
  error,    ///< always
};
using Log = std::function<void(LogLevel level, const std::string& text)>;

/// Modes of the standard's state machine for co-simulation.
enum class Mode : std::uint8_t {
  instantiated,    ///< parameters and start values of inputs may be set
  initialization,  ///< these, and outputs may be read
  step,            ///< between communication points
  terminated,      ///< outputs may be read
  failed,          ///< the start or a step has failed: outputs are those before the failure
};

class Instance {
 public:
  Instance(std::shared_ptr<const Description> description, Log log);

  /// Throws OptionError for categories that the FMU does not have.
  void set_logging(bool is_on, std::span<const char* const> categories);
  /// Reports an error to the importer.
  void log_error(const std::string& text) const { log_(LogLevel::error, text); }

  // Transitions between modes. Each throws OptionError in a mode that does not allow it.

  /// From instantiated to initialization; times of the importer, s.
  void enter_initialization(double start, std::optional<double> stop);
  /// To step mode: starts the run.
  void exit_initialization();
  /// From step mode to terminated.
  void terminate();
  /// Back to instantiated, with the start values of all variables.
  void reset();

  // Values of variables by value references. Each throws OptionError for an unknown reference, a variable of another
  // type, a wrong number of values, a mode in which the variable cannot be read or set, and a value that is not finite.

  void get(std::span<const std::uint32_t> references, std::span<double> values);
  void get(std::span<const std::uint32_t> references, std::span<std::int32_t> values);
  void get(std::span<const std::uint32_t> references, std::span<bool> values);
  void get(std::span<const std::uint32_t> references, std::span<const char*> values);
  void set(std::span<const std::uint32_t> references, std::span<const double> values);
  void set(std::span<const std::uint32_t> references, std::span<const std::int32_t> values);
  void set(std::span<const std::uint32_t> references, std::span<const bool> values);
  void set(std::span<const std::uint32_t> references, std::span<const char* const> values);

  /// Advances from one communication point to the next. Throws OptionError for inconsistent times, and the exception of
  /// a step that fails.
  void do_step(double point, double step_size);
  /// Time of the importer at the end of the last step, s.
  double time() const { return time_; }

  /// All data on which the further behaviour of the instance depends. The scheme of a run is restarted
  /// (Run::save).
  std::vector<std::byte> save();
  /// Goes back to a saved state of this FMU. Throws FileError for other bytes, before anything is changed.
  void restore(std::span<const std::byte> bytes);
  /// States that the importer refers to by their addresses.
  std::vector<std::unique_ptr<std::vector<std::byte>>>& saved_states() { return saved_states_; }

 private:
  const Variable& variable(std::uint32_t reference, VariableType type) const;
  template <class T, class Read>
  void get_each(std::span<const std::uint32_t> references, std::span<T> values, VariableType type,
                const Read& read);
  template <class T, class Text>
  void set_parameters(std::span<const std::uint32_t> references, std::span<T> values, VariableType type,
                      const Text& text);
  void set_parameter(std::uint32_t reference, std::string text);
  void set_input(std::uint32_t reference, double value);
  double number(std::uint32_t reference);
  const std::string& parameter(std::uint32_t reference) const;
  void require_mode(std::string_view call, std::initializer_list<Mode> modes) const;
  Run& started_run();
  void log_warnings(const std::vector<std::string>& warnings) const;

  std::shared_ptr<const Description> description_;
  Log log_;
  bool logs_warnings_ = false;
  Mode mode_ = Mode::instantiated;
  std::vector<std::string> parameters_;  ///< as texts
  std::vector<Input> inputs_;
  std::unique_ptr<Run> run_;    ///< null until it is needed
  bool has_changed_ = false;    ///< whether values were set since the start of the run
  double start_ = 0.0;          ///< time of the importer at the start, s
  double time_ = 0.0;           ///< time of the importer, s
  std::optional<double> stop_;  ///< time that the importer will not exceed, s
  std::vector<std::unique_ptr<std::vector<std::byte>>> saved_states_;
};

}  // namespace picus::fmu
