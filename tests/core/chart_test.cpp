#include <picus/chart.hpp>
#include <support/differences.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace picus::chart_test {
namespace {

using support::Random;

class ChartTest : public testing::Test {
 protected:
  /// Rotation of the frame, in its own axes, when the increment x changes along dx: d/ds log(R^T R(s)).
  Vec3 turn_by_differences(const FrameNode& node, const Vector& x, const Vector& dx) const {
    Configuration q = q_0;
    retract(model.nodes(), q_0, x, q);
    return support::derivative([&](double s) -> Vec3 {
      Configuration moved = q_0;
      retract(model.nodes(), q_0, x + s * dx, moved);
      return so3::log(q.rotation(node).transpose() * moved.rotation(node));
    });
  }

  Random random{8};
  Model model;
  FrameNode free = model.add_frame("free", {.rotation = random.rotation()});
  PointNode point = model.add_point("point");
  FrameNode flat = model.add_frame("flat", {.rotation = random.rotation()});
  Configuration q_0 = model.initial_configuration();
};

/// An element without roles: only its nodes matter.
class Probe : public Element {
 public:
  struct Parameters {
    std::string name;
    std::vector<Node> nodes;
  };
  Probe(const Parameters& p, const Model&) : Element(p.name, p.nodes) {}
};

TEST_F(ChartTest, PushForwardTurnsChangesOfTheIncrementIntoBodyTurns) {
  const System system(model);
  Chart chart(system);
  for (const double angle : {0.0, 1e-8, 0.1, 1.0, 3.0, std::numbers::pi, 6.0}) {
    Vector x = random.vector(model.velocity_count());
    x.segment<3>(free.v + 3) = angle * random.direction();
    const Vector dx = random.vector(model.velocity_count());
    chart.update(x);
    Vector pushed = dx;
    chart.push_forward(pushed);
    support::expect_near(pushed.segment<3>(free.v + 3), turn_by_differences(free, x, dx),
                         support::difference_tolerance, "turn of a free frame");
    EXPECT_EQ(pushed.segment<3>(free.v), dx.segment<3>(free.v)) << "translations are not charted";
    EXPECT_EQ(pushed.segment<3>(point.v), dx.segment<3>(point.v));
  }
}

TEST_F(ChartTest, ApplyIsTheChainRule) {
  const auto probe = model.add<Probe>({.name = "probe", .nodes = {point, flat, free}});
  const System system(model);
  Chart chart(system);
  const Vector x = random.vector(model.velocity_count(), 1.5);
  chart.update(x);
  constexpr Index rows = 4;
  const Eigen::MatrixXd block = random.matrix(rows, probe->dof_count());
  Eigen::MatrixXd applied = block;
  chart.apply(*probe, rows, std::span(applied.data(), applied.size()));

  Vector dx = random.vector(model.velocity_count());
  const auto local = [&](const Vector& natural) {
    Vector result(probe->dof_count());
    result << natural.segment<3>(point.v), natural.segment<6>(flat.v), natural.segment<6>(free.v);
    return result;
  };
  Vector pushed = dx;
  chart.push_forward(pushed);
  support::expect_near(applied * local(dx), block * local(pushed), 1e-15, "block T dx");
}

TEST_F(ChartTest, RotationAboutOneAxisNeedsNoChart) {
  model.fix(flat, {Component::z, Component::rx, Component::ry});
  const auto planar = model.add<Probe>({.name = "planar", .nodes = {flat, point}});
  const auto spatial = model.add<Probe>({.name = "spatial", .nodes = {flat, free}});
  const System system(model);
  Chart chart(system);
  EXPECT_TRUE(chart.is_trivial(*planar));
  EXPECT_FALSE(chart.is_trivial(*spatial));

  Vector x = random.vector(model.velocity_count(), 2.0);
  Vector dx = random.vector(model.velocity_count());
  system.clear_prescribed(x);
  system.clear_prescribed(dx);
  chart.update(x);
  Vector pushed = dx;
  chart.push_forward(pushed);
  support::expect_near(pushed.segment<3>(flat.v + 3), turn_by_differences(flat, x, dx),
                       support::difference_tolerance, "turn of a planar frame");
}

TEST_F(ChartTest, DrivenRotationsAreCharted) {
  model.drive(flat, Component::rx, PrescribedMotion::constant_speed(1.0));
  model.fix(flat, {Component::ry});
  const auto probe = model.add<Probe>({.name = "probe", .nodes = {flat}});
  const System system(model);
  Chart chart(system);
  ASSERT_FALSE(chart.is_trivial(*probe)) << "two axes turn, one of them driven";
  Vector x = random.vector(model.velocity_count(), 2.0);
  x[flat.v + 4] = 0;
  chart.update(x);
  Vector pushed = Vector::Unit(model.velocity_count(), flat.v + 5);
  const Vector dx = pushed;
  chart.push_forward(pushed);
  support::expect_near(pushed.segment<3>(flat.v + 3), turn_by_differences(flat, x, dx),
                       support::difference_tolerance, "turn about the free axis");
}

}  // namespace
}  // namespace picus::chart_test
