#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/error.hpp>
#include <picus/models/spinning_beam.hpp>
#include <picus/prescribed_motion.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace picus::models {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

double spin_at(const SpinningBeam& p, double t) {
  const double s = t / p.duration;
  return s < 1 ? p.spin * (s - std::sin(two_pi * s) / two_pi) : p.spin;
}

double angle_at(const SpinningBeam& p, double t) {
  const double s = t / p.duration;
  if (s >= 1) return p.spin * p.duration * (s - 0.5);
  return p.spin * p.duration * (0.5 * s * s + (std::cos(two_pi * s) - 1) / (two_pi * two_pi));
}

double spin_change_at(const SpinningBeam& p, double t) {
  const double s = t / p.duration;
  return s < 1 ? p.spin / p.duration * (1 - std::cos(two_pi * s)) : 0.0;
}

/// A rectangle with the area and the second moment in the plane.
Section section_of(const SpinningBeam& p) {
  const double height = std::sqrt(12 * p.second_moment / p.area);
  return Section::rectangle(p.area / height, height, {.E = p.modulus, .nu = 0.3, .density = p.density});
}

BeamMesh add_beam(Model& model, const SpinningBeam& p, double length, Index elements) {
  const BeamMesh beam = make_beam(model, {.name = "beam",
                                          .section = section_of(p),
                                          .to = Vec3(length, 0, 0),
                                          .elements = static_cast<int>(elements)});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  return beam;
}

std::shared_ptr<const ReducedBasis> basis_of(const SpinningBeam& p) {
  Model part("beam");
  const BeamMesh beam = add_beam(part, p, p.length / static_cast<double>(p.parts), p.elements / p.parts);
  ReductionOptions options{
      .interfaces = {{.name = "root", .nodes = {beam.first()}}, {.name = "tip", .nodes = {beam.last()}}},
      .modes = static_cast<int>(p.modes),
      .frame = "root",
      .spin_stiffening = p.stiffening,
      .interface_stiffening = p.stiffening};
  if (!p.limited) {
    constexpr double any = std::numeric_limits<double>::infinity();
    options.largest_spin = any;
    options.largest_force = any;
    options.largest_moment = any;
  }
  return std::make_shared<const ReducedBasis>(reduce(part, options));
}

std::string tip_name(const SpinningBeam& p) {
  return p.body == SpinningBeam::Body::full ? fmt::format("beam[{}]", p.elements)
                                            : fmt::format("beam[{}].tip", p.parts - 1);
}

/// Displacement of the tip in the axes of the hub, m.
Vec3 displacement(const SpinningBeam& p, const Node& tip, const State& state) {
  const double angle = angle_at(p, state.time);
  const Vec3 x = state.q.position(tip);
  return {std::cos(angle) * x.x() + std::sin(angle) * x.y() - p.length,
          -std::sin(angle) * x.x() + std::cos(angle) * x.y(), 0};
}

}  // namespace

double spinning_beam_stretch(const SpinningBeam& p) {
  return p.density * p.spin * p.spin * std::pow(p.length, 3) / (3 * p.modulus);
}

Model make_spinning_beam(const SpinningBeam& p) {
  Model model("spinning-beam");
  const FrameNode hub = model.add_frame("hub");
  model.fix(hub, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(hub, Component::rz,
              {.displacement = [p](double t) { return angle_at(p, t); },
               .rate = [p](double t) { return spin_at(p, t); },
               .acceleration = [p](double t) { return spin_change_at(p, t); }});
  if (p.body == SpinningBeam::Body::full) {
    const BeamMesh beam = add_beam(model, p, p.length, p.elements);
    model.add<FixedJoint>({.name = "clamp", .a = {hub}, .b = {beam.first()}});
    return model;
  }
  if (p.elements % p.parts != 0)
    throw ModelError(
        fmt::format("spinning-beam: {} elements do not make {} equal parts", p.elements, p.parts));
  const auto basis = basis_of(p);
  FrameNode last = hub;
  for (Index k = 0; k < p.parts; ++k) {
    const double x = p.length * static_cast<double>(k) / static_cast<double>(p.parts);
    const ReducedBodyMesh body =
        add_reduced_body(model, {.name = fmt::format("beam[{}]", k), .basis = basis, .position = {x, 0, 0}});
    model.restrict_to_plane(body.frame);
    for (const auto& [name, node] : body.attached) model.restrict_to_plane(node);
    model.add<FixedJoint>({.name = fmt::format("clamp[{}]", k), .a = {last}, .b = {body.frame}});
    last = body.interface("tip");
  }
  return model;
}

Signals spinning_beam_signals(const RunInfo& run, const SpinningBeam& p) {
  const Node tip = run.system.model().find_node(tip_name(p));
  return {{"tip.u", "m", "displacement of the tip along the beam",
           [p, tip](const Snapshot& at) { return displacement(p, tip, at.state).x(); }},
          {"tip.v", "m", "displacement of the tip across the beam",
           [p, tip](const Snapshot& at) { return displacement(p, tip, at.state).y(); }},
          angular_velocity(run, "hub", Axis::z).named("spin"),
          energy(run)};
}

Measures spinning_beam_measures(const RunInfo& run, const SpinningBeam& p) {
  const Node tip = run.system.model().find_node(tip_name(p));
  Measures measures;
  measures.add("largest deflection of the tip", "m", measures.largest([p, tip](const Snapshot& at) {
    return std::abs(displacement(p, tip, at.state).y());
  }));
  return measures;
}

RegisteredModel registered_spinning_beam() {
  using P = SpinningBeam;
  auto table =
      ParameterTable<P>()
          .choice("body", &P::body, {{"full", P::Body::full}, {"reduced", P::Body::reduced}},
                  "beam elements, or reduced bodies")
          .integer("elements", &P::elements, {.low = 1, .high = 10000}, "number of beam elements")
          .integer("parts", &P::parts, {.low = 1, .high = 100}, "number of reduced bodies, of equal length")
          .integer("modes", &P::modes, {.low = 0, .high = 70}, "vibration modes of each reduced body")
          .flag("stiffening", &P::stiffening, "whether spin and forces stiffen reduced bodies")
          .flag("limited", &P::limited,
                "whether a reduced body ends the run at a spin or load for which it is not meant")
          .real("spin", &P::spin, {}, "rad/s", "of the hub at the end")
          .real("duration", &P::duration, Range::positive(), "s", "until the hub has that spin")
          .real("length", &P::length, Range::positive(), "m", "length of the beam")
          .real("area", &P::area, Range::positive(), "m2", "of the section")
          .real("second_moment", &P::second_moment, Range::positive(), "m4", "of the section, in the plane")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("density", &P::density, Range::positive(), "kg/m3", "density");
  return ModelParts<P>{
      .info = {.name = "spinning-beam",
               .summary = "A slender beam is spun up to more than its first natural frequency. It lags "
                          "behind, straightens, and is held by its tension alone.",
               .source = "Wu and Haug 1988; Kane, Ryan and Banerjee 1987",
               .step = 0.01,
               .until = 20.0,
               .convergence = {.quantities = {"tip.v"}, .steps = {0.04, 0.02, 0.01, 5e-3}}},
      .parameters = table,
      .build = make_spinning_beam,
      .measures = spinning_beam_measures,
      .signals = spinning_beam_signals};
}

}  // namespace picus::models
