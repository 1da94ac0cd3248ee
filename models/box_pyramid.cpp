#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/box_pyramid.hpp>
#include <picus/models/surface_scene.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {

Model make_box_pyramid(const BoxPyramid& p) {
  Model model("box-pyramid");
  const Vec3 size = Vec3::Constant(p.size);
  const double mass = p.density * size.prod();
  const double pitch = p.size * (1 + p.gap);
  std::vector<MassPoint> bodies;
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  for (Index row = 0; row < p.base; ++row) {
    for (Index i = 0; i < p.base - row; ++i) {
      const std::string name = fmt::format("box[{}]", bodies.size());
      const double along = static_cast<double>(i) + 0.5 * static_cast<double>(row);
      const FrameNode node =
          model.add_frame(name, {.position = {pitch * along, 0, p.size * (0.5 + static_cast<double>(row))}});
      bodies.push_back(
          model
              .add<RigidBody>(
                  {.name = name + " mass", .node = node, .mass = mass, .inertia = inertia::box(mass, size)})
              ->mass_point());
      model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
    }
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = bodies});
  model.add<ContactsBetween>({.name = "all", .mu = p.mu});
  return model;
}

Signals box_pyramid_signals(const RunInfo& run, const BoxPyramid& /*p*/) {
  return stack_signals(run);
}

Measures box_pyramid_measures(const RunInfo& /*run*/, const BoxPyramid& p) {
  const auto count = static_cast<double>(p.base * (p.base + 1) / 2);
  return stack_measures(count * p.density * std::pow(p.size, 3) * p.gravity);
}

RegisteredModel registered_box_pyramid() {
  using P = BoxPyramid;
  auto table =
      ParameterTable<P>()
          .integer("base", &P::base, {.low = 1, .high = 100}, "boxes in the lowest row")
          .real("size", &P::size, Range::positive(), "m", "edges of the boxes")
          .real("gap", &P::gap, Range::between(1e-3, 0.5), "", "between boxes of a row, over their size")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "box-pyramid",
               .summary = "Boxes stacked to a pyramid, each on two others, stand still. Contacts "
                          "between them are found.",
               .source = "statics",
               .step = 1e-2,
               .until = 1.0},
      .parameters = table,
      .build = make_box_pyramid,
      .measures = box_pyramid_measures,
      .signals = box_pyramid_signals};
}

}  // namespace picus::models
