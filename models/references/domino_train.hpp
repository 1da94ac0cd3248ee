#pragma once

/// A row of toppling dominoes, each rotating about the front edge of its foot, without friction between them, e = 0:
/// those that have been hit lean on each other and move together (van Leeuwen 2010).
///
/// Domino i is rotated by t_i; the upper front edge of the preceding one lies on its back face:
///
///     h sin(t_{i-1} - t_i) = (s + d) cos t_i - d
///
/// so that the angle of the foremost one determines all others. Energy is conserved until it hits the next, where
/// sin t = s/h; there the momentum of this motion is conserved, and its rate decreases from w to w S/(S + 1), with
/// S = sum of (dt_i/dt)^2.

#include <vector>

namespace picus::models {

struct DominoTrain {
  double height;     ///< h, m
  double thickness;  ///< d, m
  double spacing;    ///< s, gap between neighbours, < h, m
  double rate;       ///< initial rate of the first one, rad/s
  double gravity;    ///< m/s2
};

/// Times at which the second and the following dominoes are hit, s: `count` values, fewer if the wave stops.
std::vector<double> domino_hits(const DominoTrain& p, int count);

}  // namespace picus::models
