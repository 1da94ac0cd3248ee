// Every joint with the decoupled scheme, between two bodies and to the ground on either side.

#include "joint_models.hpp"
#include <picus/elements/joints/cylindrical_joint.hpp>
#include <picus/elements/joints/distance_joint.hpp>
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/planar_joint.hpp>
#include <picus/elements/joints/point_in_plane.hpp>
#include <picus/elements/joints/point_on_line.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/elements/joints/screw_joint.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/elements/joints/universal_joint.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

namespace picus {
namespace {

enum class Between { bodies, ground_and_body, body_and_ground };

/// Two bodies anywhere, and a joint at a point near them with all the coordinates it may have.
struct Pair {
  explicit Pair(Between between, unsigned seed = 57) : random(seed), ends(between) {
    a = body("a");
    b = body("b");
  }

  FrameNode body(const std::string& name) {
    const Vec3 edges = Vec3(0.3, 0.4, 0.5) + random.vec3(0.1);
    return joint_models::add_body(model, name, 2.0, inertia::box(2.0, edges),
                                  {.position = random.vec3(),
                                   .rotation = random.rotation(),
                                   .velocity = random.vec3(),
                                   .angular_velocity = random.vec3(3.0)});
  }
  MaterialPoint end(const FrameNode& node, const Vec3& place) const {
    const Configuration& q = model.initial_configuration();
    return {node, q.rotation(node).transpose() * (place - q.position(node))};
  }
  MaterialPoint end_a() const { return ends == Between::ground_and_body ? ground(pin) : end(a, pin); }
  MaterialPoint end_b() const { return end_b(pin); }
  MaterialPoint end_b(const Vec3& place) const {
    return ends == Between::body_and_ground ? ground(place) : end(b, place);
  }
  static MaterialPoint ground(const Vec3& place) { return MaterialPoint::on_ground(place); }
  ScalarNode scalar(const std::string& name) {
    ++scalars;
    return model.add_scalar(name, {.value = random.uniform(-1, 1)});
  }

  support::Random random;
  Between ends;
  Vec3 pin = random.vec3();
  Vec3 axis = random.direction();
  Model model;
  FrameNode a, b;
  int scalars = 0;
};

struct JointCase {
  std::string name;
  int removed;       ///< degrees of freedom
  bool points_meet;  ///< its first three rows are in inertial axes
  std::function<const Joint*(Pair&)> add;
};

template <class E>
const Joint* added(Pair& p, typename E::Parameters parameters) {
  return &*p.model.add<E>(std::move(parameters));
}

std::vector<JointCase> joint_cases() {
  return {
      {"fixed", 6, true,
       [](Pair& p) { return added<FixedJoint>(p, {.name = "J", .a = p.end_a(), .b = p.end_b()}); }},
      {"hinge", 5, true,
       [](Pair& p) {
         return added<Hinge>(
             p, {.name = "J", .a = p.end_a(), .b = p.end_b(), .axis = p.axis, .angle = p.scalar("s")});
       }},
      {"spherical", 3, true,
       [](Pair& p) { return added<SphericalJoint>(p, {.name = "J", .a = p.end_a(), .b = p.end_b()}); }},
      {"prismatic", 5, false,
       [](Pair& p) {
         return added<PrismaticJoint>(
             p, {.name = "J", .a = p.end_a(), .b = p.end_b(), .axis = p.axis, .displacement = p.scalar("s")});
       }},
      {"cylindrical", 4, false,
       [](Pair& p) {
         return added<CylindricalJoint>(p, {.name = "J",
                                            .a = p.end_a(),
                                            .b = p.end_b(p.pin + 0.2 * p.axis),
                                            .axis = p.axis,
                                            .angle = p.scalar("s"),
                                            .displacement = p.scalar("d")});
       }},
      {"planar", 3, false,
       [](Pair& p) {
         return added<PlanarJoint>(p, {.name = "J",
                                       .a = p.end_a(),
                                       .b = p.end_b(p.pin + 0.2 * p.axis.unitOrthogonal()),
                                       .normal = p.axis,
                                       .tangent = Vec3(1, 2, 3),
                                       .x = p.scalar("x"),
                                       .y = p.scalar("y"),
                                       .angle = p.scalar("s")});
       }},
      {"universal", 4, true,
       [](Pair& p) {
         return added<UniversalJoint>(p, {.name = "J",
                                          .a = p.end_a(),
                                          .b = p.end_b(),
                                          .axis_a = p.axis,
                                          .axis_b = p.axis.unitOrthogonal() + 0.3 * p.axis,
                                          .angle_a = p.scalar("s_a"),
                                          .angle_b = p.scalar("s_b")});
       }},
      {"screw", 5, false,
       [](Pair& p) {
         return added<ScrewJoint>(p, {.name = "J",
                                      .a = p.end_a(),
                                      .b = p.end_b(p.pin + 0.2 * p.axis),
                                      .axis = p.axis,
                                      .pitch = -0.3,
                                      .angle = p.scalar("s"),
                                      .displacement = p.scalar("d")});
       }},
      {"distance", 1, false,
       [](Pair& p) {
         return added<DistanceJoint>(p, {.name = "J", .a = p.end_a(), .b = p.end_b(p.pin + 0.7 * p.axis)});
       }},
      {"point_on_line", 2, false,
       [](Pair& p) {
         return added<PointOnLine>(
             p, {.name = "J", .a = p.end_a(), .b = p.end_b(), .axis = p.axis, .displacement = p.scalar("s")});
       }},
      {"point_in_plane", 1, false,
       [](Pair& p) {
         return added<PointInPlane>(p, {.name = "J",
                                        .a = p.end_a(),
                                        .b = p.end_b(),
                                        .normal = p.axis,
                                        .x = p.scalar("x"),
                                        .y = p.scalar("y")});
       }},
  };
}

class JointLibrary : public ::testing::TestWithParam<std::tuple<std::size_t, Between>> {
 protected:
  JointCase joint_case = joint_cases()[std::get<0>(GetParam())];
  Pair pair{std::get<1>(GetParam())};
  const Joint* joint = joint_case.add(pair);
};

TEST_P(JointLibrary, DerivativesAreExact) {
  support::expect_exact_tangents(pair.model, *joint);
}

TEST_P(JointLibrary, HoldsAtTheStart) {
  const Vector g = support::violation(*joint, pair.model.initial_configuration());
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(JointLibrary, MovesOnItsEquationsAndKeepsTheEnergy) {
  double largest_energy = 0;
  const auto loss = [&](double h) {
    double worst = 0;
    const RunSummary summary = joint_models::run(
        pair.model, {.step = h}, 0.1,
        [&](const State& state) {
          worst = std::max(worst, support::violation(*joint, state.q).cwiseAbs().maxCoeff());
          // Full rank: as many equations as own unknowns plus removed degrees of freedom.
          EXPECT_GT(joint_models::least_singular_value(*joint, state.q), 0.02) << "at " << state.time;
        },
        {.rho_inf = 1.0});
    // The last Newton iteration leaves rounding of lengths of a metre, some hundred times 1e-16.
    EXPECT_LT(worst, 1e-13);
    EXPECT_EQ(summary.fallbacks, (std::array<std::int64_t, max_fallbacks>{}));
    largest_energy = std::abs(summary.energies.kinetic) + std::abs(summary.energies.potential);
    return summary.energies.balance;
  };
  EXPECT_EQ(joint->row_count() - pair.scalars, joint_case.removed);
  // The energy is conserved up to errors of second order, of the size of h^2 times accelerations.
  const double coarse = std::abs(loss(2e-3));
  const double fine = std::abs(loss(1e-3));
  EXPECT_LT(fine, 1e-6 * largest_energy);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
}

// Of other bodies, places and motions: what the tolerance and the order of the scheme promise. Energy errors may change sign.
TEST_P(JointLibrary, MovesOnItsEquationsFromOtherStarts) {
  for (const unsigned seed : {58u, 61u, 68u}) {
    SCOPED_TRACE(seed);
    Pair other{std::get<1>(GetParam()), seed};
    const Joint* connection = joint_case.add(other);
    const auto end = [&](double h) {
      Configuration q = other.model.initial_configuration();
      double worst = 0;
      double speed = 0;
      const RunSummary summary = joint_models::run(
          other.model, {.step = h}, 0.1,
          [&](const State& state) {
            worst = std::max(worst, support::violation(*connection, state.q).cwiseAbs().maxCoeff());
            speed = std::max(speed, state.v.norm());
            q = state.q;
            // Full rank: as many equations as own unknowns plus removed degrees of freedom.
            EXPECT_GT(joint_models::least_singular_value(*connection, state.q), 0.02) << "at " << state.time;
          },
          {.rho_inf = 1.0});
      // The tolerance of the scheme, relative to the motion in a step.
      EXPECT_LT(worst, SchemeOptions{}.tolerance * h * speed);
      EXPECT_EQ(summary.fallbacks, (std::array<std::int64_t, max_fallbacks>{}));
      // Errors of second order: rates of up to some ten radians per second times the step, squared.
      EXPECT_LT(std::abs(summary.energies.balance), std::pow(30 * h, 2) * summary.energies.kinetic);
      return q;
    };
    const Configuration coarse = end(2e-3), middle = end(1e-3), fine = end(5e-4);
    const auto distance = [&](const Configuration& from, const Configuration& to) {
      Vector increment = Vector::Zero(other.model.velocity_count());
      difference(other.model.nodes(), from, to, increment);
      return increment.norm();
    };
    // Terms of the next order are rates times steps, some hundredths, of it.
    EXPECT_NEAR(distance(coarse, middle) / distance(middle, fine), 4.0, 0.2);
  }
}

/// Without the ground, which does not move with an observer and takes up the rest of the reactions.
class JointBetweenBodies : public JointLibrary {};

TEST_P(JointBetweenBodies, IsTheSameForEveryObserver) {
  const Model& model = pair.model;
  const Vector away = pair.random.vector(model.velocity_count());
  Configuration q = model.initial_configuration();
  retract(model.nodes(), q, away, q);
  const support::RigidMotion motion(pair.random);
  const Configuration seen = motion(model, q);
  // Rows in inertial axes rotate with the observer.
  const Vector g = support::violation(*joint, q);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(g.size(), g.size());
  if (joint_case.points_meet) rows.topLeftCorner<3, 3>() = motion.Q;
  support::expect_near(support::violation(*joint, seen), rows * g, 1e-13, "violation");
  support::expect_near(support::gradient(*joint, seen),
                       rows * support::gradient(*joint, q) * motion.turn(*joint).transpose(), 1e-13,
                       "gradient");
}

TEST_P(JointBetweenBodies, ReactionsBalance) {
  const Configuration& q = pair.model.initial_configuration();
  const Vector f = support::gradient(*joint, q).transpose() * pair.random.vector(joint->row_count());
  support::expect_near(support::resultant(*joint, q, f), Vector::Zero(6), 1e-13,
                       "resultant of the reactions");
}

std::string case_name(const ::testing::TestParamInfo<JointLibrary::ParamType>& info) {
  static const std::array<std::string, 3> ends = {"bodies", "ground_and_body", "body_and_ground"};
  const auto [joint, between] = info.param;
  return joint_cases()[joint].name + "_" + ends[place_of(between)];
}

const auto all_joints = ::testing::Range<std::size_t>(0, joint_cases().size());

INSTANTIATE_TEST_SUITE_P(All, JointLibrary,
                         ::testing::Combine(all_joints,
                                            ::testing::Values(Between::bodies, Between::ground_and_body,
                                                              Between::body_and_ground)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(All, JointBetweenBodies,
                         ::testing::Combine(all_joints, ::testing::Values(Between::bodies)), case_name);

}  // namespace
}  // namespace picus
