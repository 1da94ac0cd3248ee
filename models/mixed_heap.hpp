#pragma once

/// Balls and boxes that are dropped into an open container, z upwards, and come to rest as a heap.
///
/// They start on a grid, rotated in an asymmetric pattern, spaced such that none touches another in any orientation.
/// The floor and four walls are half-spaces.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct MixedHeap {
  Index balls = 100;
  Index boxes = 50;
  double radius = 0.05;    ///< of the balls, m
  double size = 0.08;      ///< mean edge length of the boxes, m
  double width = 0.8;      ///< of the container along x and y, m
  double density = 600.0;  ///< kg/m3
  double mu = 0.3;
  double restitution = 0.1;
  double gravity = 9.81;  ///< m/s2
};

/// Nodes and surfaces `ball[0]`, ... and `box[0]`, ...; surfaces `floor` and `wall[0]` to `wall[3]`, contact set `all`.
Model make_mixed_heap(const MixedHeap& parameters = {});

/// Measures the number of bodies that have left the container, which should be zero, and the final force on the floor
/// compared with the weight.
Measures mixed_heap_measures(const RunInfo& run, const MixedHeap& parameters);

/// "outside" (number of bodies that have left the container), "floor" (force on it), "contacts" (number of closed
/// ones), "height" of the centre of mass, and energy.
Signals mixed_heap_signals(const RunInfo& run, const MixedHeap& parameters);

RegisteredModel registered_mixed_heap();

}  // namespace picus::models
