#pragma once

/// A chain of three masses with a very stiff end (Rezaei and Schindler, section 2.8; after Bathe and Noh, Computers and
/// Structures 98-99, 2012).
///
///     u_0 = sin(omega_p t)
///     |-->                                                                       P: on mass 3
///     o--/\/\/--[ 1 ]--/\/\/--[ 2 ]--/\/\/--[ 3 ]--/\/\/\/\/\--|/      (a) end=spring
///         k_2     m      k_2    m      k_2    m        k_1     |/
///     ............................................[ 3 ]========|/      (b) end=joint: u_3 = 0
///     ............................................[ 3 ]|/               (b) end=stop: u_3 <= 0, e = 0
///
/// All positions x are displacements u from static equilibrium, where the chain starts at rest.
///
/// The numbers of the paper are not available. Assumed here: the chain as described in its text (masses 1 and 2 on
/// soft springs, mass 3 connected to the rigid wall by a stiff spring, or in case (b) by a bilateral constraint),
/// with the values of Bathe and Noh: k_1 = 1e7 N/m, k_2 = 1 N/m, m = 1 kg, omega_p = 1.2 rad/s, a massless driven end
/// (their m_1 = 0), and h = 0.2618 s, a twentieth of the period of the drive. A force P = 5 N on mass 3, acting from
/// the start, excites the stiff mode with 5e-7 m about its new equilibrium, and presses mass 3 against the wall
/// throughout: so the bilateral constraint may be replaced by a stop that is in contact initially. Contacts exert no
/// force at the start, so that with the stop a scheme begins with an acceleration of mass 3 that the stop does not
/// admit (5 m/s2), the disturbance from which schemes at velocity level oscillate. The force of a joint is part of
/// the initial state.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct ThreeMasses {
  enum class End : std::uint8_t { spring, joint, stop };
  End end = End::spring;
  double mass = 1.0;       ///< m of each, kg
  double soft = 1.0;       ///< k_2, N/m
  double stiff = 1e7;      ///< k_1, N/m
  double frequency = 1.2;  ///< omega_p, rad/s
  double preload = 5.0;    ///< P, N
};

/// Nodes `drive`, `mass_1`, `mass_2`, `mass_3` (points moving along x). At the wall: spring `stiff`, joint `wall` or
/// contact `stop`.
Model make_three_masses(const ThreeMasses& parameters = {});

/// Measures the largest displacement of mass 3, and the largest error of the force at the wall.
Measures three_masses_measures(const RunInfo& run, const ThreeMasses& parameters);

/// With exact values, for the stop as long as it need not pull. `wall.force` of the spring is instantaneous; that of
/// joint and stop is as the scheme provides it: at the end of the step, or the mean over the step for a scheme that
/// has only impulses.
Signals three_masses_signals(const RunInfo& run, const ThreeMasses& parameters);

RegisteredModel registered_three_masses();

}  // namespace picus::models
