#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/point_in_plane.hpp>
#include <picus/models/references/followed_motion.hpp>
#include <picus/models/references/three_masses_exact.hpp>
#include <picus/models/three_masses.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

ThreeMassesExact exact_motion(const ThreeMasses& p) {
  return ThreeMassesExact({.mass = p.mass,
                           .soft = p.soft,
                           .stiff = p.stiff,
                           .frequency = p.frequency,
                           .preload = p.preload,
                           .on_wall = p.end != ThreeMasses::End::spring});
}

/// Whether the stop never has to pull up to `until`; checked a thousand times per period of the drive.
bool stays_on_wall(const ThreeMasses& p, const ThreeMassesExact& exact, const RunInfo& run) {
  if (p.end != ThreeMasses::End::stop || exact.least_wall_force() >= 0.0) return true;
  const double until = run.until + run.integrator.step_size();
  const double step = 2.0 * std::numbers::pi / p.frequency / 1000.0;
  for (double t = 0.0; t <= until; t += step) {
    heed(run.stop_request, 0.0);
    if (exact.wall_force(t) < 0.0) return false;
  }
  return true;
}

double wall_force(const Snapshot& at, const ThreeMasses& p, const Node& mass, double h) {
  const State& state = at.state;
  switch (p.end) {
    case ThreeMasses::End::spring:
      return p.stiff * state.q.position(mass).x();
    case ThreeMasses::End::joint:
      // The normal of the stop plane is along -x.
      return state.constraint_force[0] + state.constraint_impulse[0] / h;
    case ThreeMasses::End::stop:
      return state.contact_impulse[0] / h;
  }
  return 0.0;
}

}  // namespace

Model make_three_masses(const ThreeMasses& parameters) {
  Model model("three-masses");
  const double omega = parameters.frequency;
  const PointNode drive = model.add_point("drive");
  model.fix(drive, {Component::y, Component::z});
  model.drive(drive, Component::x,
              {.displacement = [=](double t) { return std::sin(omega * t); },
               .rate = [=](double t) { return omega * std::cos(omega * t); },
               .acceleration = [=](double t) { return -omega * omega * std::sin(omega * t); }});
  PointNode previous = drive;
  for (int i = 1; i <= 3; ++i) {
    const PointNode node = model.add_point(fmt::format("mass_{}", i));
    model.fix(node, {Component::y, Component::z});
    model.add<PointMass>({.name = fmt::format("body_{}", i), .node = node, .mass = parameters.mass});
    model.add<SpringDamper>({.name = fmt::format("spring_{}", i),
                             .a = previous,
                             .b = node,
                             .stiffness = parameters.soft,
                             .free_length = 0.0});
    previous = node;
  }
  const PointNode last = previous;
  model.add<NodalForce>({.name = "preload", .point = last, .force = Vec3(parameters.preload, 0.0, 0.0)});
  const MaterialPoint wall = MaterialPoint::on_ground(Vec3::Zero());
  switch (parameters.end) {
    case ThreeMasses::End::spring:
      model.add<SpringDamper>(
          {.name = "stiff", .a = last, .b = wall, .stiffness = parameters.stiff, .free_length = 0.0});
      break;
    case ThreeMasses::End::joint:
      model.add<PointInPlane>({.name = "wall", .a = wall, .b = last, .normal = -Vec3::UnitX()});
      break;
    case ThreeMasses::End::stop:
      model.add<NodeToFaceContact>({.name = "stop", .slave = last, .face = {.normal = -Vec3::UnitX()}});
      break;
  }
  return model;
}

Signals three_masses_signals(const RunInfo& run, const ThreeMasses& parameters) {
  const auto exact = std::make_shared<const ThreeMassesExact>(exact_motion(parameters));
  const bool has_exact = stays_on_wall(parameters, *exact, run);
  Signals signals;
  const auto add = [&](Signal signal, std::function<double(double)> solution) {
    signals.push_back(has_exact ? signal.against(std::move(solution)) : std::move(signal));
  };
  for (Index i = 1; i <= 3; ++i) {
    const std::string name = fmt::format("mass_{}", i);
    const Node node = run.system.model().find_node(name);
    add(position(run, name, Axis::x), [=](double t) { return exact->position(i, t); });
    add(velocity(run, name, Axis::x), [=](double t) { return exact->velocity(i, t); });
    add({name + ".ax", "m/s2", "x acceleration of " + name,
         [node](const Snapshot& at) { return at.state.acceleration[node.v]; }},
        [=](double t) { return exact->acceleration(i, t); });
  }
  const Node last = run.system.model().find_node("mass_3");
  add({"wall.force", "N", "with which the wall holds mass 3",
       [=, h = run.integrator.step_size()](const Snapshot& at) {
         return wall_force(at, parameters, last, h);
       }},
      [=](double t) { return exact->wall_force(t); });
  return signals;
}

Measures three_masses_measures(const RunInfo& run, const ThreeMasses& parameters) {
  const auto exact = std::make_shared<const ThreeMassesExact>(exact_motion(parameters));
  const Node mass = run.system.model().find_node("mass_3");
  const double step = run.integrator.step_size();
  const auto from_first_step = [](Measures::Value value) -> Measures::Value {
    return [value = std::move(value)](const Snapshot& at) { return at.state.step > 0 ? value(at) : 0.0; };
  };
  Measures measures;
  measures.add("largest displacement of mass 3", "m",
               measures.largest(from_first_step(position(run, "mass_3", Axis::x).value)));
  measures.add("largest error of the force on it", "N",
               measures.largest(from_first_step([=](const Snapshot& at) {
                 return wall_force(at, parameters, mass, step) - exact->wall_force(at.state.time);
               })),
               0.0, "exact, by modes");
  return measures;
}

RegisteredModel registered_three_masses() {
  using P = ThreeMasses;
  auto table = ParameterTable<P>()
                   .choice("end", &P::end,
                           {{"spring", P::End::spring}, {"joint", P::End::joint}, {"stop", P::End::stop}},
                           "mass 3 at the wall: on a stiff spring, held by a joint, or touching a stop")
                   .real("mass", &P::mass, Range::positive(), "kg", "of each mass")
                   .real("soft", &P::soft, Range::positive(), "N/m", "stiffness of the three soft springs")
                   .real("stiff", &P::stiff, Range::positive(), "N/m", "stiffness of the spring at the wall")
                   .real("frequency", &P::frequency, Range::positive(), "rad/s",
                         "angular frequency of the driven end, which moves by 1 m")
                   .real("preload", &P::preload, {}, "N", "constant force on mass 3 towards the wall");
  return ModelParts<P>{
      .info =
          {.name = "three-masses",
           .summary =
               "Three masses on soft springs end in a very stiff spring, a joint or a stop. The other end is "
               "driven. A scheme that damps high frequencies gets rid of the stiff mode, which no "
               "reasonable step resolves. The exact solution is known.",
           .source = "Rezaei and Schindler, section 2.8; Bathe and Noh 2012",
           .step = 0.2618,
           .until = 10.0,
           .convergence = {.quantities = {"mass_1.x", "mass_2.x", "mass_1.vx", "mass_2.vx"},
                           .steps = {0.2, 0.1, 0.05, 0.02, 0.01, 0.005}}},
      .parameters = table,
      .build = make_three_masses,
      .measures = three_masses_measures,
      .signals = three_masses_signals};
}

}  // namespace picus::models
