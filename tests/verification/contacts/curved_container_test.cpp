/// Balls and boxes dropped into curved containers of triangles: no step fails, and nothing penetrates by a check that
/// does not use the contact code.

#include "meshes.hpp"
#include <picus/energy.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace picus::curved_container_test {
namespace {

constexpr double pi = std::numbers::pi;

/// A sheet of triangles over a grid in two parameters, seen from above; a period joins its ends.
template <class Place>
shapes::Mesh make_sheet(Index along, Index across, bool is_periodic, Place&& place) {
  shapes::Mesh mesh{.is_closed = false};
  const Index rows = is_periodic ? along : along + 1;
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k <= across; ++k) mesh.points.push_back(place(i, k));
  }
  for (Index i = 0; i < along; ++i) {
    for (Index k = 0; k < across; ++k) {
      const Index a = i * (across + 1) + k, b = (i + 1) % rows * (across + 1) + k;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

/// The bottom of a sphere of radius `radius` about the origin, up to 1.25 rad from its lowest point.
shapes::Mesh make_bowl(double radius, Index sectors, Index rings) {
  shapes::Mesh mesh{.points = {Vec3(0, 0, -radius)}, .is_closed = false};
  for (Index ring = 1; ring <= rings; ++ring) {
    const double angle = 1.25 * ring / rings;
    for (Index k = 0; k < sectors; ++k) {
      const double turn = 2 * pi * (k + 0.5 * (ring % 2)) / sectors;
      mesh.points.emplace_back(radius * Vec3(std::sin(angle) * std::cos(turn),
                                             std::sin(angle) * std::sin(turn), -std::cos(angle)));
    }
  }
  const auto place = [&](Index ring, Index k) { return 1 + (ring - 1) * sectors + k % sectors; };
  for (Index k = 0; k < sectors; ++k) mesh.triangles.push_back({0, place(1, k), place(1, k + 1)});
  for (Index ring = 1; ring < rings; ++ring) {
    for (Index k = 0; k < sectors; ++k) {
      const Index next = ring % 2 == 1 ? k + 1 : k;  // of the next ring, half a sector on or back
      mesh.triangles.push_back({place(ring, k), place(ring + 1, next), place(ring, k + 1)});
      mesh.triangles.push_back(
          {place(ring, k), place(ring + 1, ring % 2 == 1 ? k : k + sectors - 1), place(ring + 1, next)});
    }
  }
  return mesh;
}

/// The lower half of a torus about z: a gutter, concave across and, on its inner side, convex along.
shapes::Mesh make_gutter(double radius, double tube, Index sectors, Index across) {
  return make_sheet(sectors, across, true, [&](Index i, Index k) {
    const double turn = 2 * pi * i / sectors, angle = pi * (0.06 + 0.88 * k / across);
    const double r = radius + tube * std::cos(angle);
    return Vec3(r * std::cos(turn), r * std::sin(turn), -tube * std::sin(angle));
  });
}

/// A trough that sways: hills along, concave across.
shapes::Mesh make_swaying_trough(double width, Index along, Index across) {
  return make_sheet(along, across, false, [&](Index i, Index k) {
    const double x = 1.6 * (i - 0.5 * along) / along, y = width * (k - 0.5 * across) / across;
    return Vec3(x, y, 2.5 * y * y + 1.2 * x * x + 0.02 * std::cos(14 * x));
  });
}

/// Depth of a point below a sheet that is a graph over x and y, seen from above: below the plane of the triangle over
/// it.
double depth_below(const shapes::Mesh& sheet, const Vec3& x) {
  double deepest = 0;
  for (const auto& [i, k, l] : sheet.triangles) {
    const Vec3 &a = sheet.points[i], &b = sheet.points[k], &c = sheet.points[l];
    const auto area = [](const Vec3& u, const Vec3& v) { return u.x() * v.y() - u.y() * v.x(); };
    const double total = area(b - a, c - a);
    const double s = area(b - x, c - x) / total, t = area(c - x, a - x) / total;
    if (s < 0 || t < 0 || s + t > 1) continue;
    const Vec3 n = (b - a).cross(c - a).normalized();
    deepest = std::max(deepest, n.dot(a - x));
  }
  return deepest;
}

struct Heap : Scene {
  Heap(const shapes::Mesh& container, const std::vector<Vec3>& places) : sheet(container) {
    model.add<Surface>({.name = "container", .of = container});
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto k = static_cast<double>(i);
      const FrameStart start{
          .position = places[i],
          .rotation = so3::exp(Vec3(std::sin(1.7 * k), std::cos(2.9 * k), std::sin(4.1 * k + 1)))};
      const std::string name = fmt::format("body[{}]", i);
      if (i % 2 == 0) {
        add_ball(name, ball, start);
        radii.push_back(ball.radius);
      } else {
        add_box(name, Vec3(0.05, 0.07, 0.06 + 0.01 * static_cast<double>(i % 3)), start);
        radii.push_back(0.0);
      }
    }
    add_weights();
  }
  /// Largest penetration of any body into another one or into the container.
  double depth(const Configuration& q) const {
    double deepest = sampled_depth(*this, q);
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      const Vec3 x = q.position(bodies[a]);
      const Mat3 R = q.rotation(bodies[a]);
      if (radii[a] > 0) {
        deepest = std::max(deepest, depth_below(sheet, x));
        for (const auto& [i, k, l] : sheet.triangles) {
          deepest = std::max(
              deepest, radii[a] - distance_of_triangle(x, sheet.points[i], sheet.points[k], sheet.points[l]));
        }
        for (std::size_t b = 0; b < bodies.size(); ++b) {
          if (a == b) continue;
          const Vec3 apart = x - q.position(bodies[b]);
          if (radii[b] > 0) {
            deepest = std::max(deepest, radii[a] + radii[b] - apart.norm());
          } else {
            const Vec3 X = q.rotation(bodies[b]).transpose() * apart;
            const Vec3 out = (X.cwiseAbs() - 0.5 * sizes[b]).cwiseMax(0.0);
            deepest = std::max(deepest, radii[a] - out.norm());
          }
        }
        continue;
      }
      // Points of the box below the sheet, and of the sheet in the box.
      constexpr int n = 10;
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          for (int k = 0; k <= n; ++k) {
            if (i % n != 0 && j % n != 0 && k % n != 0) continue;
            const Vec3 part(i / double(n) - 0.5, j / double(n) - 0.5, k / double(n) - 0.5);
            deepest = std::max(deepest, depth_below(sheet, x + R * sizes[a].cwiseProduct(part)));
          }
        }
      }
      for (const auto& corners : sheet.triangles) {
        for (int i = 0; i <= n; ++i) {
          for (int k = 0; i + k <= n; ++k) {
            const Vec3 y = (i * sheet.points[corners[0]] + k * sheet.points[corners[1]] +
                            (n - i - k) * sheet.points[corners[2]]) /
                           n;
            deepest = std::max(deepest, (0.5 * sizes[a] - (R.transpose() * (y - x)).cwiseAbs()).minCoeff());
          }
        }
      }
    }
    return deepest;
  }

  static constexpr Ball ball{.mass = 0.05, .radius = 0.03};
  shapes::Mesh sheet;
  std::vector<double> radii;
};

/// Places on a grid of cells that hold any of the bodies in any orientation.
std::vector<Vec3> grid(const Vec3& centre, Index nx, Index ny, Index nz) {
  constexpr double cell = 0.12;
  std::vector<Vec3> places;
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i)
        places.push_back(centre + cell * Vec3(i - 0.5 * (nx - 1), j - 0.5 * (ny - 1), k));
    }
  }
  return places;
}

/// Whether a point is over or under a sheet.
bool is_over(const shapes::Mesh& sheet, const Vec3& x) {
  return std::ranges::any_of(sheet.triangles, [&](const auto& corners) {
    const auto area = [&](std::size_t from, std::size_t to) {
      const Vec3 u = sheet.points[corners[from]] - x, v = sheet.points[corners[to]] - x;
      return u.x() * v.y() - u.y() * v.x();
    };
    return area(0, 1) >= 0 && area(1, 2) >= 0 && area(2, 0) >= 0;
  });
}

/// No step fails, no body penetrates another one or leaves the container, and energy does not grow.
void expect_sound_heap(const Heap& heap, double until) {
  constexpr double h = 1e-3, size = 0.05;
  DecoupledNsga integrator({.step = h});
  double unit = 0;  // J, by which all bodies lose by falling 10 cm
  for (const MassPoint& one : heap.masses) unit += 0.1 * g * one.mass;
  double depth = 0, energy = std::numeric_limits<double>::infinity();
  std::optional<EnergyAudit> audit;
  const Seen seen =
      run(heap, integrator, until, [&](const Stepper& stepper, const State& state, const StepReport&) {
        if (state.step % 20 != 0) return;
        depth = std::max(depth, heap.depth(state.q));
        if (!audit) audit.emplace(stepper.system(), state);
        const Energies now = audit->energies(state);
        // Of the order of the step where bodies roll over edges.
        EXPECT_LE(now.kinetic + now.potential, energy + 1e-3 * unit) << state.time;
        energy = std::min(energy, now.kinetic + now.potential);
        for (const FrameNode& body : heap.bodies)
          EXPECT_TRUE(is_over(heap.sheet, state.q.position(body))) << state.time;
      });
  EXPECT_LT(depth, 1e-6 * size);
  EXPECT_LT(seen.penetration, 1e-9);
  EXPECT_EQ(seen.search.misses, 0);
}

bool is_full() {
  return std::getenv("PICUS_FULL_TESTS") != nullptr;
}

TEST(CurvedContainer, HeapInABowl) {
  Heap heap(make_bowl(0.5, 24, 8), grid({0.02, 0.01, -0.25}, 2, 2, is_full() ? 5 : 2));
  heap.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1, .rolling_arm = 1e-3});
  expect_sound_heap(heap, is_full() ? 1.5 : 0.5);
}

TEST(CurvedContainer, HeapInAGutter) {
  Heap heap(make_gutter(0.4, 0.2, 30, 8), grid({0.4, 0.0, 0.0}, 2, 2, is_full() ? 5 : 2));
  heap.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1, .rolling_arm = 1e-3});
  expect_sound_heap(heap, is_full() ? 1.5 : 0.5);
}

TEST(CurvedContainer, HeapInASwayingTrough) {
  Heap heap(make_swaying_trough(0.8, 24, 12), grid({0.05, 0.02, 0.15}, 3, 2, is_full() ? 4 : 2));
  heap.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1, .rolling_arm = 1e-3});
  expect_sound_heap(heap, is_full() ? 1.5 : 0.5);
}

}  // namespace
}  // namespace picus::curved_container_test
