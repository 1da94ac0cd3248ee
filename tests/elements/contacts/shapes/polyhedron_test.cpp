#include "l_prism.hpp"
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace picus::polyhedron_test {
namespace {

using support::message_of;

std::string refusal(const shapes::Mesh& mesh) {
  return message_of<ModelError>([&] { static_cast<void>(Polyhedron::of(mesh)); });
}

const shapes::Mesh tetrahedron = {.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

/// An L-shaped mesh with an unused point.
shapes::Mesh make_l() {
  shapes::Mesh mesh = make_l_prism();
  mesh.points.emplace_back(9, 9, 9);
  return mesh;
}

TEST(Polyhedron, HasPlanesForFacesAndTheEdgesBetweenThem) {
  shapes::Mesh mesh = make_l();
  const Mat3 R = so3::exp(Vec3(0.3, -0.5, 0.8));
  Polyhedron body = Polyhedron::of(mesh);
  body.place(R, {1, 2, 3});
  EXPECT_EQ(body.vertices.size(), 12U);  // without the unused point
  EXPECT_EQ(body.faces.size(), 8U);
  EXPECT_EQ(body.edges.size(), 18U);
  EXPECT_EQ(body.convex_edges.size(), 17U);
  EXPECT_EQ(body.corners.size(), 12U);
  EXPECT_NEAR(body.size, 3.0, 1e-15);
  double length = 0;
  for (const Polyhedron::Edge& edge : body.edges) {
    length += (body.vertices[edge.vertices[1]] - body.vertices[edge.vertices[0]]).norm();
    for (const Index f : edge.faces) {
      for (const Index v : edge.vertices)
        EXPECT_NEAR(body.faces[f].normal.dot(body.vertices[v]), body.faces[f].offset, 1e-14);
    }
    if (edge.is_convex) continue;
    for (const Index v : edge.vertices) {
      const Vec3 x = R.transpose() * (body.vertices[v] - Vec3(1, 2, 3));
      EXPECT_NEAR((x - Vec3(1, 1, x.z())).norm(), 0.0, 1e-14);
    }
  }
  EXPECT_NEAR(body.mean_edge, length / 18, 1e-14);
  for (Index t = 0; t < count_of(body.mesh.triangles); ++t) {
    const Polyhedron::Face& face = body.faces[body.face_of[t]];
    for (const Vec3& x : body.corners_of(t)) EXPECT_NEAR(face.normal.dot(x), face.offset, 1e-14);
  }
}

// Thickness below the middle of a triangle: 1 from top to bottom; from the sides 2 or 1, but at most the width of the
// triangles.
TEST(Polyhedron, KnowsHowThickItIs) {
  const Polyhedron body = Polyhedron::of(make_l());
  for (Index t = 0; t < count_of(body.mesh.triangles); ++t) {
    const auto x = body.corners_of(t);
    const double wide = std::sqrt((x[1] - x[0]).cross(x[2] - x[0]).norm());
    const Vec3& normal = body.faces[body.face_of[t]].normal;
    if (std::abs(normal.z()) > 0.5) {
      EXPECT_NEAR(body.mesh.depths[t], 0.5, 1e-14);
    } else {
      EXPECT_LE(body.mesh.depths[t], std::max(1.0, wide) + 1e-14);
      EXPECT_GE(body.mesh.depths[t], 0.5 - 1e-14);
    }
  }
}

// A plane in single precision, as in STL files, is one face; a cylinder of 500 sides keeps them all.
TEST(Polyhedron, FindsPlanesAmongRoundedNumbers) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> in(0, 1);
  const Mat3 R = so3::exp(Vec3(0.3, -0.5, 0.8));
  shapes::Mesh sheet{.is_closed = false};
  constexpr Index n = 12;
  for (Index i = 0; i <= n; ++i) {
    for (Index k = 0; k <= n; ++k) {
      const Vec3 x = R * Vec3(i + 0.3 * in(random), k + 0.3 * in(random), 7);
      sheet.points.emplace_back(x.cast<float>().cast<double>());
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      const Index a = i * (n + 1) + k, b = a + n + 1;
      sheet.triangles.push_back({a, b, b + 1});
      sheet.triangles.push_back({a, b + 1, a + 1});
    }
  }
  const Polyhedron flat = Polyhedron::of(sheet);
  EXPECT_EQ(flat.faces.size(), 1U);
  EXPECT_EQ(flat.edges.size(), 4U * n);
  EXPECT_EQ(flat.corners.size(), 4U * n);

  shapes::Mesh tube{.is_closed = false};
  constexpr Index sides = 500;
  for (Index i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (const double z : {0.0, 1.0}) tube.points.emplace_back(std::cos(angle), std::sin(angle), z);
    const Index a = 2 * i, b = 2 * ((i + 1) % sides);
    tube.triangles.push_back({a, b, b + 1});
    tube.triangles.push_back({a, b + 1, a + 1});
  }
  EXPECT_EQ(Polyhedron::of(tube).faces.size(), static_cast<std::size_t>(sides));
}

TEST(Polyhedron, RefusesWhatBoundsNoBody) {
  EXPECT_NO_THROW(Polyhedron::of(tetrahedron));
  EXPECT_EQ(refusal({}), "mesh: it has no triangles");
  shapes::Mesh mesh = tetrahedron;
  mesh.points[2].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(mesh), "mesh: point 2 is not finite");
  mesh = tetrahedron;
  mesh.triangles[1][2] = 4;
  EXPECT_EQ(refusal(mesh), "mesh: triangle 1 has point 4, but there are 4 points");
  mesh.triangles[1][2] = -1;
  EXPECT_EQ(refusal(mesh), "mesh: triangle 1 has point -1, but there are 4 points");
  mesh.triangles[1][2] = 1;
  EXPECT_EQ(refusal(mesh), "mesh: triangle 1 has no area");
  mesh = tetrahedron;
  mesh.points.emplace_back(0.5, 0, 0);
  mesh.triangles[1] = {0, 1, 4};
  EXPECT_EQ(refusal(mesh), "mesh: triangle 1 has no area");
  mesh = tetrahedron;
  mesh.triangles.pop_back();
  EXPECT_EQ(
      refusal(mesh),
      "mesh: it is open: no triangle is beyond the edge of triangle 0 between points 0 and 2 (floors may "
      "have is_closed = false)");
  mesh.is_closed = false;
  EXPECT_NO_THROW(Polyhedron::of(mesh));
  mesh = tetrahedron;
  std::swap(mesh.triangles[2][0], mesh.triangles[2][1]);
  EXPECT_EQ(refusal(mesh), "mesh: triangles 0 and 2 have their outsides on different sides");
  for (auto& corners : mesh.triangles) std::swap(corners[0], corners[1]);
  std::swap(mesh.triangles[2][0], mesh.triangles[2][1]);
  EXPECT_EQ(refusal(mesh),
            "mesh: its volume is -0.167 m^3: triangle 0 and the others are seen clockwise from outside");
  mesh = tetrahedron;
  mesh.points.emplace_back(1, 1, 1);
  mesh.triangles.push_back({0, 1, 4});
  EXPECT_EQ(refusal(mesh), "mesh: triangles 0, 1 and 4 have one edge, from point 1 and 0");
}

// Their volume may still be positive.
TEST(Polyhedron, RefusesPartsThatAreInsideOut) {
  const auto add = [](shapes::Mesh& mesh, double size, const Vec3& by, bool is_inside_out) {
    const Index first = count_of(mesh.points);
    for (const Vec3& x : tetrahedron.points) mesh.points.emplace_back(size * x + by);
    for (const auto& [i, j, k] : tetrahedron.triangles) {
      mesh.triangles.push_back({i + first, j + first, k + first});
      if (is_inside_out) std::swap(mesh.triangles.back()[0], mesh.triangles.back()[1]);
    }
  };
  shapes::Mesh mesh;
  add(mesh, 2, {0, 0, 0}, false);
  add(mesh, 1, {3, 0, 0}, true);
  EXPECT_EQ(refusal(mesh), "mesh: the volume of the part with triangle 4 is -0.167 m^3: it is inside out");
  mesh = {};
  add(mesh, 2, {0, 0, 0}, false);
  add(mesh, 0.5, {0.2, 0.2, 0.2}, false);
  EXPECT_EQ(refusal(mesh), "mesh: the part with triangle 4 is within another part");
  mesh = {};
  add(mesh, 2, {0, 0, 0}, false);
  add(mesh, 0.5, {0.2, 0.2, 0.2}, true);  // a cavity
  EXPECT_NO_THROW(Polyhedron::of(mesh));
  add(mesh, 0.1, {0.25, 0.25, 0.25}, false);  // a body in the cavity
  EXPECT_NO_THROW(Polyhedron::of(mesh));
  add(mesh, 1, {2, 0, 0}, false);  // beside the first one, which it touches at a corner
  EXPECT_NO_THROW(Polyhedron::of(mesh));
  const Polyhedron body = Polyhedron::of(mesh);
  EXPECT_NEAR(body.winding({0.05, 0.05, 0.05}), 1, 1e-12);
  EXPECT_NEAR(body.winding({0.22, 0.22, 0.22}), 0, 1e-12);
  EXPECT_NEAR(body.winding({0.26, 0.26, 0.26}), 1, 1e-12);
  EXPECT_NEAR(body.winding({-1, 0.3, 9}), 0, 1e-12);
  mesh.is_closed = false;  // a floor has no volume
  add(mesh, 1, {7, 0, 0}, true);
  EXPECT_NO_THROW(Polyhedron::of(mesh));
}

TEST(Polyhedron, RefusesTrianglesThatIntersect) {
  // Two tetrahedra, the second one displaced.
  const auto pair = [](const Vec3& by) {
    shapes::Mesh mesh = tetrahedron;
    for (const Vec3& x : tetrahedron.points) mesh.points.emplace_back(x + by);
    for (const auto& [i, j, k] : tetrahedron.triangles) mesh.triangles.push_back({i + 4, j + 4, k + 4});
    return mesh;
  };
  EXPECT_EQ(refusal(pair({0.3, 0.1, 0.2})), "mesh: triangles 2 and 4 intersect");
  EXPECT_NO_THROW(Polyhedron::of(pair({1.1, 0, 0})));
  EXPECT_NO_THROW(Polyhedron::of(pair({1, 0, 0})));                          // they touch at a corner
  EXPECT_THAT(refusal(pair({0, 0, 0})), ::testing::HasSubstr("intersect"));  // one in the other
  // Folded back on itself in one plane.
  shapes::Mesh fold{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0}},
                    .triangles = {{0, 1, 2}, {1, 0, 3}},
                    .is_closed = false};
  EXPECT_EQ(refusal(fold), "mesh: triangles 0 and 1 intersect");
  fold.points[3] = {0.2, -0.3, 0};
  EXPECT_NO_THROW(Polyhedron::of(fold));
}

// Against a dense sample of both triangles: points of one that lie on opposite sides of the plane of the other,
// within it.
TEST(Polyhedron, IntersectionOfTrianglesAgreesWithSegmentsThroughThem) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> in(-1, 1);
  const auto passes = [](const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& t) {
    const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
    const double a = n.dot(from - t[0]), b = n.dot(to - t[0]);
    if (!(a * b < 0)) return false;
    const Vec3 x = from + a / (a - b) * (to - from);
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k) within &= (t[(k + 1) % 3] - t[k]).cross(x - t[k]).dot(n) >= 0;
    return within;
  };
  int crossed = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::array<Vec3, 3> a, b;
    for (auto* corners : {&a, &b}) {
      for (Vec3& x : *corners) x = Vec3(in(random), in(random), in(random));
    }
    bool expected = false;
    for (std::size_t k = 0; k < 3; ++k) {
      expected |= passes(a[k], a[(k + 1) % 3], b);
      expected |= passes(b[k], b[(k + 1) % 3], a);
    }
    crossed += expected;
    EXPECT_EQ(do_intersect(a, b, 0.0), expected) << trial;
    EXPECT_EQ(do_intersect(b, a, 0.0), expected) << trial;
  }
  EXPECT_GT(crossed, 200);
}

}  // namespace
}  // namespace picus::polyhedron_test
