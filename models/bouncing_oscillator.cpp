#include <picus/convergence.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/bouncing_oscillator.hpp>
#include <picus/models/references/bouncing_oscillator_exact.hpp>

namespace picus::models {
namespace {

BouncingOscillatorExact exact_motion(const BouncingOscillator& p, const RunInfo& run) {
  return {{.mass = p.mass,
           .stiffness = p.stiffness,
           .length = p.length,
           .height = p.height,
           .restitution = p.restitution,
           .gravity = p.gravity},
          run.until + run.integrator.step_size(),
          run.stop_request};
}

}  // namespace

Model make_bouncing_oscillator(const BouncingOscillator& parameters) {
  Model model("bouncing-oscillator");
  const auto add_ball = [&](const std::string& name, double height) {
    const PointNode node = model.add_point(name, {.position = {0.0, height, 0.0}});
    model.fix(node, {Component::x, Component::z});
    return model.add<PointMass>({.name = name + "_mass", .node = node, .mass = parameters.mass});
  };
  const auto lower = add_ball("lower", parameters.height);
  const auto upper = add_ball("upper", parameters.height + parameters.length);
  model.add<Gravity>({.name = "gravity",
                      .acceleration = {0.0, -parameters.gravity, 0.0},
                      .bodies = {lower->mass_point(), upper->mass_point()}});
  model.add<SpringDamper>({.name = "spring",
                           .a = lower->mass_point().point,
                           .b = upper->mass_point().point,
                           .stiffness = parameters.stiffness,
                           .free_length = parameters.length});
  model.add<NodeToFaceContact>({.name = "floor",
                                .slave = lower->mass_point().point,
                                .face = {.normal = Vec3::UnitY()},
                                .e_n = parameters.restitution});
  return model;
}

Signals bouncing_oscillator_signals(const RunInfo& run, const BouncingOscillator& parameters) {
  const auto exact = std::make_shared<const BouncingOscillatorExact>(exact_motion(parameters, run));
  // The potential of gravity is measured from y = 0, which differs from the rest position of the upper ball.
  const double offset = parameters.mass * parameters.gravity * parameters.length;
  return {position(run, "lower", Axis::y).against([exact](double t) { return exact->lower_position(t); }),
          velocity(run, "lower", Axis::y).against([exact](double t) { return exact->lower_velocity(t); }),
          position(run, "upper", Axis::y).against([exact](double t) { return exact->upper_position(t); }),
          velocity(run, "upper", Axis::y).against([exact](double t) { return exact->upper_velocity(t); }),
          energy(run).against([exact, offset](double t) { return exact->energy(t) + offset; }),
          normal_impulse(run, "floor")};
}

Measures bouncing_oscillator_measures(const RunInfo& run, const BouncingOscillator& parameters) {
  const auto exact = std::make_shared<const BouncingOscillatorExact>(exact_motion(parameters, run));
  const std::string source = "exact, Chen 2013, appendix B";
  Measures measures;
  measures.add("first impact at", "s",
               measures.first_time([](const Snapshot& at) { return is_any_closed(at.state); }),
               exact->first_impact(), source);
  measures.add("L1 error of the lower height", "",
               measures.l1_error(position(run, "lower", Axis::y).against([exact](double t) {
                 return exact->lower_position(t);
               })),
               0.0, source);
  measures.add("L1 error of the lower velocity", "",
               measures.l1_error(velocity(run, "lower", Axis::y).against([exact](double t) {
                 return exact->lower_velocity(t);
               })),
               0.0, source);
  return measures;
}

RegisteredModel registered_bouncing_oscillator() {
  using P = BouncingOscillator;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of each ball")
                   .real("stiffness", &P::stiffness, Range::positive(), "N/m", "stiffness of the spring")
                   .real("length", &P::length, Range::positive(), "m", "length of the spring without load")
                   .real("height", &P::height, Range::positive(), "m",
                         "height of the lower contact point over the floor at the start")
                   .real("restitution", &P::restitution, Range::between(0, 1), "",
                         "velocity after an impact over that before")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info =
          {.name = "bouncing-oscillator",
           .summary =
               "Two balls on a vertical spring fall on a rigid floor. The spring throws the lower ball back "
               "on "
               "the floor at once, so that impacts come in pairs. The exact solution is known from event to "
               "event, but small errors grow fast: from 2.5 s on no two schemes agree.",
           .source = "Chen 2013, section 5.2 and appendix B; Acary's slides (k = 1e3)",
           .step = 5e-4,
           .until = 3.46,
           .convergence = {.quantities = {"lower.y", "lower.vy"},
                           .steps = {1e-3, 7e-4, 5e-4, 3e-4, 2e-4, 1e-4, 7e-5, 5e-5, 3e-5, 2e-5, 1e-5},
                           .until = 1.0}},
      .parameters = table,
      .build = make_bouncing_oscillator,
      .measures = bouncing_oscillator_measures,
      .signals = bouncing_oscillator_signals};
}

}  // namespace picus::models
