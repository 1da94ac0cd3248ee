#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/bricard.hpp>
#include <picus/models/references/bricard_reference.hpp>

#include <fmt/format.h>

#include <memory>

namespace picus::models {
namespace {

Vec3 cube_corner(const Bricard& p, Index i) {
  return p.length * BricardReference::start_of(i % 6);
}

Vec3 rod_middle(const Bricard& p, Index rod) {
  return (cube_corner(p, rod) + cube_corner(p, rod + 1)) / 2;
}

/// Direction along rod i, or along the ground for i = -1 and 5.
Vec3 rod_direction(const Bricard& p, Index i) {
  return (cube_corner(p, i + 7) - cube_corner(p, i + 6)) / p.length;
}

}  // namespace

Model make_bricard(const Bricard& p) {
  Model model("bricard");
  std::vector<FrameNode> rods;
  std::vector<MassPoint> bodies;
  for (Index i = 0; i < 5; ++i) {
    const std::string name = fmt::format("rod[{}]", i);
    rods.push_back(model.add_frame(name, {.position = rod_middle(p, i)}));
    const Vec3 direction = rod_direction(p, i).cwiseAbs();
    const Vec3 edges = p.width * Vec3::Ones() + (p.length - p.width) * direction;
    const auto body = model.add<RigidBody>(
        {.name = name, .node = rods.back(), .mass = p.mass, .inertia = inertia::box(p.mass, edges)});
    bodies.push_back(body->mass_point());
  }
  const auto end = [&](Index rod, Index at) {
    return MaterialPoint(rods[rod], cube_corner(p, at) - rod_middle(p, rod));
  };
  for (Index i = 0; i < 6; ++i)
    model.add<Hinge>({.name = fmt::format("hinge[{}]", i),
                      .a = i == 0 ? MaterialPoint::on_ground(cube_corner(p, 0)) : end(i - 1, i),
                      .b = i == 5 ? MaterialPoint::on_ground(cube_corner(p, 5)) : end(i, i),
                      .axis = rod_direction(p, i - 1).cross(rod_direction(p, i))});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -p.gravity, 0}, .bodies = bodies});
  return model;
}

Signals bricard_signals(const RunInfo& run, const Bricard& p) {
  const auto exact = std::make_shared<BricardReference>(
      BricardParameters{.length = p.length, .width = p.width, .mass = p.mass, .gravity = p.gravity},
      run.stop_request);
  const MaterialPoint P3(FrameNode{run.system.model().find_node("rod[3]")},
                         cube_corner(p, 3) - rod_middle(p, 3));
  Signals signals;
  for (const Index i : {0, 1, 2}) {
    const std::string axis(1, "xyz"[i]);
    signals.push_back({"P3." + axis, "m", axis + " of corner 3",
                       [P3, i](const Snapshot& at) { return P3.position(at.state.q)[i]; },
                       [exact, i](double t) { return exact->corners(t)[3][i]; }});
  }
  signals.push_back(energy(run));
  signals.push_back(violation(run));
  return signals;
}

Measures bricard_measures(const RunInfo& /*run*/, const Bricard& /*parameters*/) {
  Measures measures;
  const Energies& energies = measures.energies();
  measures.add(
      "change of energy", "J", [&energies] { return energies.balance; }, 0.0, "conserved");
  return measures;
}

RegisteredModel registered_bricard() {
  using P = Bricard;
  auto table = ParameterTable<P>()
                   .real("length", &P::length, Range::positive(), "m", "length of each rod")
                   .real("width", &P::width, Range::positive(), "m", "width of the square section")
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of each rod")
                   .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "bricard",
           .summary =
               "Bricard's mechanism moves, although it has as many equations as coordinates. Five rods along "
               "edges of a cube with six hinges: one equation is redundant in every position.",
           .source = "IFToMM A04; Gonzalez and others 2006",
           .step = 1e-3,
           .until = 10.0,
           .convergence = {.quantities = {"P3.*"}, .steps = {4e-3, 2e-3, 1e-3}, .until = 5.0}},
      .parameters = table,
      .build = make_bricard,
      .measures = bricard_measures,
      .signals = bricard_signals};
}

}  // namespace picus::models
