#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void distance_joint_example() {
  Model model("distance joint");
  // [example]
  const auto upper = model.add_point("upper", {.position = {0.5, 0, 0}});
  const auto lower = model.add_point("lower", {.position = {1, 0, 0}, .velocity = {0, 1, 0}});
  const auto m_1 = model.add<PointMass>({.name = "upper_mass", .node = upper, .mass = 1.0});
  const auto m_2 = model.add<PointMass>({.name = "lower_mass", .node = lower, .mass = 1.0});
  model.add<DistanceJoint>({.name = "rod[0]", .a = MaterialPoint::on_ground({0, 0, 0}), .b = upper});
  model.add<DistanceJoint>({.name = "rod[1]", .a = upper, .b = lower});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {m_1->mass_point(), m_2->mass_point()}});
  // [example end]
  run(model, 1.0);
}
