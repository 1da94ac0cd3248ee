#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/rigid_link.hpp>
#include <picus/models/cycle_meter.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/sensors.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus::models {
namespace {

// Thesis, table 5.1. Lengths in m, masses in kg, moments of inertia in kg m2; angles counterclockwise.
constexpr double pole_radius = 0.0025;         // r_O
constexpr double sleeve_radius = 0.0031;       // r_M
constexpr double sleeve_half_height = 0.0058;  // h_M
constexpr double sleeve_to_hinge = 0.0100;     // l_M
constexpr double hinge_to_bird = 0.0150;       // l_G
constexpr double beak_above = 0.0200;          // h_S
constexpr double beak_before = 0.0201;         // l_S
constexpr double sleeve_mass = 0.0003;         // m_M
constexpr double bird_mass = 0.0045;           // m_S
constexpr double sleeve_inertia = 5.0e-9;      // J_M
constexpr double bird_inertia = 7.0e-7;        // J_S
constexpr double spring_stiffness = 0.0056;    // c_phi, N m/rad
constexpr double gravity = 9.81;               // m/s2
constexpr double sleeve_angle = -0.1036;       // phi_M0, rad
constexpr double bird_angle = -0.2788;         // phi_S0
constexpr double sleeve_spin = 0.0;            // omega_M0, rad/s
constexpr double bird_spin = -7.4583;          // omega_S0
constexpr double sleeve_velocity = -0.3411;    // v_0, vertical, m/s

constexpr double sample_interval = 1e-3;  // of the sensors, s: 130 samples a cycle

const Vec3 vertical = Vec3::UnitY();
const Vec3 out_of_plane = Vec3::UnitZ();

/// A planar body whose node is its centre of mass.
struct Body {
  FrameNode node;
  FrameStart start;

  /// Start of a frame that is fixed to the body at `offset` in its axes.
  FrameStart start_at(const Vec3& offset) const {
    return {.position = start.position + start.rotation * offset,
            .rotation = start.rotation,
            .velocity = start.velocity + start.rotation * start.angular_velocity.cross(offset),
            .angular_velocity = start.angular_velocity};
  }
};

Body add_body(Model& model, const std::string& name, const FrameStart& start) {
  const Body body{model.add_frame(name, start), start};
  model.restrict_to_plane(body.node);
  return body;
}

/// A point on a body for a contact or a joint: a node on a rigid link, or a body-fixed point.
MaterialPoint attach(Model& model, Woodpecker::Variant variant, const Body& body, const std::string& name,
                     const Vec3& offset) {
  if (variant == Woodpecker::Variant::body_points) return {body.node, offset};
  const FrameNode node = model.add_frame(name, body.start_at(offset));
  model.restrict_to_plane(node);
  model.add<RigidLink>({.name = "link_" + name, .a = body.node, .b = node});
  return node;
}

/// The initial state of the sleeve, and that of the bird, which follows from the shared hinge.
FrameStart sleeve_start() {
  return {.rotation = so3::exp(sleeve_angle * out_of_plane),
          .velocity = sleeve_velocity * vertical,
          .angular_velocity = sleeve_spin * out_of_plane};
}

FrameStart bird_start(const FrameStart& hinge) {
  const Mat3 rotation = so3::exp(bird_angle * out_of_plane);
  const Vec3 angular_velocity = bird_spin * out_of_plane;
  const Vec3 arm(hinge_to_bird, 0.0, 0.0);
  return {.position = hinge.position + rotation * arm,
          .rotation = rotation,
          .velocity = hinge.velocity + rotation * angular_velocity.cross(arm),
          .angular_velocity = angular_velocity};
}

/// Frequency in Hz and fall per cycle in mm, where the thesis gives them.
std::pair<std::optional<double>, std::optional<double>> published(const Woodpecker& parameters) {
  const auto& [guidance, variant, mu, beak_restitution, all_contacts] = parameters;
  if (beak_restitution != 0.5 || (guidance == Woodpecker::Case::one && all_contacts)) return {};
  if (guidance == Woodpecker::Case::one && mu == 0.3) return {7.66, 14.3};
  if (guidance == Woodpecker::Case::two && mu == 0.3) return {7.96, 7.6};
  if (guidance == Woodpecker::Case::two && mu == 0.35) return {8.3, 5.3};
  return {};
}

}  // namespace

Model make_woodpecker(const Woodpecker& parameters) {
  const bool is_free = parameters.guidance == Woodpecker::Case::two;
  Model model("woodpecker");

  // The bodies.
  const Body sleeve = add_body(model, "sleeve", sleeve_start());
  const Vec3 hinge_on_sleeve(sleeve_to_hinge, 0.0, 0.0);
  const Body bird = add_body(model, "bird", bird_start(sleeve.start_at(hinge_on_sleeve)));
  if (!is_free) model.fix(sleeve.node, {Component::x});

  const auto sleeve_body = model.add<RigidBody>({.name = "sleeve_body",
                                                 .node = sleeve.node,
                                                 .mass = sleeve_mass,
                                                 .inertia = inertia::planar(sleeve_inertia)});
  const auto bird_body = model.add<RigidBody>(
      {.name = "bird_body", .node = bird.node, .mass = bird_mass, .inertia = inertia::planar(bird_inertia)});
  model.add<Gravity>({.name = "gravity",
                      .acceleration = -gravity * vertical,
                      .bodies = {sleeve_body->mass_point(), bird_body->mass_point()}});

  const auto on = [&](const Body& body, const std::string& name, double x, double y) {
    return attach(model, parameters.variant, body, name, {x, y, 0.0});
  };

  // The hinge and its spring, which is unloaded if the angles are equal.
  const ScalarNode angle =
      model.add_scalar("angle", {.value = bird_angle - sleeve_angle, .rate = bird_spin - sleeve_spin});
  model.add<Hinge>({.name = "hinge",
                    .a = on(sleeve, "hinge_on_sleeve", sleeve_to_hinge, 0.0),
                    .b = on(bird, "hinge_on_bird", -hinge_to_bird, 0.0),
                    .axis = out_of_plane,
                    .angle = angle});
  model.add<TorsionalSpringDamper>({.name = "spring", .node = angle, .stiffness = spring_stiffness});

  // The contacts with the fixed pole.
  const Face right{.point = {pole_radius, 0.0, 0.0}, .normal = Vec3::UnitX()};
  const Face left{.point = {-pole_radius, 0.0, 0.0}, .normal = -Vec3::UnitX()};
  const auto add_contact = [&](const std::string& name, const MaterialPoint& point, const Face& face,
                               double e) {
    return model.add<NodeToFaceContact>({.name = name,
                                         .slave = point,
                                         .face = face,
                                         .mu = parameters.mu,
                                         .e_n = e,
                                         .friction_directions = 1});
  };
  const auto add_corner = [&](const std::string& name, double x, double y, const Face& face) {
    add_contact(name, on(sleeve, name, x, y), face, 0.0);
  };
  const MaterialPoint tip = on(bird, "beak", -beak_before, beak_above);
  const auto beak = add_contact("beak", tip, right, parameters.beak_restitution);
  add_corner("lower_right", sleeve_radius, -sleeve_half_height, right);
  add_corner("upper_right", sleeve_radius, sleeve_half_height, right);
  if (parameters.has_left_contacts()) {
    add_corner("upper_left", -sleeve_radius, sleeve_half_height, left);
    add_corner("lower_left", -sleeve_radius, -sleeve_half_height, left);
  }

  model.add_sensor(sensors::point({.name = "beak", .interval = sample_interval, .point = tip}));
  model.add_sensor(sensors::contact_force(
      {.name = "beak_force", .interval = sample_interval, .contact = beak, .on = tip.node}));
  return model;
}

Signals woodpecker_signals(const RunInfo& run, const Woodpecker& parameters) {
  Signals signals = {planar_angle(run, "bird"),        angular_velocity(run, "bird", Axis::z),
                     planar_angle(run, "sleeve"),      angular_velocity(run, "sleeve", Axis::z),
                     position(run, "sleeve", Axis::x), velocity(run, "sleeve", Axis::x),
                     position(run, "sleeve", Axis::y), velocity(run, "sleeve", Axis::y)};
  std::vector<std::string> contacts = {"beak", "lower_right", "upper_right"};
  if (parameters.has_left_contacts()) {
    contacts.insert(contacts.end(), {"upper_left", "lower_left"});
  }
  for (const std::string& contact : contacts) {
    signals.push_back(gap(run, contact));
    signals.push_back(contact_state(run, contact));
  }
  signals.push_back(energy(run));
  signals.push_back(violation(run));
  if (parameters.variant == Woodpecker::Variant::rigid_links) {
    signals.push_back(violation(run, "link_lower_right"));  // node 4 of the thesis
  }
  return signals;
}

Measures woodpecker_measures(const RunInfo& run, const Woodpecker& parameters) {
  const auto [frequency, fall] = published(parameters);
  Measures measures;
  const CycleMeter& meter = measures.accumulate(
      CycleMeter(0.5), [angle = planar_angle(run, "bird"), height = position(run, "sleeve", Axis::y)](
                           const Snapshot& at, CycleMeter& cycles) {
        cycles.add(at.state.time, angle.value(at), height.value(at));
      });
  measures.add(
      "frequency", "Hz", [&meter] { return meter.frequency(); }, frequency, "thesis 5.3.5");
  measures.add(
      "fall per cycle", "mm",
      [&meter] {
        std::optional<double> fall_mm = meter.fall_per_cycle();
        if (fall_mm) *fall_mm *= 1e3;
        return fall_mm;
      },
      fall, "thesis 5.3.5");
  measures.add(
      "cycles measured", "", [&meter] { return meter.cycles(); }, std::nullopt, "after 0.5 s");
  return measures;
}

RegisteredModel registered_woodpecker() {
  using P = Woodpecker;
  auto table =
      ParameterTable<P>()
          .choice("case", &P::guidance, {{"I", P::Case::one}, {"II", P::Case::two}},
                  "I: the sleeve keeps its x, contacts on the right face only; II: free")
          .choice("variant", &P::variant,
                  {{"rigid-links", P::Variant::rigid_links}, {"body-points", P::Variant::body_points}},
                  "how contacts and hinge are attached to the bodies; the motion is the same")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of all contacts")
          .real("beak_restitution", &P::beak_restitution, Range::between(0, 1), "",
                "normal restitution of the beak")
          .flag("all_contacts", &P::all_contacts, "case I keeps its contacts with the left face");
  return ModelParts<P>{
      .info =
          {.name = "woodpecker",
           .summary =
               "A toy bird on a torsional spring pecks its way down a pole. Its sleeve jams on the pole, "
               "comes "
               "free when the bird swings back, and falls a few millimetres until it jams again. Impacts, "
               "sticking and slipping of five contacts make a stable limit cycle, whose frequency and fall "
               "per "
               "cycle are compared with the thesis.",
           .source = "thesis 5.3",
           .step = 1e-4,
           .until = 1.5,
           // The limit cycle amplifies differences: errors are compared over the first cycle.
           .convergence = {.quantities = {"sleeve.y", "bird.angle"},
                           .steps = {4e-4, 2e-4, 1e-4, 4e-5, 2e-5, 1e-5},
                           .until = 0.1}},
      .parameters = table,
      .build = make_woodpecker,
      .measures = woodpecker_measures,
      .signals = woodpecker_signals};
}

}  // namespace picus::models
