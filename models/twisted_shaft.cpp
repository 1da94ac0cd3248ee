#include <picus/elements/beams/beam.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/models/twisted_shaft.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace picus::models {
namespace {

std::string shaft_node(Index i) {
  return fmt::format("n{}", i);
}

/// The section at `node` turned against the one at `other` about the axis of the shaft, up to half a turn.
double turned(const Configuration& q, const Node& node, const Node& other) {
  const Mat3 R = q.rotation(other).transpose() * q.rotation(node);
  return std::atan2(R(2, 1), R(1, 1));
}

}  // namespace

Model make_twisted_shaft(const TwistedShaft& p) {
  Model model("twisted-shaft");
  const Section section = Section::constants({.EA = 100,
                                              .GA1 = 30,
                                              .GA2 = 40,
                                              .GJ = p.torsional_stiffness,
                                              .EI1 = 3,
                                              .EI2 = 5,
                                              .mass = 2,
                                              .I1 = 0.1,
                                              .I2 = 0.2});
  const bool is_driven = p.load == TwistedShaft::Load::motor;
  FrameNode last = model.add_frame(shaft_node(0));
  model.fix(last);
  for (Index i = 1; i <= p.elements; ++i) {
    const double x = p.length * static_cast<double>(i) / static_cast<double>(p.elements);
    const double spin = is_driven && i == p.elements ? p.speed : 0.0;
    const FrameNode next =
        model.add_frame(shaft_node(i), {.position = {x, 0, 0}, .angular_velocity = {spin, 0, 0}});
    model.add<Beam>({.name = fmt::format("shaft[{}]", i - 1), .a = last, .b = next, .section = section});
    last = next;
  }
  using enum Component;
  model.fix(last, {y, z, ry, rz});
  if (is_driven) {
    model.drive(last, rx, PrescribedMotion::constant_speed(p.speed));
  } else {
    model.add<NodalMoment>({.name = "torque", .node = last, .moment = Vec3(p.torque, 0, 0)});
  }
  return model;
}

Signals twisted_shaft_signals(const RunInfo& run, const TwistedShaft& p) {
  std::vector<Node> nodes;
  for (Index i = 0; i <= p.elements; ++i) nodes.push_back(run.system.model().find_node(shaft_node(i)));
  Signal twist{"twist", "rad", "the ends of the shaft turned against each other",
               [nodes](const Snapshot& at) {
                 double sum = 0.0;
                 for (std::size_t i = 1; i < nodes.size(); ++i)
                   sum += turned(at.state.q, nodes[i], nodes[i - 1]);
                 return sum;
               }};
  if (p.load == TwistedShaft::Load::motor) {
    twist = twist.against([speed = p.speed](double t) { return speed * t; });
  } else if (run.integrator.is_static()) {
    twist = twist.against([whole = p.static_twist()](double factor) { return factor * whole; });
  }
  const Signal most{"element", "rad", "the ends of an element turned against each other, at most",
                    [nodes](const Snapshot& at) {
                      double worst = 0.0;
                      for (std::size_t i = 1; i < nodes.size(); ++i)
                        worst = std::max(worst, std::abs(turned(at.state.q, nodes[i], nodes[i - 1])));
                      return worst;
                    }};
  return {twist, most, energy(run)};
}

Measures twisted_shaft_measures(const RunInfo& run, const TwistedShaft& p) {
  Measures measures;
  const Signal twist = twisted_shaft_signals(run, p).front();
  std::optional<double> end;
  if (twist.exact) end = twist.exact(run.until);
  measures.add("twist at the end", "rad", measures.at_end(twist.value), end, "exact");
  return measures;
}

RegisteredModel registered_twisted_shaft() {
  using P = TwistedShaft;
  auto table = ParameterTable<P>()
                   .integer("elements", &P::elements, {.low = 1, .high = 1000}, "beam elements")
                   .choice("load", &P::load, {{"motor", P::Load::motor}, {"moment", P::Load::moment}},
                           "what turns the free end")
                   .real("speed", &P::speed, {}, "rad/s", "of the motor")
                   .real("torque", &P::torque, {}, "N m", "of the moment");
  return ModelParts<P>{
      .info = {.name = "twisted-shaft",
               .summary = "A shaft of beam elements is twisted by a motor at its end. An element whose ends "
                          "are turned against each other by 3 rad ends the run with its name; more elements "
                          "can be twisted further.",
               .source = "limit of a beam element",
               .step = 2e-2,
               .until = 4.0,
               .convergence = {.quantities = {"element"}, .steps = {2e-2, 1e-2, 5e-3}, .until = 2.0}},
      .parameters = table,
      .build = make_twisted_shaft,
      .measures = twisted_shaft_measures,
      .signals = twisted_shaft_signals};
}

}  // namespace picus::models
