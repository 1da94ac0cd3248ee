#pragma once

/// The outputs of a model in an FMU: its signals and the quantities of its sensors.

#include <picus/recorder.hpp>
#include <picus/sensor.hpp>
#include <picus/signal.hpp>

#include <span>
#include <string>
#include <vector>

namespace picus::fmu {

struct OutputInfo {
  std::string name;     ///< "tip.x", "SENSOR.QUANTITY", "SENSOR.QUANTITY[1]" for the first of several values
  std::string unit;     ///< empty for a pure number or an unknown unit
  std::string meaning;  ///< a short description
};

/// The outputs of one run.
class Outputs {
 public:
  /// The outputs that any of `patterns` matches, all signals and sensors if there are none; NODE.x and the like stand for
  /// the signals of a node (signal.hpp), also in models that do not list them. Throws OptionError for a pattern that
  /// matches nothing, for a name that occurs twice, and if there are no outputs at all.
  Outputs(const RunInfo& run, const Signals& signals, std::span<const std::string> patterns);

  const std::vector<OutputInfo>& infos() const { return infos_; }

  /// To be called for the start and after each step: means of sensors include it. Allocates nothing.
  void record(const Snapshot& at);
  /// Evaluates all outputs at the step last recorded; means are those since the last call.
  void sample(const Snapshot& at);
  /// The outputs of the last sample.
  std::span<const double> values() const { return values_; }
  /// Stores all data that later samples depend on, for FMU states.
  void serialize(Archive& archive);

 private:
  struct SensorPart {
    Sensor sensor;
    std::vector<double> reading;  ///< of the last call
    std::vector<double> sums;     ///< of the readings since the last sample
    bool is_used = false;         ///< whether any output is one of its values
  };
  /// Where an output comes from: a signal, or an entry of the readings of a sensor.
  struct Source {
    bool is_signal;
    std::size_t part;
    std::size_t entry;
  };
  struct Candidate {
    OutputInfo info;
    Source source;
  };
  std::vector<Candidate> list_candidates(const Model& model, const Signals& signals);
  void add(const Candidate& candidate);

  std::vector<OutputInfo> infos_;
  std::vector<Source> sources_;
  Signals signals_;
  std::vector<SensorPart> sensors_;
  std::int64_t recorded_ = 0;  ///< steps since the last sample
  std::vector<double> values_;
};

}  // namespace picus::fmu
