#include <picus/models/box_pyramid.hpp>
#include <picus/models/surface_scene.hpp>

#include <cmath>
#include <vector>

namespace picus::models {

Model make_box_pyramid(const BoxPyramid& p) {
  Model model("box-pyramid");
  const double pitch = p.size * (1 + p.gap);
  std::vector<FrameStart> places;
  for (Index row = 0; row < p.base; ++row) {
    for (Index i = 0; i < p.base - row; ++i) {
      const double along = static_cast<double>(i) + 0.5 * static_cast<double>(row);
      places.push_back({.position = {pitch * along, 0, p.size * (0.5 + static_cast<double>(row))}});
    }
  }
  add_box_stack(model, {p.size, p.density, p.mu, p.gravity}, places);
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
