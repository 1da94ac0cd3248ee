#pragma once

/// Rows that every run with contact detection has to satisfy.

#include <picus/models/benchmarks/benchmark.hpp>

#include <string>

namespace picus::models {

/// Penetration of the contacts, steps that lacked one, the deepest sampled point of a surface in another (for runs with
/// sampled_instants) of the run `id`, and, without a claim, fallbacks and the largest number of iterations.
void add_surface_checks(Rows& rows, const Experiments& outcomes, const std::string& id);

}  // namespace picus::models
