#pragma once

/// The points of a sweep: which values of which parameters, one setting of the model each.

#include <picus/registered_model.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace picus::program {

/// How many points are drawn, and how; without it all combinations are taken.
struct Sampling {
  Index count = 0;
  bool is_latin =
      true;  ///< Latin hypercube: each of `count` slices of every range has one point; else at random
  std::uint64_t seed = 1;  ///< equal seeds draw equal points, on any machine
};

struct SweepPlan {
  std::vector<std::string> names;                ///< of the parameters that vary
  std::vector<std::vector<std::string>> values;  ///< [point][parameter], as texts
  std::vector<std::string> fixed;                ///< NAME=VALUE of the others that are set

  /// The settings of a point.
  std::vector<std::string> settings(std::size_t point) const;
};

/// Reads NAME=VALUE, NAME=VALUE,VALUE,..., NAME=FIRST:LAST:COUNT (evenly spaced), NAME=FIRST:LAST:COUNT:log and, for samples,
/// NAME=FIRST:LAST. Throws OptionError that names the culprit; what a value must be is known to the model alone.
SweepPlan plan_sweep(std::span<const std::string> words, const std::vector<ParameterInfo>& parameters,
                     const std::optional<Sampling>& sampling);

}  // namespace picus::program
