#pragma once

/// Andrews' squeezer mechanism, problem A03 of the IFToMM library of computational benchmark problems (Gonzalez,
/// Dopico, Lugris and Cuadrado 2006), from Schiehlen (1990), Multibody systems handbook; Hairer and Wanner, Solving
/// ordinary differential equations II, section VII.7; Mazzia and Magherini, Test set for initial value problem
/// solvers.
///
///     O --K1-- F --K2-- E          seven bodies in the x-y plane: a crank K1 on the ground at O, driven by a constant
///              B --K3-- E          torque, K3 on the ground at B, K5 and K7 at A; four bodies meet at E
///     A --K5-- G --K4-- E          a spring from D on K3 to C on the ground
///     A --K7-- H --K6-- E          no gravity
///
/// One degree of freedom. From rest the crank makes two and a half turns in 0.03 s: the time scale is a tenth of a
/// millisecond.

#include <picus/model.hpp>
#include <picus/models/references/squeezer_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

/// The parameters of the mechanism that users may want to change; those of its bodies are in Squeezer.
struct AndrewsSqueezer {
  double torque = Squeezer().torque;        ///< on the crank, N m
  double stiffness = Squeezer().stiffness;  ///< of the spring, N/m
};

/// Nodes `K1` to `K7` at the centres of mass, `beta` for the angle of the crank, which counts any number of turns.
Model make_andrews_squeezer(const AndrewsSqueezer& parameters = {});

/// Error of beta, and the change of energy minus the work of the motor.
Measures andrews_squeezer_measures(const RunInfo& run, const AndrewsSqueezer& parameters);

/// "beta" and "rate", "gamma" and "delta" (of K3 and K5), each with the reference values; "balance", the change of
/// energy since the start minus the work of the motor; violation.
Signals andrews_squeezer_signals(const RunInfo& run, const AndrewsSqueezer& parameters);

SqueezerReference andrews_squeezer_reference(const AndrewsSqueezer& parameters,
                                             StopRequest stop_request = nullptr);

RegisteredModel registered_andrews_squeezer();

}  // namespace picus::models
