#pragma once

/// What a model measures of its own run, beside the values that are known of it.

#include <picus/recorder.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// A quantity as Picus found it and as the literature or an exact solution has it.
struct Finding {
  std::string quantity;
  std::string unit;                 ///< empty for a pure number
  std::optional<double> value;      ///< empty when the run was too short to tell
  std::optional<double> reference;  ///< empty when none is known for these parameters
  std::string source;               ///< of the reference, e.g. "thesis 5.3.5"
};

/// A recorder that measures; it keeps only what it needs, whatever the number of steps. serialize() names all of it, so
/// that a run that goes on from a checkpoint finds the same.
class Observer : public Recorder {
 public:
  void finish(const std::string& /*outcome*/) override {}
  /// After the run.
  virtual std::vector<Finding> findings() const = 0;
  void serialize(Archive& archive) override = 0;
};

/// Of a model that measures nothing.
class NoObserver : public Observer {
 public:
  void begin(const RunInfo& /*run*/) override {}
  void record(const Snapshot& /*snapshot*/) override {}
  std::vector<Finding> findings() const override { return {}; }
  void serialize(Archive& /*archive*/) override {}
};

/// Where a contact is in a State: its number and its first row.
struct ContactPlace {
  std::size_t number = 0;
  Index row = 0;
};

/// Throws ModelError when the model has no contact of that name.
ContactPlace find_contact(const System& system, std::string_view name);

}  // namespace picus::models
