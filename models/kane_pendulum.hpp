#pragma once

/// Kane's double pendulum: two equal rods on hinges, the lower end of which hits a rough floor. Newton's law of impact with
/// Coulomb friction gains energy there (Kane and Levinson, Dynamics, 1985).
///
///     ---o---                 rods: length 1 m, mass 1 kg, uniform; in the plane x-y, y upwards
///         \  theta_1          theta from the vertical, positive towards x
///          o
///           \   theta_2       the impact alone: no gravity, the end starts 1e-7 m above the floor
///     _______\._____ floor: mu, e

#include <picus/impact_law.hpp>
#include <picus/model.hpp>
#include <picus/models/references/planar_impact.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct KanePendulum {
  double angle_1 = 0.3490658503988659;  ///< theta_1, rad: 20 degrees
  double angle_2 = 0.5235987755982988;  ///< theta_2, rad: 30 degrees
  double rate_1 = -0.1;                 ///< rad/s
  double rate_2 = -0.2;                 ///< rad/s
  double mu = 0.5;
  double restitution = 0.5;  ///< e
  ImpactLaw::Kind law = ImpactLaw::Kind::poisson;
};

/// Nodes `rod[0]` and `rod[1]`, hinges `hinge[0]` and `hinge[1]`, contact `floor`.
Model make_kane_pendulum(const KanePendulum& parameters = {});

/// The impact at the angles of the start, with normal along y and friction along x.
PlanarImpact kane_pendulum_impact(const KanePendulum& parameters);

/// Energy, and the velocity of the lower end ("end.vx", "end.vy").
Signals kane_pendulum_signals(const RunInfo& run, const KanePendulum& parameters);

/// Energy after the impact over that before.
Measures kane_pendulum_measures(const RunInfo& run, const KanePendulum& parameters);

RegisteredModel registered_kane_pendulum();

}  // namespace picus::models
