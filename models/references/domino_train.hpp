#pragma once

/// A row of dominoes that topple, each about the front edge of its foot, without friction between them, e = 0: those that have been
/// hit lean on each other and move as one (van Leeuwen 2010).
///
/// Domino i is turned by t_i; the upper front edge of the one before it lies on its back:
///
///     h sin(t_{i-1} - t_i) = (s + d) cos t_i - d
///
/// so that the angle of the first one in the wave gives all others. Energy is kept until it hits the next, where sin t = s/h; there
/// the momentum along this motion is, and its rate goes down from w to w S/(S + 1), with S = sum of (dt_i/dt)^2.

#include <vector>

namespace picus::models {

struct DominoTrain {
  double height;     ///< h, m
  double thickness;  ///< d, m
  double spacing;    ///< s, gap between neighbours, < h, m
  double rate;       ///< of the first one at the start, rad/s
  double gravity;    ///< m/s2
};

/// When the second and the others are hit, s: `count` times. Ends early where the wave dies.
std::vector<double> domino_hits(const DominoTrain& train, int count);

}  // namespace picus::models
