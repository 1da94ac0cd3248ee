// Linkages: through singular positions, with redundant equations, and for a long time.

#include "joint_models.hpp"
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/point_on_line.hpp>
#include <picus/so3.hpp>

#include <numbers>

namespace picus::linkages_test {
namespace {

constexpr double pi = std::numbers::pi;

enum class Space { plane, space };

/// Bars on hinges about z; in space their out-of-plane equations are redundant.
struct Linkage {
  explicit Linkage(Space s) : space(s) {}

  /// A uniform bar of 1 kg/m whose node is in its middle and whose axis x points from one end to the other.
  FrameNode add_bar(const std::string& name, const Vec3& from, const Vec3& to, const Vec3& velocity,
                    double spin) {
    const Vec3 along = to - from;
    const double length = along.norm();
    const Mat3 R = so3::exp(std::atan2(along.y(), along.x()) * Vec3::UnitZ());
    const FrameNode node = joint_models::add_body(
        model, name, length, inertia::cylinder(length, 0.02, length, 0),
        {.position = (from + to) / 2, .rotation = R, .velocity = velocity, .angular_velocity = {0, 0, spin}},
        Vec3::Zero());
    if (space == Space::plane) model.restrict_to_plane(node);
    return node;
  }
  MaterialPoint on(const FrameNode& bar, const Vec3& place) const {
    const Configuration& q = model.initial_configuration();
    return {bar, q.rotation(bar).transpose() * (place - q.position(bar))};
  }
  static MaterialPoint ground(const Vec3& place) { return MaterialPoint::on_ground(place); }
  Handle<Hinge> add_hinge(const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    return model.add<Hinge>({.name = name, .a = a, .b = b, .axis = Vec3::UnitZ()});
  }

  Space space;
  Model model;
};

double angle_of(const State& state, const FrameNode& bar) {
  const Vec3 x = state.q.rotation(bar).col(0);
  return std::atan2(x.y(), x.x());
}

/// The difference between two angles, modulo full turns.
double off(double angle, double exact) {
  return std::abs(std::remainder(angle - exact, 2 * pi));
}

/// Parallel cranks of equal length connected by a coupler. Without gravity they rotate at a constant rate, through
/// the positions where all bars are aligned. There the linkage could fold into an antiparallelogram, but its momentum
/// carries it on: counter-rotating cranks would be another velocity.
struct Parallelogram : Linkage {
  Parallelogram(Space s, int cranks, double start_angle = 0.5) : Linkage(s), start(start_angle) {
    const Vec3 arm = length * Vec3(std::cos(start), std::sin(start), 0);
    const Vec3 velocity = spin * Vec3::UnitZ().cross(arm);
    const double width = 1.0;
    const FrameNode coupler = add_bar("coupler", arm, arm + Vec3(width, 0, 0), velocity, 0.0);
    for (int i = 0; i < cranks; ++i) {
      const Vec3 pivot(width * i / (cranks - 1), 0, 0);
      const std::string name = "crank[" + std::to_string(i) + "]";
      bars.push_back(add_bar(name, pivot, pivot + arm, velocity / 2, spin));
      add_hinge(name + "_foot", ground(pivot), on(bars.back(), pivot));
      add_hinge(name + "_head", on(bars.back(), pivot + arm), on(coupler, pivot + arm));
    }
  }
  /// Runs through five flat positions and returns the largest error of an angle.
  double error(double h, RunSummary& summary) {
    double worst = 0;
    summary = joint_models::run(model, {.step = h}, 2.0, [&](const State& state) {
      for (const FrameNode& bar : bars) {
        worst = std::max(worst, off(angle_of(state, bar), start + spin * state.time));
      }
    });
    return worst;
  }

  static constexpr double length = 0.4;
  static constexpr double spin = 8.0;
  double start;
  std::vector<FrameNode> bars;
};

/// Runs 2 s with h and h/2: errors of second order, rounding on the equations, nothing exceptional.
template <class Make>
void expect_smooth_passage(Make&& make) {
  const auto error = [&](double h) {
    auto linkage = make();
    RunSummary summary;
    const double worst = linkage.error(h, summary);
    EXPECT_LT(summary.worst_violation, 1e-11);
    EXPECT_LT(std::abs(summary.energies.balance), 1e-4 * summary.energies.kinetic);
    EXPECT_EQ(summary.fallbacks, (std::array<std::int64_t, max_fallbacks>{}));
    return worst;
  };
  joint_models::expect_second_order(error, 2e-3);
}

TEST(Linkages, AParallelogramTurnsThroughItsFlatPositions) {
  for (const double start : {0.5, 0.0}) {  // the second one starts flat: its velocity determines the branch
    SCOPED_TRACE(start);
    expect_smooth_passage([&] { return Parallelogram(Space::plane, 2, start); });
  }
}

TEST(Linkages, ASpatialParallelogramHasRedundantEquations) {
  for (const double start : {0.5, 0.0}) {
    SCOPED_TRACE(start);
    expect_smooth_passage([&] { return Parallelogram(Space::space, 2, start); });
  }
}

TEST(Linkages, AThirdParallelCrankIsRedundant) {
  for (const Space space : {Space::plane, Space::space}) {
    expect_smooth_passage([&] { return Parallelogram(space, 3, 0.5); });
  }
}

/// A crank and a rod of equal length: at the crank angle pi/2 the slider passes the pivot of the crank, and the rod
/// could go on rotating with the crank. The momentum of the slider carries it on.
struct SliderCrank : Linkage {
  explicit SliderCrank(Space s, double start_angle = 0.4) : Linkage(s), start(start_angle) {
    const Vec3 tip = length * Vec3(std::cos(start), std::sin(start), 0);
    const Vec3 end(2 * tip.x(), 0, 0);
    const Vec3 tip_velocity = spin * Vec3::UnitZ().cross(tip);
    crank = add_bar("crank", Vec3::Zero(), tip, tip_velocity / 2, spin);
    rod = add_bar("rod", tip, end, {1.5 * tip_velocity.x(), 0.5 * tip_velocity.y(), 0}, -spin);
    add_hinge("foot", ground(Vec3::Zero()), on(crank, Vec3::Zero()));
    add_hinge("tip", on(crank, tip), on(rod, tip));
    model.add<PointOnLine>(
        {.name = "guide", .a = ground(Vec3::Zero()), .b = on(rod, end), .axis = Vec3::UnitX()});
  }
  /// The crank angle from the kinetic energy, I(phi) phi'^2/2, by the Runge-Kutta method.
  static double inertia_at(double phi) {
    constexpr double m = length, a2 = length * length;
    const double s2 = std::sin(phi) * std::sin(phi);
    const double J = inertia::cylinder(m, 0.02, length, 0)(2, 2);
    return (J + m * a2 / 4) + J + m * a2 * (2.25 * s2 + 0.25 * (1 - s2));
  }
  double advance(double phi, double time) const {
    constexpr int steps = 16;
    const double h = time / steps;
    const double level = inertia_at(start) * spin * spin;
    const auto rate = [&](double at) { return std::sqrt(level / inertia_at(at)); };
    for (int i = 0; i < steps; ++i) {
      const double k1 = rate(phi), k2 = rate(phi + h / 2 * k1), k3 = rate(phi + h / 2 * k2),
                   k4 = rate(phi + h * k3);
      phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return phi;
  }
  double error(double h, RunSummary& summary) {
    double worst = 0;
    double phi = start;
    double t = 0;
    summary = joint_models::run(model, {.step = h}, 2.0, [&](const State& state) {
      phi = advance(phi, state.time - t);
      t = state.time;
      worst = std::max({worst, off(angle_of(state, crank), phi), off(angle_of(state, rod), -phi)});
    });
    return worst;
  }

  static constexpr double length = 0.5;
  static constexpr double spin = 6.0;
  double start;
  FrameNode crank, rod;
};

TEST(Linkages, ASliderCrankPassesTheStretchedAndTheFoldedPosition) {
  for (const Space space : {Space::plane, Space::space}) {
    for (const double start : {0.4, pi / 2}) {  // the second one starts folded
      SCOPED_TRACE(start);
      expect_smooth_passage([&] { return SliderCrank(space, start); });
    }
  }
}

/// A hundred thousand steps of a pendulum leave no drift in the equations of its hinge.
TEST(Linkages, AHingeDoesNotDrift) {
  Model model;
  const Vec3 axis = Vec3(1, 2, 3).normalized();
  const auto body = joint_models::add_body(model, "body", 1.0, inertia::box(1.0, {0.1, 0.2, 0.5}),
                                           {.position = {0.3, 0, 0.1}, .rotation = so3::exp({1, 2, 3})});
  const Mat3 R = so3::exp({1, 2, 3});
  const auto hinge = model.add<Hinge>({.name = "hinge",
                                       .a = MaterialPoint::on_ground({0, 0, 0}),
                                       .b = {body, R.transpose() * Vec3(-0.3, 0, -0.1)},
                                       .axis = axis});
  double late = 0;
  const RunSummary summary =
      joint_models::run(model, {.step = 1e-3}, 100.0,
                        [&](const State& state) {
                          if (state.step > 99000) {
                            late = std::max(late, support::violation(*hinge, state.q).cwiseAbs().maxCoeff());
                          }
                        },
                        {.rho_inf = 1.0});
  EXPECT_EQ(summary.steps, 100000);
  // A few hundred roundings of a metre, at any time, and no more of them at the end.
  EXPECT_LT(summary.worst_violation, 1e-13);
  EXPECT_LT(late, 1e-13);
  // The energy loss of the scheme remains of second order: no drift either.
  EXPECT_LT(std::abs(summary.energies.balance), 1e-4);
}

}  // namespace
}  // namespace picus::linkages_test
