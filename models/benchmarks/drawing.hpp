#pragma once

/// The figures of a benchmark as data: curves reduced to few points that look like the full ones.

#include <picus/models/benchmarks/result.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace picus::models {

/// Indices of a subset of the points, in order, whose polyline stays within 1/3000 of the two extents of the full
/// polyline (Douglas and Peucker 1973). If that takes more than `most` points, that many instead: both ends, and in
/// each of many equal intervals the leftmost, rightmost, highest and lowest points, so that a dense oscillation keeps
/// its envelope. x and y are of equal length; `most` is at least 8. Curves with NaN are always reduced in the second
/// way.
std::vector<std::size_t> thinned(std::span<const double> x, std::span<const double> y, double x_extent,
                                 double y_extent, std::size_t most = 2000);

/// The figures, drawn from the results of the runs. A curve that cannot be drawn states why.
std::vector<DrawnFigure> draw(const Experiments& experiments);

}  // namespace picus::models
