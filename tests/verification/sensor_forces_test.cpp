// Sensors of forces and of sections compared with statics, the laws of motion, and the balance of momentum.

#include <picus/picus.hpp>
#include <support/allocations.hpp>
#include <support/differences.hpp>
#include <support/samples.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace picus::sensor_forces_test {
namespace {

using support::expect_near;
using support::SampleKeeper;
using support::Samples;

constexpr double g = 9.81;
constexpr double mass = 2.0;
constexpr double arm = 0.7;
const Vec3 weight(0, -mass* g, 0);

/// A body whose centre of mass is `arm` away from a joint at the origin, at an angle from the vertical.
struct Hanging {
  explicit Hanging(double angle, bool may_turn = true) : model("hanging") {
    const Vec3 centre = arm * Vec3(std::sin(angle), -std::cos(angle), 0);
    body = model.add_frame("body", {.position = centre});
    pivot = model.add_frame("pivot");
    model.fix(pivot);
    const auto inert = model.add<RigidBody>(
        {.name = "body", .node = body, .mass = mass, .inertia = Vec3(0.1, 0.2, 0.3).asDiagonal()});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {inert->mass_point()}});
    const MaterialPoint hook(body, -centre);
    const InRole<BilateralConstraint> joint =
        may_turn
            ? InRole<BilateralConstraint>(
                  model.add<Hinge>({.name = "joint", .a = pivot, .b = hook, .axis = Vec3::UnitZ()}))
            : InRole<BilateralConstraint>(model.add<FixedJoint>({.name = "joint", .a = pivot, .b = hook}));
    model.add_sensor(sensors::joint_force({.name = "joint", .joint = joint, .on = body}));
    model.add_sensor(
        sensors::joint_force({.name = "about the joint", .joint = joint, .on = body, .about = hook}));
    model.add_sensor(sensors::joint_force({.name = "on the ground", .joint = joint, .on = pivot}));
    model.add_sensor(sensors::support_force({.name = "support", .on = pivot}));
    model.add_sensor(sensors::point({.name = "body", .point = body}));
  }
  SampleKeeper run(TimeIntegrator& integrator, double until) const {
    SampleKeeper keeper;
    simulate(model, integrator, {.until = until}, {&keeper});
    return keeper;
  }

  Model model;
  FrameNode body, pivot;
};

Vector both(const Vec3& force, const Vec3& moment) {
  return (Vector(6) << force, moment).finished();
}

/// To the tolerance of the solvers.
TEST(SensorForces, OfAHangingBodyAreItsWeight) {
  constexpr double solved = 1e-7;
  StaticEquilibrium statics({.increments = 1});
  DecoupledNsga motion({.step = 1e-2});
  for (TimeIntegrator* const integrator :
       {static_cast<TimeIntegrator*>(&statics), static_cast<TimeIntegrator*>(&motion)}) {
    const SampleKeeper keeper = Hanging(0.0).run(*integrator, 1.0);
    const std::string name(integrator->name());
    expect_near(keeper.of("joint").values.back(), both(-weight, Vec3::Zero()), solved, name);
    expect_near(keeper.of("on the ground").values.back(), both(weight, Vec3::Zero()), solved, name);
    expect_near(keeper.of("support").values.back(), both(-weight, Vec3::Zero()), solved, name);
  }
}

/// A body held laterally by a fixed joint: the joint carries the moment of the weight.
TEST(SensorForces, HaveTheirMomentAboutThePointAskedFor) {
  constexpr double solved = 1e-7;
  DecoupledNsga motion({.step = 1e-2});
  const SampleKeeper keeper = Hanging(std::numbers::pi / 2, false).run(motion, 0.1);
  const Vec3 moment = -arm * Vec3::UnitX().cross(weight);
  expect_near(keeper.of("joint").values.back(), both(-weight, Vec3::Zero()), solved, "about the body");
  expect_near(keeper.of("about the joint").values.back(), both(-weight, moment), solved, "about the joint");
  expect_near(keeper.of("on the ground").values.back(), both(weight, -moment), solved, "on the ground");
  expect_near(keeper.of("support").values.back(), both(-weight, moment), solved, "support");
}

/// The largest error of the force in a joint of a swinging body, N, with steps h.
double error_of_swing(double h) {
  constexpr double about_pivot = 0.3 + mass * arm * arm;
  DecoupledNsga motion({.step = h});
  const SampleKeeper keeper = Hanging(1.0).run(motion, 0.8);
  const Samples& body = keeper.of("body");
  const Samples& joint = keeper.of("joint");
  double worst = 0.0;
  for (std::size_t i = 0; i < body.times.size(); ++i) {
    const Vec3 x = body.values[i].head<3>();
    const Vec3 u = body.values[i].segment<3>(3);
    const Vec3 r = x / arm;
    const Vec3 t(-r.y(), r.x(), 0);
    const double spin = u.dot(t) / arm;
    const double spin_rate = x.cross(weight).z() / about_pivot;
    const Vec3 expected = mass * arm * (spin_rate * t - spin * spin * r) - weight;
    worst = std::max(worst, (joint.values[i].head<3>() - expected).norm());
  }
  return worst;
}

/// Newton's second law with the centripetal acceleration. The multiplier is of second order, and is that at the end
/// of the step.
TEST(SensorForces, OfASwingingBodyAreThoseOfItsMotion) {
  const double coarse = error_of_swing(2e-3);
  const double fine = error_of_swing(1e-3);
  EXPECT_LT(fine, 1e-4 * weight.norm());
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
}

/// A ball that hits the floor a few times between two samples.
TEST(SensorForces, KeepEveryImpulseOfContacts) {
  constexpr double h = 1e-3;
  Model model("ball");
  const PointNode node = model.add_point("ball", {.position = {0, 0.05, 0}, .velocity = {0.3, 0, 0}});
  const auto ball = model.add<PointMass>({.name = "mass", .node = node, .mass = mass});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {ball->mass_point()}});
  const auto floor = model.add<NodeToFaceContact>(
      {.name = "floor", .slave = node, .face = {.normal = {0, 1, 0}}, .mu = 0.2, .e_n = 0.7});
  for (const double interval : {0.0, 0.0277, 0.1}) {
    model.add_sensor(sensors::contact_force(
        {.name = "floor" + std::to_string(interval), .interval = interval, .contact = floor, .on = node}));
  }
  DecoupledNsga integrator({.step = h});
  SampleKeeper keeper;
  const RunSummary summary = simulate(model, integrator, {.until = 1.0}, {&keeper});
  const Vec3 change = mass * (summary.final_state.v.segment<3>(0) - Vec3(0.3, 0, 0));
  for (const double interval : {0.0, 0.0277, 0.1}) {
    const Samples& samples = keeper.of("floor" + std::to_string(interval));
    Vec3 impulse = Vec3::Zero();
    for (std::size_t i = 1; i < samples.times.size(); ++i) {
      impulse += (samples.times[i] - samples.times[i - 1]) * samples.values[i].head<3>();
    }
    const double left = interval == 0.0277 ? 1.0 - samples.times.back() : 0.0;
    const Vec3 at_rest = -left * weight;  // the ball lies on the floor by then
    expect_near(impulse + at_rest, change - weight, 1e-10, std::to_string(interval));
  }
}

/// Small loads at the end of a beam: the section carries the force and moment of the part beyond it.
TEST(SensorForces, OfSectionsBalanceTheLoadBeyondThem) {
  Model model("cantilever");
  const Section section =
      Section::constants({.EA = 1e5, .GA1 = 3e4, .GA2 = 3e4, .GJ = 80, .EI1 = 100, .EI2 = 100, .mass = 1.0});
  const BeamMesh beam =
      make_beam(model, {.name = "beam", .section = section, .to = Vec3(1, 0, 0), .elements = 4});
  model.fix(beam.first());
  constexpr double load = 1e-3;
  model.add<NodalForce>({.name = "load", .point = beam.last(), .force = Vec3(2 * load, load, 0)});
  const double at = 0.375;  // the middle of an element, where its constant moment is that of the beam
  model.add_sensor(sensors::element_point({.name = "section", .at = beam.point(at, 0.02)}));
  model.add_sensor(sensors::support_force({.name = "clamp", .on = beam.first()}));
  StaticEquilibrium statics({.increments = 1});
  SampleKeeper keeper;
  simulate(model, statics, {.until = 1.0}, {&keeper});
  // The beam rotates by load/2 EI = 5e-6 rad, so that linear theory holds to about that.
  const Vector values = keeper.of("section").values.back();
  const Vector force = values.segment<6>(12) / load;
  expect_near(force, (Vector(6) << 2, 1, 0, 0, 0, 1 - at).finished(), 2e-5, "section force over load");
  const double curvature = load * (1 - at) / 100;
  EXPECT_NEAR(values[18] / curvature, 2 * load / 1e5 / curvature - 0.02, 1e-5);
  const Vector clamp = keeper.of("clamp").values.back() / load;
  expect_near(clamp, (Vector(6) << -2, -1, 0, 0, 0, -1).finished(), 2e-5, "clamp over load");
}

#ifdef PICUS_COUNTS_ALLOCATIONS

TEST(SensorsOfElements, AllocateNothing) {
  Model model("parts");
  const BeamMaterial steel{.E = 2e11, .nu = 0.3, .density = 7800, .relaxation_time = 1e-4};
  const Section section = Section::circle(0.01, steel);
  const BeamMesh beam =
      make_beam(model, {.name = "beam", .section = section, .to = Vec3(1, 0, 0), .elements = 2});
  const auto beam3 = model.add<Beam3>({.name = "beam3",
                                       .a = model.add_frame("a"),
                                       .middle = model.add_frame("m", {.position = {0.5, 0, 0}}),
                                       .b = model.add_frame("b", {.position = {1, 0, 0}}),
                                       .section = section});
  const HexahedralMesh mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}});
  const SolidMaterial rubber{
      .youngs_modulus = 1e6, .poissons_ratio = 0.4, .density = 1e3, .law = SolidLaw::neo_hooke};
  const Solid soft = add_solid(model, mesh, {.name = "soft", .material = rubber});
  model.add_sensor(sensors::element_point({.name = "beam", .at = beam.point(0.3, 0.01)}));
  model.add_sensor(sensors::element_point({.name = "beam3", .at = {beam3, {0.3, 0.01, 0}}}));
  model.add_sensor(sensors::element_point({.name = "soft", .at = soft.point({0.3, 0.2, 0.9})}));
  const System system(model);
  State state;
  state.q = model.initial_configuration();
  state.v = Vector::Constant(system.velocity_count(), 0.1);
  std::vector<SensorSampler> samplers;
  for (const Sensor& sensor : model.sensors()) samplers.emplace_back(sensor);
  const long count = support::allocations_of([&] {
    for (SensorSampler& sampler : samplers) sampler.record_step({system, state, 1e-3});
  });
  EXPECT_EQ(count, 0);
  EXPECT_NEAR(samplers[2].values()[0], 0.3, 1e-15);
}

#endif

}  // namespace
}  // namespace picus::sensor_forces_test
