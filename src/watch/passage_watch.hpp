#pragma once

/// Contacts whose bodies passed through each other within a step: open, or closed at the far side, at its end. Those that are declared
/// have a sentence of their own; those that were found count as missed, with what the search did not see (SearchStatistics).

#include <picus/row_values.hpp>
#include <picus/system.hpp>

#include <string>
#include <vector>

namespace picus::watch {

/// Gaps are known to the schemes at the ends of a step only. Between them the way is q_n o exp(s dq), s in [0, 1]. A gap
/// between round bodies is convex along it (a distance), so that it falls below its values at the ends only if it falls
/// at first and rises at last. Contacts that neither head for each other at the beginning of the step nor come from each
/// other at its end cost two comparisons; the others two gradients, and a search if the tangents meet below zero.
class PassageWatch {
 public:
  /// At the start of a run.
  PassageWatch(const System& system, const State& start, const RowValues& rows);
  /// The step of size h that led to `state`. Returns how deep bodies with contacts that were found passed through each other, m; 0 if
  /// none did. Allocates nothing.
  double record_step(const State& state, const RowValues& rows, double h);
  /// Goes on from another state, as after a checkpoint.
  void restart(const State& state, const RowValues& rows);
  /// A sentence on the declared contacts, or none.
  std::vector<std::string> warnings() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(passages_);
  }

 private:
  struct Passages {
    std::int64_t count = 0;
    double time = 0.0;   ///< of the first, end of its step
    double depth = 0.0;  ///< of the first, m

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

  // At t_n.
  Configuration q_;
  Vector gaps_, rates_;

  // Buffers.
  Configuration between_;
  Vector increment_, part_;
  std::vector<double> gap_, gradient_, normal_n_, normal_;
};

}  // namespace picus::watch
