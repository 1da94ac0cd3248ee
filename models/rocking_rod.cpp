#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/models/rocking_rod.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

// Zander, Foerg and Ulbrich 2007, as quoted in thesis section 4.2.2. The length of the rod, 1 m, is irrelevant.
constexpr double mass = 0.48;                                    // m, kg
constexpr double inertia_moment = 4e-2;                          // J, kg m2
constexpr double gravity = 9.8;                                  // m/s2
constexpr double support_distance = 0.4;                         // a, m
constexpr double start_height = 0.104;                           // h_1, of the centre, m
constexpr double start_angle = 12.0 * std::numbers::pi / 180.0;  // theta, counterclockwise

}  // namespace

double RockingRod::level_difference() const {
  return supports == Case::one || supports == Case::two ? 0.0 : 0.04;
}

double RockingRod::mu_1() const {
  switch (supports) {
    case Case::one:
      return 0.1;
    case Case::three:
      return 0.3;
    default:
      return 0.0;
  }
}

double RockingRod::mu_2() const {
  return supports == Case::one || supports == Case::two ? 0.1 : 0.3;
}

Model make_rocking_rod(const RockingRod& parameters) {
  Model model("rocking-rod");
  const FrameNode rod = model.add_frame(
      "rod", {.position = {0.0, start_height, 0.0}, .rotation = so3::exp(start_angle * Vec3::UnitZ())});
  model.restrict_to_plane(rod);
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = rod, .mass = mass, .inertia = inertia::planar(inertia_moment)});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -gravity, 0.0}, .bodies = {body->mass_point()}});

  // The supports are below the rod, so its face points downwards.
  const auto add_support = [&](const std::string& name, const Vec3& position, double mu) {
    const PointNode support = model.add_point(name, {.position = position});
    model.fix(support);
    model.add<NodeToFaceContact>({.name = name,
                                  .slave = support,
                                  .face = {.node = rod, .normal = -Vec3::UnitY(), .tangent = -Vec3::UnitX()},
                                  .mu = mu,
                                  .e_n = parameters.restitution,
                                  .friction_directions = 1});
  };
  add_support("support_1", {-support_distance / 2, 0.0, 0.0}, parameters.mu_1());
  add_support("support_2", {support_distance / 2, -parameters.level_difference(), 0.0}, parameters.mu_2());
  return model;
}

Signals rocking_rod_signals(const RunInfo& run, const RockingRod& parameters) {
  Signals signals = {position(run, "rod", Axis::x), velocity(run, "rod", Axis::x),
                     position(run, "rod", Axis::y), velocity(run, "rod", Axis::y),
                     planar_angle(run, "rod"),      angular_velocity(run, "rod", Axis::z)};
  const auto add_support = [&](const std::string& contact, double mu) {
    signals.push_back(gap(run, contact));
    signals.push_back(normal_force(run, contact));
    if (mu > 0.0) signals.push_back(friction_force(run, contact));
    signals.push_back(contact_state(run, contact));
  };
  add_support("support_1", parameters.mu_1());
  add_support("support_2", parameters.mu_2());
  signals.push_back(energy(run));
  return signals;
}

Measures rocking_rod_measures(const RunInfo& run, const RockingRod& parameters) {
  // The thesis gives the values of case III.
  const auto published = [&](double value) {
    return parameters.supports == RockingRod::Case::three ? std::optional(value) : std::nullopt;
  };
  const std::string source = "thesis 4.2.2";
  std::vector<Signal> friction;
  if (parameters.mu_1() > 0.0) friction.push_back(friction_force(run, "support_1"));
  if (parameters.mu_2() > 0.0) friction.push_back(friction_force(run, "support_2"));
  Measures measures;
  measures.add("x of the centre at the end", "m", measures.at_end(position(run, "rod", Axis::x).value),
               published(0.0134), source);
  measures.add("y of the centre at the end", "m", measures.at_end(position(run, "rod", Axis::y).value),
               published(-0.0213), source);
  measures.add("normal force of support 1 at the end", "N",
               measures.at_end(normal_force(run, "support_1").value), published(2.19), source);
  measures.add("normal force of support 2 at the end", "N",
               measures.at_end(normal_force(run, "support_2").value), published(2.50), source);
  measures.add("friction of both against the rod's x axis", "N",
               measures.at_end([friction](const Snapshot& at) {
                 double uphill = 0.0;
                 for (const Signal& force : friction) uphill -= force.value(at);
                 return uphill;
               }),
               published(0.47), source);
  return measures;
}

RegisteredModel registered_rocking_rod() {
  using P = RockingRod;
  auto table =
      ParameterTable<P>()
          .choice("case", &P::supports,
                  {{"I", P::Case::one}, {"II", P::Case::two}, {"III", P::Case::three}, {"IV", P::Case::four}},
                  "I and II: level supports, friction 0.1; III and IV: one is 0.04 m lower, "
                  "friction 0.3; II and IV: support 1 without friction")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "normal restitution of both supports");
  return ModelParts<P>{
      .info =
          {.name = "rocking-rod",
           .summary =
               "A thin rod falls on two supports and rocks until it rests on both. The contact faces move "
               "with the rod. At rest on uneven supports both stick, which leaves the split of friction "
               "between them open.",
           .source = "thesis 4.2.2; Zander, Foerg and Ulbrich 2007",
           .step = 1e-3,
           .until = 0.3,
           .convergence = {.quantities = {"rod.y", "rod.angle", "rod.vy", "rod.wz"},
                           .steps = {1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5}}},
      .parameters = table,
      .build = make_rocking_rod,
      .measures = rocking_rod_measures,
      .signals = rocking_rod_signals};
}

}  // namespace picus::models
