#pragma once

/// A run step by step, for whoever needs more than simulate():
///
///     picus::Stepper stepper(model, integrator);
///     picus::State state = stepper.start();
///     while (state.time < 1.0) stepper.step(state);
///
/// It holds the System, has the integrator start and step, and finds the contacts of each step where the model has contact sets.
/// (A model without them may be stepped by its integrator alone.)

#include <picus/contact_set.hpp>
#include <picus/model.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>
#include <picus/time_integrator.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace picus {

/// How the contacts that a run finds have changed, summed over its steps.
struct SearchStatistics {
  std::int64_t changes = 0;  ///< steps that began with other contacts than the one before
  std::int64_t repeats =
      0;  ///< of steps, because surfaces had passed each other that were not in it as contacts
  /// Steps that ended like that all the same; of simulate() also those within which bodies passed through each other.
  std::int64_t misses = 0;
  double worst_depth = 0.0;  ///< of those, m

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(changes, repeats, misses, worst_depth);
    archive.require(changes >= 0 && repeats >= 0 && misses >= 0);
  }
};

/// The contacts of a step are those that the search lists for the way from q_n to q_n o exp(h v_n + h^2/2 a_n), and no others:
/// patterns of matrices are built anew when the list changes and only then. What contacts carry from step to step (multipliers,
/// rates for restitution, slip) goes with their keys. When surfaces have passed each other in a step that were not in its list,
/// they are added and the step is repeated from where it began.
class Stepper {
 public:
  /// All must outlive it; nobody else can use the integrator while it lives. `threads` as for System. Where the time of start() and
  /// step() goes is told to `profile`, if there is one. Throws as System and IntegratorHold do.
  Stepper(const Model& model, TimeIntegrator& integrator, int threads = 0, Profile* profile = nullptr);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// The model in numbers, with the contacts of the last step; the same object as long as the stepper lives.
  const System& system() const { return system_; }
  /// TimeIntegrator::start. Throws ModelError when surfaces are too deep in each other at the start.
  State start();
  /// TimeIntegrator::step. The state may be any of this model, with its contacts. On SolverError it is where it was, perhaps with
  /// other contacts.
  StepReport step(State& state);
  /// Begins anew at `state`, as after a start, so that equal states are followed by equal steps: for runs that go on from a
  /// checkpoint. Throws ModelError when its contacts are none of the model's.
  void resume(State& state);

  /// Gives `state` these contacts in place of its own, for the steps to come: rows of contacts that stay keep what they hold, and
  /// new ones have the rates of their gaps. Throws ModelError for keys that are not ascending or none of the model's.
  void change_contacts(State& state, std::span<const ContactKey> keys);

  /// Whether the last step had other contacts than the one before.
  bool has_changed_contacts() const { return has_changed_; }
  /// Where the last step began, with its contacts. Only for models with contact sets.
  const State& begin() const { return begin_; }
  /// Of all steps so far.
  SearchStatistics& statistics() { return statistics_; }
  /// The same.
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  /// Of those listed in a start or a step.
  using Keys = std::vector<ContactKey>;

  void find(const Configuration& q, const Configuration& end, const Keys& kept, Keys& found);
  double add_missed(const Configuration& q, Keys& keys);
  void set_contacts(std::span<const ContactKey> keys);
  void predict(const State& state);

  const Model* model_;
  TimeIntegrator* integrator_;
  System system_;
  IntegratorHold hold_;
  std::vector<std::unique_ptr<ContactSearch>> searches_;
  SearchStatistics statistics_;
  State begin_;
  Configuration end_;
  Vector dq_, v_, a_;
  Keys keys_, missed_;
  std::vector<FoundContact> contacts_;
  bool has_changed_ = false;
  bool is_ready_ = true;  ///< the integrator knows the contacts
};

}  // namespace picus
