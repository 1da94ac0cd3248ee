/// Times of runs with contact detection: the search before and after a step, and a step with and without changed
/// contacts, for balls in a layer and for a tower of boxes.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/stepper.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace picus;

void add_body(Model& model, std::vector<MassPoint>& bodies, const std::string& name, const Shape& shape,
              const Vec3& position) {
  const FrameNode node = model.add_frame(name, {.position = position});
  model.add<RigidBody>(
      {.name = name + " mass", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, Vec3(1, 1, 1))});
  model.add<Surface>({.name = name, .of = shape, .on = node});
  bodies.push_back({node, 1.0});
}

void finish(Model& model, const std::vector<MassPoint>& bodies) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
}

/// Balls side by side on a floor, each in contact with it and nearly with its neighbours.
void fill_with_balls(Model& model, Index count) {
  std::vector<MassPoint> bodies;
  const auto side = static_cast<Index>(std::ceil(std::sqrt(count)));
  for (Index i = 0; i < count; ++i) {
    add_body(model, bodies, "ball[" + std::to_string(i) + "]", shapes::Ball{0.5},
             {1.001 * (i % side), 1.001 * (i / side), 0.5});
  }
  finish(model, bodies);
}

void fill_with_tower(Model& model, Index count) {
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < count; ++i) {
    add_body(model, bodies, "box[" + std::to_string(i) + "]", shapes::Box{{1, 1, 1}}, {0, 0, 0.5 + i});
  }
  finish(model, bodies);
}

/// The search work of a step: the list before it and the check for missed contacts.
void time_search(benchmark::State& state, const Model& model) {
  const auto search = model.contact_sets()[0].role->make_search(model, 0);
  const Configuration& q = model.initial_configuration();
  std::vector<ContactKey> previous, found, undetected;
  search->find(q, q, {}, previous);
  for (auto _ : state) {
    found.clear();
    search->find(q, q, previous, found);
    search->find_undetected(q, found, undetected);
  }
  state.counters["contacts"] = static_cast<double>(previous.size());
}

void search(benchmark::State& state) {
  Model model;
  fill_with_balls(model, static_cast<Index>(state.range(0)));
  time_search(state, model);
}
BENCHMARK(search)->RangeMultiplier(10)->Range(100, 10000)->Unit(benchmark::kMillisecond);

/// A wavy terrain of 100 352 triangles.
shapes::Mesh make_terrain() {
  constexpr Index edge = 224;
  shapes::Mesh mesh{.is_closed = false};
  for (Index i = 0; i <= edge; ++i) {
    for (Index k = 0; k <= edge; ++k)
      mesh.points.emplace_back(0.1 * i, 0.1 * k, 0.3 * std::sin(0.1 * i) * std::cos(0.13 * k));
  }
  for (Index i = 0; i < edge; ++i) {
    for (Index k = 0; k < edge; ++k) {
      const Index a = i * (edge + 1) + k, b = a + edge + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

/// The same for 100 boxes on the terrain, each of which falls by 2 mm in the step.
void search_on_terrain(benchmark::State& state) {
  Model model;
  std::vector<MassPoint> bodies;
  const shapes::Mesh terrain = make_terrain();
  model.add<Surface>({.name = "terrain", .of = terrain});
  for (Index i = 0; i < 100; ++i) {
    const Index place = (2 * (i / 10) + 2) * 10 * 225 + (2 * (i % 10) + 2) * 10;
    add_body(model, bodies, "box[" + std::to_string(i) + "]", shapes::Box{{0.5, 0.4, 0.3}},
             terrain.points[place] + Vec3(0, 0, 0.15));
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  const auto search = model.contact_sets()[0].role->make_search(model, 0);
  const Configuration& q = model.initial_configuration();
  Configuration end = q;
  Vector down = Vector::Zero(model.velocity_count());
  for (const MassPoint& body : bodies) down[body.point.node.v + 2] = -2e-3;
  retract(model.nodes(), q, down, end);
  std::vector<ContactKey> previous, found, undetected;
  search->find(q, end, {}, previous);
  for (auto _ : state) {
    found.clear();
    search->find(q, end, previous, found);
    search->find_undetected(end, found, undetected);
    undetected.clear();
  }
  state.counters["contacts"] = static_cast<double>(previous.size());
}
BENCHMARK(search_on_terrain)->Unit(benchmark::kMillisecond);

/// 25 boxes on some of `count` fixed ones: 100 contacts. 4000 have 104 000 corners, edges and faces.
void fill_with_stones(Model& model, Index count) {
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < count; ++i) {
    model.add<Surface>({.name = "stone[" + std::to_string(i) + "]",
                        .of = shapes::Box{{1, 1, 1}},
                        .position = {1.1 * (i % 64), 1.1 * (i / 64), -0.5}});
  }
  for (Index i = 0; i < 25; ++i) {
    add_body(model, bodies, "box[" + std::to_string(i) + "]", shapes::Box{{0.5, 0.5, 0.5}},
             {1.1 * (2 * (i % 5) + 3), 1.1 * (2 * (i / 5) + 3), 0.25});
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
}

void search_among_stones(benchmark::State& state) {
  Model model;
  fill_with_stones(model, 4000);
  time_search(state, model);
}
BENCHMARK(search_among_stones)->Unit(benchmark::kMillisecond);

/// 25 boxes on a soft plate whose surface has 104 000 nodes, edges and triangles; its lower side is held.
void search_on_soft_plate(benchmark::State& state) {
  constexpr Index edge = 92;
  constexpr double cell = 0.1;
  Model model;
  std::vector<MassPoint> bodies;
  auto mesh = make_box_mesh(
      {.size = {edge * cell, edge * cell, cell}, .divisions = {edge, edge, 1}, .origin = {0, 0, -cell}});
  mesh.face_sets["all"] = mesh.boundary();
  const Solid plate = add_solid(
      model, mesh,
      {.name = "plate", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000}});
  plate.fix(model, "z-");
  model.add<Surface>({.name = "plate", .of = shapes::Faces{plate.faces("all")}});
  for (Index i = 0; i < 25; ++i) {
    const double pitch = edge * cell / 12;
    add_body(model, bodies, "box[" + std::to_string(i) + "]", shapes::Box{{0.05, 0.05, 0.05}},
             {pitch * (2 * (i % 5) + 2) + 0.051, pitch * (2 * (i / 5) + 2) + 0.052, 0.025});
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  time_search(state, model);
}
BENCHMARK(search_on_soft_plate)->Unit(benchmark::kMillisecond);

/// Free boxes at rest side by side on a floor, with four contacts each.
void fill_with_boxes(Model& model, Index count) {
  std::vector<MassPoint> bodies;
  const auto side = static_cast<Index>(std::ceil(std::sqrt(count)));
  for (Index i = 0; i < count; ++i) {
    add_body(model, bodies, "box[" + std::to_string(i) + "]", shapes::Box{{0.5, 0.5, 0.5}},
             {0.6 * (i % side), 0.6 * (i / side), 0.25});
  }
  finish(model, bodies);
}

void search_of_boxes(benchmark::State& state) {
  Model model;
  fill_with_boxes(model, static_cast<Index>(state.range(0)));
  time_search(state, model);
}
BENCHMARK(search_of_boxes)->Arg(4000)->Unit(benchmark::kMillisecond);

/// 100 cylinders that stand side by side on a floor, on four points each.
void search_of_cylinders(benchmark::State& state) {
  Model model;
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < 100; ++i) {
    add_body(model, bodies, "can[" + std::to_string(i) + "]", shapes::Cylinder{.length = 1.0, .radius = 0.3},
             {1.2 * (i % 10), 1.2 * (i / 10), 0.5});
  }
  finish(model, bodies);
  time_search(state, model);
}
BENCHMARK(search_of_cylinders)->Unit(benchmark::kMillisecond);

/// 25 cylinders over the terrain, with 150 of its triangles below each.
void search_of_cylinders_on_terrain(benchmark::State& state) {
  Model model;
  std::vector<MassPoint> bodies;
  const shapes::Mesh terrain = make_terrain();
  model.add<Surface>({.name = "terrain", .of = terrain});
  for (Index i = 0; i < 25; ++i) {
    const Index place = (2 * (i / 5) + 2) * 10 * 225 + (2 * (i % 5) + 2) * 10;
    add_body(model, bodies, "can[" + std::to_string(i) + "]", shapes::Cylinder{.length = 0.5, .radius = 0.2},
             terrain.points[place] + Vec3(0, 0, 0.26));
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  time_search(state, model);
}
BENCHMARK(search_of_cylinders_on_terrain)->Unit(benchmark::kMillisecond);

/// A body on a soft block with 512 triangles, 768 edges and 258 nodes.
void time_search_on_solid(benchmark::State& state, const Shape& shape, double height) {
  Model model;
  std::vector<MassPoint> bodies;
  auto mesh = make_box_mesh({.size = {1, 1, 0.5}, .divisions = {8, 8, 4}, .origin = {-0.5, -0.5, -0.5}});
  mesh.face_sets["all"] = mesh.boundary();
  const Solid block = add_solid(
      model, mesh,
      {.name = "block", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000}});
  model.add<Surface>({.name = "block", .of = shapes::Faces{block.faces("all")}});
  add_body(model, bodies, "body", shape, {0.01, 0.02, height});
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  time_search(state, model);
}
void search_of_ball_on_solid(benchmark::State& state) {
  time_search_on_solid(state, shapes::Ball{0.25}, 0.25);
}
BENCHMARK(search_of_ball_on_solid)->Unit(benchmark::kMillisecond);
void search_of_cylinder_on_solid(benchmark::State& state) {
  time_search_on_solid(state, shapes::Cylinder{.length = 0.5, .radius = 0.2}, 0.25);
}
BENCHMARK(search_of_cylinder_on_solid)->Unit(benchmark::kMillisecond);

template <class Fill>
void steps(benchmark::State& state, bool with_changes, const Fill& fill) {
  Model model;
  fill(model, static_cast<Index>(state.range(0)));
  DecoupledNsga integrator({.step = 1e-3});
  Stepper stepper(model, integrator);
  State at = stepper.start();
  for (auto _ : state) {
    if (with_changes) stepper.resume(at);
    stepper.step(at);
  }
  state.counters["contacts"] = static_cast<double>(stepper.system().contacts().size());
}

void step_of_balls(benchmark::State& state) {
  steps(state, false, fill_with_balls);
}
BENCHMARK(step_of_balls)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond);

/// With all sub-problems rebuilt, as when the contacts have changed.
void step_of_balls_with_changes(benchmark::State& state) {
  steps(state, true, fill_with_balls);
}
BENCHMARK(step_of_balls_with_changes)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond);

void step_of_boxes(benchmark::State& state) {
  steps(state, false, fill_with_boxes);
}
BENCHMARK(step_of_boxes)->Arg(4000)->Unit(benchmark::kMillisecond);

void step_among_stones(benchmark::State& state) {
  steps(state, false, fill_with_stones);
}
BENCHMARK(step_among_stones)->Arg(4000)->Unit(benchmark::kMillisecond);

void step_of_tower(benchmark::State& state) {
  steps(state, false, fill_with_tower);
}
BENCHMARK(step_of_tower)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
