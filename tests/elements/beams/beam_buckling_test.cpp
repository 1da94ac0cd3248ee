// Critical loads of beams and frames.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <support/dense_statics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace picus::beam_buckling_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(BeamBuckling, EulerColumnBucklesAtHisLoad) {
  // Clamped-free: pi^2 EI/(4 L^2), minus P/GA of it for shear; the second-order error of n elements is (pi/(2
  // n))^2/12 for a curvature that is constant in each.
  Model model;
  const int n = 16;
  const Section section =
      Section::constants({.EA = 1e6, .GA1 = 4e5, .GA2 = 4e5, .GJ = 1, .EI1 = 1, .EI2 = 2});
  const auto beam =
      make_beam(model, {.name = "column", .section = section, .to = Vec3(1, 0, 0), .elements = n});
  model.fix(beam.first());
  model.add<NodalForce>({.name = "load", .point = beam.last(), .force = Vec3(-1, 0, 0)});
  support::DenseStatics statics(model);
  double low = 2.0, high = 3.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    statics.solve(middle);
    (statics.negative_count() == 0 ? low : high) = middle;
  }
  EXPECT_NEAR(low, pi * pi / 4, 2 * std::pow(pi / (2 * n), 2) / 12 * low);
}

/// Largest crown load on the arch of DaDeppo and Schmidt (1975): 215 degrees of a circle, one end hinged, the other
/// clamped, a dead load at the crown. Times R^2/EI.
double limit_load_of_arch(int elements) {
  const double radius = 100;
  const double half = 215.0 / 2 * pi / 180;
  const double EI = 1e6;
  Model model;
  const Section section =
      Section::constants({.EA = 1e8, .GA1 = 1e8, .GA2 = 1e8, .GJ = EI, .EI1 = EI, .EI2 = EI});
  const Vec3 hinge = radius * Vec3(std::sin(half), std::cos(half), 0);
  const auto beam = make_beam(model, {.name = "arch",
                                      .section = section,
                                      .centreline = arc({.from = hinge, .angle = 2 * half}),
                                      .elements = elements});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  model.fix(beam.first(), {Component::x, Component::y});
  model.fix(beam.last());
  const FrameNode crown = beam.nodes[elements / 2];
  model.add<NodalForce>({.name = "load", .point = crown, .force = Vec3(0, -EI / (radius * radius), 0)});
  support::DenseStatics statics(model);
  const Index dof = statics.free(crown, Component::y);
  const double step = -2.0;
  std::vector<double> loads = {0.0};
  while (loads.size() < 3 || loads.back() > loads[loads.size() - 2]) {
    statics.move(dof, step);
    loads.push_back(statics.load);
    if (loads.size() > 100) {
      ADD_FAILURE() << "no limit point";
      break;
    }
  }
  // The maximum of the parabola through the last three points.
  const double a = loads[loads.size() - 3], b = loads[loads.size() - 2], c = loads.back();
  return b - (c - a) * (c - a) / (8 * (a - 2 * b + c));
}

TEST(BeamBuckling, DeepArchSnapsAtTheLoadOfDaDeppoAndSchmidt) {
  // 8.97 for an inextensible beam without shear (exact, by elliptic integrals).
  const double coarse = limit_load_of_arch(20);
  const double fine = limit_load_of_arch(40);
  EXPECT_NEAR(fine, 8.97, 0.01 * 8.97);
  EXPECT_NEAR(fine + (fine - coarse) / 3, 8.97, 0.01);  // the published digits
}

/// Load along +x at the tip of the right-angle frame of Argyris and others (1979), at which its plane state becomes
/// unstable: legs of 240 from the clamp along +x and on along -y, a strip of 30 x 0.6 with E = 71240, nu = 0.31,
/// standing in the plane.
double critical_load_of_frame(int elements) {
  const double h = 30, w = 0.6, E = 71240;
  const double G = E / (2 * 1.31);
  Model model;
  const Section section = Section::constants({.EA = E * h * w,
                                              .GA1 = G * h * w,
                                              .GA2 = G * h * w,
                                              .GJ = G * h * std::pow(w, 3) / 3,
                                              .EI1 = E * h * std::pow(w, 3) / 12,
                                              .EI2 = E * w * std::pow(h, 3) / 12});
  // d1 lies in the plane, the height of the strip along it.
  const auto beam = make_beam(model, {.name = "frame",
                                      .section = section,
                                      .corners = {{0, 0, 0}, {240, 0, 0}, {240, -240, 0}},
                                      .elements = elements,
                                      .orientation = {1, 1, 0}});
  model.fix(beam.first());
  model.add<NodalForce>({.name = "load", .point = beam.last(), .force = Vec3(1, 0, 0)});
  support::DenseStatics statics(model);
  double low = 0.1, high = 3.0;
  while (high - low > 1e-5) {
    const double middle = (low + high) / 2;
    statics.solve(middle);
    (statics.negative_count() == 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

TEST(BeamBuckling, RightAngleFrameLeavesItsPlaneAtThePublishedLoad) {
  // 1.088 by Argyris and others (1979), 1.09 by Simo and Vu-Quoc (1986).
  const double coarse = critical_load_of_frame(5);
  const double fine = critical_load_of_frame(10);
  EXPECT_NEAR(coarse, 1.088, 0.01 * 1.088);
  EXPECT_NEAR(fine, 1.088, 0.002 * 1.088);
  EXPECT_NEAR(fine + (fine - coarse) / 3, 1.088, 0.001);  // the published digits
}

}  // namespace
}  // namespace picus::beam_buckling_test
