#include <picus/models/box_tower.hpp>
#include <picus/models/surface_scene.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <vector>

namespace picus::models {

Model make_box_tower(const BoxTower& p) {
  Model model("box-tower");
  std::vector<FrameStart> places;
  for (Index i = 0; i < p.count; ++i) {
    const auto number = static_cast<double>(i);
    const double side = p.disorder * std::sin(12.9 * number);
    const double other = p.disorder * std::cos(7.1 * number);
    places.push_back(
        {.position = p.size * Vec3(side, other, 0.5 + number), .rotation = so3::exp(Vec3(0, 0, 5 * side))});
  }
  add_box_stack(model, {p.size, p.density, p.mu, p.gravity}, places);
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
