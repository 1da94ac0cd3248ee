#pragma once

/// Bricard's mechanism, problem A04 of the IFToMM library of computational benchmark problems (Gonzalez, Dopico,
/// Lugris and Cuadrado 2006): five rods along edges of a cube, with six hinges normal to them, the first and the last
/// on the ground.
///
///            4.------.5
///           /       /|          rods: l, m, square section; hinge i at corner i, its axis normal to the rods that meet
///         3.       / |          there; the ground is the edge from 5 to 0; gravity along -y
///          |      .0----.1
///          |            |   y
///         2'-----------'    |_ x       (not to scale: corners 0 to 5 are a closed path along edges)
///
/// One degree of freedom, although counting gives none: one of the 30 equations is redundant in every configuration,
/// and no joint angle parametrises the whole motion (BricardReference).

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct Bricard {
  double length = 1.0;    ///< l, m
  double width = 0.1;     ///< of the section, m
  double mass = 1.0;      ///< m of each rod, kg
  double gravity = 9.81;  ///< m/s2
};

/// Nodes `rod[0]` to `rod[4]` at the middle of the rods, joints `hinge[0]` to `hinge[5]`.
Model make_bricard(const Bricard& parameters = {});

/// The largest change of the energy.
Measures bricard_measures(const RunInfo& run, const Bricard& parameters);

/// Position of corner 3 with its exact values ("P3.x", "P3.y", "P3.z"), energy, violation.
Signals bricard_signals(const RunInfo& run, const Bricard& parameters);

RegisteredModel registered_bricard();

}  // namespace picus::models
