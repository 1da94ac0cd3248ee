/// Balls and cylinders that lie on a closed ring of beams: the seam of the ring carries load like any other place.

#include "rounds.hpp"
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace picus::round_on_rope_ring_test {
namespace {

using std::numbers::pi;

/// A ring of 16 beams about z that lies on the floor, whose first and last node are the same, and round bodies on it.
/// Lengths and Young's modulus are `scale` times as large, so that motions are similar.
struct RingScene : RoundScene {
  static constexpr int elements = 16;

  RingScene(double seam, double scale_in) : scale(scale_in) {
    add_floor();
    std::vector<SectionPose> poses;
    for (int i = 0; i <= elements; ++i) {
      const double angle = seam + 2 * pi * (i % elements) / elements;
      const Vec3 out(std::cos(angle), std::sin(angle), 0), along(-out.y(), out.x(), 0);
      poses.push_back(section_pose(rho * Vec3::UnitZ() + R * out, along, Vec3::UnitZ()));
    }
    const FrameNode start =
        model.add_frame("seam", {.position = poses[0].position, .rotation = poses[0].axes});
    ring = make_beam(model, {.name = "ring",
                             .section = Section::circle(rho, {.E = 1e7 * scale, .nu = 0.3, .density = 1000}),
                             .poses = poses,
                             .first_node = start,
                             .last_node = start});
    for (const MassPoint& point : ring.mass_points()) masses.push_back(point);
    model.add<Surface>({.name = "ring", .of = shapes::Rope{ring.nodes, rho}});
  }
  void finish(double mu) {
    for (const MassPoint& one : masses) weight += g * one.mass;
    add_weights();
    model.add<ContactsBetween>({.name = "all", .self_contact = true, .mu = mu});
  }

  double scale, R = 0.06 * scale, rho = 0.01 * scale, h = 1e-3 * std::sqrt(scale);
  double mass = 2.0 * scale * scale * scale;  ///< of the round body
  double weight = 0.0;                        ///< of all
  BeamMesh ring;
};

struct RingRest {
  Seen seen;
  std::map<std::string, double> forces;  ///< on the round body, N
  double on_floor = 0.0;                 ///< N
  int others = 0;                        ///< contacts of the ring with itself
};

RingRest rest_on_ring(const RingScene& scene, double until) {
  DecoupledNsga integrator({.step = scene.h});
  RingRest rest;
  rest.seen = run(scene, integrator, until * std::sqrt(scene.scale),
                  [&](const Stepper& stepper, const State& state, const StepReport&) {
                    rest.forces.clear();
                    rest.on_floor = 0;
                    rest.others = 0;
                    for (const auto& contact : stepper.system().contacts()) {
                      const double force = state.contact_impulse[contact.first_row] / scene.h;
                      const std::string& name = contact.element->name();
                      if (name.find("floor") != std::string::npos) {
                        rest.on_floor += force;
                      } else if (name.find("body") != std::string::npos) {
                        rest.forces[name] = force;
                      } else {
                        ++rest.others;
                      }
                    }
                  });
  return rest;
}

void expect_rest(const RingScene& scene, const RingRest& rest) {
  EXPECT_NEAR(rest.on_floor, scene.weight, 1e-6 * scene.weight);
  EXPECT_EQ(rest.others, 0);
  EXPECT_EQ(rest.seen.fallbacks, 0);
  EXPECT_EQ(rest.seen.search.misses, 0);
  EXPECT_LT(rest.seen.penetration, 1e-10 * scene.scale);
}

// 16 equal forces along the lines from the centre of the ball to the middles of the beams.
TEST(RoundOnRopeRing, ABallPressesAllBeamsAlikeWhereverTheRingCloses) {
  for (const double scale : {1.0, 20.0}) {
    for (const int place : {0, 3}) {
      SCOPED_TRACE(fmt::format("scale {}, closed at node {}", scale, place));
      RingScene scene(2 * pi * place / RingScene::elements, scale);
      const double radius = 0.12 * scale, apart = radius + scene.rho;
      const double height = std::sqrt(apart * apart - std::pow(scene.R * std::cos(pi / 16), 2));
      scene.add_ball("body", {.mass = scene.mass, .radius = radius},
                     {.position = {0, 0, scene.rho + height + 1e-4 * scale}});
      scene.finish(0.0);
      const RingRest rest = rest_on_ring(scene, 0.3);
      expect_rest(scene, rest);
      EXPECT_EQ(rest.forces.size(), 16U);
      const Vec3 x = rest.seen.state.q.position(scene.bodies[0]);
      EXPECT_LT(x.head<2>().norm(), 1e-9 * scale);
      const double cosine = (x.z() - scene.rho) / apart;
      const double exact = scene.mass * g / (16 * cosine);
      for (const auto& [name, force] : rest.forces) EXPECT_NEAR(force, exact, 1e-6 * exact) << name;
    }
  }
}

// A cylinder across the ring has one contact on either side, each with half of its weight: over two opposite nodes, one
// of which may be the seam, and over the middles of two beams.
TEST(RoundOnRopeRing, ACylinderAcrossTheRingHasOneContactOnEitherSide) {
  for (const double scale : {1.0, 20.0}) {
    for (const int place : {0, 3}) {
      for (const double turn : {0.0, 0.1, pi / 16}) {
        SCOPED_TRACE(fmt::format("scale {}, closed at node {}, turned by {}", scale, place, turn));
        RingScene scene(2 * pi * place / RingScene::elements, scale);
        const double radius = 0.03 * scale;
        const FrameNode can =
            scene.add_cylinder("body", scene.mass, radius, 0.3 * scale,
                               {.position = {0, 0, 2 * scene.rho + radius + 1e-4 * scale},
                                .rotation = so3::exp(Vec3(0, 0, turn)) * so3::exp(Vec3(0, pi / 2, 0))});
        scene.finish(0.3);
        const RingRest rest = rest_on_ring(scene, 0.2);
        expect_rest(scene, rest);
        EXPECT_EQ(rest.forces.size(), 2U);
        for (const auto& [name, force] : rest.forces)
          EXPECT_NEAR(force, scene.mass * g / 2, 1e-6 * scene.mass * g) << name;
        EXPECT_NEAR(rest.seen.state.q.position(can).z(), 2 * scene.rho + radius, 1e-9 * scale);
        EXPECT_LT(rest.seen.state.v.segment<6>(can.v).norm(), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace picus::round_on_rope_ring_test
