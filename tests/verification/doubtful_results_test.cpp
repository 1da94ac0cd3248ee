/// Runs that end without an error and are nevertheless wrong: their warnings.

#include <picus/picus.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Warnings = std::vector<std::string>;
using Shape = decltype(Surface::Parameters::of);

Warnings run(const Model& model, double step, double until, const std::string& scheme = "ds") {
  const auto integrator = make_integrator(scheme, {.step = step});
  return simulate(model, *integrator, {.until = until}).warnings;
}

/// Two balls of 2 cm that fly at each other at 100 m/s.
Warnings shot(double step, double offset = 0.0, double x = 1.05) {
  Model model("balls");
  const PointNode a = model.add_point("a", {.position = {0, 0, 0}});
  const PointNode b = model.add_point("b", {.position = {x, offset, 0}, .velocity = {-100, 0, 0}});
  model.add<PointMass>({.name = "A", .node = a, .mass = 1});
  model.add<PointMass>({.name = "B", .node = b, .mass = 1});
  model.add<SphereToSphereContact>(
      {.name = "hit", .a = {.centre = a, .radius = 0.02}, .b = {.centre = b, .radius = 0.02}, .e_n = 0.5});
  return run(model, step, 0.02);
}

TEST(DoubtfulResults, BallsThatPassThroughEachOther) {
  EXPECT_THAT(shot(1e-3), Contains(HasSubstr("contact \"hit\" was missed: in the step to t = 0.011 s")));
  EXPECT_THAT(shot(1e-3, 0.03), Contains(HasSubstr("contact \"hit\" was missed")));
  EXPECT_THAT(shot(1e-3, 0.05), IsEmpty());
  // At the end of the step they overlap, b on the far side, where the contact closes.
  EXPECT_THAT(shot(1e-3, 0, 1.07), Contains(HasSubstr("contact \"hit\" was missed")));
  EXPECT_THAT(shot(1e-3, 0, 1.03), IsEmpty());  // they overlap before they pass
  EXPECT_THAT(shot(1e-4), IsEmpty());
  EXPECT_THAT(shot(1e-4, 0.03), IsEmpty());
}

// Detected contacts count passages as the search counts misses: the summary, its warning and the result agree.
TEST(DoubtfulResults, FoundContactsThatPassThroughEachOtherAreMisses) {
  for (const double step : {1e-3, 1e-4}) {
    Model model("balls");
    const PointNode a = model.add_point("a", {.position = {0, 0, 0}});
    const PointNode b = model.add_point("b", {.position = {1.05, 0.03, 0}, .velocity = {-100, 0, 0}});
    model.add<PointMass>({.name = "A", .node = a, .mass = 1});
    model.add<PointMass>({.name = "B", .node = b, .mass = 1});
    for (const PointNode& node : {a, b})
      model.add<Surface>({.name = model.node_name(node) + " skin", .of = shapes::Ball{0.02}, .on = node});
    model.add<ContactsBetween>({.name = "all", .e_n = 0.5});
    DecoupledNsga integrator({.step = step});
    const RunSummary summary = simulate(model, integrator, {.until = 0.02});
    EXPECT_EQ(summary.search.misses, step > 5e-4 ? 1 : 0);
    if (step < 5e-4) {
      EXPECT_THAT(summary.warnings, IsEmpty());
      continue;
    }
    EXPECT_NEAR(summary.search.worst_depth, 0.01,
                1e-6);  // of 0.04 - 0.03, up to the search for the smallest gap
    EXPECT_THAT(summary.warnings,
                testing::ElementsAre("surfaces passed each other unseen in 1 step, at most 0.01 m deep; a "
                                     "smaller step sees them"));
  }
}

/// A mass on a guide that a motor moves back and forth.
Warnings driven(double factor_of_rate) {
  Model model("motor");
  const FrameNode base = model.add_frame("base");
  model.fix(base);
  const FrameNode slide = model.add_frame("slide");
  const ScalarNode x = model.add_scalar("x");
  model.add<RigidBody>({.name = "mass", .node = slide, .mass = 2, .inertia = Mat3::Identity()});
  model.add<PrismaticJoint>(
      {.name = "guide", .a = base, .b = slide, .axis = Vec3::UnitX(), .displacement = x});
  const double w = 20.0;
  model.drive(x, Component::s,
              {.displacement = [w](double t) { return 0.1 * (1 - std::cos(w * t)); },
               .rate = [w, factor_of_rate](double t) { return factor_of_rate * 0.1 * w * std::sin(w * t); }});
  return run(model, 1e-3, 1.0);
}

TEST(DoubtfulResults, AMotorWhoseRateIsNotTheDerivative) {
  EXPECT_THAT(driven(1.0), IsEmpty());
  EXPECT_THAT(driven(1.0 / 20), Contains(HasSubstr("the motion of s of node \"x\" contradicts itself")));
  EXPECT_THAT(driven(-1.0), Contains(HasSubstr("the motion of s of node \"x\" contradicts itself")));
}

/// A mass on a user-defined spring, with a potential of a different stiffness.
Warnings sprung(double stiffness_of_potential, UserForce::Traits traits = {}, bool is_on_floor = false) {
  Model model("spring");
  const PointNode node = model.add_point("p", {.position = {1, 0, 0}});
  const auto mass = model.add<PointMass>({.name = "mass", .node = node, .mass = 1});
  if (is_on_floor) {
    add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {mass->mass_point()}});
    model.add<NodeToFaceContact>({.name = "floor", .slave = node, .face = {.normal = Vec3::UnitZ()}});
  }
  const double k = 100.0;
  traits.has_potential = true;
  traits.is_conservative = true;
  model.add<UserForce>(
      {.name = "spring",
       .nodes = {node},
       .force = [=](const Motion& at,
                    std::span<double> f) { Eigen::Map<Vec3>(f.data()) = -k * at.q.position(node); },
       .potential = [=](const Configuration& q,
                        double) { return stiffness_of_potential / 2 * q.position(node).squaredNorm(); },
       .traits = traits});
  return run(model, 1e-3, 2.0);
}

TEST(DoubtfulResults, AForceThatContradictsItsPotential) {
  EXPECT_THAT(sprung(100), IsEmpty());
  EXPECT_THAT(sprung(50), Contains(HasSubstr("the energies do not balance")));
  EXPECT_THAT(sprung(100, {}, true), IsEmpty());
  EXPECT_THAT(sprung(50, {}, true), Contains(HasSubstr("the energies do not balance")));
}

/// A box that tumbles on a smooth floor.
Warnings tumbled(const std::string& scheme, double restitution, double step, const ImpactLaw& law = {}) {
  Model model("box");
  const Vec3 sizes(0.3, 0.2, 0.1);
  const FrameNode node = model.add_frame("box", {.position = {0, 0, 0.5},
                                                 .rotation = so3::exp(Vec3(1.2, -0.7, 0.4)),
                                                 .velocity = {1, 0.3, 0},
                                                 .angular_velocity = {3, -4, 2}});
  const auto body =
      model.add<RigidBody>({.name = "body", .node = node, .mass = 2, .inertia = inertia::box(2, sizes)});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {body->mass_point()}});
  model.add<Surface>({.name = "crate", .of = shapes::Box{sizes}, .on = node});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  model.add<ContactsBetween>({.name = "all", .e_n = restitution, .impact_law = law});
  return run(model, step, 2.0, scheme);
}

TEST(DoubtfulResults, ElasticImpactsOfABodyThatTurnsFarInAStep) {
  EXPECT_THAT(tumbled("chen", 1.0, 5e-3), Contains(HasSubstr("impacts have added energy")));
  EXPECT_THAT(tumbled("chen", 1.0, 1e-4), IsEmpty());
  EXPECT_THAT(tumbled("chen", 0.5, 5e-3), IsEmpty());
  EXPECT_THAT(tumbled("ds", 1.0, 5e-3), IsEmpty());
  EXPECT_THAT(tumbled("ds", 1.0, 5e-3, ImpactLaw::poisson()), IsEmpty());
}

/// A beam of rubber that falls on a floor, which its nodes touch; its highest vibrations have periods far below the step.
Warnings fallen(double restitution, double step, double relaxation_time = 0.0) {
  Model model("beam");
  const Section section =
      Section::circle(0.01, {.E = 2e8, .nu = 0.4, .density = 1200, .relaxation_time = relaxation_time});
  const auto beam = make_beam(model, {.name = "beam",
                                      .section = section,
                                      .from = Vec3(-0.3, 0, 0.506),
                                      .to = Vec3(0.3, 0.05, 0.606),
                                      .elements = 8,
                                      .velocity = Vec3(0.3, 0, -3),
                                      .angular_velocity = Vec3(0, 6, 1)});
  for (std::size_t i = 0; i < beam.nodes.size(); ++i)
    model.add<NodeToFaceContact>({.name = "floor " + std::to_string(i),
                                  .slave = beam.nodes[i],
                                  .face = {.point = Vec3(0, 0, 0.01), .normal = Vec3::UnitZ()},
                                  .e_n = restitution});
  return run(model, step, 0.3);
}

TEST(DoubtfulResults, NodesOfABeamWithRestitution) {
  const auto gains = Contains(HasSubstr("have come from nowhere"));
  EXPECT_THAT(fallen(0.5, 1e-3), gains);
  EXPECT_THAT(fallen(0.5, 2e-4), Not(gains));
  EXPECT_THAT(fallen(0.5, 1e-3, 1e-4), Not(gains));
  EXPECT_THAT(fallen(0.0, 1e-3), Not(gains));
}

// Nothing moves and no energy is turned over: what tolerances leave of the balance is no loss.
TEST(DoubtfulResults, BodiesAtRestBalance) {
  for (const char* const scheme : {"ds", "ds-a", "dsn", "cs", "mixed", "moreau-jean", "chen"}) {
    for (const double size : {0.1, 10.0}) {
      for (const Shape& shape : std::vector<Shape>{shapes::Box{Vec3::Constant(size)}, shapes::Ball{size / 2},
                                                   shapes::Cylinder{.length = size, .radius = size / 2}}) {
        Model model("rest");
        const double mass = 1000 * size * size * size;
        const FrameNode node = model.add_frame("body", {.position = {0, 0, size / 2}});
        const auto body = model.add<RigidBody>({.name = "body",
                                                .node = node,
                                                .mass = mass,
                                                .inertia = inertia::box(mass, Vec3::Constant(size))});
        add_gravity(model,
                    {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {body->mass_point()}});
        model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
        model.add<Surface>({.name = "skin", .of = shape, .on = node});
        model.add<ContactsBetween>({.name = "all", .mu = 0.3});
        const auto integrator = make_integrator(scheme, {.step = 1e-3});
        EXPECT_THAT(simulate(model, *integrator, {.until = 0.3}).warnings, IsEmpty()) << scheme;
      }
    }
  }
}

TEST(DoubtfulResults, AForceThatDeniesItsStiffnessIsRefused) {
  try {
    sprung(100, {.depends_on_configuration = false});
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "force \"spring\" depends on the configuration, which its traits deny");
  }
}

TEST(DoubtfulResults, ASpinThatTheStepDoesNotResolve) {
  Model model("gyro");
  const FrameNode node = model.add_frame("rotor", {.angular_velocity = {1, 2, 1e6}});
  model.add<RigidBody>({.name = "rotor", .node = node, .mass = 1, .inertia = Vec3(1, 2, 3).asDiagonal()});
  EXPECT_THAT(run(model, 1e-3, 0.01), Contains(HasSubstr("node \"rotor\" turns by ")));
}

TEST(DoubtfulResults, APendulumAtStepsOfDays) {
  Model model("pendulum");
  const FrameNode base = model.add_frame("base");
  model.fix(base);
  const FrameNode bob = model.add_frame("bob", {.position = {1, 0, 0}});
  const auto body =
      model.add<RigidBody>({.name = "body", .node = bob, .mass = 1, .inertia = Mat3::Identity()});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {body->mass_point()}});
  model.add<Hinge>({.name = "pin", .a = base, .b = {bob, {-1, 0, 0}}, .axis = Vec3::UnitZ()});
  // A failed run warns as well.
  Warnings warnings;
  try {
    warnings = run(model, 1e6, 1e7);
  } catch (const SolverError&) {
    return;
  }
  EXPECT_FALSE(warnings.empty());
}

TEST(DoubtfulResults, AHingeWhosePointsAreAMetreApart) {
  const auto hinged = [](double gap) {
    Model model("door");
    const FrameNode frame = model.add_frame("frame");
    model.fix(frame);
    const FrameNode door = model.add_frame("door", {.position = {2 + gap, 0, 0}});
    const auto body =
        model.add<RigidBody>({.name = "body", .node = door, .mass = 1, .inertia = Mat3::Identity()});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {body->mass_point()}});
    model.add<Hinge>({.name = "hinge", .a = frame, .b = {door, {-2, 0, 0}}, .axis = Vec3::UnitZ()});
    return run(model, 1e-3, 0.1);
  };
  EXPECT_THAT(hinged(0.0), IsEmpty());
  EXPECT_THAT(hinged(1e-4), IsEmpty());
  EXPECT_THAT(hinged(1.0),
              Contains(HasSubstr("constraint \"hinge\" is open by 1 m in the model as given, of bodies")));
  EXPECT_THAT(hinged(0.01),
              Contains(HasSubstr("constraint \"hinge\" is open by 0.01 m in the model as given")));
}

TEST(DoubtfulResults, VelocitiesThatAJointDoesNotAllow) {
  const auto started = [](const Vec3& v, const Vec3& w) {
    Model model("door");
    const FrameNode door =
        model.add_frame("door", {.position = {2, 0, 0}, .velocity = v, .angular_velocity = w});
    model.add<RigidBody>({.name = "body", .node = door, .mass = 1, .inertia = Mat3::Identity()});
    model.add<Hinge>({.name = "hinge",
                      .a = MaterialPoint::on_ground(Vec3::Zero()),
                      .b = {door, {-2, 0, 0}},
                      .axis = Vec3::UnitZ()});
    return run(model, 1e-3, 0.1);
  };
  EXPECT_THAT(started({0, 0, 0}, {0, 0, 0}), IsEmpty());
  EXPECT_THAT(started({0, 3, 0}, {0, 0, 1.5}), IsEmpty());
  EXPECT_THAT(started({0, 3.001, 0}, {0, 0, 1.5}), IsEmpty());  // rounded to three digits
  EXPECT_THAT(
      started({5, 0, 0}, {0, 0, 0}),
      Contains(HasSubstr("the velocities of the model as given contradict constraint \"hinge\" by 5 m/s")));
  EXPECT_THAT(started({0, 0, 0}, {0, 0, 1.5}),
              Contains(HasSubstr("contradict constraint \"hinge\" by 3 m/s")));
}

/// What is not a number at a later time is traced to the element.
TEST(DoubtfulResults, AForceThatIsNotANumberIsNamed) {
  Model model("flight");
  const PointNode node = model.add_point("node");
  model.add<PointMass>({.name = "mass", .node = node, .mass = 1});
  model.add<NodalForce>({.name = "good", .point = node, .force = Vec3(0, 0, 1)});
  model.add<NodalForce>({.name = "bad", .point = node, .force = [](double t) {
                           return Vec3(t > 0.0105 ? std::nan("") : 0.0, 0, 0);
                         }});
  EXPECT_THAT(
      support::message_of<SolverError>([&] { run(model, 1e-3, 0.1); }),
      HasSubstr("residual of x of node \"node\" is not a number, and so is the force of element \"bad\""));
}

TEST(DoubtfulResults, AHingeWhosePointsAreApartBesideABodyFarAway) {
  const auto hinged = [](double gap) {
    Model model("yard");
    const auto body = [&](const std::string& name, const FrameNode& node) {
      return model.add<RigidBody>({.name = name, .node = node, .mass = 1, .inertia = Mat3::Identity()});
    };
    const FrameNode post = model.add_frame("post");
    const FrameNode door = model.add_frame("door", {.position = {2 + gap, 0, 0}});
    body("of post", post);
    body("of door", door);
    body("stone", model.add_frame("far", {.position = {2000, 0, 0}}));
    model.add<Hinge>({.name = "hinge", .a = post, .b = {door, {-2, 0, 0}}, .axis = Vec3::UnitZ()});
    return run(model, 1e-3, 0.01);
  };
  EXPECT_THAT(hinged(1e-4), IsEmpty());
  // The two bodies extend over 3 m, their nodes and the gap between them, not over the 2 km of the model.
  EXPECT_THAT(hinged(1.0), Contains(HasSubstr("constraint \"hinge\" is open by 1 m in the model as given, of "
                                              "bodies 3 m in size")));
  EXPECT_THAT(hinged(0.01), Contains(HasSubstr("constraint \"hinge\" is open by 0.01 m")));
}

}  // namespace
}  // namespace picus
