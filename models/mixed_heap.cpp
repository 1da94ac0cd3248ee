#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/mixed_heap.hpp>
#include <picus/models/surface_scene.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

/// The edges of box i, of one of three shapes, with `size` as their mean.
Vec3 box_size(const MixedHeap& p, Index i) {
  const auto k = static_cast<double>(i % 3);
  return p.size * Vec3(0.8 + 0.1 * k, 1.0, 1.2 - 0.1 * k);
}

double ball_mass(const MixedHeap& p) {
  return p.density * 4.0 / 3 * std::numbers::pi * std::pow(p.radius, 3);
}

double heap_weight(const MixedHeap& p) {
  double mass = static_cast<double>(p.balls) * ball_mass(p);
  for (Index i = 0; i < p.boxes; ++i) mass += p.density * box_size(p, i).prod();
  return mass * p.gravity;
}

double count_outside(const Snapshot& at, const MixedHeap& p) {
  double count = 0;
  for (const Node& node : at.system.model().nodes()) {
    const Vec3 x = at.state.q.position(node);
    count += x.head<2>().lpNorm<Eigen::Infinity>() > p.width / 2 || x.z() < 0 ? 1 : 0;
  }
  return count;
}

double mean_height(const Snapshot& at, const MixedHeap& p) {
  double sum = 0;
  double mass = 0;
  const auto nodes = at.system.model().nodes();
  for (Index i = 0; i < count_of(nodes); ++i) {
    const double own = i < p.balls ? ball_mass(p) : p.density * box_size(p, i - p.balls).prod();
    sum += own * at.state.q.position(nodes[i]).z();
    mass += own;
  }
  return sum / mass;
}

}  // namespace

Model make_mixed_heap(const MixedHeap& p) {
  Model model("mixed-heap");
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  for (Index i = 0; i < 4; ++i) {
    const double angle = std::numbers::pi / 2 * static_cast<double>(i);
    const Vec3 out(std::round(std::cos(angle)), std::round(std::sin(angle)), 0);
    model.add<Surface>(
        {.name = fmt::format("wall[{}]", i), .of = shapes::HalfSpace{-out}, .position = 0.5 * p.width * out});
  }
  // The cells of a grid, each of which holds any body in any orientation; the first box shape has the longest
  // diagonal.
  const double cell = 1.02 * std::max(2 * p.radius, box_size(p, 0).norm());
  const auto columns = static_cast<Index>(std::floor(p.width / cell));
  if (columns < 1)
    throw ModelError(fmt::format("mixed-heap: width is {}, less than a body needs, {}", p.width, cell));
  std::vector<MassPoint> bodies;
  const Index all = p.balls + p.boxes;
  for (Index i = 0; i < all; ++i) {
    const bool is_ball = i < p.balls;
    const std::string name = is_ball ? fmt::format("ball[{}]", i) : fmt::format("box[{}]", i - p.balls);
    // Two balls and a box alternate as long as there are both.
    const Index own = is_ball ? i : i - p.balls;
    const Index place = is_ball ? own + std::min(own / 2, p.boxes) : own + std::min(2 * (own + 1), p.balls);
    const auto at = static_cast<double>(place);
    const auto column = [&](Index k) {
      return (static_cast<double>(k % columns) - 0.5 * static_cast<double>(columns - 1)) * cell;
    };
    const Vec3 x(column(place), column(place / columns),
                 cell * (0.5 + static_cast<double>(place / columns / columns)));
    const FrameNode node = model.add_frame(
        name, {.position = x,
               .rotation = so3::exp(Vec3(std::sin(1.7 * at), std::cos(2.9 * at), std::sin(4.1 * at + 1)))});
    const Vec3 size = box_size(p, own);
    const double mass = is_ball ? ball_mass(p) : p.density * size.prod();
    bodies.push_back(
        model
            .add<RigidBody>({.name = name + " mass",
                             .node = node,
                             .mass = mass,
                             .inertia = is_ball ? inertia::sphere(mass, p.radius) : inertia::box(mass, size)})
            ->mass_point());
    const Shape shape = is_ball ? Shape(shapes::Ball{p.radius}) : Shape(shapes::Box{size});
    model.add<Surface>({.name = name, .of = shape, .on = node});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = bodies});
  model.add<ContactsBetween>({.name = "all", .mu = p.mu, .e_n = p.restitution});
  return model;
}

Signals mixed_heap_signals(const RunInfo& run, const MixedHeap& p) {
  return {
      {"outside", "", "bodies outside of the container",
       [p](const Snapshot& at) { return count_outside(at, p); }},
      {"floor", "N", "force on the floor",
       [](const Snapshot& at) { return normal_force_on(at, " on floor"); }},
      {"contacts", "", "closed contacts", count_closed},
      {"height", "m", "height of the centre of mass", [p](const Snapshot& at) { return mean_height(at, p); }},
      energy(run)};
}

Measures mixed_heap_measures(const RunInfo& /*run*/, const MixedHeap& p) {
  Measures measures;
  measures.add("most bodies outside", "",
               measures.largest([p](const Snapshot& at) { return count_outside(at, p); }), 0.0, "walls");
  measures.add("force on the floor at the end over the weight", "", measures.at_end([p](const Snapshot& at) {
    return normal_force_on(at, " on floor") / heap_weight(p);
  }));
  measures.add("height of the centre of mass at the end", "m",
               measures.at_end([p](const Snapshot& at) { return mean_height(at, p); }));
  return measures;
}

RegisteredModel registered_mixed_heap() {
  using P = MixedHeap;
  auto table = ParameterTable<P>()
                   .integer("balls", &P::balls, {.low = 0, .high = 100'000}, "number of balls")
                   .integer("boxes", &P::boxes, {.low = 0, .high = 100'000}, "number of boxes")
                   .real("radius", &P::radius, Range::positive(), "m", "radius of the balls")
                   .real("size", &P::size, Range::positive(), "m", "edges of the boxes, on average")
                   .real("width", &P::width, Range::positive(), "m", "of the container along x and y")
                   .real("density", &P::density, Range::positive(), "kg/m3", "density")
                   .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
                   .real("restitution", &P::restitution, Range::between(0, 1), "", "normal restitution")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{.info = {.name = "mixed-heap",
                                .summary = "Balls and boxes are dropped into a container and come to rest "
                                           "as a heap. None gets into another or out of the container.",
                                .source = "own model",
                                .step = 1e-3,
                                .until = 0.5},
                       .parameters = table,
                       .build = make_mixed_heap,
                       .measures = mixed_heap_measures,
                       .signals = mixed_heap_signals};
}

}  // namespace picus::models
