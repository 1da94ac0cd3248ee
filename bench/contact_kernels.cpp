/// Times of one contact: gaps and slip, gradient, curvature, by the kind of its two sides.

#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/round_contact.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/model.hpp>

#include <benchmark/benchmark.h>

#include <array>

namespace {

using namespace picus;

/// Two bodies, one a tenth of a metre above the other.
struct Bodies {
  Model model;
  FrameNode upper = model.add_frame("upper", {.position = {0.1, 0.4, 0.2}});
  FrameNode lower = model.add_frame("lower");
  Feature sphere = Feature::point(upper, 0.1);
  Feature rod = Feature::edge(upper, {upper, {1, 0, 0.5}}, 0.1);
  Feature beam = Feature::edge({lower, {0.3, 0, -1}}, {lower, {0.3, 0, 1}}, 0.2);
  Feature face = Feature::triangle({lower, {-2, 0, 2}}, {lower, {2, 0, 2}}, {lower, {0, 0, -2}});

  InRole<Contact> spheres() {
    return model.add<SphereToSphereContact>({.name = "c", .a = {upper, 0.1}, .b = {lower, 0.2}, .mu = 0.3});
  }
  InRole<Contact> features(const Feature& a, const Feature& b) {
    return model.add<FeatureContact>({.name = "c", .a = a, .b = b, .mu = 0.3});
  }
};

/// Everything that a Newton iteration evaluates of a contact.
void evaluate(benchmark::State& state, const Bodies& bodies, const InRole<Contact>& contact) {
  const Configuration& q = bodies.model.initial_configuration();
  const std::size_t n = contact.element->dof_count();
  const std::array<double, 3> p = {1.0, 0.1, -0.2};
  std::array<double, 3> g{};
  std::array<double, 3 * max_local_dofs> G{};
  std::array<double, max_local_dofs * max_local_dofs> K{};
  for (auto _ : state) {
    contact.role->displacement(q, q, g);
    contact.role->gradient(q, std::span(G).first(3 * n));
    contact.role->geometric_stiffness(q, p, std::span(K).first(n * n));
    benchmark::DoNotOptimize(g.data());
    benchmark::DoNotOptimize(G.data());
    benchmark::DoNotOptimize(K.data());
  }
}

void sphere_to_sphere(benchmark::State& state) {
  Bodies bodies;
  const auto contact = bodies.spheres();
  evaluate(state, bodies, contact);
}
BENCHMARK(sphere_to_sphere);

void point_to_point(benchmark::State& state) {
  Bodies bodies;
  const auto contact = bodies.features(bodies.sphere, Feature::point(bodies.lower, 0.2));
  evaluate(state, bodies, contact);
}
BENCHMARK(point_to_point);

void point_to_edge(benchmark::State& state) {
  Bodies bodies;
  const auto contact = bodies.features(bodies.sphere, bodies.beam);
  evaluate(state, bodies, contact);
}
BENCHMARK(point_to_edge);

void edge_to_edge(benchmark::State& state) {
  Bodies bodies;
  const auto contact = bodies.features(bodies.rod, bodies.beam);
  evaluate(state, bodies, contact);
}
BENCHMARK(edge_to_edge);

void point_to_triangle(benchmark::State& state) {
  Bodies bodies;
  const auto contact = bodies.features(bodies.sphere, bodies.face);
  evaluate(state, bodies, contact);
}
BENCHMARK(point_to_triangle);

/// The contacts of triangle meshes, boxes and hulls: a corner on a face, sharp edges that cross.
void corner_on_face(benchmark::State& state) {
  Bodies bodies;
  const InRole<Contact> contact = bodies.model.add<NodeToFaceContact>(
      {.name = "c", .slave = bodies.upper, .face = {.node = bodies.lower, .normal = {0, 1, 0}}, .mu = 0.3});
  evaluate(state, bodies, contact);
}
BENCHMARK(corner_on_face);

void crossing_edges(benchmark::State& state) {
  Bodies bodies;
  const InRole<Contact> contact = bodies.model.add<FeatureContact>(
      {.name = "c",
       .a = Feature::edge(bodies.upper, {bodies.upper, {1, 0, 0.5}}),
       .b = Feature::edge({bodies.lower, {0.3, 0, -1}}, {bodies.lower, {0.3, 0, 1}}),
       .crossing = Crossing::along,
       .mu = 0.3});
  evaluate(state, bodies, contact);
}
BENCHMARK(crossing_edges);

/// Features of cylinders and cones, near y = 0.
using Curve = RoundFeature::Curve;
const Vec3 tilted = Vec3(0.1, 1, 0.2).normalized();
const RoundFeature upper_rim = {Curve::circle, {0, -0.2, 0}, -tilted, 0.1};
const RoundFeature upper_side = {Curve::line, {0, 0, 0}, Vec3(0.2, 0.1, 1).normalized(), 0.1};
const RoundFeature upper_cone = {Curve::line, {0, 0, 0}, Vec3(0.2, 0.1, 1).normalized(), 0.1, 0.3};
const RoundFeature lower_rim = {Curve::circle, {0.15, 0, 0}, Vec3::UnitY(), 0.2};
const RoundFeature lower_side = {Curve::line, {0, 0, 0}, Vec3::UnitX(), 0.2};
const RoundFeature lower_edge = {Curve::line, {0, 0, 0}, Vec3::UnitX()};
const RoundFeature lower_plane = {Curve::plane, {0, 0, 0}, Vec3::UnitY()};

void round_features(benchmark::State& state, const RoundFeature& a, const RoundFeature& b) {
  Bodies bodies;
  const InRole<Contact> contact =
      bodies.model.add<RoundContact>({.name = "c",
                                      .a = {bodies.upper, a},
                                      .b = {bodies.lower, b},
                                      .law = {.mu = 0.3, .friction_directions = 2}});
  evaluate(state, bodies, contact);
}
BENCHMARK_CAPTURE(round_features, rim_on_plane, upper_rim, lower_plane);
BENCHMARK_CAPTURE(round_features, side_on_plane, upper_side, lower_plane);
BENCHMARK_CAPTURE(round_features, side_on_side, upper_side, lower_side);
BENCHMARK_CAPTURE(round_features, cone_on_side, upper_cone, lower_side);
BENCHMARK_CAPTURE(round_features, rim_on_edge, upper_rim, lower_edge);
BENCHMARK_CAPTURE(round_features, rim_on_side, upper_rim, lower_side);
BENCHMARK_CAPTURE(round_features, rim_on_rim, upper_rim, lower_rim);

}  // namespace

BENCHMARK_MAIN();
