#pragma once

/// The motion of a rigid crank-slider mechanism with clearance, from event to event in minimal coordinates.
///
/// A slider with its pin at the centre of mass does not rotate: the only forces on it are those of the pin and, at
/// both corners of one side together, of a guide. Nor does friction rotate it as long as its moment about the pin,
/// mu a N, is less than what the two corners can balance, b N (half height a and half length b of the slider). The
/// remaining coordinates are the angles q = (alpha, beta) of crank and rod; the height of the slider, y = l_1
/// sin(alpha) + l_2 sin(beta), is between -c and c:
///
///     M(q) = [ A                       C cos(alpha - beta) ]     A = J_1 + m_1 l_1^2/4 + (m_2 + m_3) l_1^2
///            [ C cos(alpha - beta)     B                   ]     B = J_2 + m_2 l_2^2/4 + m_3 l_2^2
///                                                                C = (m_2/2 + m_3) l_1 l_2
///     M q'' = f + n^T lambda + t^T tau,   n = dy/dq,   t = dx/dq,   tau = -mu |lambda| sign(x')
///     f = ( T - C sin(alpha - beta) beta'^2 - g (m_1/2 + m_2 + m_3) l_1 cos(alpha),
///           C sin(alpha - beta) alpha'^2 - g (m_2/2 + m_3) l_2 cos(beta) )
///
/// free between the guides (lambda = 0), in contact with a guide (y = +-c, until lambda would become tensile), with
/// Newton impacts in between, whose tangential impulse is mu times the normal one, or less if that stops the slider.
/// Without clearance, c = 0, the guides act in both directions without friction: y = 0 throughout.
///
/// Integrated by the classical Runge-Kutta method with steps of 1e-5 s; with steps of 2.5e-6 s the angles differ by
/// 1e-9 rad after two revolutions; events are located as roots within a step. Impacts count as accumulated if a
/// flight would be shorter than 1e-9 s.

#include <picus/models/references/followed_motion.hpp>

#include <array>
#include <limits>
#include <vector>

namespace picus::models {

class CrankSliderExact {
 public:
  struct Parameters {
    double crank_length, rod_length;           ///< l_1, l_2, m
    double crank_mass, rod_mass, slider_mass;  ///< m_1, m_2, m_3, kg
    double crank_inertia, rod_inertia;         ///< J_1, J_2 about the centres, kg m2
    double clearance;                          ///< c, m; 0: the slider cannot leave y = 0
    double restitution;                        ///< e
    double gravity;                            ///< g, m/s2
    double crank_speed, rod_speed;             ///< at the start, rad/s
    double crank_angle = 0.0;                  ///< at the start, rad
    double rod_angle = 0.0;                    ///< at the start, rad
    double torque = 0.0;                       ///< T on the crank, N m
    double mu = 0.0;                           ///< coefficient of friction, less than b/a
  };
  /// The motion up to `until`, s, which is computed only as far as it is queried. A query that has to compute further
  /// throws Interrupted if a stop is requested. Not for concurrent use.
  CrankSliderExact(const Parameters& parameters, double until, StopRequest stop_request = nullptr);

  double crank_angle(double t) const;  ///< not wrapped, rad
  double crank_speed(double t) const;  ///< rad/s
  double rod_angle(double t) const;    ///< not wrapped, rad
  double rod_speed(double t) const;    ///< rad/s
  double slider_x(double t) const;     ///< m
  double slider_y(double t) const;     ///< m
  double slider_vy(double t) const;    ///< m/s
  double energy(double t) const;       ///< with zero gravity potential at y = 0, J
  double guide_force(double t) const;  ///< on the slider along y, except at impacts, N

  /// An impact: its time, the normal speed just before it, m/s, and whether it is on the upper guide.
  struct Impact {
    double time;
    double speed;
    bool is_upper;
  };
  /// All distinct impacts up to `until`, however many these are; one after which the slider stays on the guide stands
  /// for the end of a sequence.
  const std::vector<Impact>& impacts() const;
  /// The time of the first impact, s; infinite if it is not before `until`.
  double first_impact() const;
  /// Computes up to t, or up to the first impact if that is earlier.
  void follow_to_first_impact(double t) const;
  /// Times at which the slider leaves a guide on which it stayed, up to `until`.
  const std::vector<double>& releases() const;

 private:
  using State = std::array<double, 4>;  ///< alpha, beta and their rates
  struct Mode {
    int guide = 0;  ///< guide in contact: -1 lower, 0 none, 1 upper
    int slip = 0;   ///< sign of x' on the guide
  };
  struct Knot {
    double start;
    State state;
    Mode mode;
  };
  static constexpr double never = std::numeric_limits<double>::infinity();
  /// The node of the integration reached so far, and the event that led there.
  struct Front {
    double time;
    State state;
    Mode mode;
    Impact impact = {never, 0.0, false};
    double release = never;
    double first_impact = never;
    bool has_ended = false;
  };
  struct Accelerations {
    double alpha, beta;
    double force;  ///< on the slider along y, from the guide in contact, N
  };

  Accelerations accelerations(const State& s, Mode mode) const;
  State rate(const State& s, Mode mode) const;
  State advance(const State& s, Mode mode, double h) const;
  Knot advance(Front& now) const;
  /// Advances a slider on a guide by up to h, or to the point where it leaves the guide or its velocity changes sign.
  void advance_on_guide(Front& now, double h) const;
  /// Advances a slider between the guides by up to h, or to the point where it hits one.
  void advance_free(Front& now, double h) const;
  void list_events() const;
  /// Impact with the guide on that side: y' becomes -restitution y'.
  void reflect(State& s, int side, double restitution) const;
  double x_rate(const State& s) const;
  double y(const State& s) const;
  double y_rate(const State& s) const;
  double y_acceleration(const State& s) const;
  const Knot& knot_at(double t) const;
  State at(double t) const;

  Parameters p_;
  double A_, B_, C_;  ///< of the mass matrix, kg m2
  double G_1_, G_2_;  ///< moments of the weights divided by g, kg m
  double until_;
  mutable FollowedMotion<Front, Knot> motion_;
  mutable bool has_listed_events_ = false;
  mutable std::vector<Impact> impacts_;  ///< filled on request
  mutable std::vector<double> releases_;
};

}  // namespace picus::models
