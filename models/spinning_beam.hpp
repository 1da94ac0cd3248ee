#pragma once

/// The beam that Wu and Haug spin up (International Journal for Numerical Methods in Engineering 26 (1988) 2211), as a full
/// mesh, or reduced to shapes, in one piece or several.
///
///     y ^        hub at the origin, drives its angle:  w(t) = w_s (t/T - sin(2 pi t/T)/(2 pi)) to T, then w_s
///       |
///       o=====================-----> x     beam clamped to the hub: L, A, I, E, rho; in the plane, without gravity
///
/// w_s is more than the first natural angular frequency of the beam at rest, 2.9 rad/s, so that without the stiffness
/// that the spin gives it, it would be unstable. Its stretch at the steady spin is known,
///
///     u = rho w_s^2 L^3 / (3 E)          to the first order.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SpinningBeam {
  enum class Body : std::uint8_t {
    full,     ///< beam elements
    reduced,  ///< shapes
  };
  Body body = Body::full;
  Index elements = 16;      ///< of the whole beam
  Index parts = 1;          ///< reduced bodies, which divide the elements equally
  Index modes = 3;          ///< of each reduced body, besides the responses of its end
  bool stiffening = true;   ///< of reduced bodies, by spin and by forces at their ends
  bool limited = true;      ///< whether a spin or load beyond the limits of a reduced body ends the run
  double spin = 4.0;        ///< w_s, rad/s
  double duration = 15.0;   ///< T, s
  double length = 8.0;      ///< L, m
  double area = 7.2968e-5;  ///< A, m2
  double second_moment = 8.2189e-9;  ///< I, m4
  double modulus = 6.8952e10;        ///< E, N/m2
  double density = 2766.67;          ///< rho, kg/m3
};

/// Nodes `hub`, and `beam[0]` to `beam[n]`, or of part k `beam[k].root` and `beam[k].tip`.
Model make_spinning_beam(const SpinningBeam& parameters = {});

/// Displacement of the tip relative to a rigid beam, along ("tip.u") and across it ("tip.v"); spin, energy.
Signals spinning_beam_signals(const RunInfo& run, const SpinningBeam& parameters);

/// The largest deflection.
Measures spinning_beam_measures(const RunInfo& run, const SpinningBeam& parameters);

/// u of the formula above, m.
double spinning_beam_stretch(const SpinningBeam& parameters);

RegisteredModel registered_spinning_beam();

}  // namespace picus::models
