#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/box_tower.hpp>
#include <picus/models/surface_scene.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models {

Model make_box_tower(const BoxTower& p) {
  Model model("box-tower");
  const Vec3 size = Vec3::Constant(p.size);
  const double mass = p.density * size.prod();
  std::vector<MassPoint> bodies;
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  for (Index i = 0; i < p.count; ++i) {
    const std::string name = fmt::format("box[{}]", i);
    const auto number = static_cast<double>(i);
    const double side = p.disorder * std::sin(12.9 * number);
    const double other = p.disorder * std::cos(7.1 * number);
    const FrameNode node = model.add_frame(name, {.position = p.size * Vec3(side, other, 0.5 + number),
                                                  .rotation = so3::exp(Vec3(0, 0, 5 * side))});
    bodies.push_back(
        model
            .add<RigidBody>(
                {.name = name + " mass", .node = node, .mass = mass, .inertia = inertia::box(mass, size)})
            ->mass_point());
    model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = bodies});
  model.add<ContactsBetween>({.name = "all", .mu = p.mu});
  return model;
}

Signals box_tower_signals(const RunInfo& run, const BoxTower& /*p*/) {
  return stack_signals(run);
}

Measures box_tower_measures(const RunInfo& /*run*/, const BoxTower& p) {
  return stack_measures(static_cast<double>(p.count) * p.density * std::pow(p.size, 3) * p.gravity);
}

RegisteredModel registered_box_tower() {
  using P = BoxTower;
  auto table = ParameterTable<P>()
                   .integer("count", &P::count, {.low = 1, .high = 10'000}, "number of boxes")
                   .real("size", &P::size, Range::positive(), "m", "edges of the boxes")
                   .real("density", &P::density, Range::positive(), "kg/m3", "density")
                   .real("disorder", &P::disorder, Range::between(0, 0.15), "",
                         "how far boxes are moved aside, over their size")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{.info = {.name = "box-tower",
                                .summary = "A tower of boxes, moved aside and turned against each other, "
                                           "stands still. Contacts between them are found.",
                                .source = "statics",
                                .step = 1e-3,
                                .until = 0.5},
                       .parameters = table,
                       .build = make_box_tower,
                       .measures = box_tower_measures,
                       .signals = box_tower_signals};
}

}  // namespace picus::models
