#pragma once

/// What a model measures of its own run, beside the values that are known of it.
///
///     Measures measures;
///     measures.add("L1 error of the height", "", measures.l1_error(height), 0.0, "exact");
///     measures.add("at rest from", "s", measures.last_time([](const Snapshot& at) { return is_moving(at); }));
///
/// A measure keeps only what it needs, whatever the number of steps.

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
  /// Asked for after the run.
  using Number = std::function<std::optional<double>()>;
  /// Of an instant.
  using Value = std::function<double(const Snapshot&)>;
  /// Of an instant.
  using Condition = std::function<bool(const Snapshot&)>;

  /// Something that changes with the start and every step, and that checkpoints hold: finite numbers, or what has a
  /// serialize(). Lives as long as the measures.
  template <class Kept>
  const Kept& keep(Kept start, std::type_identity_t<std::function<void(const Snapshot&, Kept&)>> change) {
    auto track = std::make_unique<Track<Kept>>(std::move(start), std::move(change));
    const Kept& kept = track->kept;
    tracks_.push_back(std::move(track));
    return kept;
  }

  /// L1 error of a signal (L1Error) against its exact values.
  Number l1_error(const Signal& signal);
  /// Largest size over all steps.
  Number largest(Value value);
  /// At the last step.
  Number at_end(Value value);
  /// The first instant at which it holds, s.
  Number first_time(Condition condition);
  /// The last instant at which it holds, s; none if it still does at the end of the run.
  Number last_time(Condition condition);
  /// At the last step.
  const Energies& energies();

  /// A quantity with what is known of it.
  void add(std::string quantity, std::string unit, Number value, std::optional<double> reference = {},
           std::string source = {});
  /// The same with a reference that only the end of the run tells.
  void add(std::string quantity, std::string unit, Number value, Number reference, std::string source);

  /// The start or a step.
  void record(const Snapshot& at);
  /// As they are now.
  Findings findings() const;
  /// What checkpoints hold of them.
  void serialize(Archive& archive);

 private:
  struct AnyTrack {
    virtual ~AnyTrack() = default;
    virtual void record(const Snapshot& at) = 0;
    virtual void serialize(Archive& archive) = 0;
  };
  template <class Kept>
  struct Track : AnyTrack {
    Track(Kept start, std::function<void(const Snapshot&, Kept&)> how)
        : kept(std::move(start)), change(std::move(how)) {}
    void record(const Snapshot& at) override { change(at, kept); }
    void serialize(Archive& archive) override { archive.in_place(kept); }
    Kept kept;
    std::function<void(const Snapshot&, Kept&)> change;
  };
  struct Entry {
    std::string quantity, unit;
    Number value, reference;
    std::string source;
  };

  std::vector<std::unique_ptr<AnyTrack>> tracks_;
  std::vector<Entry> entries_;
};

/// A recorder that measures.
class Observer : public Recorder {
 public:
  /// `make` is asked for the measures when a run begins.
  explicit Observer(std::function<Measures(const RunInfo&)> make);
  void begin(const RunInfo& run) override;
  void record(const Snapshot& at) override;
  void finish(const std::string& outcome) override;
  void serialize(Archive& archive) override;
  /// After the run.
  Findings findings() const;

 private:
  std::function<Measures(const RunInfo&)> make_;
  Measures measures_;
};

namespace signals {

/// Where a contact is in a State: its number and its first row.
struct ContactPlace {
  std::size_t number = 0;  ///< among System::contacts()
  Index row = 0;           ///< its normal one
};

/// Throws ModelError when the model has no contact of that name.
ContactPlace find_contact(const System& system, std::string_view name);
/// Whether a contact is closed; `contact` is its number.
bool is_closed(const State& state, std::size_t contact);
/// Whether any contact of the model is closed.
bool is_any_closed(const State& state);

}  // namespace signals
}  // namespace picus
