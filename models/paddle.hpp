#pragma once

/// An elastic paddle, clamped to a slide, is put down on a rough floor and drawn along it, as a full mesh or reduced.
///
///     y ^   slide: starts above, comes down by `depth` past the floor within T, then moves along x
///       |[]======================   paddle: solid, L x b x t, E, nu, rho; leans down by an angle
///       |                      \\ its lower edge touches, mu, e = 0
///     --+----------------------------> x   floor
///
/// The edge hits the floor, bounces because the paddle vibrates, and slides.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct Paddle {
  enum class Body : std::uint8_t {
    full,          ///< hexahedra
    reduced,       ///< clamped at the slide, with the modes of a free edge, which its forces stiffen
    reduced_edge,  ///< the edge is an interface, with the responses to forces on it
  };
  Body body = Body::full;
  Index elements = 12;         ///< cells along
  Index modes = 6;             ///< vibration modes of a reduced paddle
  double length = 0.3;         ///< L, m
  double width = 0.03;         ///< b, m
  double thickness = 0.01;     ///< t, m
  double modulus = 2e9;        ///< E, N/m2
  double density = 1200.0;     ///< kg/m3
  double damping_time = 1e-4;  ///< s
  double lean = 0.2;           ///< angle of the paddle below the horizontal, rad
  double depth = 4e-3;         ///< m
  double height = 2e-3;        ///< of the edge above the floor at the start, m
  double duration = 0.04;      ///< T, of coming down, s
  double speed = 0.5;          ///< along x, m/s
  double mu = 0.3;
};

/// Node `slide`, contacts `edge[i]`.
Model make_paddle(const Paddle& parameters = {});

/// Forces of all contacts, "normal" and "friction"; gap and sliding velocity of a corner, "edge.gap" and "edge.speed"; energy.
Signals paddle_signals(const RunInfo& run, const Paddle& parameters);

/// First touch, and the largest and the final normal force.
Measures paddle_measures(const RunInfo& run, const Paddle& parameters);

RegisteredModel registered_paddle();

}  // namespace picus::models
