#pragma once

/// The forces of a step as its scheme applied them, from which the energy audit computes their work.

#include <picus/configuration.hpp>
#include <picus/state.hpp>
#include <picus/types.hpp>

#include <array>
#include <cstddef>

namespace picus {

struct Gradients;

/// A point of a step at which the scheme evaluated forces.
struct ForcePoint {
  const Configuration* q = nullptr;  ///< null: the end of the step, with its velocity and time
  const Vector* v = nullptr;         ///< natural layout
  double time = 0.0;                 ///< s
  double weight = 0.0;               ///< weight_k of StepForces, s
  /// The sum of all forces there times `unit`, natural layout, which saves its evaluation; null: not known.
  const Vector* impulse = nullptr;
  double unit = 1.0;  ///< s
};

/// The motion whose forces replace f_n and F_n of the last step where a scheme restarts its accelerations.
struct ForceRestart {
  ForcePoint point;                          ///< its weight has no meaning
  const Vector* constraint_force = nullptr;  ///< lambda there, row layout, N; contacts carry no forces
};

/// The quadrature of forces over a step, or over one part of a step that was cut. For constant masses
///
///     M (v_{n+1} - v_n) = I + G^T (L + Lambda_b) + G_c^T (C + P)
///
/// where the impulse I of a force f over the step is
///
///     I = last F_n + next F_{n+1} + sum_k weight_k f(point_k)
///     (1 - alpha_m) F_{n+1} + alpha_m F_n = (1 - alpha_f) f_{n+1} + alpha_f f_n,      f_{n+1} = f(point_0), F_0 = f_0
///
/// L and C follow in the same way from the constraint forces lambda and the contact forces (without points), and
/// Lambda_b and P are further impulses. The vectors pointed to belong to the scheme.
struct StepForces {
  double h = 0.0;        ///< size of the step or part, s
  double alpha_m = 0.0;  ///< weight of F_n in F_{n+1}
  double alpha_f = 0.0;  ///< weight of f_n
  double last = 0.0;     ///< weight of F_n, s
  double next = 0.0;     ///< weight of F_{n+1}, s
  /// F_n is first replaced by f_n + retiming (F_n - f_n), in a part whose size differs from that of the last one.
  double retiming = 1.0;
  double retiming_after = 1.0;            ///< the same for F_{n+1} at the end
  std::array<ForcePoint, 2> points;       ///< f_{n+1} is the force at the first one
  std::size_t point_count = 1;            ///< number of points in use
  bool ends_massless_components = false;  ///< the impulse on components without mass is h f(point_0)

  const ForceRestart* restart = nullptr;       ///< null: F_n and f_n are those of the last step
  const Vector* constraint_force = nullptr;    ///< lambda of L, N; null: L = 0
  const Vector* contact_force = nullptr;       ///< forces of C, N; null: C = 0
  const Vector* constraint_impulse = nullptr;  ///< Lambda_b, N s; null: State::constraint_impulse at the end
  const Vector* contact_impulse = nullptr;     ///< P, N s; null: State::contact_impulse at the end

  /// Columns G^T of the constraint forces and of Lambda_b, as from System::evaluate_gradients(); null: constraints are
  /// assumed to do no work other than that of their prescribed motions.
  const Gradients* constraint_columns = nullptr;
  /// Columns of Lambda_b if they differ from those; null: they do not.
  const Gradients* constraint_impulse_columns = nullptr;
  /// Columns of lambda at the first point, where lambda then also acts with the weight of this point; null: those
  /// above, without such a weight.
  const Gradients* point_columns = nullptr;
  /// Columns of C + P, as from System::evaluate_contact_gradients(); null: the mean of those at both ends.
  const Gradients* contact_columns = nullptr;
  /// Rates u before impacts minus G_c v_n, m/s, contact row layout; null: 0. Impulses do the work P . (u + u') / 2.
  const Vector* rate_shift = nullptr;
  /// Whether P . rate_shift / 2 counts as work of constraints, whose directions turn in the step, with opposite sign;
  /// otherwise it counts as work of the quadrature.
  bool constraints_shift_rates = false;

  /// Increment of the configuration over the step before its correction, natural layout; null: no correction.
  const Vector* predicted_increment = nullptr;
  /// Velocity at the end before its correction, which belongs to this increment; null: that at the end.
  const Vector* predicted_velocity = nullptr;
  const State* end = nullptr;  ///< state at the end of the part; null: the end of the step

  /// The trapezoidal rule with the forces at both ends.
  static StepForces trapezoidal(double h) {
    StepForces forces;
    forces.h = h;
    forces.last = forces.next = h / 2;
    return forces;
  }
};

}  // namespace picus
