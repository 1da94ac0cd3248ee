#pragma once

/// Common to models of bodies with surfaces on a floor.

#include <picus/model.hpp>
#include <picus/observer.hpp>
#include <picus/signal.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace picus::models {

/// Largest displacement of a node since the start, m.
double largest_displacement(const Snapshot& at);
/// Sum of the normal forces of all contacts whose names end with `ending`, e.g. " on floor", over the last step, N.
double normal_force_on(const Snapshot& at, std::string_view ending);
/// Force of all contacts on a group of nodes, over the last step, N.
Vec3 contact_force_on(const Snapshot& at, const std::function<bool(const Node&)>& is_in_group);
/// Number of closed contacts.
double count_closed(const Snapshot& at);

/// Equal cubes, their floor, weight and contacts.
struct BoxStack {
  double size = 0.0;     ///< edge, m
  double density = 0.0;  ///< kg/m3
  double mu = 0.0;
  double gravity = 0.0;  ///< m/s2
};
/// Adds cubes `box[0]` and so on, centred at `places`, on a surface `floor`, z = 0, with a contact set `all`.
void add_box_stack(Model& model, const BoxStack& stack, const std::vector<FrameStart>& places);

/// Signals of bodies that stand on a surface "floor": "motion" (largest displacement), "floor" (force on it), "contacts"
/// (number of closed ones), and energy.
Signals stack_signals(const RunInfo& run);
/// The largest motion of a body, and the force on the floor at the end compared with `weight` (N).
Measures stack_measures(double weight);

}  // namespace picus::models
