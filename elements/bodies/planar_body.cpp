#include <picus/checks.hpp>
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/planar_body.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

namespace picus {

PlanarBody add_planar_body(Model& model, const PlanarBodyParameters& parameters) {
  const Culprit who{"planar body", parameters.name};
  require_finite(who, "angle", parameters.angle, "rad");
  require_finite(who, "angular velocity", parameters.angular_velocity, "rad/s");
  require_positive(who, "mass", parameters.mass, "kg");
  require_not_negative(who, "inertia", parameters.inertia, "kg m2");
  if (parameters.velocity.z() != 0)
    throw ModelError(
        fmt::format("{}: velocity along z is {} m/s, must be zero", who.text(), parameters.velocity.z()));
  const FrameNode node =
      model.add_frame(parameters.name, {.position = parameters.position,
                                        .rotation = so3::exp({0, 0, parameters.angle}),
                                        .velocity = parameters.velocity,
                                        .angular_velocity = {0, 0, parameters.angular_velocity}});
  model.restrict_to_plane(node);
  return {node, model.add<RigidBody>({.name = parameters.name,
                                      .node = node,
                                      .mass = parameters.mass,
                                      .inertia = inertia::planar(parameters.inertia)})};
}

}  // namespace picus
