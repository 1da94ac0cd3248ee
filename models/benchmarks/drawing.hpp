#pragma once

/// The figures of a benchmark as data: its curves with few points that look the same as all of them.

#include <picus/models/benchmarks/result.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace picus::models {

/// Places of the points, in order, whose polyline stays within a 3000th of the two extents of the one through all
/// points (Douglas and Peucker 1973). Where that takes more than `most`, as many instead: both ends, and of each
/// of many equal stretches the points farthest to the left, right, top and bottom, so that a dense oscillation
/// keeps its envelope. x and y are of equal length; `most` is at least 8. Curves with NaN go the second way.
std::vector<std::size_t> thinned(std::span<const double> x, std::span<const double> y, double x_extent,
                                 double y_extent, std::size_t most = 2000);

/// The figures, drawn from what the runs gave. A curve that cannot be drawn says why.
std::vector<DrawnFigure> draw(const Experiments& experiments);

}  // namespace picus::models
