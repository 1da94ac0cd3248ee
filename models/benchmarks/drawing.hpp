#pragma once

/// The figures of a benchmark as data: its curves with few points that look the same as all of them.

#include <picus/models/benchmarks/result.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace picus::models {

/// Places of about `most` points (and no fewer than 8) of the curve, in order: both ends, and of each of many
/// equal stretches the points that lie farthest to the left, right, top and bottom. All points of a short curve.
/// x and y are of equal length; NaN is kept where a whole stretch is NaN.
std::vector<std::size_t> thinned(std::span<const double> x, std::span<const double> y,
                                 std::size_t most = 2000);

/// The figures of a plan, drawn from what its runs gave. A curve that cannot be drawn says why.
std::vector<DrawnFigure> draw(const Plan& plan, const Outcomes& outcomes);

}  // namespace picus::models
