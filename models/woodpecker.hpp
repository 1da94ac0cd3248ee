#pragma once

/// The woodpecker toy (thesis, section 5.3): a bird that pecks its way down a pole.
///
///              |     |
///              |     |<-_  1: beak, l_S before and h_S above S
///              |     |   `-_
///          4 +-|-----|-+ 3  `-_       y
///            | |     | |       `-_    |
///            | |  M  | |---o-------S  +-- x
///            | |     | |  hinge and
///          5 +-|-----|-+ 2  spring
///              |     |
///               pole: r_O        M, S: centres of mass of sleeve and bird, l_M + l_G apart
///
/// A sleeve with clearance (r_M, h_M) hangs on a vertical pole and carries a bird on a torsional spring. Tilted by
/// the bird, the sleeve jams; when the bird swings back, the sleeve is released and falls a few millimetres until it
/// jams again. In between, the beak hits the pole. The motion is in the x-y plane.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct Woodpecker {
  /// One: x of the sleeve is fixed, and by symmetry contacts 4 and 5 are not needed. Two: the sleeve is free.
  enum class Case : std::uint8_t { one, two };
  /// Contacts and hinge on nodes connected to the bodies by rigid links (thesis, table 5.2), or on body-fixed points,
  /// which add no unknowns. The motion is the same.
  enum class Variant : std::uint8_t { rigid_links, body_points };

  Case guidance = Case::two;
  Variant variant = Variant::rigid_links;
  double mu = 0.3;                ///< coefficient of friction of all contacts
  double beak_restitution = 0.5;  ///< normal, of the beak; all others are zero
  /// Keep contacts 4 and 5 with the left face in case I, as always in case II. That is a different problem.
  bool all_contacts = false;

  bool has_left_contacts() const { return guidance == Case::two || all_contacts; }
};

/// Nodes `sleeve` and `bird` at the centres of mass, `angle` of the hinge, and with rigid links one node for each
/// corner, the beak and either side of the hinge. Contacts `beak`, `lower_right`, `upper_right`, `upper_left`,
/// `lower_left`. Sensors `beak`, at its tip, and `beak_force`, the force of the pole on it, at 1 kHz.
Model make_woodpecker(const Woodpecker& parameters = {});

/// Measures frequency and fall per cycle, over the cycles after the first half second.
Measures woodpecker_measures(const RunInfo& run, const Woodpecker& parameters);

Signals woodpecker_signals(const RunInfo& run, const Woodpecker& parameters);

RegisteredModel registered_woodpecker();

}  // namespace picus::models
