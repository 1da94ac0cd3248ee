// Beams of three-node elements against exact solutions, and against as many unknowns in two-node elements.

#include "cosserat_shooting.hpp"
#include <picus/elements/beams/beam3.hpp>
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <support/dense_statics.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace picus::beam3_accuracy_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Nodes on a centreline, and three-node elements between them.
std::vector<FrameNode> add_quadratic(Model& model, const Section& section, const Centreline& centreline,
                                     int elements) {
  std::vector<FrameNode> nodes;
  std::vector<Mat3> axes;
  for (int i = 0; i <= 2 * elements; ++i) {
    const SectionPose place = centreline(0.5 * i / elements);
    axes.push_back(place.axes);
    nodes.push_back(model.add_frame("node[" + std::to_string(i) + "]",
                                    {.position = place.position, .rotation = place.axes}));
    if (i == 0 || i % 2 == 1) continue;
    const std::size_t last = i;
    model.add<Beam3>({.name = "beam[" + std::to_string(i / 2 - 1) + "]",
                      .a = nodes[last - 2],
                      .middle = nodes[last - 1],
                      .b = nodes[last],
                      .section = section,
                      .axes_a = axes[last - 2],
                      .axes_middle = axes[last - 1],
                      .axes_b = axes[last]});
  }
  return nodes;
}

Centreline straight(double length) {
  return [length](double s) -> SectionPose { return {Vec3(s * length, 0, 0), Mat3::Identity()}; };
}

/// With EI = 1 and a thickness of length/slenderness.
Section slender(double length, double slenderness) {
  const double EA = 12 * std::pow(slenderness / length, 2);
  return Section::constants({.EA = EA, .GA1 = EA / 3, .GA2 = EA / 3, .GJ = 1, .EI1 = 1, .EI2 = 1});
}

double linear_deflection(const Model& model, const FrameNode& tip, Component component, double P) {
  support::DenseStatics statics(model);
  const Index dof = statics.free(tip, component);
  return statics.stiffness().partialPivLu().solve(P * Vector::Unit(statics.size(), dof))[dof];
}

TEST(Beam3Accuracy, RollsUpIntoACircleToFourthOrder) {
  const double length = 2.0;
  const Section section = Section::constants(
      {.EA = 1e4, .GA1 = 3e3, .GA2 = 4e3, .GJ = 20, .EI1 = 50, .EI2 = 30, .mass = 1, .I1 = 1e-3, .I2 = 1e-3});
  std::array<double, 3> error{};
  for (std::size_t i = 0; i < error.size(); ++i) {
    Model model;
    const auto nodes = add_quadratic(model, section, straight(length), 3 << i);
    model.fix(nodes.front());
    model.add<NodalMoment>({.name = "moment",
                            .node = nodes.back(),
                            .moment = Vec3(0, 0, 30 * 2 * pi / length),
                            .follower = true});
    support::DenseStatics statics(model);
    statics.solve(1.0, 0.1);
    // Half-way round. The curvature is constant, which the element represents exactly.
    const FrameNode& half = nodes[nodes.size() / 2];
    EXPECT_LT((statics.q.rotation(nodes.back()) - Mat3::Identity()).norm(), 1e-10);
    error[i] = (statics.q.position(half) - Vec3(0, length / pi, 0)).norm();
    RecordProperty("error_" + std::to_string(3 << i), std::to_string(error[i]));
  }
  EXPECT_LT(error[0], 2e-3 * length);
  // Of fourth order up to terms of sixth, which matter as long as an element rotates by a radian (6) or two (3).
  EXPECT_NEAR(error[0] / error[1], 16, 3);
  EXPECT_NEAR(error[1] / error[2], 16, 0.5);
}

TEST(Beam3Accuracy, StraightBeamDeflectsExactlyAtAnySlenderness) {
  // Moments are linear, their energy quadratic, and two Gauss points integrate it exactly.
  const double length = 2.0;
  for (const double slenderness : {3.0, 1e2, 1e4}) {
    const Section section = slender(length, slenderness);
    for (const int n : {1, 2, 5}) {
      Model model;
      const auto nodes = add_quadratic(model, section, straight(length), n);
      model.fix(nodes.front());
      const double expected = std::pow(length, 3) / 3 + length / section.stiffness(1, 1);
      // The stiffness ratio is slenderness^2 n^2, which costs as many digits.
      const double tolerance = expected * (1e-12 + 1e-14 * std::pow(slenderness * n, 2));
      EXPECT_NEAR(linear_deflection(model, nodes.back(), Component::y, 1.0), expected, tolerance)
          << slenderness << " " << n;
      EXPECT_NEAR(linear_deflection(model, nodes.back(), Component::z, 1.0), expected, tolerance)
          << slenderness << " " << n;
    }
  }
}

TEST(Beam3Accuracy, CurvedBeamIsAsAccurateThinAsThick) {
  // A quarter circle under a radial tip force, by Castigliano: pi/4 (R^3/EI + R/EA + R/GA).
  std::vector<double> thick;
  for (const double slenderness : {1e1, 1e2, 1e4}) {
    const Section section = slender(1.0, slenderness);
    std::size_t i = 0;
    for (const int n : {1, 2, 4}) {
      Model model;
      const auto nodes = add_quadratic(model, section, arc({.from = {1, 0, 0}, .angle = pi / 2}), n);
      model.fix(nodes.front());
      const double exact = pi / 4 * (1 + 1 / section.stiffness(0, 0) + 1 / section.stiffness(1, 1));
      const double error = linear_deflection(model, nodes.back(), Component::y, 1.0) / exact - 1;
      EXPECT_LT(std::abs(error), 0.05 / std::pow(n, 4)) << n;
      if (slenderness == 1e1) {
        thick.push_back(error);
      } else {
        // The contributions of shear and elongation differ, by 1 % of the deflection; rounding 1e-7 at slenderness
        // 1e4.
        EXPECT_NEAR(error, thick[i++], 0.05 * std::abs(error) + 1e-6) << slenderness << " " << n;
      }
    }
  }
}

TEST(Beam3Accuracy, FortyFiveDegreeBendConvergesWithTheFourthPower) {
  // Bathe and Bolourchi (1979), as in beam_bending_test.cpp; the reference integrates the rod equations.
  const Section section = Section::rectangle(0.5, 1.5, {.E = 1e7});
  const Centreline bend =
      arc({.from = Vec3::Zero(), .centre = {100, 0, 0}, .axis = -Vec3::UnitZ(), .angle = pi / 4});
  Mat3 axes;
  axes << 0, 1, 0,  //
      1, 0, 0,      //
      0, 0, -1;
  const support::CosseratCantilever rod{
      section, 100 * pi / 4, {Vec3::Zero(), axes}, {0, 0, 0.01}, {0, 0, 600}};
  const Vec3 exact = rod.tip(100);
  const auto error = [&](Model& model, const FrameNode& first, const FrameNode& last) {
    model.fix(first);
    model.add<NodalForce>({.name = "load", .point = last, .force = Vec3(0, 0, 600)});
    support::DenseStatics statics(model);
    statics.solve(1.0, 0.1);
    return (statics.q.position(last) - exact).norm();
  };
  std::array<double, 3> quadratic{};
  for (std::size_t i = 0; i < quadratic.size(); ++i) {
    Model model;
    const auto nodes = add_quadratic(model, section, bend, 2 << i);
    quadratic[i] = error(model, nodes.front(), nodes.back());
  }
  Model model;
  const auto beam = make_beam(model, {.name = "bend", .section = section, .centreline = bend, .elements = 8});
  const double linear = error(model, beam.first(), beam.last());
  // Ratios rise to 16: 6.8 and 12.7.
  EXPECT_GT(quadratic[0] / quadratic[1], 6.5);
  EXPECT_GT(quadratic[1] / quadratic[2], 12);
  // Four elements of three nodes and eight of two have the same nodes; of second order, sixteen have a quarter of the
  // error (beam_bending_test.cpp).
  EXPECT_GT(linear / quadratic[1], 4);
  EXPECT_GT(linear / 4 / quadratic[2], 12);
}

TEST(Beam3Accuracy, FrequenciesConvergeWithTheFourthPower) {
  // A hinged beam, Timoshenko: EI k^4 - rho A w^2 - (rho I + EI rho A/GA) k^2 w^2 + rho I rho A/GA w^4 = 0, k = pi m/L.
  const double EI = 2, GA = 1000, rhoI = 2e-3;
  const Section section = Section::constants({.EA = 1e4,
                                              .GA1 = GA,
                                              .GA2 = 1e3,
                                              .GJ = 1e3,
                                              .EI1 = 1e3,
                                              .EI2 = EI,
                                              .mass = 1,
                                              .I1 = 1e-3,
                                              .I2 = rhoI});
  const auto frequency = [&](Model& model, const std::vector<FrameNode>& nodes, double exact) {
    for (const FrameNode& node : nodes) model.restrict_to_plane(node);
    model.fix(nodes.front(), {Component::x, Component::y});
    model.fix(nodes.back(), {Component::y});
    support::DenseStatics statics(model);
    const Vector all = statics.modes().eigenvalues().cwiseMax(0).cwiseSqrt();
    Index i = 0;
    (all.array() - exact).abs().minCoeff(&i);
    return all[i];
  };
  // The gain of five elements of three nodes over ten of two: 39, 10.4, 4.9.
  for (const auto& [m, gain] : {std::pair(1, 35.0), std::pair(2, 10.0), std::pair(3, 4.5)}) {
    const double k = pi * m;
    const double b = 1 + (rhoI + EI / GA) * k * k;
    const double a = rhoI / GA;
    // The lower branch, without cancellation.
    const double exact =
        std::sqrt(2 * EI * std::pow(k, 4) / (b + std::sqrt(b * b - 4 * a * EI * std::pow(k, 4))));
    std::array<double, 2> error{};
    for (std::size_t i = 0; i < error.size(); ++i) {
      Model model;
      const auto nodes = add_quadratic(model, section, straight(1.0), 5 << i);
      error[i] = frequency(model, nodes, exact) / exact - 1;
    }
    Model model;
    const auto beam =
        make_beam(model, {.name = "beam", .section = section, .to = Vec3(1, 0, 0), .elements = 10});
    const double linear = frequency(model, beam.nodes, exact) / exact - 1;
    // Up to terms of sixth order, smaller by (k h)^2.
    EXPECT_NEAR(error[0] / error[1], 16, 16 * std::pow(k / 5, 2));
    EXPECT_GT(std::abs(linear / error[0]), gain) << m;
    EXPECT_LT(std::abs(error[0]), 4e-6 * std::pow(k, 4)) << m;
  }
}

}  // namespace
}  // namespace picus::beam3_accuracy_test
