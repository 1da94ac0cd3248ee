#pragma once

/// Monitoring of contacts whose bodies passed through each other within a step, so that they are open, or closed on the
/// far side, at its end (tunnelling). Declared contacts have a warning of their own; detected ones are counted as
/// missed, with those that the search did not detect (SearchStatistics).

#include <picus/row_values.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus::watch {

/// Schemes evaluate gaps at the ends of a step only. Between them the path is q_n o exp(s dq), s in [0, 1]. A gap
/// between round bodies is convex along it (a distance), so that it falls below its values at the ends only if it
/// decreases at the beginning and increases at the end. Contacts that neither approach fast enough at the beginning of
/// the step nor separate fast enough at its end cost two comparisons; the others cost two gradients, and a minimisation
/// if the tangents intersect below zero.
class PassageWatch {
 public:
  /// Begins at the start of a run.
  PassageWatch(const System& system, const State& start, const RowValues& rows);
  /// Adds the step of size h that led to `state`. Returns the largest depth at which bodies of detected contacts passed
  /// through each other, m; 0 if none did. Allocates nothing.
  double record_step(const State& state, const RowValues& rows, double h);
  /// Continues from another state, as after a checkpoint.
  void restart(const State& state, const RowValues& rows);
  /// One warning about the declared contacts, or none.
  std::vector<std::string> warnings() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(passages_);
  }

 private:
  struct Passages {
    std::int64_t count = 0;
    double time = 0.0;   ///< end of the step of the first one, s
    double depth = 0.0;  ///< depth of the first one, m

    template <class Archive>
    void serialize(Archive& archive) {
      archive(count, time, depth);
      archive.require(count >= 0);
    }
  };
  bool has_contacts() const;
  double depth_within(const RowBlock<Contact>& contact, const State& state, double gap_n, double gap);
  double gap_at(const RowBlock<Contact>& contact, double s);
  double slope_at(const RowBlock<Contact>& contact, const Configuration& q, std::vector<double>& normal);

  const System* system_;
  double tolerance_;                ///< m
  std::vector<Passages> passages_;  ///< of declared contacts

  // Values at t_n.
  Configuration q_;
  Vector gaps_, rates_;

  // Buffers.
  Configuration between_;
  Vector increment_, part_;
  std::vector<double> gap_, gradient_, normal_n_, normal_;
};

}  // namespace picus::watch
