/// Impacts by the laws of Poisson and of Liu, Zhao and Brogliato in models, beside Newton's.

#include "balls.hpp"
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/models/references/hertz_chain.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/contact/lzb_impact.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <fmt/ranges.h>

#include <array>
#include <solvers/impacts.hpp>
#include <string_view>
#include <vector>

namespace picus::impact_laws_test {
namespace {

constexpr double r = 0.03;
const std::array<ImpactLaw, 3> laws = {ImpactLaw::newton(), ImpactLaw::poisson(), ImpactLaw::lzb()};

std::string_view name_of(const ImpactLaw& law) {
  return std::array<std::string_view, 3>{"newton", "poisson", "lzb"}[place_of(law.kind)];
}

/// Balls in a row without friction, of which the first flies towards the others.
struct Cradle {
  Cradle(const std::vector<double>& mass, double distance, const ImpactLaw& law, double e = 1.0) {
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double x = i == 0 ? -0.005 - 2 * r : static_cast<double>(i - 1) * (2 * r + distance);
      nodes.push_back(model.add_point("ball[" + std::to_string(i) + "]",
                                      {.position = {x, 0, 0}, .velocity = {i == 0 ? 1.0 : 0.0, 0, 0}}));
      model.add<PointMass>(
          {.name = "mass[" + std::to_string(i) + "]", .node = nodes.back(), .mass = mass[i]});
      if (i == 0) continue;
      model.add<SphereToSphereContact>({.name = "contact[" + std::to_string(i) + "]",
                                        .a = {nodes[i - 1], r},
                                        .b = {nodes[i], r},
                                        .e_n = e,
                                        .impact_law = law});
    }
  }
  Vector final_speeds(double step = 1e-4) {
    const State end = run(model, step, 0.05);
    Vector speeds(count_of(nodes));
    for (Index i = 0; i < count_of(nodes); ++i) speeds[i] = velocity(end, nodes[i]).x();
    return speeds;
  }
  Model model;
  std::vector<PointNode> nodes;
};

Vector after_hertz(const std::vector<double>& mass) {
  std::vector<double> v(mass.size(), 0.0);
  v[0] = 1.0;
  const std::vector<double> result =
      models::speeds_after_impact(mass, v, std::vector<double>(mass.size() - 1, 1.0));
  return Eigen::Map<const Vector>(result.data(), count_of(result));
}

// All but a few hundredths of the momentum goes to the last ball; Newton's law sends both off with 2/3 (collision_test).
TEST(ImpactLaws, ACradleInTouchMovesAsAfterHertz) {
  for (std::size_t n = 2; n <= 5; ++n) {
    const std::vector<double> mass(n, 1.0);
    EXPECT_LT((Cradle(mass, 0.0, ImpactLaw::lzb()).final_speeds() - after_hertz(mass)).norm(), 1e-4) << n;
  }
  const std::vector<double> unequal = {1.0, 0.4, 2.0, 0.7};
  EXPECT_LT((Cradle(unequal, 0.0, ImpactLaw::lzb()).final_speeds() - after_hertz(unequal)).norm(), 1e-4);
}

// As plain data, with masses and stiffnesses of all kinds. Errors of second order in the step, 3e-5 here.
TEST(ImpactLaws, ElasticRowsMoveAsAfterHertz) {
  const auto expect_as_after_hertz = [](const BallRow& row, const std::vector<double>& stiffness) {
    Vector P;
    EXPECT_TRUE(solvers::LzbImpact().solve(row.impact(1.0, stiffness), 1.5, P).ended);
    const std::vector<double> expected = models::speeds_after_impact(row.mass, row.speed, stiffness);
    EXPECT_LT((row.after(P) - Eigen::Map<const Vector>(expected.data(), count_of(expected))).norm(), 1e-4)
        << row.mass.size();
  };
  for (std::size_t n = 2; n <= 5; ++n) expect_as_after_hertz(equal_balls(n), std::vector<double>(n - 1, 1.0));
  expect_as_after_hertz({{2.0, 0.5, 1.0, 3.0}, {1.0, 0.2, 0.0, -0.4}}, {1.0, 3.0, 0.2});
}

// Ten steel balls in touch fall on a wall of steel, without losses: the example BeadColumnED_LZBModel of Siconos, which
// has an independent implementation of the law. Its steps of 1e-6 N s, 1/4000 of the momentum of a ball, gain 8e-6 of
// the energy, so that it is off by 1.4e-3 from Hertz. The wall is a ball of practically infinite mass.
TEST(ImpactLaws, AColumnOfBeadsOnAWallMovesAsInSiconosAndAfterHertz) {
  constexpr double approach = 0.9904544411531510;
  const std::vector<double> siconos = {
      0.1976925360884315, 0.4558009333443921, 0.5358872285936013, 0.8636741362952710, 1.001549244708405,
      1.032075566814810,  1.069897213667231,  1.137103454305590,  1.268739922915012,  1.553856165054957};
  BallRow row{std::vector<double>(11, 1.0), std::vector<double>(11, -approach)};
  row.mass[0] = 1e12;
  row.speed[0] = 0.0;
  std::vector<double> stiffness(10, 1.0);
  stiffness[0] = std::sqrt(2.0);  // Hertz: root of the effective radius
  Vector P;
  ASSERT_TRUE(solvers::LzbImpact().solve(row.impact(1.0, stiffness), 1.5, P).ended);
  const Vector after = row.after(P);
  const std::vector<double> hertz = models::speeds_after_impact(row.mass, row.speed, stiffness);
  for (std::size_t i = 1; i <= siconos.size(); ++i) {
    EXPECT_NEAR(after[i], hertz[i], 1e-4) << i;
    EXPECT_NEAR(after[i], siconos[i - 1], 2e-3) << i;
  }
}

// Balls farther apart than they move in a step: successive impacts of two, for which all laws agree.
TEST(ImpactLaws, BallsApartPassOnTheirMomentum) {
  for (const ImpactLaw& law : laws) {
    for (std::size_t n = 2; n <= 5; ++n) {
      Vector last = Vector::Zero(static_cast<Index>(n));
      last[static_cast<Index>(n) - 1] = 1.0;
      EXPECT_LT((Cradle(std::vector<double>(n, 1.0), 1e-3, law).final_speeds() - last).norm(), 1e-8) << n;
    }
  }
}

TEST(ImpactLaws, PoissonsRowMovesAsItWasCompressed) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Vector expected = Vector::Constant(4, (1 + e) / 4);
    expected[0] -= e;
    EXPECT_LT((Cradle({1, 1, 1, 1}, 0.0, ImpactLaw::poisson(), e).final_speeds() - expected).norm(), 1e-8)
        << e;
  }
}

TEST(ImpactLaws, TheRoundingOfAGapDoesNotMatter) {
  for (const ImpactLaw& law : {ImpactLaw::poisson(), ImpactLaw::lzb()}) {
    const Vector expected = Cradle({1, 1, 1}, 0.0, law).final_speeds();
    for (const double gap : {-1e-15, -1e-17, 1e-18, 1e-17, 1e-15, 1e-12}) {
      EXPECT_LT((Cradle({1, 1, 1}, gap, law).final_speeds() - expected).norm(), 1e-7) << gap;
    }
  }
}

/// For the documentation.
TEST(ImpactLaws, PrintSpeedsOfCradles) {
  for (const std::size_t n : {3, 5}) {
    for (const ImpactLaw& law : laws) {
      const Vector v = Cradle(std::vector<double>(n, 1.0), 0.0, law).final_speeds();
      fmt::print("{} balls, {}: {:.4f}\n", n, name_of(law), fmt::join(v, ", "));
      EXPECT_NEAR(v.sum(), 1.0, 1e-12);
      EXPECT_LE(v.squaredNorm(), 1 + 1e-12);
    }
  }
}

// With one contact, without friction, the three laws are the same.
TEST(ImpactLaws, ABouncingBallKnowsNoDifference) {
  std::vector<double> heights;
  for (const ImpactLaw& law : laws) {
    Model model;
    const Ball ball;
    const FrameNode node = add_ball(model, "ball", ball, {0, 0.3, 0});
    model.add<SphereToFaceContact>({.name = "floor",
                                    .centre = node,
                                    .radius = r,
                                    .face = {.normal = {0, 1, 0}},
                                    .e_n = 0.7,
                                    .impact_law = law});
    add_weight(model, {node}, ball, {0, -g, 0});
    double sum = 0.0;
    const State end = run(model, 1e-3, 3.0,
                          [&](const State& state, const StepReport&) { sum += state.q.position(node).y(); });
    heights.push_back(sum);
    EXPECT_NEAR(end.q.position(node).y(), r, 1e-9);  // at rest
    EXPECT_LT(velocity(end, node).norm(), 1e-9);
  }
  EXPECT_NEAR(heights[1], heights[0], 1e-7 * heights[0]);
  EXPECT_NEAR(heights[2], heights[0], 1e-5 * heights[0]);
}

/// Kane's double pendulum: two equal rods on hinges, the lower end of which hits a rough floor.
struct DoublePendulum {
  DoublePendulum(const ImpactLaw& law, double mu, double e) {
    constexpr double L = 1.0, m = 1.0;
    const std::array<double, 2> angle = {0.349065850398866, 0.523598775598299};  // 20 and 30 degrees
    const std::array<double, 2> rate = {-0.1, -0.2};
    const auto along = [](double a) { return Vec3(std::sin(a), -std::cos(a), 0); };
    const auto across = [](double a) { return Vec3(std::cos(a), std::sin(a), 0); };
    Vec3 top = Vec3::Zero(), speed = Vec3::Zero();
    MaterialPoint above = MaterialPoint::on_ground(top);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string name = "rod[" + std::to_string(i) + "]";
      rods[i] = model.add_frame(name, {.position = top + L / 2 * along(angle[i]),
                                       .rotation = so3::exp(Vec3(0, 0, angle[i])),
                                       .velocity = speed + L / 2 * rate[i] * across(angle[i]),
                                       .angular_velocity = {0, 0, rate[i]}});
      model.add<RigidBody>({.name = name,
                            .node = rods[i],
                            .mass = m,
                            .inertia = Vec3(m * L * L / 12, 1e-3, m * L * L / 12).asDiagonal()});
      model.add<Hinge>({.name = "hinge[" + std::to_string(i) + "]",
                        .a = above,
                        .b = {rods[i], {0, L / 2, 0}},
                        .axis = {0, 0, 1}});
      above = {rods[i], {0, -L / 2, 0}};
      top += L * along(angle[i]);
      speed += L * rate[i] * across(angle[i]);
    }
    approach = speed.y();
    model.add<NodeToFaceContact>(
        {.name = "floor",
         .slave = above,
         .face = {.point = top - Vec3(0, 1e-7, 0), .normal = {0, 1, 0}, .tangent = Vec3(1, 0, 0)},
         .mu = mu,
         .e_n = e,
         .impact_law = law,
         .friction_directions = 1});
  }
  double energy(const State& state) const {
    const System system(model);
    MassMatrix mass(system);
    mass.assemble(state.q);
    Vector momentum(system.velocity_count());
    mass.multiply(state.v, momentum);
    return 0.5 * state.v.dot(momentum);
  }
  /// Energy after over energy before.
  double kept() {
    const System system(model);
    DecoupledNsga integrator({.step = 1e-5});
    State state = integrator.start(system);
    const double before = energy(state);
    for (int i = 0; i < 5; ++i) integrator.step(state);
    rate_after = state.contact_rate[0];
    return energy(state) / before;
  }
  Model model;
  std::array<FrameNode, 2> rods;
  double approach = 0.0, rate_after = 0.0;
};

TEST(ImpactLaws, KanesPendulumGainsEnergyByNewtonsLawOnly) {
  DoublePendulum newton(ImpactLaw::newton(), 0.5, 0.5);
  ASSERT_LT(newton.approach, 0.0);
  EXPECT_GT(newton.kept(), 1.0);
  EXPECT_NEAR(newton.rate_after, -0.5 * newton.approach, 1e-4);
  for (const double mu : {0.0, 0.2, 0.5, 1.0}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      if (e == 0.5)
        fmt::print("mu = {}, newton: {:.4f} of the energy\n", mu, DoublePendulum(laws[0], mu, e).kept());
      for (const ImpactLaw& law : {laws[1], laws[2]}) {
        DoublePendulum pendulum(law, mu, e);
        const double kept = pendulum.kept();
        EXPECT_LE(kept, 1 + 1e-6) << mu << " " << e;
        if (e == 0.5) fmt::print("mu = {}, {}: {:.4f} of the energy\n", mu, name_of(law), kept);
        EXPECT_GT(pendulum.rate_after, -1e-6);
      }
    }
  }
}

// Housner 1963: a slender block that rocks from one edge to the other keeps 1 - 3/2 sin^2 a of its angular velocity, with
// tan a = width / height, if the edge that it leaves carries no impulse.
TEST(ImpactLaws, ARockingBlockLosesWhatHousnerSays) {
  constexpr double b = 0.2, h = 1.0, m = 2.0, tilt = 1e-3, omega = -0.5;
  for (const ImpactLaw& law : laws) {
    Model model;
    // On its left edge, falling to the right one: turned anticlockwise by a negative angle about the left edge at 0.
    const Mat3 R = so3::exp(Vec3(0, 0, tilt));
    const Vec3 centre = R * Vec3(b / 2, h / 2, 0);
    const FrameNode node = model.add_frame("block", {.position = centre,
                                                     .rotation = R,
                                                     .velocity = Vec3(0, 0, omega).cross(centre),
                                                     .angular_velocity = {0, 0, omega}});
    model.add<RigidBody>(
        {.name = "block",
         .node = node,
         .mass = m,
         .inertia = Vec3(m * h * h / 12, m * b * b / 12, m * (h * h + b * b) / 12).asDiagonal()});
    for (const double side : {-1.0, 1.0}) {
      model.add<NodeToFaceContact>({.name = side < 0 ? "left" : "right",
                                    .slave = {node, {side * b / 2, -h / 2, 0}},
                                    .face = {.normal = {0, 1, 0}, .tangent = Vec3(1, 0, 0)},
                                    .mu = 3.0,
                                    .impact_law = law,
                                    .friction_directions = 1});
    }
    const State end = run(model, 1e-5, 0.003);
    const double sine = b / std::hypot(b, h);
    EXPECT_NEAR(end.v[node.v + 5] / omega, 1 - 1.5 * sine * sine, 2e-3) << static_cast<int>(law.kind);
  }
}

TEST(ImpactLaws, OtherSchemesRefuse) {
  const Cradle cradle({1, 1, 1}, 0.0, ImpactLaw::poisson());
  const System system(cradle.model);
  for (const std::string scheme : {"cs", "moreau-jean", "chen", "schatzman-paoli", "mixed"}) {
    EXPECT_EQ(
        support::message_of<SolverError>([&] { make_integrator(scheme, {.step = 1e-3})->start(system); }),
        "scheme \"" + scheme +
            "\" knows Newton's law of impact only, but contact \"contact[1]\" has another one; ds, dsn and "
            "ds-np know it");
  }
  for (const std::string scheme : {"ds", "dsn", "ds-np"})
    EXPECT_NO_THROW(make_integrator(scheme, {.step = 1e-3})->start(system));
}

TEST(ImpactLaws, AModelHasOneLawBesideNewtons) {
  const auto start = [](const ImpactLaw& first, const ImpactLaw& second) {
    Model model;
    const Ball ball;
    std::vector<FrameNode> nodes;
    for (int i = 0; i < 3; ++i)
      nodes.push_back(add_ball(model, "ball[" + std::to_string(i) + "]", ball, {0.1 * i, 0, 0}));
    model.add<SphereToSphereContact>(
        {.name = "first", .a = {nodes[0], r}, .b = {nodes[1], r}, .e_n = 0.5, .impact_law = first});
    model.add<SphereToSphereContact>(
        {.name = "second", .a = {nodes[1], r}, .b = {nodes[2], r}, .e_n = 0.5, .impact_law = second});
    const System system(model);
    DecoupledNsga({.step = 1e-3}).start(system);
  };
  EXPECT_EQ(
      support::message_of<SolverError>([&] { start(ImpactLaw::lzb(), ImpactLaw::poisson()); }),
      "contacts \"first\" and \"second\" have different impact laws; of Poisson's and that of Liu, Zhao and "
      "Brogliato a model has one");
  EXPECT_EQ(support::message_of<SolverError>([&] { start(ImpactLaw::lzb(1, 1.5), ImpactLaw::lzb(2, 1)); }),
            "contacts \"first\" and \"second\" have impact laws with the exponents 1.5 and 1, which must be "
            "the same");
  EXPECT_NO_THROW(start(ImpactLaw::newton(), ImpactLaw::lzb()));
}

TEST(ImpactLaws, RefuseWhatTheyDoNotKnow) {
  const auto add = [](const ImpactLaw& law, double e_t) {
    Model model;
    const FrameNode a = add_ball(model, "a", {}, {0, 0, 0}), b = add_ball(model, "b", {}, {0.1, 0, 0});
    model.add<SphereToSphereContact>(
        {.name = "pair", .a = {a, r}, .b = {b, r}, .mu = 0.1, .e_t = e_t, .impact_law = law});
  };
  EXPECT_EQ(support::message_of<ModelError>([&] { add(ImpactLaw::poisson(), 0.2); }),
            "contact \"pair\": e_t is 0.2, but only Newton's law has tangential restitution");
  EXPECT_EQ(support::message_of<ModelError>([&] { add(ImpactLaw::lzb(0.0), 0.0); }),
            "contact \"pair\": stiffness of the impact law is 0, must be positive");
  EXPECT_EQ(support::message_of<ModelError>([&] { add(ImpactLaw::lzb(1.0, 0.5), 0.0); }),
            "contact \"pair\": exponent of the impact law is 0.5, must lie in [1, 4]");
  EXPECT_NO_THROW(add(ImpactLaw::newton(), 0.2));
}

}  // namespace
}  // namespace picus::impact_laws_test
