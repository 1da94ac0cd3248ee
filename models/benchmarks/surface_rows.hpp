#pragma once

/// Rows that every run with contact detection has to satisfy.

#include <picus/models/benchmarks/benchmark.hpp>

#include <string>

namespace picus::models {

/// Penetration of the contacts, steps that lacked one, the deepest sampled point of a surface in another (for runs with
/// sampled_instants) of the run `id`, and its remedies.
void add_surface_checks(Rows& rows, const Experiments& outcomes, const std::string& id);

/// Fallbacks and the largest number of iterations of the run `id`, without a claim.
void show_remedies(Rows& rows, const Experiments& outcomes, const std::string& id);

}  // namespace picus::models
