#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/models/crank_slider.hpp>
#include <picus/models/references/crank_slider_exact.hpp>
#include <picus/sensors.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

// Chen 2013, section 5.6. Lengths in m, masses in kg, moments of inertia about the centres of mass in kg m2.
constexpr double crank_length = 0.153;     // l_1
constexpr double rod_length = 0.306;       // l_2
constexpr double slider_width = 0.05;      // 2a
constexpr double slider_length = 0.1;      // 2b
constexpr double crank_mass = 0.038;       // m_1
constexpr double rod_mass = 0.038;         // m_2
constexpr double slider_mass = 0.076;      // m_3
constexpr double crank_inertia = 7.4e-5;   // J_1
constexpr double slider_inertia = 2.7e-6;  // J_3
constexpr double crank_width = 0.0064;     // b_1, out of the plane
constexpr double rod_width = 0.0032;       // b_2, out of the plane
constexpr double beam_height = 0.005;      // d_1 = d_2, in the plane
constexpr double density = 7800.0;
constexpr double poisson = 0.3;
constexpr double sample_interval = 5e-4;  // of the sensors, s

const Vec3 out_of_plane = Vec3::UnitZ();

/// Crank and rod at the start.
struct Start {
  double crank_angle, rod_angle;  ///< so that the slider is at its height
  double crank_speed, rod_speed;  ///< so that the slider stays there
};

Start start_of(const CrankSlider& p) {
  const double beta = std::asin((p.start_height - crank_length * std::sin(p.crank_angle)) / rod_length);
  return {
      .crank_angle = p.crank_angle,
      .rod_angle = beta,
      .crank_speed = p.crank_speed,
      .rod_speed = -p.crank_speed * crank_length * std::cos(p.crank_angle) / (rod_length * std::cos(beta))};
}

BeamMaterial steel(const CrankSlider& p) {
  return {.E = p.modulus, .nu = poisson, .density = density};
}

RodEnds add_rod(Model& model, const Rod& rod, const CrankSlider& p) {
  using Rods = CrankSlider::Rods;
  RodSection section{rod_width, beam_height, steel(p)};
  if (p.rods != Rods::flexible) section.material.density = rod_mass / (rod_width * beam_height * rod_length);
  const Vec3 gravity(0.0, -p.gravity, 0.0);
  switch (p.rods) {
    case Rods::rigid:
      return add_rigid_rod(model, rod, rod_mass, p.rod_inertia);
    case Rods::flexible:
    case Rods::flexible_rod:
      return add_beam_rod(model, rod, section, p.elements);
    case Rods::reduced_rod:
      return add_reduced_beam_rod(model, rod, section, p.elements, p.modes, p.boundary, gravity);
    case Rods::solid_rod:
      return add_solid_rod(model, rod, section, p.elements, p.cells_across);
    case Rods::reduced_solid_rod:
      return add_reduced_solid_rod(model, rod, section, p.elements, p.cells_across, p.modes, gravity);
  }
  throw ModelError("crank-slider: unknown rods");
}

/// Friction rotates the slider if both corners of a side cannot balance its moment, mu > b/a.
bool has_exact_motion(const CrankSlider& p) {
  return p.rods == CrankSlider::Rods::rigid && p.mu < slider_length / slider_width;
}

CrankSliderExact exact_motion(const CrankSlider& p, double until, StopRequest stop_request) {
  const Start start = start_of(p);
  return {{.crank_length = crank_length,
           .rod_length = rod_length,
           .crank_mass = crank_mass,
           .rod_mass = rod_mass,
           .slider_mass = slider_mass,
           .crank_inertia = crank_inertia,
           .rod_inertia = p.rod_inertia,
           .clearance = p.guide == CrankSlider::Guide::joint ? 0.0 : p.clearance,
           .restitution = p.restitution,
           .gravity = p.gravity,
           .crank_speed = start.crank_speed,
           .rod_speed = start.rod_speed,
           .crank_angle = start.crank_angle,
           .rod_angle = start.rod_angle,
           .torque = p.torque,
           .mu = p.mu},
          until,
          stop_request};
}

/// The node from which the crank angle is taken: the crank, or its end at the pivot.
std::string crank_node(const CrankSlider& p) {
  return p.rods == CrankSlider::Rods::flexible ? "crank[0]" : "crank";
}

/// The same for the rod: its end at the crank, or the frame of its shapes.
std::string rod_node(const CrankSlider& p) {
  using Rods = CrankSlider::Rods;
  if (p.rods == Rods::rigid) return "rod";
  if (p.rods == Rods::flexible || p.rods == Rods::flexible_rod) return "rod[0]";
  const bool has_ends =
      p.rods != Rods::reduced_rod || p.boundary == RodBoundary::held || p.boundary == RodBoundary::clamped;
  return has_ends ? "rod.first" : "rod";
}

/// The angle of a planar frame without jumps, rad, sampled such that it rotates by less than half a turn between
/// samples.
class UnwrappedAngle {
 public:
  explicit UnwrappedAngle(const Node& node) : node_(node) {}

  double operator()(const State& state) {
    const auto R = state.q.rotation(node_);
    angle_ += std::remainder(std::atan2(R(1, 0), R(0, 0)) - angle_, 2.0 * std::numbers::pi);
    return angle_;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(angle_);
  }

 private:
  Node node_;
  double angle_ = 0.0;
};

}  // namespace

Model make_crank_slider(const CrankSlider& parameters) {
  Model model("crank-slider");
  const Start start = start_of(parameters);
  const Rod crank{.name = "crank",
                  .from = Vec3::Zero(),
                  .length = crank_length,
                  .angle = start.crank_angle,
                  .spin = start.crank_speed,
                  .velocity = Vec3::Zero()};
  const Rod rod{.name = "rod",
                .from = crank.to(),
                .length = rod_length,
                .angle = start.rod_angle,
                .spin = start.rod_speed,
                .velocity = crank.last_velocity()};
  const bool is_flexible = parameters.rods == CrankSlider::Rods::flexible;
  const RodEnds crank_ends =
      is_flexible
          ? add_beam_rod(model, crank, {crank_width, beam_height, steel(parameters)}, parameters.elements)
          : add_rigid_rod(model, crank, crank_mass, crank_inertia);
  const RodEnds rod_ends = add_rod(model, rod, parameters);

  const FrameNode slider = model.add_frame("slider", {.position = rod.to(), .velocity = rod.last_velocity()});
  model.restrict_to_plane(slider);
  const auto slider_body = model.add<RigidBody>({.name = "slider_body",
                                                 .node = slider,
                                                 .mass = slider_mass,
                                                 .inertia = inertia::planar(slider_inertia)});

  std::vector<MassPoint> weights = crank_ends.weights;
  weights.insert(weights.end(), rod_ends.weights.begin(), rod_ends.weights.end());
  weights.push_back(slider_body->mass_point());
  add_gravity(model, {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = weights});

  const auto add_hinge = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    return model.add<Hinge>({.name = name, .a = a, .b = b, .axis = out_of_plane});
  };
  // A point of a reduced rod has no rotation of its own.
  const auto add_pin = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    if (a.node.kind == NodeKind::frame && b.node.kind == NodeKind::frame) {
      add_hinge(name, a, b);
    } else {
      model.add<SphericalJoint>({.name = name, .a = a, .b = b});
    }
  };
  const auto bearing = add_hinge("crank_pivot", MaterialPoint::on_ground(Vec3::Zero()), crank_ends.first);
  add_pin("crank_pin", crank_ends.last, rod_ends.first);
  add_pin("slider_pin", rod_ends.last, slider);
  model.add_sensor(sensors::joint_force({.name = "bearing",
                                         .interval = sample_interval,
                                         .joint = bearing,
                                         .on = crank_ends.first.node,
                                         .about = crank_ends.first}));
  model.add_sensor(sensors::point({.name = "slider", .interval = sample_interval, .point = slider}));
  if (parameters.torque != 0.0) {
    model.add<NodalMoment>({.name = "torque",
                            .node = crank_ends.body,
                            .moment = Vec3(0.0, 0.0, parameters.torque),
                            .follower = true});
  }
  if (parameters.guide == CrankSlider::Guide::joint) {
    model.add<PrismaticJoint>(
        {.name = "guide", .a = MaterialPoint::on_ground(Vec3::Zero()), .b = slider, .axis = Vec3::UnitX()});
    return model;
  }

  // Each corner is in contact with the guide on its side.
  const double guide_height = 0.5 * slider_width + parameters.clearance;
  const auto add_corner = [&](const std::string& name, double along, double side) {
    model.add<NodeToFaceContact>(
        {.name = name,
         .slave = {slider, Vec3(0.5 * along * slider_length, 0.5 * side * slider_width, 0.0)},
         .face = {.point = {0.0, side * guide_height, 0.0}, .normal = -side * Vec3::UnitY()},
         .mu = parameters.mu,
         .e_n = parameters.restitution,
         .friction_directions = 1});
  };
  add_corner("lower_left", -1.0, -1.0);
  add_corner("lower_right", 1.0, -1.0);
  add_corner("upper_right", 1.0, 1.0);
  add_corner("upper_left", -1.0, 1.0);
  return model;
}

Signals crank_slider_signals(const RunInfo& run, const CrankSlider& parameters) {
  const Node crank = run.system.model().find_node(crank_node(parameters));
  const Node rod = run.system.model().find_node(rod_node(parameters));
  const auto angle = std::make_shared<UnwrappedAngle>(crank);
  std::shared_ptr<const CrankSliderExact> exact;
  if (has_exact_motion(parameters)) {
    exact = std::make_shared<const CrankSliderExact>(
        exact_motion(parameters, run.until + run.integrator.step_size(), run.stop_request));
  }
  Signals signals;
  const auto add = [&](Signal signal, double (CrankSliderExact::*solution)(double) const) {
    if (exact) signal.exact = [exact, solution](double t) { return (exact.get()->*solution)(t); };
    signals.push_back(std::move(signal));
  };
  signals.push_back({"crank.turns", "", "revolutions of the crank",
                     [angle](const Snapshot& at) { return (*angle)(at.state) / (2.0 * std::numbers::pi); }});
  if (exact) {
    signals.back().exact = [exact](double t) { return exact->crank_angle(t) / (2.0 * std::numbers::pi); };
  }
  add({"crank.speed", "rad/s", "angular velocity of the crank at its pivot",
       [crank](const Snapshot& at) { return at.state.v[crank.v + 5]; }},
      &CrankSliderExact::crank_speed);
  // The rod swings by less than a quarter turn.
  add(planar_angle(run, rod_node(parameters)).named("rod.angle"), &CrankSliderExact::rod_angle);
  add({"rod.speed", "rad/s", "angular velocity of the rod at its crank pin",
       [rod](const Snapshot& at) { return at.state.v[rod.v + 5]; }},
      &CrankSliderExact::rod_speed);
  add(position(run, "slider", Axis::x), &CrankSliderExact::slider_x);
  add(position(run, "slider", Axis::y), &CrankSliderExact::slider_y);
  add(velocity(run, "slider", Axis::y), &CrankSliderExact::slider_vy);
  add(energy(run), &CrankSliderExact::energy);
  signals.push_back(planar_angle(run, "slider"));
  signals.push_back(violation(run));
  if (parameters.guide == CrankSlider::Guide::joint) return signals;
  const auto guide_force = [lower =
                                std::array{normal_force(run, "lower_left"), normal_force(run, "lower_right")},
                            upper = std::array{normal_force(run, "upper_left"),
                                               normal_force(run, "upper_right")}](const Snapshot& at) {
    return lower[0].value(at) + lower[1].value(at) - upper[0].value(at) - upper[1].value(at);
  };
  add({"guide.force", "N", "force of the guides on the slider, upwards: impulse of the step over h",
       guide_force},
      &CrankSliderExact::guide_force);
  for (const char* corner : {"lower_left", "lower_right", "upper_right", "upper_left"}) {
    signals.push_back(gap(run, corner));
    signals.push_back(gap_rate(run, corner));
    signals.push_back(normal_impulse(run, corner));
    signals.push_back(normal_force(run, corner));
  }
  return signals;
}

Measures crank_slider_measures(const RunInfo& run, const CrankSlider& parameters) {
  const Node crank = run.system.model().find_node(crank_node(parameters));
  std::shared_ptr<const CrankSliderExact> exact;
  if (has_exact_motion(parameters)) {
    exact = std::make_shared<const CrankSliderExact>(exact_motion(parameters, run.until, run.stop_request));
  }
  const std::string source = exact ? "minimal coordinates, event to event" : "";
  const auto exact_impact = [exact]() -> std::optional<double> {
    if (exact && std::isfinite(exact->first_impact())) return exact->first_impact();
    return {};
  };
  Measures measures;
  struct Impact {
    double last_speed = 0.0;
    std::optional<double> speed;  ///< in the previous step
    void serialize(Archive& archive) { archive(last_speed, speed); }
  };
  const Impact& impact = measures.accumulate(Impact{}, [=](const Snapshot& at, Impact& watched) {
    if (exact) exact->follow_to_first_impact(at.state.time);
    if (is_any_closed(at.state) && !watched.speed) watched.speed = watched.last_speed;
    watched.last_speed = at.state.v[crank.v + 5];
  });
  struct Turning {
    UnwrappedAngle angle;
    std::optional<double> two_revolutions;
    void serialize(Archive& archive) { archive(angle, two_revolutions); }
  };
  const Turning& turning =
      measures.accumulate(Turning{UnwrappedAngle(crank), {}}, [](const Snapshot& at, Turning& watched) {
        const bool is_round = watched.angle(at.state) >= 4.0 * std::numbers::pi;
        if (is_round && !watched.two_revolutions) watched.two_revolutions = at.state.time;
      });
  measures.add("first impact at", "s",
               measures.first_time([](const Snapshot& at) { return is_any_closed(at.state); }), exact_impact,
               source);
  measures.add(
      "crank speed before it", "rad/s", [&impact] { return impact.speed; },
      [=]() -> std::optional<double> {
        const std::optional<double> time = exact_impact();
        if (!time) return {};
        return exact->crank_speed(*time - 1e-9);
      },
      source);
  measures.add("two revolutions of the crank after", "s", [&turning] { return turning.two_revolutions; });
  return measures;
}

RegisteredModel registered_crank_slider() {
  using P = CrankSlider;
  auto table =
      ParameterTable<P>()
          .choice(
              "rods", &P::rods,
              {{"rigid", P::Rods::rigid},
               {"flexible", P::Rods::flexible},
               {"flexible-rod", P::Rods::flexible_rod},
               {"reduced-rod", P::Rods::reduced_rod},
               {"solid-rod", P::Rods::solid_rod},
               {"reduced-solid-rod", P::Rods::reduced_solid_rod}},
              "crank and rod are rigid bodies or beams, or the rod alone is a beam or a solid, in full or "
              "reduced")
          .choice("guide", &P::guide, {{"clearance", P::Guide::clearance}, {"joint", P::Guide::joint}},
                  "four contacts with clearance hold the slider, or a joint")
          .integer("elements", &P::elements, {.low = 1},
                   "beam elements of crank and rod each, or cells along a solid")
          .integer("cells_across", &P::cells_across, {.low = 1, .high = 50},
                   "cells of a solid rod along each side of its section")
          .integer("modes", &P::modes, {.low = 0, .high = 80}, "vibration modes of a reduced rod")
          .choice("boundary", &P::boundary,
                  {{"held", RodBoundary::held},
                   {"clamped", RodBoundary::clamped},
                   {"pinned", RodBoundary::pinned},
                   {"free", RodBoundary::free}},
                  "how a reduced rod of beams is supported in its modes")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus of the beams")
          .real("rod_inertia", &P::rod_inertia, Range::positive(), "kg m2",
                "moment of inertia of a rigid rod about its centre")
          .real("restitution", &P::restitution, Range::between(0, 1), "", "at the slider's corners")
          .real("mu", &P::mu, Range::not_negative(), "", "friction at the slider's corners")
          .real("clearance", &P::clearance, Range::positive(), "m",
                "between slider and each guide, in the middle")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .real("crank_angle", &P::crank_angle, {}, "rad", "of the crank at the start")
          .real("crank_speed", &P::crank_speed, {}, "rad/s", "of the crank at the start")
          .real("start_height", &P::start_height, {}, "m", "of the slider above mid-height at the start")
          .real("torque", &P::torque, {}, "N m", "on the crank");
  return ModelParts<P>{
      .info = {.name = "crank-slider",
               .summary =
                   "A slider with clearance rattles between its guides while a crank turns twice. Its four "
                   "corners "
                   "hit, bounce, stay on the guides and leave them; crank and rod are rigid or flexible.",
               .source = "Chen 2013, section 5.6; Rezaei and Schindler, sections 3 and 4",
               .step = 1e-4,
               .until = 0.15,
               .convergence = {.quantities = {"crank.speed", "slider.x", "slider.y"},
                               .steps = {1e-4, 7e-5, 5e-5, 3e-5, 2e-5, 1e-5, 7e-6, 5e-6, 3e-6, 2e-6, 1e-6}}},
      .parameters = table,
      .build = make_crank_slider,
      .measures = crank_slider_measures,
      .signals = crank_slider_signals};
}

}  // namespace picus::models
