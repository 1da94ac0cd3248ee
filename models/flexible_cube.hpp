#pragma once

/// A soft cube that falls onto a floor and bounces (thesis, section 3.3.4).
///
///      z     _________
///      |    /|       /|        n x n x n hexahedra: L, E, nu, rho, Saint Venant-Kirchhoff
///      |   /_|______/ |        v_0 along x, w_0 downward
///      |   | |______|_|
///      |   |/       |/         | g
///      |   x_1------+          v
///      |      : h_0
///      +------:-----------> x
///     /////////////////////    floor: e = 0, mu, contact at every node of the bottom face
///
/// x_1 is a corner of the bottom face; without friction all four corners move alike.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct FlexibleCube {
  enum class Formulation : std::uint8_t { full, enhanced };

  Index divisions = 5;                          ///< n
  double mu = 0.0;                              ///< coefficient of friction
  double side = 0.1;                            ///< L, m
  double youngs_modulus = 90.0;                 ///< E, N/m2
  double poissons_ratio = 0.3;                  ///< nu
  double density = 1.0;                         ///< rho, kg/m3
  double height = 0.3;                          ///< h_0, initial height of the bottom face, m
  double sideways = 0.0;                        ///< v_0, m/s
  double downward = 0.0;                        ///< w_0, m/s
  double restitution = 0.0;                     ///< e
  double gravity = 9.81;                        ///< m/s2
  Formulation formulation = Formulation::full;  ///< of the hexahedra
};

/// Nodes `cube[i]`, contacts `floor[i]` in the order of the nodes of the bottom face, x running fastest.
Model make_flexible_cube(const FlexibleCube& parameters = {});

/// Measures the first contact, and the evolution of the energy.
Measures flexible_cube_measures(const RunInfo& run, const FlexibleCube& parameters);

/// Motion of x_1 ("x_1") and of the opposite corner of the top face ("top"), contact force and numbers of sticking
/// and slipping nodes ("floor.force", "floor.sticking", "floor.slipping"), height of the lowest node ("lowest"),
/// energies.
Signals flexible_cube_signals(const RunInfo& run, const FlexibleCube& parameters);

RegisteredModel registered_flexible_cube();

}  // namespace picus::models
