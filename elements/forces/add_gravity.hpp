#pragma once

/// Gravity for any number of bodies:
///
///     add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {...}});
///
/// adds as many Gravity elements as are needed: one for each body whose centre of mass is not at its node, because an
/// element with stiffness couples all its nodes in the sparsity pattern, and as few as possible for all others. They
/// are named NAME[0], NAME[1] and so on, or NAME if there is only one.

#include <picus/elements/forces/gravity.hpp>

#include <vector>

namespace picus {

/// Throws ModelError as Gravity does, before anything is added; messages number the bodies as given.
std::vector<Handle<Gravity>> add_gravity(Model& model, const Gravity::Parameters& parameters);

}  // namespace picus
