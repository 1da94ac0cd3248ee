#pragma once

/// Motions in time whose rate is not the derivative of their displacement, and rotations that a step cannot resolve.

#include <picus/system.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace picus::watch {

/// Over each step the difference of a displacement is compared with the integral of its rate, by Simpson's rule: for
/// driven components of nodes, and for constraints that depend on time, where both are those of the equation at rest.
class MotionWatch {
 public:
  /// At the start of a run.
  MotionWatch(const System& system, const State& start);
  /// The step of size h that led to `state`. Returns what EnergyWatch::add_doubt_of_motions() takes, J.
  double record_step(const State& state, double h);
  /// Goes on from another state, as after a checkpoint.
  void restart(const State& state);
  /// A sentence for each motion.
  std::vector<std::string> warnings() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(paths_);
  }

 private:
  /// One displacement in time, over the run so far.
  struct Path {
    double travelled = 0.0;  ///< sum of the magnitudes of its steps
    double missed = 0.0;     ///< sum of the differences

    void add(double step, double integral, double rounding);
    template <class Archive>
    void serialize(Archive& archive) {
      archive(travelled, missed);
    }
  };
  struct Driven {
    Index dof = 0;
    const PrescribedMotion* motion = nullptr;
    double displacement = 0.0, rate = 0.0, reaction = 0.0;  ///< at t_n
  };
  void check_constraints(const State& state, double h);
  std::string name_of(std::size_t path) const;

  const System* system_;
  std::vector<Driven> driven_;
  std::vector<const RowBlock<BilateralConstraint>*> moving_;
  std::vector<Path> paths_;  ///< of the driven components, then of the rows of the moving constraints
  std::vector<double> g_0_, g_1_, rate_, sum_;  ///< buffers of one constraint
};

/// How far frames turn in a step.
class RotationWatch {
 public:
  explicit RotationWatch(const System& system);
  /// The step of size h that led to `state`.
  void record_step(const State& state, double h);
  /// A sentence, or none.
  std::vector<std::string> warnings() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(largest_square_, node_, time_);
    archive.require(node_ == 0 || std::find(frames_.begin(), frames_.end(), node_) != frames_.end());
  }

 private:
  const System* system_;
  std::vector<Index> frames_;  ///< numbers of the nodes
  double largest_square_ = 0.0;
  Index node_ = 0;
  double time_ = 0.0;
};

}  // namespace picus::watch
