/// Self-contact of solids and ropes: the two legs of a hairpin pressed together, checked independently of the contact
/// code, and compared with the same legs with separate surfaces.

#include "boxes.hpp"
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/face_pressure.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::self_contact_test {
namespace {

using std::numbers::pi;

constexpr double leg = 0.5;    // m
constexpr double bend = 0.06;  // m, radius of the middle line

/// The centre line of a hairpin in the x-z plane, open towards x, and its normal away from the other leg.
struct LinePoint {
  Vec3 position, tangent, normal;
};
LinePoint on_hairpin(double s) {
  if (s <= leg) return {{leg - s, 0, bend}, -Vec3::UnitX(), Vec3::UnitZ()};
  const double angle = (s - leg) / bend;
  if (angle < pi) {
    const Vec3 n(-std::sin(angle), 0, std::cos(angle));
    return {bend * n, Vec3(-std::cos(angle), 0, -std::sin(angle)), n};
  }
  return {{s - leg - pi * bend, 0, -bend}, Vec3::UnitX(), -Vec3::UnitZ()};
}
/// The section with number i, between legs with this many elements and six in the bend.
constexpr Index in_bend = 6;
double length_at(Index i, Index first, Index second) {
  if (i <= first) return leg * i / first;
  if (i <= first + in_bend) return leg + pi * bend * (i - first) / in_bend;
  return leg + pi * bend + leg * (i - first - in_bend) / second;
}

enum class Touching { nothing, legs, itself };

/// A strip in the shape of a hairpin; nodes move in the x-z plane.
struct Strip {
  static constexpr double thickness = 0.04, width = 0.05;
  static constexpr Index rows = 2;  // of cells across the thickness

  Strip(Index first_in, Index second_in, Touching touching) : first(first_in), second(second_in) {
    const Index cells = first + in_bend + second;
    auto mesh = make_box_mesh(
        {.size = {1.0 * cells, width, thickness}, .divisions = {cells, 1, rows}, .map = [&](const Vec3& X) {
           const auto i = static_cast<Index>(std::lround(X.x()));
           const LinePoint at = on_hairpin(length_at(i, first, second));
           return Vec3(at.position + (X.z() - thickness / 2) * at.normal - X.y() * Vec3::UnitY());
         }});
    mesh.face_sets["all"] = mesh.boundary();
    for (const CellFace& face : mesh.face_sets["all"]) {
      const auto is_in = [&](auto&& holds) {
        return std::ranges::all_of(face, [&](Index p) { return holds(p % (cells + 1)); });
      };
      if (is_in([&](Index i) { return i <= first; })) mesh.face_sets["leg 0"].push_back(face);
      if (is_in([&](Index i) { return i >= first + in_bend; })) mesh.face_sets["leg 1"].push_back(face);
    }
    solid = add_solid(model, mesh,
                      {.name = "strip",
                       .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000},
                       .damping_time = 5e-3});
    for (const PointNode& node : solid.nodes()) model.fix(node, {Component::y});
    std::vector<QuadrilateralNodes> pressed;
    const auto outside = mesh.face_sets["z+"];
    for (const CellFace& face : outside) {
      const bool on_bend = std::ranges::any_of(face, [&](Index p) {
        const Index i = p % (cells + 1);
        return i > first && i < first + in_bend;
      });
      if (on_bend) continue;
      pressed.push_back(
          {solid.nodes()[face[0]], solid.nodes()[face[1]], solid.nodes()[face[2]], solid.nodes()[face[3]]});
    }
    add_pressure(model, {.name = "pressure", .faces = pressed, .pressure = 150.0});
    if (touching == Touching::nothing) return;
    if (touching == Touching::itself) {
      model.add<Surface>({.name = "strip", .of = shapes::Faces{solid.faces("all")}});
    } else {
      for (const char* name : {"leg 0", "leg 1"})
        model.add<Surface>({.name = name, .of = shapes::Faces{solid.faces(name)}});
    }
    model.add<ContactsBetween>({.name = "all", .self_contact = touching == Touching::itself, .mu = 0.2});
  }

  /// Corners of the cell i of a row, clockwise in the x-z plane as seen along -y, at y = 0.
  std::array<Vec3, 4> cell(const Configuration& q, Index i, Index row) const {
    const Index line = first + in_bend + second + 1;
    const auto at = [&](Index k, Index r) { return q.position(solid.nodes()[k + 2 * line * r]); };
    return {at(i, row), at(i + 1, row), at(i + 1, row + 1), at(i, row + 1)};
  }

  /// Depth of points of the inner side of each leg in cells of the other one, m: they are between lines through
  /// sides.
  double deepest(const Configuration& q) const {
    const Index cells = first + in_bend + second;
    double depth = 0;
    const auto is_second = [&](Index i) { return i >= first + in_bend; };
    for (Index i = 0; i < cells; ++i) {
      if (i >= first && !is_second(i)) continue;
      const auto own = cell(q, i, 0);
      constexpr int samples = 8;
      for (int k = 0; k <= samples; ++k) {
        const Vec3 x = own[0] + k / double(samples) * (own[1] - own[0]);
        for (Index other = 0; other < cells; ++other) {
          if ((other >= first && !is_second(other)) || is_second(other) == is_second(i)) continue;
          for (Index row = 0; row < rows; ++row) {
            const auto corners = cell(q, other, row);
            double inside = 1;
            for (std::size_t c = 0; c < 4; ++c) {
              const Vec3 side = (corners[(c + 1) % 4] - corners[c]).normalized();
              const Vec3 in(side.z(), 0, -side.x());
              inside = std::min(inside, in.dot(x - corners[c]));
            }
            depth = std::max(depth, inside);
          }
        }
      }
    }
    return depth;
  }

  Index first, second;
  Model model{"strip"};
  Solid solid;
};

/// Largest normal force of all contacts in a run, and the unbalanced sum of all contacts of a step, both N.
struct Forces {
  double normal = 0, left_over = 0;
};

/// The sum of the contact forces on all nodes.
void add_forces(const Stepper& stepper, const State& state, double h, Forces& forces) {
  Vec3 sum = Vec3::Zero();
  double normal = 0;
  std::array<double, max_contact_rows * max_local_dofs> G{};
  for (const auto& contact : stepper.system().contacts()) {
    const std::span<double> used(G.data(), contact.rows * contact.dofs);
    std::fill(used.begin(), used.end(), 0.0);
    contact.role->gradient(state.q, used);
    normal += state.contact_impulse[contact.first_row] / h;
    Index column = 0;
    for (const Node& node : contact.element->nodes()) {
      for (Index c = 0; c < velocity_size(node.kind); ++c, ++column) {
        if (c > 2) continue;
        for (Index r = 0; r < contact.rows; ++r)
          sum[c] += G[column * contact.rows + r] * state.contact_impulse[contact.first_row + r] / h;
      }
    }
  }
  forces.normal = std::max(forces.normal, normal);
  forces.left_over = std::max(forces.left_over, sum.norm());
}

TEST(SelfContact, WithoutItTheCheckSeesHowDeepAStripIsInItself) {
  const Strip strip(10, 13, Touching::nothing);
  DecoupledNsga integrator({.step = 2e-3});
  double deepest = 0;
  run_found(strip.model, integrator, 0.3, [&](const Stepper&, const State& state, const StepReport&) {
    deepest = std::max(deepest, strip.deepest(state.q));
  });
  EXPECT_GT(deepest, 0.2 * Strip::thickness);
}

// Legs with equal numbers of cells, whose nodes meet, and with different ones.
TEST(SelfContact, AStripThatClosesDoesNotEnterItself) {
  constexpr double h = 2e-3;
  for (const Index second : {10, 13}) {
    SCOPED_TRACE(second);
    const Strip strip(10, second, Touching::itself);
    DecoupledNsga integrator({.step = h});
    double deepest = 0;
    Forces forces;
    const Seen seen = run_found(strip.model, integrator, 0.3,
                                [&](const Stepper& stepper, const State& state, const StepReport&) {
                                  deepest = std::max(deepest, strip.deepest(state.q));
                                  add_forces(stepper, state, h, forces);
                                });
    EXPECT_EQ(strip.deepest(strip.model.initial_configuration()), 0.0);
    EXPECT_GT(forces.normal, 1.0);  // of 7.5 N on each leg
    EXPECT_LT(forces.left_over, 1e-9 * forces.normal);
    EXPECT_LT(deepest, 1e-8 * Strip::thickness);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

TEST(SelfContact, AStripMovesAsTwoLegsThatTouchEachOther) {
  std::vector<Vec3> ends;
  for (const bool with_itself : {false, true}) {
    const Strip strip(10, 10, with_itself ? Touching::itself : Touching::legs);
    // A new tangent for each iteration leaves residuals below the tolerance, by which the two could differ.
    DecoupledNsga integrator({.step = 2e-3}, {.reuse = TangentReuse::never});
    Forces forces;
    const Seen seen = run_found(strip.model, integrator, 0.3,
                                [&](const Stepper& stepper, const State& state, const StepReport&) {
                                  add_forces(stepper, state, 2e-3, forces);
                                });
    EXPECT_GT(forces.normal, 1.0);
    double largest = 0;
    for (std::size_t i = 0; i < strip.solid.nodes().size(); ++i) {
      const Vec3 x = seen.state.q.position(strip.solid.nodes()[i]);
      if (with_itself) largest = std::max(largest, (x - ends[i]).norm());
      if (!with_itself) ends.push_back(x);
    }
    EXPECT_LT(largest, 1e-8 * Strip::thickness);  // the same contacts; their order may differ
  }
}

// Its faces are closer than its cells are long, and do not obstruct each other.
TEST(SelfContact, AThinPlateThatBendsHasNone) {
  Model model("plate");
  auto mesh = make_box_mesh({.size = {0.6, 0.2, 0.01}, .divisions = {12, 4, 1}});
  mesh.face_sets["all"] = mesh.boundary();
  const Solid solid = add_solid(
      model, mesh,
      {.name = "plate", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000}});
  solid.fix(model, "x-");
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -g}, .bodies = solid.mass_points()});
  model.add<Surface>({.name = "plate", .of = shapes::Faces{solid.faces("all")}});
  model.add<ContactsBetween>({.name = "all", .self_contact = true});
  DecoupledNsga integrator({.step = 5e-3});
  const Seen seen =
      run_found(model, integrator, 0.5, [&](const Stepper& stepper, const State&, const StepReport&) {
        EXPECT_TRUE(stepper.system().contacts().empty());
      });
  EXPECT_LT(seen.state.q.position(solid.nodes().back()).z(), -0.1);  // it hangs down
}

/// A rope in the shape of a hairpin whose legs fall towards each other.
struct HairpinRope {
  static constexpr double radius = 0.02;

  HairpinRope(Index elements, bool with_itself) {
    std::vector<SectionPose> poses;
    for (Index i = 0; i <= 2 * elements + in_bend; ++i) {
      const LinePoint at = on_hairpin(length_at(i, elements, elements));
      poses.push_back(section_pose(at.position, at.tangent, Vec3::UnitY()));
    }
    rope = make_beam(model, {.name = "rope",
                             .section = Section::circle(
                                 radius, {.E = 1e6, .nu = 0.3, .density = 1000, .relaxation_time = 5e-3}),
                             .poses = poses});
    legs = {std::vector(rope.nodes.begin(), rope.nodes.begin() + elements + 1),
            std::vector(rope.nodes.end() - elements - 1, rope.nodes.end())};
    const double mass = 1000 * pi * radius * radius * leg / static_cast<double>(elements);
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<MassPoint> bodies;
      for (const FrameNode& node : legs[k]) bodies.push_back({node, mass});
      add_gravity(
          model,
          {.name = k == 0 ? "down" : "up", .acceleration = {0, 0, k == 0 ? -4.0 : 4.0}, .bodies = bodies});
    }
    if (with_itself) {
      model.add<Surface>({.name = "rope", .of = shapes::Rope{rope.nodes, radius}});
    } else {
      for (std::size_t k = 0; k < 2; ++k)
        model.add<Surface>({.name = k == 0 ? "leg 0" : "leg 1", .of = shapes::Rope{legs[k], radius}});
    }
    model.add<ContactsBetween>({.name = "all", .self_contact = with_itself, .mu = 0.2});
  }

  /// Distance of the centre lines of the legs, sampled.
  double distance(const Configuration& q) const {
    double least = 1;
    const auto points = [&](const std::vector<FrameNode>& nodes) {
      std::vector<Vec3> result;
      for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        for (int k = 0; k < 20; ++k) {
          const double t = k / 20.0;
          result.emplace_back((1 - t) * q.position(nodes[i]) + t * q.position(nodes[i + 1]));
        }
      }
      result.push_back(q.position(nodes.back()));
      return result;
    };
    const auto other = points(legs[1]);
    for (const Vec3& x : points(legs[0])) {
      for (const Vec3& y : other) least = std::min(least, (x - y).norm());
    }
    return least;
  }

  Model model{"rope"};
  BeamMesh rope;
  std::array<std::vector<FrameNode>, 2> legs;
};

TEST(SelfContact, ARopeTouchesItselfAsTwoRopesDo) {
  constexpr double h = 1e-3;
  std::vector<Vec3> ends;
  for (const bool with_itself : {false, true}) {
    const HairpinRope hairpin(10, with_itself);
    DecoupledNsga integrator({.step = h});
    double least = 1;
    Forces forces;
    const Seen seen = run_found(hairpin.model, integrator, 0.25,
                                [&](const Stepper& stepper, const State& state, const StepReport&) {
                                  least = std::min(least, hairpin.distance(state.q));
                                  add_forces(stepper, state, h, forces);
                                });
    EXPECT_GT(forces.normal, 1.0);
    EXPECT_LT(forces.left_over, 1e-9 * forces.normal);
    EXPECT_GT(least, 2 * HairpinRope::radius * (1 - 1e-8));
    double largest = 0;
    for (std::size_t i = 0; i < hairpin.rope.nodes.size(); ++i) {
      const Vec3 x = seen.state.q.position(hairpin.rope.nodes[i]);
      if (with_itself) largest = std::max(largest, (x - ends[i]).norm());
      if (!with_itself) ends.push_back(x);
    }
    EXPECT_LT(largest, 1e-9);
  }
}

// Elements shorter than the rope's thickness overlap their neighbours' neighbours.
TEST(SelfContact, ARopeOfShortElementsHasNoneWithItsNeighbours) {
  const HairpinRope hairpin(60, true);
  DecoupledNsga integrator({.step = 1e-3});
  run_found(hairpin.model, integrator, 0.05, [&](const Stepper& stepper, const State&, const StepReport&) {
    EXPECT_TRUE(stepper.system().contacts().empty());
  });
}

TEST(SelfContact, OfBallsThatCannotTurnHasNoFriction) {
  Model model("grains");
  std::vector<PointNode> nodes;
  for (int i = 0; i < 3; ++i)
    nodes.push_back(model.add_point("grain " + std::to_string(i), {.position = {0.25 * i, 0, 0}}));
  model.add<Surface>({.name = "grains", .of = shapes::Points{nodes, 0.1}});
  model.add<ContactsBetween>({.name = "all", .self_contact = true, .mu = 0.3});
  EXPECT_THAT(support::message_of<ModelError>([&] {
                DecoupledNsga integrator;
                Stepper stepper(model, integrator);
              }),
              testing::HasSubstr("mu is 0.3 between grains and grains"));
}

}  // namespace
}  // namespace picus::self_contact_test
