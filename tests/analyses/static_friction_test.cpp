// Rigid bodies that friction holds by several contacts, on both sides of its limit, in millimetres, metres and kilometres.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace picus::static_friction {
namespace {

using support::message_of;
using testing::HasSubstr;

constexpr double g = 9.81;

/// Forces: ten times the tolerance of the statics, for sums over several contacts.
constexpr double force_error = 1e-7;
/// Places, relative to the size: gaps and tangential displacements are zero up to 1e-8 of a thousandth of it in each of ten
/// increments, and arms of a body are up to its size.
constexpr double place_error = 1e-9;

struct Contacts {
  Vec3 force = Vec3::Zero();    ///< normal sum, and those of both tangents
  double excess = 0.0;          ///< largest |P_T| - mu P_N, N
  double pull = 0.0;            ///< largest -P_N, N
  std::vector<double> normals;  ///< in the order of the contacts
};

Contacts contacts_of(const System& system, const State& state) {
  Contacts result;
  for (const auto& contact : system.contacts()) {
    const auto P = state.contact_impulse.segment(contact.first_row, contact.rows);
    for (Index i = 0; i < contact.rows; ++i) result.force[i] += P[i];
    result.excess = std::max(result.excess, P.tail(contact.rows - 1).norm() - contact.role->law().mu * P[0]);
    result.pull = std::max(result.pull, -P[0]);
    result.normals.push_back(P[0]);
  }
  return result;
}

/// Runs statics; `look` sees the last state.
RunSummary run(const Model& model, const std::function<void(const Snapshot&)>& look) {
  StaticEquilibrium statics;
  bool has_seen = false;
  StepCallback last([&](const Snapshot& at) {
    if (at.state.load_factor <= 1 - 1e-9) return;
    look(at);
    has_seen = true;
  });
  RunSummary summary = simulate(model, statics, {.until = 1.0}, {&last});
  EXPECT_TRUE(has_seen);
  return summary;
}

/// The plane through the origin that falls at `angle` in the direction of x; its normal is the last column.
Mat3 incline(double angle) {
  return so3::exp(Vec3(0, angle, 0));
}

enum class Kind : std::uint8_t { four_corners, eight_corners, found };

/// A box of 2 kg on an incline, turned about its normal, at the distance `gap` from it.
struct Box {
  Box(Kind kind, double scale, double angle, double mu, double gap)
      : model("box"), size(scale * Vec3(0.4, 0.3, 0.2)) {
    const Mat3 R = incline(angle);
    const Vec3 n = R.col(2);
    start = (size.z() / 2 + gap) * n;
    node = model.add_frame("box", {.position = start, .rotation = R * so3::exp(Vec3(0, 0, 0.4))});
    const auto body =
        model.add<RigidBody>({.name = "body", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, size)});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {body->mass_point()}});
    if (kind == Kind::found) {
      model.add<Surface>({.name = "box", .of = shapes::Box{size}, .on = node});
      model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .rotation = R});
      model.add<ContactsBetween>({.name = "all", .mu = mu});
      return;
    }
    for (int i = 0; i < (kind == Kind::four_corners ? 4 : 8); ++i) {
      const Vec3 signs((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5);
      model.add<NodeToFaceContact>({.name = "corner " + std::to_string(i),
                                    .slave = {node, signs.cwiseProduct(size)},
                                    .face = {.normal = n},
                                    .mu = mu});
    }
  }
  Model model;
  Vec3 size, start;
  FrameNode node;
};

/// All kinds, scales, coefficients and heights above the incline.
void for_each_box(double part_of_limit, const std::function<void(const Box&, double mu, double gap)>& visit) {
  for (const Kind kind : {Kind::four_corners, Kind::eight_corners, Kind::found})
    for (const double scale : {1e-3, 1.0, 1e3})
      for (const double mu : {0.1, 0.6, 1.0})
        for (const double gap : {0.0, 0.02 * scale}) {
          SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", scale " << scale
                                          << ", mu " << mu << ", gap " << gap);
          visit(Box(kind, scale, part_of_limit * std::atan(mu), mu, gap), mu, gap);
        }
}

TEST(StaticFriction, HoldsABoxOnAnInclineUpToItsLimit) {
  for (const double part : {0.0, 0.8, 0.97}) {
    for_each_box(part, [&](const Box& box, double mu, double gap) {
      const double angle = part * std::atan(mu);
      const Vec3 n = incline(angle).col(2);
      const double weight = 2.0 * g;
      run(box.model, [&](const Snapshot& at) {
        const Vec3 moved = at.state.q.position(box.node) - box.start;
        EXPECT_NEAR(moved.dot(n), -gap, place_error * box.size.norm());
        // A box that falls sideways lands farther down, by no more than a few times its height.
        EXPECT_LE(moved.norm(), 3 * gap / std::cos(angle) + place_error * box.size.norm());
        const Contacts contacts = contacts_of(at.system, at.state);
        EXPECT_NEAR(contacts.force[0], weight * std::cos(angle), force_error * weight);
        EXPECT_NEAR(contacts.force.tail<2>().norm(), weight * std::sin(angle), force_error * weight);
        EXPECT_LE(contacts.excess, force_error * weight);
        EXPECT_LE(contacts.pull, force_error * weight);
      });
    });
  }
}

TEST(StaticFriction, SaysThatABoxSlidesBeyondItsLimit) {
  for_each_box(1.03, [](const Box& box, double, double) {
    const std::string message = message_of<SolverError>([&] { run(box.model, [](const Snapshot&) {}); });
    EXPECT_THAT(message, HasSubstr("nothing holds"));
    EXPECT_THAT(message, HasSubstr("slides"));
  });
}

/// A slender box that would tip over its lower edge: half its width over half its height is 1/4.
TEST(StaticFriction, ATallBoxTipsAtTheAngleOfItsDiagonal) {
  const auto refusal = [](double tangent) {
    Model model("tall");
    const Mat3 R = incline(std::atan(tangent));
    const Vec3 size(0.1, 0.1, 0.4);
    const FrameNode node = model.add_frame("tall", {.position = R.col(2) * 0.2, .rotation = R});
    const auto body =
        model.add<RigidBody>({.name = "body", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, size)});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {body->mass_point()}});
    model.add<Surface>({.name = "tall", .of = shapes::Box{size}, .on = node});
    model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .rotation = R});
    model.add<ContactsBetween>({.name = "all", .mu = 1.0});
    try {
      run(model, [](const Snapshot&) {});
    } catch (const SolverError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(0.24), "");
  EXPECT_THAT(refusal(0.26), HasSubstr("contacts no longer hold ry of node \"tall\""));
}

/// A ladder of 5 kg and length l at an angle to the floor y = 0, with its top at the wall x = 0.
struct Ladder {
  Ladder(double l, double angle, double mu_floor, double mu_wall, double gap = 0.0, bool is_spatial = false)
      : model("ladder") {
    Mat3 R;
    R.col(0) = Vec3(-std::cos(angle), std::sin(angle), 0);
    R.col(1) = Vec3(-std::sin(angle), -std::cos(angle), 0);
    R.col(2) = Vec3::UnitZ();
    start = l / 2 * Vec3(std::cos(angle), std::sin(angle), 0) + Vec3(gap, gap, 0);
    node = model.add_frame("ladder", {.position = start, .rotation = R});
    if (!is_spatial) model.restrict_to_plane(node);
    const auto body = model.add<RigidBody>(
        {.name = "body", .node = node, .mass = 5.0, .inertia = inertia::box(5.0, l * Vec3(1, 0.05, 0.4))});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {body->mass_point()}});
    const Index directions = is_spatial ? 2 : 1;
    for (const double z : is_spatial ? std::vector{-0.2 * l, 0.2 * l} : std::vector{0.0}) {
      const std::string side = z < 0 ? "left " : z > 0 ? "right " : "";
      model.add<NodeToFaceContact>({.name = side + "foot",
                                    .slave = {node, Vec3(-l / 2, 0, z)},
                                    .face = {.normal = Vec3::UnitY(), .tangent = Vec3::UnitX()},
                                    .mu = mu_floor,
                                    .friction_directions = directions});
      model.add<NodeToFaceContact>({.name = side + "top",
                                    .slave = {node, Vec3(l / 2, 0, z)},
                                    .face = {.normal = Vec3::UnitX(), .tangent = Vec3::UnitY()},
                                    .mu = mu_wall,
                                    .friction_directions = directions});
    }
  }
  /// The tangent of the angle below which friction does not hold it: with both at their limit, moments about the top give
  /// N l cos/2 = mu_floor N l sin - mu_wall mu_floor N l cos/2.
  static double limit(double mu_floor, double mu_wall) { return (1 - mu_floor * mu_wall) / (2 * mu_floor); }
  Model model;
  Vec3 start;
  FrameNode node;
};

TEST(StaticFriction, HoldsALadderAtASmoothWallUpToItsLimit) {
  for (const double l : {1e-3, 1.0, 1e3}) {
    for (const double mu : {0.2, 0.4, 0.7}) {
      const double limit = std::atan(Ladder::limit(mu, 0.0));
      const double angle = std::numbers::pi / 2 - 0.98 * (std::numbers::pi / 2 - limit);
      const Ladder ladder(l, angle, mu, 0.0);
      run(ladder.model, [&](const Snapshot& at) {
        EXPECT_LT((at.state.q.position(ladder.node) - ladder.start).norm(), place_error * l);
        const auto normals = contacts_of(at.system, at.state).normals;
        EXPECT_NEAR(normals[0], 5 * g, force_error * 5 * g);
        EXPECT_NEAR(normals[1], 5 * g / (2 * std::tan(angle)), force_error * 5 * g / std::tan(angle));
      });
      const Ladder slides(l, std::numbers::pi / 2 - 1.02 * (std::numbers::pi / 2 - limit), mu, 0.0);
      EXPECT_THAT(message_of<SolverError>([&] { run(slides.model, [](const Snapshot&) {}); }),
                  HasSubstr("contact \"foot\" slides"));
    }
  }
}

TEST(StaticFriction, HoldsALadderAtARoughWall) {
  for (const double l : {1e-3, 1.0, 1e3}) {
    for (const double mu : {0.2, 0.4, 0.7}) {
      const double limit = std::atan(Ladder::limit(mu, mu));
      const auto at_part = [&](double part) {
        return std::numbers::pi / 2 - part * (std::numbers::pi / 2 - limit);
      };
      for (const double part : {0.5, 0.98}) {
        const Ladder ladder(l, at_part(part), mu, mu, 0.0, true);
        run(ladder.model, [&](const Snapshot& at) {
          EXPECT_LT((at.state.q.position(ladder.node) - ladder.start).norm(), place_error * l);
          EXPECT_LE(contacts_of(at.system, at.state).excess, force_error * 5 * g);
        });
      }
      const Ladder slides(l, at_part(1.02), mu, mu, 0.0, true);
      EXPECT_THAT(message_of<SolverError>([&] { run(slides.model, [](const Snapshot&) {}); }),
                  HasSubstr("slides"));
    }
  }
}

/// Dropped from a hundredth of its length it slides until it lies; the equilibrium is one, but not that of the start.
TEST(StaticFriction, ALadderThatSlidesToAnotherEquilibriumIsToldOf) {
  const Ladder ladder(2.0, std::atan(Ladder::limit(0.3, 0.0)) - 0.1, 0.3, 0.0, 0.02);
  const RunSummary summary = run(ladder.model, [&](const Snapshot& at) {
    EXPECT_GT((at.state.q.position(ladder.node) - ladder.start).norm(), 0.5);
  });
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("contact \"foot\" slid by")));
}

/// Normal forces of three feet are determinate: sum N_i (1, x_i, y_i) = W cos (1, h tan, 0) with x downhill.
TEST(StaticFriction, FeetOfATripodOnASlopeShareItsWeight) {
  constexpr double r = 0.3, h = 0.15, mu = 0.6, m = 3.0;
  const double angle = 0.97 * std::atan(mu);
  const Mat3 R = incline(angle);
  Model model("tripod");
  const FrameNode node = model.add_frame("tripod", {.position = h * R.col(2), .rotation = R});
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = node, .mass = m, .inertia = inertia::diagonal(0.1, 0.1, 0.15)});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {body->mass_point()}});
  Mat3 A;
  for (int i = 0; i < 3; ++i) {
    const double at = 2 * std::numbers::pi * i / 3 + 0.2;
    const Vec3 foot(r * std::cos(at), r * std::sin(at), -h);
    A.col(i) = Vec3(1, foot.x(), foot.y());
    model.add<NodeToFaceContact>(
        {.name = "foot " + std::to_string(i), .slave = {node, foot}, .face = {.normal = R.col(2)}, .mu = mu});
  }
  const Vec3 exact = A.inverse() * (m * g * Vec3(std::cos(angle), h * std::sin(angle), 0));
  run(model, [&](const Snapshot& at) {
    const auto normals = contacts_of(at.system, at.state).normals;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(normals[i], exact[i], force_error * m * g);
  });
}

/// A block that a spring presses against a wall with F carries a weight up to mu F: the load factor of the limit is mu F/W.
TEST(StaticFriction, ABlockPressedAgainstAWallHoldsUpToItsLimit) {
  constexpr double m = 2.0, mu = 0.3, side = 0.2;
  const auto press = [&](double part) {
    const double F = part * m * g / mu;
    const double k = 200.0;
    auto model = std::make_unique<Model>("block");
    const FrameNode node = model->add_frame("block", {.position = {side / 2, 0, 0}});
    const auto body = model->add<RigidBody>(
        {.name = "body", .node = node, .mass = m, .inertia = inertia::box(m, Vec3::Constant(side))});
    model->add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {body->mass_point()}});
    model->add<SpringDamper>({.name = "spring",
                              .a = MaterialPoint::on_ground({1 + side / 2, 0, 0}),
                              .b = {node, Vec3::Zero()},
                              .stiffness = k,
                              .free_length = 1 + F / k});
    for (int i = 0; i < 4; ++i) {
      const Vec3 corner(-side / 2, i % 2 == 0 ? side / 2 : -side / 2, i < 2 ? side / 2 : -side / 2);
      model->add<NodeToFaceContact>({.name = "corner " + std::to_string(i),
                                     .slave = {node, corner},
                                     .face = {.normal = Vec3::UnitX()},
                                     .mu = mu});
    }
    return model;
  };
  for (const double part : {1.03, 3.0}) {
    run(*press(part), [&](const Snapshot& at) {
      EXPECT_NEAR(at.state.q.position(at.system.nodes()[0]).z(), 0.0, place_error);
      EXPECT_NEAR(contacts_of(at.system, at.state).force[0], part * m * g / mu,
                  force_error * part * m * g / mu);
    });
  }
  // Increments are halved ten times: 1e-4.
  EXPECT_THAT(message_of<SolverError>([&] { run(*press(0.9), [](const Snapshot&) {}); }),
              testing::ContainsRegex("load factor 0.(8999|9000|9001).*slides"));
}

/// A ball on a slope rolls against its spring, without friction at last: x = W sin/k.
TEST(StaticFriction, ABallRollsUntilItsSpringHoldsIt) {
  constexpr double r = 0.1, angle = 0.3;
  for (const double k : {30.0, 3000.0}) {
    const Mat3 Q = so3::exp(Vec3(0, 0, -angle));
    const Vec3 n = Q.col(1);
    const Vec3 down = Q.col(0);
    Model model("ball");
    const FrameNode node = model.add_frame("ball", {.position = r * n});
    model.restrict_to_plane(node);
    const auto body =
        model.add<RigidBody>({.name = "body", .node = node, .mass = 1.0, .inertia = inertia::sphere(1.0, r)});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {body->mass_point()}});
    model.add<Surface>({.name = "ball", .of = shapes::Ball{r}, .on = node});
    model.add<Surface>({.name = "slope",
                        .of = shapes::HalfSpace{},
                        .rotation = Q * so3::exp(Vec3(-std::numbers::pi / 2, 0, 0))});
    model.add<ContactsBetween>({.name = "all", .mu = 0.5, .friction_directions = 1});
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(r * n - down),
                             .b = {node, Vec3::Zero()},
                             .stiffness = k,
                             .free_length = 1.0});
    const double exact = g * std::sin(angle) / k;
    run(model, [&](const Snapshot& at) {
      const Vec3 moved = at.state.q.position(node) - r * n;
      EXPECT_NEAR(moved.dot(down), exact, force_error * g / k + place_error);
      // Friction without slip: rolling, with the angle x/r.
      EXPECT_NEAR(so3::log(at.state.q.rotation(node)).norm(), exact / r, 1e-6 * exact / r);
    });
  }
}

TEST(StaticFriction, HoldsStackedBoxesOnASlope) {
  for (const double mu : {0.1, 0.6}) {
    for (const double part : {0.97, 1.03}) {
      const Mat3 R = incline(part * std::atan(mu));
      const Vec3 low(0.4, 0.3, 0.1), high(0.32, 0.24, 0.08);
      Model model("stack");
      std::vector<MassPoint> masses;
      std::vector<FrameNode> nodes;
      const auto add = [&](const std::string& name, const Vec3& size, double height, double mass) {
        const FrameNode node = model.add_frame(name, {.position = height * R.col(2), .rotation = R});
        masses.push_back(
            model
                .add<RigidBody>(
                    {.name = name + " body", .node = node, .mass = mass, .inertia = inertia::box(mass, size)})
                ->mass_point());
        model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
        nodes.push_back(node);
      };
      add("low", low, low.z() / 2, 2.0);
      add("high", high, low.z() + high.z() / 2, 1.0);
      model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .rotation = R});
      model.add<ContactsBetween>({.name = "all", .mu = mu});
      add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -g}, .bodies = masses});
      if (part > 1) {
        EXPECT_THAT(message_of<SolverError>([&] { run(model, [](const Snapshot&) {}); }),
                    HasSubstr("slides"));
        continue;
      }
      run(model, [&](const Snapshot& at) {
        for (const FrameNode& node : nodes) {
          const Vec3 start = model.initial_configuration().position(node);
          EXPECT_LT((at.state.q.position(node) - start).norm(), place_error);
        }
      });
    }
  }
}

/// A pendulum above its pivot at `angle` from the vertical.
struct Pendulum {
  explicit Pendulum(double angle) : model("pendulum") {
    const Mat3 R = so3::exp(Vec3(0, 0, angle));
    node = model.add_frame("bar", {.position = R * Vec3::UnitY(), .rotation = R});
    const auto body =
        model.add<RigidBody>({.name = "body", .node = node, .mass = 1.0, .inertia = inertia::planar(0.1)});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {body->mass_point()}});
    model.restrict_to_plane(node);
    model.add<Hinge>({.name = "pivot",
                      .a = MaterialPoint::on_ground(Vec3::Zero()),
                      .b = {node, -Vec3::UnitY()},
                      .axis = Vec3::UnitZ()});
  }
  Model model;
  FrameNode node;
};

TEST(StaticStability, AnUnstableEquilibriumIsToldOf) {
  const Pendulum upright(0.0);
  const RunSummary summary = run(upright.model, [](const Snapshot&) {});
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("is unstable")));
  const Pendulum hanging(std::numbers::pi);
  EXPECT_THAT(run(hanging.model, [](const Snapshot&) {}).warnings,
              testing::Not(testing::Contains(HasSubstr("unstable"))));
}

TEST(StaticStability, APendulumBesideItsUnstableEquilibriumSwingsDown) {
  for (const double angle : {0.01, 0.3, 1.0, -2.0}) {
    const Pendulum pendulum(angle);
    run(pendulum.model, [&](const Snapshot& at) {
      EXPECT_NEAR(at.state.q.position(pendulum.node).y(), -1.0, 1e-9) << angle;
    });
  }
}

}  // namespace
}  // namespace picus::static_friction
