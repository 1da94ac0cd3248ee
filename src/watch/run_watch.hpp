#pragma once

/// Monitoring of a run for results that are wrong although every step was solved.

#include "contact_exchange.hpp"
#include "energy_watch.hpp"
#include "motion_watch.hpp"
#include "passage_watch.hpp"

#include <string>
#include <vector>

namespace picus::watch {

/// All monitors of a dynamic run.
class RunWatch {
 public:
  /// Begins at the start of a run.
  RunWatch(const System& system, const State& start, const RowValues& rows, const EnergyAudit& audit)
      : energies_(audit.energies(start)),
        contacts_(system),
        motions_(system, start),
        rotations_(system),
        passages_(system, start, rows) {}

  /// Adds the step of size h that led to `state`. Returns the result of PassageWatch::record_step().
  double record_step(const State& state, const RowValues& rows, const EnergyAudit& audit, double h) {
    energies_.add_doubt_of_motions(motions_.record_step(state, h));
    if (EnergyWatch::is_due(state.step)) {
      const Energies now = audit.energies(state);
      energies_.record_step(now, state.time);
      // After an impact the energy that it took has been seen as that of the motion before.
      const double exchanged = contacts_.energy(state, audit);
      if (now.kinetic < at_rest * exchanged) energies_.add_turned_over(exchanged);
    }
    rotations_.record_step(state, h);
    return passages_.record_step(state, rows, h);
  }
  /// Continues from another state, as after a checkpoint.
  void restart(const State& state, const RowValues& rows) {
    motions_.restart(state);
    passages_.restart(state, rows);
  }

  /// All warnings, one sentence each; `energies` are those of `last`, the last state.
  std::vector<std::string> warnings(const Energies& energies, const State& last) const {
    std::vector<std::string> sentences = motions_.warnings();
    const auto add = [&](const std::vector<std::string>& more) {
      sentences.insert(sentences.end(), more.begin(), more.end());
    };
    add(rotations_.warnings());
    add(passages_.warnings());
    EnergyWatch to_the_end = energies_;
    to_the_end.record_step(energies, last.time);
    if (const auto sentence = to_the_end.warning(last.step)) sentences.push_back(*sentence);
    if (const auto sentence = to_the_end.warning_of_impacts()) sentences.push_back(*sentence);
    return sentences;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(energies_, motions_, rotations_, passages_);
  }

 private:
  /// Kinetic energy of a model at rest, as a part of what contacts exchange with it in a step.
  static constexpr double at_rest = 1e-3;

  EnergyWatch energies_;
  ContactExchange contacts_;
  MotionWatch motions_;
  RotationWatch rotations_;
  PassageWatch passages_;
};

}  // namespace picus::watch
