#include <picus/convergence.hpp>
#include <picus/observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {

Measures::Number Measures::l1_error(const Signal& signal) {
  const L1Error& error = accumulate(L1Error{}, [signal](const Snapshot& at, L1Error& sum) {
    sum.add(signal.value(at), signal.exact(at.state.time));
  });
  return [&error] { return error.value(); };
}

Measures::Number Measures::largest(Value value) {
  const double& largest = accumulate(0.0, [value = std::move(value)](const Snapshot& at, double& most) {
    most = std::max(most, std::abs(value(at)));
  });
  return [&largest] { return largest; };
}

Measures::Number Measures::at_end(Value value) {
  const auto& last =
      accumulate(std::optional<double>(),
                 [value = std::move(value)](const Snapshot& at, auto& latest) { latest = value(at); });
  return [&last] { return last; };
}

Measures::Number Measures::first_time(Condition condition) {
  const auto& first =
      accumulate(std::optional<double>(), [condition = std::move(condition)](const Snapshot& at, auto& time) {
        if (!time && condition(at)) time = at.state.time;
      });
  return [&first] { return first; };
}

Measures::Number Measures::last_time(Condition condition) {
  struct LastTime {
    double time = 0.0;
    bool still_holds = false;
    void serialize(Archive& archive) { archive(time, still_holds); }
  };
  const LastTime& last =
      accumulate(LastTime{}, [condition = std::move(condition)](const Snapshot& at, LastTime& latest) {
        latest.still_holds = condition(at);
        if (latest.still_holds) latest.time = at.state.time;
      });
  return [&last] { return last.still_holds ? std::nullopt : std::optional(last.time); };
}

const Energies& Measures::energies() {
  return accumulate(Energies{},
                    [](const Snapshot& at, Energies& last) { last = at.audit.energies(at.state); });
}

void Measures::add(std::string quantity, std::string unit, Number value, std::optional<double> reference,
                   std::string source) {
  add(
      std::move(quantity), std::move(unit), std::move(value), [reference] { return reference; },
      std::move(source));
}

void Measures::add(std::string quantity, std::string unit, Number value, Number reference,
                   std::string source) {
  entries_.push_back(
      {std::move(quantity), std::move(unit), std::move(value), std::move(reference), std::move(source)});
}

void Measures::record(const Snapshot& at) {
  for (const auto& accumulator : accumulators_) accumulator->record(at);
}

Findings Measures::findings() const {
  Findings findings;
  for (const Entry& entry : entries_)
    findings.push_back({entry.quantity, entry.unit, entry.value(), entry.reference(), entry.source});
  return findings;
}

void Measures::serialize(Archive& archive) {
  for (const auto& accumulator : accumulators_) accumulator->serialize(archive);
}

Observer::Observer(std::function<Measures(const RunInfo&)> make) : make_(std::move(make)) {}

void Observer::begin(const RunInfo& run) {
  measures_ = make_(run);
}

void Observer::record(const Snapshot& at) {
  measures_.record(at);
}

void Observer::finish(const std::string& /*outcome*/) {}

void Observer::serialize(Archive& archive) {
  measures_.serialize(archive);
}

Findings Observer::findings() const {
  return measures_.findings();
}

namespace signals {

ContactPlace find_contact(const System& system, std::string_view name) {
  std::size_t number = 0;
  for (const RowBlock<Contact>& contact : system.contacts()) {
    if (contact.element->name() == name) return {number, contact.first_row};
    ++number;
  }
  throw ModelError(fmt::format("there is no contact \"{}\"", name));
}

bool is_closed(const State& state, std::size_t contact) {
  return state.contact_state[contact] != ContactState::gap;
}

bool is_any_closed(const State& state) {
  return std::ranges::any_of(state.contact_state,
                             [](ContactState contact) { return contact != ContactState::gap; });
}

}  // namespace signals
}  // namespace picus
