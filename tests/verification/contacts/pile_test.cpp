/// Many balls on a floor: at rest if friction can hold them, and never penetrating one another.

#include "balls.hpp"

#include <array>
#include <numbers>

namespace picus::pile_test {
namespace {

const Ball ball;
constexpr double r = 0.03;
const Vec3 up = Vec3::UnitY();

/// Three balls in contact on a floor and a fourth on top of them.
struct Pyramid {
  explicit Pyramid(double mu) {
    const double side = 2 * r / std::sqrt(3.0);  // from the axis to the lower centres
    for (int i = 0; i < 3; ++i) {
      const double angle = 2 * std::numbers::pi * i / 3;
      nodes.push_back(add_ball(model, "ball[" + std::to_string(i) + "]", ball,
                               {side * std::cos(angle), r, side * std::sin(angle)}));
    }
    nodes.push_back(add_ball(model, "ball[3]", ball, (r + std::sqrt(4 * r * r - side * side)) * up));
    add_weight(model, nodes, ball, -g * up);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string number = "[" + std::to_string(i) + "]";
      model.add<SphereToFaceContact>(
          {.name = "floor" + number, .centre = nodes[i], .radius = r, .face = {.normal = up}, .mu = mu});
      model.add<SphereToSphereContact>(
          {.name = "top" + number, .a = {nodes[i], r}, .b = {nodes[3], r}, .mu = mu});
      model.add<SphereToSphereContact>(
          {.name = "side" + number, .a = {nodes[i], r}, .b = {nodes[(i + 1) % 3], r}, .mu = mu});
    }
  }
  Model model;
  std::vector<FrameNode> nodes;
};

// The force of the top on a lower ball must pass through its contact with the floor, about which its weight
// has no moment; it is inclined by half the angle phi of the line of centres to the vertical, sin(phi) =
// 1/sqrt(3). So mu >= tan(phi/2) = 0.3178 holds the pyramid.
TEST(Pile, APyramidStandsWhereFrictionCanHoldIt) {
  const double limit = std::tan(0.5 * std::asin(1 / std::sqrt(3.0)));
  for (const double part : {0.97, 1.03, 2.0}) {
    const Pyramid pyramid(part * limit);
    const Configuration& start = pyramid.model.initial_configuration();
    double floor_impulse = 0;
    int fallbacks = 0;
    int worst_iterations = 0;
    const State end = run(pyramid.model, 1e-3, 0.4, [&](const State& state, const StepReport& report) {
      for (const int count : report.fallbacks) fallbacks += count;
      for (const auto& sub : report.subproblems)
        worst_iterations = std::max(worst_iterations, sub.iterations);
      floor_impulse = state.contact_impulse[0] + state.contact_impulse[9] + state.contact_impulse[18];
    });
    const std::string at = "_at_" + std::to_string(std::lround(100 * part)) + "_percent";
    RecordProperty("fallbacks" + at, fallbacks);
    RecordProperty("worst_iterations" + at, worst_iterations);
    double moved = 0;
    for (const FrameNode& node : pyramid.nodes)
      moved = std::max(moved, (end.q.position(node) - start.position(node)).norm());
    if (part > 1) {
      EXPECT_LT(moved, 1e-9);
      EXPECT_LT(end.v.cwiseAbs().maxCoeff(), 1e-7);
      EXPECT_NEAR(floor_impulse, 4 * ball.mass * g * 1e-3, 1e-9);
    } else {
      EXPECT_GT(moved, 0.1 * r) << "it must collapse";
    }
  }
}

TEST(Pile, AColumnStandsOnItsPoints) {
  // An unstable equilibrium: only rounding may disturb it.
  Model model;
  std::vector<FrameNode> nodes;
  for (int i = 0; i < 5; ++i)
    nodes.push_back(add_ball(model, "ball[" + std::to_string(i) + "]", ball, (2 * i + 1) * r * up));
  add_weight(model, nodes, ball, -g * up);
  model.add<SphereToFaceContact>(
      {.name = "floor", .centre = nodes[0], .radius = r, .face = {.normal = up}, .mu = 0.5});
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    model.add<SphereToSphereContact>({.name = "contact[" + std::to_string(i) + "]",
                                      .a = {nodes[i], r},
                                      .b = {nodes[i + 1], r},
                                      .mu = 0.5});
  }
  const State end = run(model, 1e-3, 0.1);
  EXPECT_LT((end.q.position(nodes.back()) - 9 * r * up).norm(), 1e-9);
  for (Index i = 0; i < 5; ++i)
    EXPECT_NEAR(end.contact_impulse[3 * i], (5 - i) * ball.mass * g * 1e-3, 1e-9) << "weight above " << i;
}

TEST(Pile, BallsThatFallOnAHeapStayOutOfOneAnother) {
  Model model;
  std::vector<FrameNode> nodes;
  // Two layers, shifted and at different heights, so that impacts occur successively and simultaneously.
  for (int i = 0; i < 6; ++i) {
    const Vec3 place(0.05 * (i % 3) + 0.013 * (i / 3), 0.05 + 0.07 * (i / 3) + 0.004 * i, 0.011 * (i % 2));
    nodes.push_back(
        add_ball(model, "ball[" + std::to_string(i) + "]", ball, place, {0, 0, 0}, {0, 0, 5.0 * i}));
  }
  // Close enough that neighbours touch: 0.05 < 2 r, separated in height and depth.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string number = "[" + std::to_string(i) + "]";
    model.add<SphereToFaceContact>({.name = "floor" + number,
                                    .centre = nodes[i],
                                    .radius = 0.8 * r,
                                    .face = {.normal = up},
                                    .mu = 0.3,
                                    .e_n = 0.4});
    for (std::size_t j = 0; j < i; ++j) {
      model.add<SphereToSphereContact>({.name = "pair[" + std::to_string(i) + "][" + std::to_string(j) + "]",
                                        .a = {nodes[i], 0.8 * r},
                                        .b = {nodes[j], 0.8 * r},
                                        .mu = 0.3,
                                        .e_n = 0.4});
    }
  }
  add_weight(model, nodes, ball, -g * up);
  double worst = 0;
  int impacts = 0;
  run(model, 1e-3, 0.5, [&](const State& state, const StepReport&) {
    for (const auto& [element, contact] : model.contacts()) {
      std::array<double, 3> gap{};
      contact->displacement(state.q, state.q, gap);
      worst = std::max(worst, -gap[0]);
    }
    for (const ContactState s : state.contact_state) impacts += s != ContactState::gap;
  });
  EXPECT_LT(worst, 1e-9) << "m of penetration";
  EXPECT_GT(impacts, 1000);
}

}  // namespace
}  // namespace picus::pile_test
