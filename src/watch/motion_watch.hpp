#pragma once

/// Monitoring of prescribed motions whose rate is not the derivative of their displacement, and of rotations that a
/// step cannot resolve.

#include <picus/system.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace picus::watch {

/// Over each step the increment of a displacement is compared with the integral of its rate, by Simpson's rule: for
/// driven components of nodes, and for rheonomic constraints, where both are those of the residual at fixed q.
class MotionWatch {
 public:
  /// Begins at the start of a run.
  MotionWatch(const System& system, const State& start);
  /// Adds the step of size h that led to `state`. Returns the argument of EnergyWatch::add_doubt_of_motions(), J.
  double record_step(const State& state, double h);
  /// Continues from another state, as after a checkpoint.
  void restart(const State& state);
  /// A warning for each inconsistent motion.
  std::vector<std::string> warnings() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive.in_place(paths_);
  }

 private:
  /// Statistics of one displacement over the run so far.
  struct Path {
    double travelled = 0.0;  ///< sum of the magnitudes of its increments
    double missed = 0.0;     ///< sum of the differences between increment and integral

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
  std::vector<Path> paths_;  ///< of the driven components, then of the rows of rheonomic constraints
  std::vector<double> g_0_, g_1_, rate_, sum_;  ///< buffers of one constraint
};

/// Monitoring of the rotation of frames in a step.
class RotationWatch {
 public:
  explicit RotationWatch(const System& system);
  /// Adds the step of size h that led to `state`.
  void record_step(const State& state, double h);
  /// One warning, or none.
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
