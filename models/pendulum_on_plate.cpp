#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/elements/joints/rigid_link.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/models/pendulum_on_plate.hpp>
#include <picus/models/references/spherical_pendulum.hpp>

#include <cmath>
#include <limits>

namespace picus::models {
namespace {

// Thesis, section 4.2.6.
constexpr double plate_side = 5.0;                                            // L, m
constexpr double plate_mass = 0.2;                                            // m_s, kg
constexpr double plate_inertia = plate_mass * plate_side * plate_side / 6.0;  // I_s, all axes, kg m2
constexpr double support_length = 0.2;                                        // L_0, m
constexpr double rod_length = 1.3;                                            // l, m
constexpr double rod_mass = 5.0;                                              // m_v, kg
constexpr double gravity = 9.81;                                              // m/s2
const Vec3 pivot(0.0, 0.0, 1.0);                                              // h_0 above the plate, m

/// Number and duration of the contacts of the tip with the plate.
struct TipContacts {
  bool was_closed = false;
  int count = 0;          ///< number of times that contact began
  double sticking = 0.0;  ///< s
  double slipping = 0.0;
  void serialize(Archive& archive) {
    archive(was_closed, count, sticking, slipping);
    archive.require(count >= 0 && sticking >= 0 && slipping >= 0);
  }
};

/// The norm of the vector formed by two signals.
Signal norm(const Signal& a, const Signal& b, const std::string& name, const std::string& meaning) {
  return {name, a.unit, meaning,
          [a = a.value, b = b.value](const Snapshot& at) { return std::hypot(a(at), b(at)); }};
}

}  // namespace

Model make_pendulum_on_plate(const PendulumOnPlate& parameters) {
  Model model("pendulum-on-plate");

  // The plate and its supports.
  const FrameNode plate = model.add_frame("plate");
  model.fix(plate, {Component::x, Component::y, Component::z});
  model.add<RigidBody>({.name = "plate_body",
                        .node = plate,
                        .mass = plate_mass,
                        .inertia = inertia::diagonal(plate_inertia, plate_inertia, plate_inertia)});
  int number = 0;
  for (const double x : {-plate_side / 2.0, plate_side / 2.0}) {
    for (const double y : {-plate_side / 2.0, plate_side / 2.0}) {
      model.add<SpringDamper>({.name = "support[" + std::to_string(number++) + "]",
                               .a = MaterialPoint::on_ground({x, y, -support_length}),
                               .b = {plate, {x, y, 0.0}},
                               .stiffness = parameters.stiffness,
                               .damping = parameters.damping,
                               .free_length = support_length});
    }
  }

  // The rod, horizontal along y, and its tip.
  const Vec3 along = Vec3::UnitY();
  const Vec3 W_0 = parameters.angular_velocity * Vec3::UnitZ();
  const auto place_on_rod = [&](double distance) {
    return FrameStart{.position = pivot + distance * along,
                      .velocity = W_0.cross(distance * along),
                      .angular_velocity = W_0};
  };
  const FrameNode rod = model.add_frame("rod", place_on_rod(parameters.rod_centre));
  const double I_v = parameters.rod_inertia;
  const auto rod_body = model.add<RigidBody>(
      {.name = "rod_body", .node = rod, .mass = rod_mass, .inertia = inertia::diagonal(I_v, I_v, I_v)});
  model.add<SphericalJoint>(
      {.name = "pivot", .a = MaterialPoint::on_ground(pivot), .b = {rod, -parameters.rod_centre * along}});
  const FrameNode tip = model.add_frame("tip", place_on_rod(rod_length));
  model.add<RigidLink>({.name = "link", .a = rod, .b = tip});
  // The weight of the plate does no work, as its centre is fixed.
  model.add<Gravity>(
      {.name = "gravity", .acceleration = -gravity * Vec3::UnitZ(), .bodies = {rod_body->mass_point()}});

  model.add<NodeToFaceContact>({.name = "tip",
                                .slave = tip,
                                .face = {.node = plate, .normal = Vec3::UnitZ(), .tangent = Vec3::UnitX()},
                                .mu = parameters.mu});
  return model;
}

double first_impact(const PendulumOnPlate& parameters) {
  const double c = parameters.rod_centre;
  const double inertia_about_pivot = parameters.rod_inertia + rod_mass * c * c;
  const SphericalPendulum pendulum(rod_mass * gravity * c / inertia_about_pivot, parameters.angular_velocity);
  const double depth = pivot.z() / rod_length;
  return depth < pendulum.lowest() ? pendulum.time_at(depth) : std::numeric_limits<double>::infinity();
}

Signals pendulum_on_plate_signals(const RunInfo& run, const PendulumOnPlate& parameters) {
  Signals signals = {position(run, "tip", Axis::x),
                     position(run, "tip", Axis::y),
                     position(run, "tip", Axis::z),
                     velocity(run, "tip", Axis::x),
                     velocity(run, "tip", Axis::y),
                     velocity(run, "tip", Axis::z),
                     rotation(run, "plate", Axis::x),
                     rotation(run, "plate", Axis::y),
                     rotation(run, "plate", Axis::z),
                     gap(run, "tip"),
                     gap_rate(run, "tip"),
                     normal_impulse(run, "tip"),
                     contact_state(run, "tip")};
  if (parameters.mu > 0.0) {
    signals.push_back(norm(slip(run, "tip", 0), slip(run, "tip", 1), "tip.slip",
                           "distance of the tip from where it first touched, gathered while closed"));
    signals.push_back(norm(slip_rate(run, "tip", 0), slip_rate(run, "tip", 1), "tip.slip_rate",
                           "tangential speed of the tip on the plate"));
    signals.push_back(norm(friction_impulse(run, "tip", 0), friction_impulse(run, "tip", 1),
                           "tip.friction_impulse", "friction impulse of the tip in a step"));
  }
  signals.push_back({"tip.length", "m", "distance of the tip from the pivot",
                     [tip = run.system.model().find_node("tip")](const Snapshot& at) {
                       return (at.state.q.position(tip) - pivot).norm();
                     }});
  signals.push_back(energy(run));
  signals.push_back(
      {"dissipated", "J", "work of dampers and contact, the integrator's loss apart", [](const Snapshot& at) {
         const Energies energies = at.audit.energies(at.state);
         return -energies.work_of_dampers - energies.work_of_contacts;
       }});
  signals.push_back({"balance", "J", "energy gained (lost, if negative) by the integrator",
                     [](const Snapshot& at) { return at.audit.energies(at.state).balance; }});
  signals.push_back(violation(run));
  return signals;
}

Measures pendulum_on_plate_measures(const RunInfo& run, const PendulumOnPlate& parameters) {
  const Node tip = run.system.model().find_node("tip");
  const std::size_t contact = find_contact(run.system, "tip").number;
  Measures measures;
  const TipContacts& contacts = measures.accumulate(
      TipContacts{}, [contact, step = run.integrator.step_size()](const Snapshot& at, TipContacts& tally) {
        const ContactState now = at.state.contact_state[contact];
        if (now == ContactState::stick) tally.sticking += step;
        if (now == ContactState::slip) tally.slipping += step;
        const bool is_closed = now != ContactState::gap;
        if (is_closed && !tally.was_closed) ++tally.count;
        tally.was_closed = is_closed;
      });
  measures.add("first impact", "s",
               measures.first_time([contact](const Snapshot& at) { return is_closed(at.state, contact); }),
               first_impact(parameters), "exact, free spherical pendulum");
  measures.add("times that contact began", "", [&contacts] { return contacts.count; });
  measures.add("time in stick", "s", [&contacts] { return contacts.sticking; });
  measures.add("time in slip", "s", [&contacts] { return contacts.slipping; });
  measures.add("tip off its distance from the pivot by up to", "m",
               measures.largest([tip](const Snapshot& at) {
                 return (at.state.q.position(tip) - pivot).norm() - rod_length;
               }),
               0.0, "rigid rod");
  return measures;
}

RegisteredModel registered_pendulum_on_plate() {
  using P = PendulumOnPlate;
  auto table =
      ParameterTable<P>()
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction")
          .real("angular_velocity", &P::angular_velocity, {}, "rad/s",
                "of the rod about the vertical at the start")
          .real("rod_centre", &P::rod_centre, Range::between(0.1, 1.3), "m",
                "from the pivot to the centre of mass of the rod")
          .real("rod_inertia", &P::rod_inertia, Range::positive(), "kg m2",
                "principal moments of the rod about its centre of mass, all equal")
          .real("stiffness", &P::stiffness, Range::positive(), "N/m", "of each of the four supports")
          .real("damping", &P::damping, Range::not_negative(), "N s/m", "of each of the four supports");
  return ModelParts<P>{
      .info = {.name = "pendulum-on-plate",
               .summary =
                   "A pendulum falls on a plate on springs and dampers. The plate turns about its centre and "
                   "comes back; the tip of the pendulum bounces, slips and sticks on the tilting plate, in "
                   "three dimensions.",
               .source = "thesis 4.2.6",
               .step = 1e-3,
               .until = 8.0,
               .convergence = {.quantities = {"tip.z", "plate.rotation_x"},
                               .steps = {1e-2, 8e-3, 5e-3, 4e-3, 2e-3, 1e-3, 5e-4},
                               .until = 1.5}},
      .parameters = table,
      .build = make_pendulum_on_plate,
      .measures = pendulum_on_plate_measures,
      .signals = pendulum_on_plate_signals};
}

}  // namespace picus::models
