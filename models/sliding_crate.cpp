#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/models/sliding_crate.hpp>
#include <picus/so3.hpp>

namespace picus::models {
namespace {

/// Turned by less than this (rad) the crate lies flat.
constexpr double flat = 1e-9;

double turn_of_crate(const Snapshot& at, const Node& crate) {
  return so3::log(at.state.q.rotation(crate)).norm();
}

}  // namespace

Model make_sliding_crate(const SlidingCrate& p) {
  Model model("sliding-crate");
  const Vec3 size(p.length, p.width, p.height);
  const double mass = p.density * size.prod();
  model.add<Surface>({.name = "table",
                      .of = shapes::Box{{5 * p.length, 3 * p.width, p.height}},
                      .position = {-2.5 * p.length, 0, -0.5 * p.height}});
  const FrameNode crate =
      model.add_frame("crate", {.position = {p.start, 0, 0.5 * p.height}, .velocity = {p.speed, 0, 0}});
  const auto body = model.add<RigidBody>(
      {.name = "crate body", .node = crate, .mass = mass, .inertia = inertia::box(mass, size)});
  model.add<Surface>({.name = "crate", .of = shapes::Box{size}, .on = crate});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = {body->mass_point()}});
  model.add<ContactsBetween>({.name = "all", .mu = p.mu});
  return model;
}

Signals sliding_crate_signals(const RunInfo& run, const SlidingCrate& /*p*/) {
  const Node crate = run.system.model().find_node("crate");
  return {position(run, "crate", Axis::x).named("x"),
          {"angle", "rad", "by which the crate has turned",
           [crate](const Snapshot& at) { return turn_of_crate(at, crate); }},
          energy(run)};
}

Measures sliding_crate_measures(const RunInfo& run, const SlidingCrate& p) {
  const Node crate = run.system.model().find_node("crate");
  Measures measures;
  struct LastFlat {
    bool is_flat = true;
    double x = 0.0;
    void serialize(Archive& archive) { archive(is_flat, x); }
  };
  const LastFlat& last = measures.accumulate(LastFlat{.is_flat = true, .x = p.start},
                                             [crate](const Snapshot& at, LastFlat& seen) {
                                               seen.is_flat = seen.is_flat && turn_of_crate(at, crate) < flat;
                                               if (seen.is_flat) seen.x = at.state.q.position(crate).x();
                                             });
  measures.add(
      "place of the centre when the crate begins to tip", "m",
      [&last]() -> std::optional<double> { return last.is_flat ? std::nullopt : std::optional(last.x); },
      -0.5 * p.mu * p.height, "statics");
  return measures;
}

RegisteredModel registered_sliding_crate() {
  using P = SlidingCrate;
  auto table =
      ParameterTable<P>()
          .real("length", &P::length, Range::positive(), "m", "of the crate in the direction of motion")
          .real("width", &P::width, Range::positive(), "m", "of the crate across")
          .real("height", &P::height, Range::positive(), "m", "of the crate")
          .real("start", &P::start, {}, "m", "place of the centre, the border is at 0")
          .real("speed", &P::speed, {}, "m/s", "at the start")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "sliding-crate",
               .summary = "A crate slides over the border of a table and tips where statics says",
               .source = "statics",
               .step = 1e-3,
               .until = 0.4},
      .parameters = table,
      .build = make_sliding_crate,
      .measures = sliding_crate_measures,
      .signals = sliding_crate_signals};
}

}  // namespace picus::models
