#pragma once

/// The points of a sweep: the varied parameters and their values, one setting of the model per point.

#include <picus/registered_model.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace picus::program {

/// Random sampling of points; without it all combinations are used.
struct Sampling {
  Index count = 0;
  bool is_latin =
      true;  ///< Latin hypercube: one point in each of `count` slices of every range; otherwise random
  std::uint64_t seed = 1;  ///< equal seeds give equal points, on any machine
};

struct SweepPlan {
  std::vector<std::string> names;                ///< names of the varied parameters
  std::vector<std::vector<std::string>> values;  ///< [point][parameter], as texts
  std::vector<std::string> fixed;                ///< NAME=VALUE of the other parameters that are set

  /// The settings of a point.
  std::vector<std::string> settings(std::size_t point) const;
};

/// Reads NAME=VALUE, NAME=VALUE,VALUE,..., NAME=FIRST:LAST:COUNT (evenly spaced), NAME=FIRST:LAST:COUNT:log and, for
/// samples, NAME=FIRST:LAST. Throws OptionError that names the offending word; values are checked by the model only.
SweepPlan plan_sweep(std::span<const std::string> words, const std::vector<ParameterInfo>& parameters,
                     const std::optional<Sampling>& sampling);

}  // namespace picus::program
