#pragma once

/// The time that a run spends in factorisations and solves.

#include <picus/profile.hpp>

namespace picus::bench {

struct LinearTimes {
  double factorize = 0.0;  ///< s
  double solve = 0.0;      ///< s

  friend LinearTimes operator-(const LinearTimes& a, const LinearTimes& b) {
    return {a.factorize - b.factorize, a.solve - b.solve};
  }
};

/// Of all sub-problems so far.
inline LinearTimes linear_times(const Profile& profile) {
  LinearTimes times;
  for (const Profile::Entry& entry : profile.entries()) {
    if (entry.part == ProfilePart::factorization) times.factorize += entry.seconds;
    if (entry.part == ProfilePart::solution) times.solve += entry.seconds;
  }
  return times;
}

}  // namespace picus::bench
