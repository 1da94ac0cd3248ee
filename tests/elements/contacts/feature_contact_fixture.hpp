#pragma once

#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/so3.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace picus::feature_contact_test {

using support::message_of;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-13;
constexpr double rho_a = 0.2;
constexpr double rho_b = 0.3;

/// Features of bodies, of meshes and of the ground, a metre or more apart, so that random displacements of a tenth of
/// a metre keep the closest points within the same features.
class FeatureContactTest : public ::testing::Test {
 protected:
  /// A point on a body with a given initial position.
  MaterialPoint on(const FrameNode& body, const Vec3& position) const {
    return {body, start.rotation(body).transpose() * (position - start.position(body))};
  }
  MaterialPoint mesh_point(const Vec3& position) {
    return model.add_point("point" + std::to_string(count_++), {.position = position});
  }
  MaterialPoint beam_point(const Vec3& position) {
    return model.add_frame("section" + std::to_string(count_++),
                           {.position = position, .rotation = random.rotation()});
  }

  Handle<FeatureContact> add(const Feature& a, const Feature& b, double mu = 0.3, Index directions = 2) {
    return model.add<FeatureContact>({.name = "contact" + std::to_string(count_++),
                                      .a = a,
                                      .b = b,
                                      .mu = mu,
                                      .friction_directions = directions});
  }
  Handle<FeatureContact> add_crossing(const Feature& a, const Feature& b, Crossing crossing,
                                      double mu = 0.3) {
    return model.add<FeatureContact>(
        {.name = "contact" + std::to_string(count_++), .a = a, .b = b, .crossing = crossing, .mu = mu});
  }
  Handle<FeatureContact> add_plane(const Feature& point, const Feature& triangle, double mu = 0.3) {
    return model.add<FeatureContact>({.name = "contact" + std::to_string(count_++),
                                      .a = point,
                                      .b = triangle,
                                      .is_plane = true,
                                      .mu = mu});
  }
  std::string refusal(FeatureContact::Parameters parameters) {
    parameters.name = "c";
    return message_of<ModelError>([&] { model.add<FeatureContact>(parameters); });
  }
  static double gap(const FeatureContact& contact, const Configuration& q) {
    return support::gap(contact, q, q)[0];
  }

  /// One pair of each kind: closest points inside and on boundaries; on bodies, beams, meshes and the ground.
  std::vector<Handle<FeatureContact>> all_kinds() {
    const auto body_edge = Feature::edge(on(one, {-1, 1, 0}), on(one, {1, 1.2, 0.1}), rho_a);
    const auto sharp = Feature::edge(on(one, {-1, 1, 0}), on(one, {1, 1.2, 0.1}));
    const auto ground = MaterialPoint::on_ground({0.1, -1, 0.2});
    const auto mesh_triangle =
        Feature::triangle(mesh_point({-1, 0, 1}), mesh_point({1, 0, 1.2}), mesh_point({0, 0.1, -2}));
    return {
        add(Feature::point(on(one, {0.1, 1, 0}), rho_a), Feature::point(on(two, {0, -1, 0.3}), rho_b)),
        add(Feature::point(mesh_point({0.3, 1, 0}), rho_a), Feature::point(on(two, {0, -1, 0.3}), rho_b)),
        add(Feature::point(on(one, {0.1, 1, 0}), rho_a),
            Feature::edge(beam_point({-1, -1, 0}), beam_point({1, -1, 0.2}), rho_b)),
        add(Feature::point(on(one, {3, 1, 0}), rho_a),
            Feature::edge(beam_point({-1, -1, 0}), beam_point({1, -1, 0.2}), rho_b)),
        add(body_edge, Feature::point(ground, rho_b)),
        add(body_edge, Feature::edge(beam_point({0.1, -1, -1}), beam_point({0.2, -1.2, 1}), rho_b)),
        add(body_edge, Feature::edge(beam_point({2.1, -1, -1}), beam_point({2.2, -1.2, 1}), rho_b)),
        add(body_edge, Feature::edge(beam_point({2.1, -1, 1}), beam_point({2.2, -1.2, 3}), rho_b)),
        add(Feature::edge(mesh_point({-1, 1, 0}), mesh_point({1, 1.2, 0.1}), rho_a),
            Feature::edge(ground, MaterialPoint::on_ground({0.2, -1, -1}), rho_b)),
        add(Feature::point(on(one, {0.1, 1, 0}), rho_a), mesh_triangle),
        add(Feature::point(on(one, {0.1, 1, 0})), mesh_triangle),
        add(Feature::point(mesh_point({0.1, -0.2, 0})),
            Feature::triangle(on(two, {-1, 0, 1}), on(two, {1, 0, 1.2}), on(two, {0, 0.1, -2}))),
        add(Feature::point(mesh_point({0.1, 0.9, 0})), mesh_triangle, 0.0),
        add(Feature::point(on(one, {2, 1, 1}), rho_a), mesh_triangle),
        add(Feature::point(on(one, {0.2, 1, 3}), rho_a), mesh_triangle),
        add(body_edge, Feature::edge(beam_point({0.1, -1, -1}), beam_point({0.2, -1.2, 1}), rho_b), 0.0),
        add(body_edge, Feature::point(ground, rho_b), 0.3, 1),
        // Crossing edges: touching, apart, one through the other, beyond their ends.
        add_crossing(sharp, Feature::edge(on(two, {0.1, 1.11, -1}), on(two, {0.1, 1.11, 1})),
                     Crossing::along),
        add_crossing(sharp, Feature::edge(on(two, {0.1, 1.11, -1}), on(two, {0.1, 1.11, 1})),
                     Crossing::against),
        add_crossing(sharp, Feature::edge(beam_point({0.1, -1, -1}), beam_point({0.2, -1.2, 1})),
                     Crossing::against),
        add_crossing(sharp, Feature::edge(beam_point({3.1, 1.6, 2}), beam_point({3.2, 1.4, 1})),
                     Crossing::along),
        add_crossing(body_edge, Feature::edge(beam_point({0.1, 1.3, -1}), beam_point({0.2, 1.4, 1}), rho_b),
                     Crossing::along),
        add_crossing(Feature::edge(mesh_point({-1, 1, 0}), mesh_point({1, 1.2, 0.1})),
                     Feature::edge(ground, MaterialPoint::on_ground({0.2, -1, -1})), Crossing::along),
        add_crossing(Feature::edge(mesh_point({-1, 1, 0}), mesh_point({1, 1.2, 0.1})),
                     Feature::edge(beam_point({0.1, 1.3, -1}), beam_point({0.2, 1.4, 1})), Crossing::against,
                     0.0),
        // Points over planes, within a triangle and far beyond its boundary.
        add_plane(Feature::point(on(one, {0.1, 1, 0})), mesh_triangle),
        add_plane(Feature::point(on(one, {2, 1, 1}), rho_a), mesh_triangle),
        add_plane(Feature::point(mesh_point({0.2, 0.7, 3})), mesh_triangle, 0.0),
    };
  }

  /// Pairs that resist drilling and rolling: closest points that move within edges and triangles, and do not.
  std::vector<Handle<FeatureContact>> resisting_kinds() {
    const auto with = [&](const Feature& a, const Feature& b, double drilling, double rolling,
                          Index directions = 2, bool is_plane = false) {
      return model.add<FeatureContact>({.name = "contact" + std::to_string(count_++),
                                        .a = a,
                                        .b = b,
                                        .is_plane = is_plane,
                                        .mu = 0.3,
                                        .friction_directions = directions,
                                        .drilling_radius = drilling,
                                        .rolling_arm = rolling});
    };
    const auto ball = Feature::point(on(one, {0.1, 1, 0}), rho_a);
    const auto corner = Feature::point(on(two, {0, -1, 0.3}));
    const auto rod = Feature::edge(on(one, {-1, 1, 0}), on(one, {1, 1.2, 0.1}), rho_a);
    const auto rope = Feature::edge(beam_point({0.1, -1, -1}), beam_point({0.2, -1.2, 1}), rho_b);
    const auto triangle = Feature::triangle(on(two, {-1, 0, 1}), on(two, {1, 0, 1.2}), on(two, {0, 0.1, -2}));
    return {
        with(ball, corner, 0.1, 0.05),
        with(ball, corner, 0.1, 0.0),
        with(ball, corner, 0.0, 0.05),
        with(ball, corner, 0.0, 0.05, 1),
        with(ball, Feature::edge(beam_point({-1, -1, 0}), beam_point({1, -1, 0.2}), rho_b), 0.1, 0.05),
        with(ball, Feature::edge(MaterialPoint::on_ground({-1, -1, 0}), MaterialPoint::on_ground({1, -1, 0})),
             0.1, 0.05),
        with(rod, rope, 0.1, 0.05),
        with(ball, triangle, 0.1, 0.05),
        with(ball, triangle, 0.1, 0.05, 2, true)};
  }

  /// Anisotropic friction: a grain on either side and on the ground, with closest points that move and do not.
  std::vector<Handle<FeatureContact>> grained_kinds() {
    const auto with = [&](const Feature& a, const Feature& b, const Node& body, double anisotropy,
                          bool is_plane = false, Crossing crossing = Crossing::none) {
      return model.add<FeatureContact>({.name = "contact" + std::to_string(count_++),
                                        .a = a,
                                        .b = b,
                                        .crossing = crossing,
                                        .is_plane = is_plane,
                                        .mu = 0.3,
                                        .grain = Grain{body, {0.4, -0.3, 0.9}, anisotropy}});
    };
    const auto ball = Feature::point(on(one, {0.1, 1, 0}), rho_a);
    const auto rod = Feature::edge(on(one, {-1, 1, 0}), on(one, {1, 1.2, 0.1}), rho_a);
    const auto sharp = Feature::edge(on(one, {-1, 1, 0}), on(one, {1, 1.2, 0.1}));
    const auto triangle = Feature::triangle(on(two, {-1, 0, 1}), on(two, {1, 0, 1.2}), on(two, {0, 0.1, -2}));
    const auto other = Feature::edge(on(two, {0.1, -1, -1}), on(two, {0.2, -1.2, 1}), rho_b);
    const auto mesh_point_on_two = Feature::point(mesh_point({0.1, -0.2, 0}));
    const auto wall =
        Feature::edge(MaterialPoint::on_ground({-1, -1, 0}), MaterialPoint::on_ground({1, -1, 0}), rho_b);
    return {
        with(ball, Feature::point(on(two, {0, -1, 0.3}), rho_b), one, 2.0),
        with(ball, Feature::point(on(two, {0, -1, 0.3}), rho_b), two, 0.4),
        with(ball, wall, Node{}, 2.0),
        with(ball, wall, one, 2.0),
        with(rod, other, one, 0.4),
        with(rod, other, two, 2.0),
        with(Feature::point(on(one, {0.1, 1, 0})), triangle, one, 2.0, true),
        with(ball, triangle, two, 2.0),
        with(mesh_point_on_two, triangle, two, 0.4),
        with(sharp, Feature::edge(on(two, {0.1, 1.11, -1}), on(two, {0.1, 1.11, 1})), two, 2.0, false,
             Crossing::along),
    };
  }

  support::Random random{43};
  Model model{"m"};
  const Configuration& start = model.initial_configuration();
  FrameNode one = model.add_frame("one", {.position = {0.3, 2, 0.2}, .rotation = random.rotation()});
  FrameNode two = model.add_frame("two", {.position = {-0.2, -2, -0.1}, .rotation = random.rotation()});

 private:
  int count_ = 0;
};

}  // namespace picus::feature_contact_test
