// If a run reaches the limits of an element it ends, with the name of the element and the time: it never continues
// with a wrong root.

#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/error.hpp>
#include <picus/models/flexible_cube.hpp>
#include <picus/models/twisted_shaft.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace picus::limits_test {
namespace {

using testing::HasSubstr;

/// The error that ends a run, and its time; empty if there is none.
struct End {
  std::string message;
  State last;
};

End run(const Model& model, const std::string& scheme, double h, double until) {
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  End end;
  end.last = integrator->start(system);
  try {
    while (end.last.time < until - h / 2) integrator->step(end.last);
  } catch (const SolverError& error) {
    end.message = error.what();
  }
  return end;
}

class Limits : public testing::TestWithParam<const char*> {};

TEST_P(Limits, AShaftIsTwistedByThreeRadiansAnElement) {
  constexpr double h = 0.02;
  const double speed = models::TwistedShaft{}.speed;
  const End one = run(models::make_twisted_shaft({.elements = 1}), GetParam(), h, 4.0);
  EXPECT_THAT(one.message, HasSubstr("element \"shaft[0]\" has its ends turned against each other by 3"));
  EXPECT_THAT(one.message, HasSubstr("s with h = "));
  // The last step that ends below 3 rad, or a part of it.
  EXPECT_NEAR(one.last.time, 3.0 / speed, h);
  EXPECT_LT(one.last.time, 3.0 / speed);
  const End two = run(models::make_twisted_shaft({.elements = 2}), GetParam(), h, 4.0);
  EXPECT_EQ(two.message, "") << "2 rad each at 4 s";
}

/// A rubber cube compressed by a force on one corner of its top.
Model make_pressed_cube(double force, HexahedronFormulation formulation) {
  Model model("cube");
  std::array<PointNode, 8> nodes;
  for (std::size_t a = 0; a < 8; ++a) {
    nodes[a] = model.add_point(fmt::format("n{}", a), {.position = 0.5 * solids::corner(a)});
    if (a < 4) model.fix(nodes[a]);
  }
  model.add<Hexahedron>({.name = "rubber",
                         .nodes = nodes,
                         .material = {.youngs_modulus = 100, .poissons_ratio = 0.3, .density = 1},
                         .formulation = formulation,
                         .damping_time = 0.05});
  model.add<NodalForce>({.name = "press", .point = {nodes[6]}, .force = Vec3(Vec3(-1, -1, -1) * force)});
  return model;
}

TEST_P(Limits, ASolidIsPressedThroughItself) {
  EXPECT_EQ(run(make_pressed_cube(0.1, HexahedronFormulation::full), GetParam(), 1e-2, 1.0).message, "");
  const End end = run(make_pressed_cube(30, HexahedronFormulation::full), GetParam(), 1e-2, 1.0);
  EXPECT_THAT(end.message, HasSubstr("element \"rubber\" is turned inside out at nodes["));
  EXPECT_LT(end.last.time, 1.0);
  EXPECT_TRUE(end.last.v.allFinite());
}

// The cube of the benchmark lands at 2.4 m/s and is compressed by a fifth. At 4.9 m/s its bottom layer would come to
// rest inverted and below the floor: the run ends instead, before any node has crossed the floor.
TEST_P(Limits, ACubeThatLandsTwiceAsFastIsNotTurnedThroughTheFloor) {
  const Model model = models::make_flexible_cube({.divisions = 3, .downward = 4.2});
  const System system(model);
  const auto integrator = make_integrator(GetParam(), {.step = 2e-4});
  State state = integrator->start(system);
  std::string message;
  double lowest = 0.0;
  try {
    while (state.time < 0.15) {
      integrator->step(state);
      for (const Node& node : model.nodes()) lowest = std::min(lowest, state.q.position(node).z());
    }
  } catch (const SolverError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("is turned inside out at nodes["));
  // Schemes at velocity level penetrate the floor by the motion in a step at the impact: 1 mm.
  EXPECT_GE(lowest, -4.9 * 2e-4 * 1.1);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Limits,
                         testing::Values("ds", "dsn", "ds-a", "cs", "chen", "moreau-jean", "schatzman-paoli",
                                         "mixed"),
                         [](const testing::TestParamInfo<const char*>& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(LimitsOfEquilibria, AShaftIsTwistedByThreeRadiansAnElement) {
  // T L/GJ = 2.9 and 3.1 rad.
  for (const double torque : {5.8, 6.2}) {
    const Model model = models::make_twisted_shaft(
        {.elements = 1, .load = models::TwistedShaft::Load::moment, .torque = torque});
    const System system(model);
    if (torque < 6) {
      EXPECT_NO_THROW((void)find_equilibrium(system));
    } else {
      EXPECT_THAT(support::message_of<SolverError>([&] { (void)find_equilibrium(system); }),
                  HasSubstr("element \"shaft[0]\" has its ends turned against each other by 3"));
    }
  }
}

}  // namespace
}  // namespace picus::limits_test
