#pragma once

/// A run step by step, for user-written time loops:
///
///     picus::Stepper stepper(model, integrator);
///     picus::State state = stepper.start();
///     while (state.time < 1.0) stepper.step(state);
///
/// It owns the System, calls the integrator, and detects the contacts of each step if the model has contact sets. (A
/// model without them may be stepped by its integrator alone.)

#include <picus/contact_searches.hpp>
#include <picus/contact_set.hpp>
#include <picus/model.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>
#include <picus/time_integrator.hpp>

#include <cstdint>
#include <vector>

namespace picus {

/// Statistics of the contact search over the steps of a run.
struct SearchStatistics {
  std::int64_t changes = 0;  ///< steps whose contacts differ from those of the previous step
  /// Steps repeated because surfaces penetrated that were not in the list of contacts.
  std::int64_t repeats = 0;
  /// Steps that nevertheless ended with such a penetration; in simulate() also steps within which bodies passed through
  /// each other.
  std::int64_t misses = 0;
  double worst_depth = 0.0;  ///< largest such penetration, m

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(changes, repeats, misses, worst_depth);
    archive.require(changes >= 0 && repeats >= 0 && misses >= 0);
  }
};

/// The contacts of a step are those that the search lists for the path from q_n to q_n o exp(h v_n + h^2/2 a_n), and no
/// others: matrix patterns are rebuilt only when the list changes. The data of contacts from step to step (multipliers,
/// rates for restitution, slip) is carried over by their keys. If surfaces have penetrated in a step that were not in
/// its list, their contacts are added and the step is repeated from its beginning.
class Stepper {
 public:
  /// All arguments must outlive it; the integrator cannot be used elsewhere while it exists. `threads` as for System.
  /// start() and step() are timed by `profile`, if given. Throws as System and IntegratorReservation do.
  Stepper(const Model& model, TimeIntegrator& integrator, int threads = 0, Profile* profile = nullptr);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  ~Stepper();

  /// The system, with the contacts of the last step; the same object as long as the stepper exists.
  const System& system() const { return system_; }
  /// TimeIntegrator::start. Throws ModelError if surfaces penetrate each other too deeply at the start.
  State start();
  /// TimeIntegrator::step. The state may be any state of this model, with its contacts. After SolverError it is
  /// unchanged, except possibly for its list of contacts.
  StepReport step(State& state);
  /// Restarts at `state`, so that equal states are followed by equal steps: for runs resumed from a checkpoint. Throws
  /// ModelError for contacts that the model does not have.
  void resume(State& state);

  /// Replaces the contacts of `state` by these, for the following steps: rows of contacts that remain keep their
  /// values, and new ones get the rates of their gaps. Throws ModelError for keys that are not ascending or that the
  /// model does not have.
  void change_contacts(State& state, std::span<const ContactKey> keys);

  /// Whether the contacts of the last step differ from those of the previous one.
  bool has_changed_contacts() const { return has_changed_; }
  /// The state at the beginning of the last step, with its contacts. Only for models with contact sets.
  const State& begin() const { return begin_; }
  /// Statistics of all steps so far.
  SearchStatistics& statistics() { return statistics_; }
  /// The same.
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  /// Keys of the contacts listed for a start or a step.
  using Keys = std::vector<ContactKey>;

  void find(const Configuration& q, const Configuration& end, const Keys& previous, Keys& found);
  double add_undetected(const Configuration& q, Keys& keys);
  void predict(const State& state);
  bool meets_undetected(const Configuration& q);

  const Model* model_;
  TimeIntegrator* integrator_;
  System system_;
  IntegratorReservation reservation_;
  ContactSearches searches_;
  SearchStatistics statistics_;
  State begin_;
  Configuration end_;
  Vector dq_, v_, a_;
  Keys keys_, undetected_;
  bool has_changed_ = false;
  bool may_repeat_ = true;  ///< whether the present start or step may be repeated with more contacts
  bool is_ready_ = true;    ///< whether the integrator has the present contacts
};

}  // namespace picus
