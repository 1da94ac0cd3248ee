#pragma once

/// The common part of the examples of docs/elements.md.

#include <picus/picus.hpp>

#include <cstdio>
#include <stdexcept>

/// Runs a model and writes its motion to NAME.h5 and NAME.xdmf in the working folder.
inline void run(const picus::Model& model, double until, double step = 1e-3) {
  picus::DecoupledNsga integrator({.step = step});
  picus::Hdf5Recorder recorder(model.name() + ".h5", {.overwrite = true});
  const picus::RunSummary summary = picus::simulate(model, integrator, {.until = until}, {&recorder});
  for (const auto count : summary.fallbacks) {
    if (count != 0) throw std::runtime_error(model.name() + ": a step needed a fallback");
  }
  std::printf("%s: %lld steps, violation %.1e, penetration %.1e\n", model.name().c_str(),
              static_cast<long long>(summary.steps), summary.worst_violation, summary.worst_penetration);
}
