#include <picus/convergence.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/belt.hpp>
#include <picus/models/references/belt_exact.hpp>

#include <cmath>

namespace picus::models {
namespace {

/// How the block sticks to the belt after its last flight and before its first slip.
struct Sticking {
  int steps = 0;                     ///< in succession
  std::optional<double> first_slip;  ///< s
  double largest_rate = 0.0;         ///< difference from the belt velocity, m/s

  void add(ContactState contact, double time, double rate) {
    // A step of slip may still belong to the last bounces: only a slip after a sufficiently long stick ends it.
    constexpr int lasting = 10;  // steps
    if (contact == ContactState::gap) first_slip.reset();
    if (first_slip) return;
    if (contact == ContactState::stick) {
      ++steps;
      largest_rate = std::fmax(largest_rate, std::abs(rate));
      return;
    }
    if (contact == ContactState::slip && steps >= lasting) {
      first_slip = time;
    } else {
      largest_rate = 0.0;
    }
    steps = 0;
  }
  void serialize(Archive& archive) {
    archive(steps, first_slip, largest_rate);
    archive.require(steps >= 0 && largest_rate >= 0);
  }
};

}  // namespace

Model make_belt(const Belt& parameters) {
  Model model("belt");
  const PointNode anchor = model.add_point("anchor");
  model.fix(anchor);
  const FrameNode belt = model.add_frame("belt");
  model.fix(belt, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
  model.drive(belt, Component::x, PrescribedMotion::constant_speed(parameters.speed));
  const PointNode node =
      model.add_point("block", {.position = {parameters.length * std::cos(parameters.angle),
                                             parameters.length * std::sin(parameters.angle), 0.0}});
  model.restrict_to_plane(node);

  const auto block = model.add<PointMass>({.name = "mass", .node = node, .mass = parameters.mass});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {block->mass_point()}});
  model.add<SpringDamper>({.name = "spring",
                           .a = anchor,
                           .b = node,
                           .stiffness = parameters.stiffness,
                           .free_length = parameters.length});
  model.add<NodeToFaceContact>({.name = "contact",
                                .slave = node,
                                .face = {.node = belt, .normal = Vec3::UnitY()},
                                .mu = parameters.mu,
                                .e_n = parameters.restitution,
                                .friction_directions = 1});
  return model;
}

Signals belt_signals(const RunInfo& run, const Belt& parameters) {
  const auto exact = std::make_shared<const BeltExact>(parameters, run.until, run.stop_request);
  return {position(run, "block", Axis::x).against([exact](double t) { return exact->x(t); }),
          velocity(run, "block", Axis::x).against([exact](double t) { return exact->vx(t); }),
          position(run, "block", Axis::y).against([exact](double t) { return exact->y(t); }),
          velocity(run, "block", Axis::y).against([exact](double t) { return exact->vy(t); }),
          normal_force(run, "contact"),
          friction_force(run, "contact"),
          slip_rate(run, "contact"),
          contact_state(run, "contact"),
          energy(run)};
}

Measures belt_measures(const RunInfo& run, const Belt& parameters) {
  const auto exact = std::make_shared<const BeltExact>(parameters, run.until, run.stop_request);
  const std::size_t contact = find_contact(run.system, "contact").number;
  const Signal x = position(run, "block", Axis::x);
  const Signal vx = velocity(run, "block", Axis::x);
  const auto known = [](double time) { return std::isfinite(time) ? std::optional(time) : std::nullopt; };
  const std::string source = "event-driven solution";
  Measures measures;
  const Sticking& sticking = measures.accumulate(
      Sticking{}, [contact, vx, speed = parameters.speed](const Snapshot& at, Sticking& watched) {
        watched.add(at.state.contact_state[contact], at.state.time, vx.value(at) - speed);
      });
  measures.add(
      "bouncing ends at", "s",
      measures.last_time([contact](const Snapshot& at) { return !is_closed(at.state, contact); }),
      [=] { return known(exact->bouncing_end()); }, source);
  measures.add(
      "slip begins at", "s", [&sticking] { return sticking.first_slip; },
      [=] { return known(exact->first_slip()); }, source);
  measures.add(
      "largest difference to the belt's velocity while sticking", "m/s",
      [&sticking] { return sticking.largest_rate; }, 0.0, source);
  measures.add("L1 error of x", "", measures.l1_error(x.against([exact](double t) { return exact->x(t); })),
               0.0, source);
  measures.add("L1 error of the velocity along x", "",
               measures.l1_error(vx.against([exact](double t) { return exact->vx(t); })), 0.0, source);
  return measures;
}

RegisteredModel registered_belt() {
  using P = Belt;
  auto table = ParameterTable<P>()
                   .real("mass", &P::mass, Range::positive(), "kg", "mass of the block")
                   .real("stiffness", &P::stiffness, Range::positive(), "N/m", "stiffness of the spring")
                   .real("length", &P::length, Range::positive(), "m", "length of the unloaded spring")
                   .real("angle", &P::angle, {.low = 0.0, .high = 1.5, .low_included = false}, "rad",
                         "angle of the spring with the belt at the start")
                   .real("speed", &P::speed, Range::positive(), "m/s", "speed of the belt")
                   .real("mu", &P::mu, Range::positive(), "", "coefficient of friction")
                   .real("restitution", &P::restitution, {.low = 0.0, .high = 0.99}, "", "normal restitution")
                   .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity");
  return ModelParts<P>{
      .info = {.name = "belt",
               .summary =
                   "A block on a spring falls on a running belt, is carried along, and slips back. It "
                   "bounces until it "
                   "stays on the belt, and slips once the spring pulls more than friction can hold, in a "
                   "limit cycle "
                   "that touches the velocity of the belt once a turn. An event-driven solution is known.",
               .source = "thesis 4.2.3",
               .step = 1e-3,
               .until = 3.0,
               .convergence = {.quantities = {"block.x", "block.vx", "block.y", "block.vy"},
                               .steps = {4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 1e-4}}},
      .parameters = table,
      .build = make_belt,
      .measures = belt_measures,
      .signals = belt_signals};
}

}  // namespace picus::models
