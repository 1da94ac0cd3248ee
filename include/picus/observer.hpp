#pragma once

/// Quantities measured during a run, with their reference values.
///
///     Measures measures;
///     measures.add("L1 error of the height", "", measures.l1_error(height), 0.0, "exact");
///     measures.add("at rest from", "s", measures.last_time([](const Snapshot& at) { return is_moving(at); }));
///
/// The memory required by a measure does not grow with the number of steps.

#include <picus/archive.hpp>
#include <picus/finding.hpp>
#include <picus/recorder.hpp>
#include <picus/signal.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace picus {

/// The measures of one run.
class Measures {
 public:
  /// The result of a measure, called after the run.
  using Number = std::function<std::optional<double>()>;
  /// A value at an instant.
  using Value = std::function<double(const Snapshot&)>;
  /// A condition at an instant.
  using Condition = std::function<bool(const Snapshot&)>;

  /// Adds data that is updated at the start and after every step, and stored in checkpoints: finite numbers, or a type
  /// with serialize(). It exists as long as the measures.
  template <class Accumulated>
  const Accumulated& accumulate(
      Accumulated start, std::type_identity_t<std::function<void(const Snapshot&, Accumulated&)>> change) {
    auto accumulator = std::make_unique<Accumulator<Accumulated>>(std::move(start), std::move(change));
    const Accumulated& value = accumulator->value;
    accumulators_.push_back(std::move(accumulator));
    return value;
  }

  /// L1 error of a signal (L1Error) relative to its exact values.
  Number l1_error(const Signal& signal);
  /// Largest absolute value over all steps.
  Number largest(Value value);
  /// Value at the last step.
  Number at_end(Value value);
  /// The first instant at which the condition holds, s.
  Number first_time(Condition condition);
  /// The last instant at which the condition holds, s; none if it still holds at the end of the run.
  Number last_time(Condition condition);
  /// Energies at the last step.
  const Energies& energies();

  /// Adds a quantity with its reference value, if known.
  void add(std::string quantity, std::string unit, Number value, std::optional<double> reference = {},
           std::string source = {});
  /// The same with a reference that is known only at the end of the run.
  void add(std::string quantity, std::string unit, Number value, Number reference, std::string source);

  /// Called at the start and after every step.
  void record(const Snapshot& at);
  /// Present values of all quantities.
  Findings findings() const;
  /// Stores the data in checkpoints.
  void serialize(Archive& archive);

 private:
  struct AnyAccumulator {
    virtual ~AnyAccumulator() = default;
    virtual void record(const Snapshot& at) = 0;
    virtual void serialize(Archive& archive) = 0;
  };
  template <class Accumulated>
  struct Accumulator : AnyAccumulator {
    Accumulator(Accumulated start, std::function<void(const Snapshot&, Accumulated&)> how)
        : value(std::move(start)), change(std::move(how)) {}
    void record(const Snapshot& at) override { change(at, value); }
    void serialize(Archive& archive) override { archive.in_place(value); }
    Accumulated value;
    std::function<void(const Snapshot&, Accumulated&)> change;
  };
  struct Entry {
    std::string quantity, unit;
    Number value, reference;
    std::string source;
  };

  std::vector<std::unique_ptr<AnyAccumulator>> accumulators_;
  std::vector<Entry> entries_;
};

/// A recorder that evaluates measures.
class Observer : public Recorder {
 public:
  /// `make` creates the measures when a run begins.
  explicit Observer(std::function<Measures(const RunInfo&)> make);
  void begin(const RunInfo& run) override;
  void record(const Snapshot& at) override;
  void finish(const std::string& outcome) override;
  void serialize(Archive& archive) override;
  /// The findings, after the run.
  Findings findings() const;

 private:
  std::function<Measures(const RunInfo&)> make_;
  Measures measures_;
};

namespace signals {

/// Position of a contact in a State: its number and its first row.
struct ContactPlace {
  std::size_t number = 0;  ///< index into System::contacts()
  Index row = 0;           ///< its normal row
};

/// The contact of that name. Throws ModelError if the model has none.
ContactPlace find_contact(const System& system, std::string_view name);
/// Whether a contact is closed; `contact` is its number.
bool is_closed(const State& state, std::size_t contact);
/// Whether any contact of the model is closed.
bool is_any_closed(const State& state);

}  // namespace signals
}  // namespace picus
