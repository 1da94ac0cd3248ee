#include <picus/picus.hpp>

/// The height of a ball that has fallen for a second, m.
extern "C" double fallen_height() {
  picus::Model model("ball");
  const auto node = model.add_point("ball", {.position = {0, 10, 0}});
  const auto ball = model.add<picus::PointMass>({.name = "mass", .node = node, .mass = 1.0});
  model.add<picus::Gravity>(
      {.name = "gravity", .acceleration = {0, -9.8, 0}, .bodies = {ball->mass_point()}});
  picus::DecoupledNsga integrator({.step = 1e-2});
  const picus::RunSummary summary = picus::simulate(model, integrator, {.until = 1.0});
  return summary.final_state.q.position(node).y();
}
