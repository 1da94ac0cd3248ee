#pragma once

/// Rows of constraints and contacts at acceleration level, as differences of their rates along the motion at t_{n+1}.

#include <picus/kkt_assembler.hpp>
#include <picus/solvers/subproblems/contact_rate_rows.hpp>
#include <picus/solvers/subproblems/stage_map.hpp>

#include <array>
#include <span>
#include <vector>

namespace picus {

/// With the rates r(q, v, t) = G v + g_t, or G_c v, the acceleration of a row at the end of a stage is the central
/// difference
///
///     c d/dt r = c (r(q+, v+, t + d) - r(q-, v-, t - d)) / 2d,    q+- = q_n o exp(dq +- d v),    v+- = v +- d dv/dt
///
/// times c, the factor of the stage between acceleration and velocity increment, in m/s. (In the chart of the step the
/// rate of dq differs from v by dq x v / 2, of second order.) Its tangent needs second derivatives of g only. All
/// vectors have natural layout.
class AccelerationRows {
 public:
  explicit AccelerationRows(const System& system);

  /// Sets the contacts that are evaluated; the rows of all others are zero.
  void set_contacts(std::span<const std::size_t> contacts);
  /// Sets the motion of a stage, v = v_0 + v_own z and dq, at time t, with accelerations z / c, and the interval d, s.
  /// q_n and the constants of the maps must outlive the stage.
  void begin(const Configuration& q_n, const StageMap& dq, const StageMap& v, double t, double c,
             double interval, bool has_constraints);
  /// Evaluates both points at z.
  void evaluate(const Vector& z);

  /// Values at the z last evaluated: rows of constraints, if begin() was called with `has_constraints`, m/s.
  void constraint_values(Vector& values);
  /// The same of contacts; those that are not evaluated keep their entries.
  void contact_values(Vector& values) const;
  /// Adds the rows -k d/dz of the constraints.
  void add_constraint_rows(KktAssembler& kkt, const Vector& k);
  /// d/dz of the rows of contacts, with the charts applied.
  const Gradients& contact_rows();

 private:
  /// One of the two points.
  struct Point {
    explicit Point(const System& system);
    double t = 0.0;
    double weight = 0.0;  ///< of its rates
    Vector dq_0, dq, v;
    StageMap dq_map, v_map;
    Configuration q;
    Chart chart;
    Gradients G, contact_G;
  };

  const System* system_;
  const Configuration* q_n_ = nullptr;
  bool has_constraints_ = false;
  std::array<Point, 2> points_;
  std::vector<std::size_t> contacts_;
  ContactRateRows contact_rate_rows_;
  Gradients contact_rows_;
  Vector rate_, partial_rate_, scaled_k_;  ///< buffers
};

}  // namespace picus
