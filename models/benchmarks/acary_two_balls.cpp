#include <picus/error.hpp>
#include <picus/models/benchmarks/chen_schemes.hpp>
#include <picus/models/bouncing_oscillator.hpp>
#include <picus/models/references/bouncing_oscillator_exact.hpp>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models::acary_two_balls_benchmark {
namespace {

constexpr double h = 2e-3;
constexpr double until = 3.0;
constexpr double compared_until = 0.9;  ///< before the third impact
constexpr double stiffness = 1e3;
const std::vector<std::string> settings = {"stiffness=1000"};
const std::string source = "Acary's slides, two balls oscillator";

struct OneScheme {
  std::string id;
  std::string label;
  std::string scheme;
  /// The rate at which the energy of a vibration w decays according to theory, 1/s; negative: no claim is made.
  double (*damping)(double w);
};

/// For Newmark's formulas with M a_{n+1} = -(1 - alpha) K q_{n+1} - alpha K q_n: -2 ln(spectral radius)/h, from the
/// amplification matrix of (q, h v, h^2 a).
double newmark_damping(double w, double gamma, double beta, double alpha) {
  const double s = w * w * h * h;
  Eigen::Matrix3d next, now;
  next << 1, 0, -beta, 0, 1, -gamma, (1 - alpha) * s, 0, 1;
  now << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -alpha * s, 0, 0;
  const Eigen::Vector3cd values = (next.inverse() * now).eval().eigenvalues();
  return -2.0 * std::log(values.cwiseAbs().maxCoeff()) / h;
}

double implicit_euler_damping(double w) {
  return std::log1p(w * w * h * h) / h;
}

const std::vector<OneScheme> schemes = {
    {"moreau-jean", "Moreau-Jean, θ = 1", "moreau-jean", implicit_euler_damping},
    {"newmark", "Newmark, γ = 1, β = 1/2", "newmark:gamma=1,beta=0.5",
     [](double w) { return newmark_damping(w, 1.0, 0.5, 0.0); }},
    {"hht", "HHT, α = 0.1", "hht:alpha=0.1",
     [](double w) { return newmark_damping(w, 0.6, 0.25 * 1.1 * 1.1, 0.1); }},
    {"dissipating", "Moreau-Jean that dissipates, θ = 1", "moreau-jean:dissipates=yes",
     [](double w) { return newmark_damping(w, 1.0, 0.5, 0.0); }},
    {"schatzman-paoli", "Schatzman-Paoli", "schatzman-paoli", nullptr},
    {"ds", "DS", "ds", nullptr}};

std::vector<Curve> curves(const std::string& y) {
  std::vector<Curve> curves;
  for (const OneScheme& one : schemes) curves.push_back({.run = one.id, .y = y, .label = one.label});
  curves.push_back({.run = "ds", .y = y, .label = "exact", .exact = true});
  return curves;
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  std::vector<std::string> names;
  for (const OneScheme& one : schemes) {
    plan.runs.push_back({.id = one.id,
                         .label = one.label,
                         .model = "bouncing-oscillator",
                         .settings = settings,
                         .scheme = one.scheme,
                         .step = h,
                         .until = until});
    names.push_back(one.scheme);
  }
  plan.studies = {{.id = "convergence",
                   .title = "Lower ball against the exact solution",
                   .model = "bouncing-oscillator",
                   .settings = settings,
                   .schemes = names,
                   .steps = chen::steps_between(1e-3, 1e-5, is_full ? 41 : 21),
                   .until = compared_until,
                   .quantities = {"lower.y", "lower.vy"},
                   .phases = is_full ? 20 : 5}};
  const auto panel = [](const std::string& label, const std::string& y) {
    return Panel{.y_label = label, .curves = curves(y)};
  };
  plan.figures = {{.id = "positions",
                   .title = "Heights of both balls, h = 2 ms",
                   .caption = "Between impacts the balls swing on the spring; a damped scheme loses that.",
                   .panels = {panel("lower ball, m", "lower.y"), panel("upper ball, m", "upper.y")}},
                  {.id = "velocities",
                   .title = "Velocities of both balls, h = 2 ms",
                   .caption = "Jumps of the lower ball at impacts; the upper ball feels the spring alone.",
                   .panels = {panel("lower ball, m/s", "lower.vy"), panel("upper ball, m/s", "upper.vy")}},
                  {.id = "energy",
                   .title = "Total energy, h = 2 ms",
                   .caption = "Only impacts take energy in truth.",
                   .panels = {panel("energy, J", "energy")}}};
  return plan;
}

/// Decay rate of the energy of the spring and the relative motion of the balls during the first flight after an
/// impact that lasts more than two periods of the spring, 1/s.
double vibration_damping(const TrialResult& run) {
  const std::vector<double>& impulse = run.find("floor.impulse").values;
  const auto long_enough = static_cast<std::size_t>(2.0 * 0.14 / h);
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t i = 1; i < impulse.size() && to == 0; ++i) {
    if (impulse[i] == 0.0) continue;
    if (from > 0 && i > from + long_enough) to = i - 1;
    from = to > 0 ? from : i + 1;  // an impulse may also act in the following step
  }
  if (to == 0) throw Error("no flight takes two periods of the spring");
  const BouncingOscillator balls;
  const auto energy = [&](std::size_t i) {
    const double extension = run.find("upper.y").values[i] - run.find("lower.y").values[i] - balls.length;
    const double rate = run.find("upper.vy").values[i] - run.find("lower.vy").values[i];
    return 0.25 * balls.mass * rate * rate + 0.5 * stiffness * extension * extension;
  };
  return std::log(energy(from) / energy(to)) / (run.times[to] - run.times[from]);
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const BouncingOscillator balls;
  const BouncingOscillatorExact exact({.mass = balls.mass,
                                       .stiffness = stiffness,
                                       .length = balls.length,
                                       .height = balls.height,
                                       .restitution = balls.restitution,
                                       .gravity = balls.gravity},
                                      until);
  const double w = std::sqrt(2.0 * stiffness / balls.mass);
  for (const OneScheme& one : schemes) {
    const TrialResult& run = outcomes.run(one.id);
    const auto claim = [&](const std::string& what) { return what + " (" + one.label + ")"; };
    const std::vector<double>& impulse = run.find("floor.impulse").values;
    const auto first =
        std::ranges::find_if(impulse, [](double value) { return value > 0.0; }) - impulse.begin();
    rows.push_back(expect_near(one.id + "-first-impact", claim("first impact at"), run.times[first],
                               exact.impact_times().front(), 2 * h, "s", "exact",
                               "a step; one more in the two-step form of Schatzman and Paoli"));
    const std::vector<double>& energy = run.find("energy").values;
    const auto end = static_cast<std::size_t>(std::llround(compared_until / h));
    Row lost = show(one.id + "-lost", claim("energy lost up to 0.9 s"), energy.front() - energy[end], "J");
    lost.reference = exact.energy(0.0) - exact.energy(compared_until);
    lost.source = "exact";
    rows.push_back(lost);
    rows.push_back(show(one.id + "-error", claim("error of lower.y up to 0.9 s"),
                        error_until(run, "lower.y", compared_until), ""));
    const std::string damping = claim("rate at which the energy of the vibration falls in flight");
    const double measured = vibration_damping(run);
    if (one.damping == nullptr) {
      rows.push_back(show(one.id + "-damping", damping, measured, "1/s"));
    } else {
      rows.push_back(expect_near(
          one.id + "-damping", damping, measured, one.damping(w), 0.1, "1/s", "spectral radius of the scheme",
          "the energy swings by up to (gamma - 1/2) w h = 4.5 % about its mean decay; the flight takes "
          "about half a second"));
    }
  }
  for (const OneScheme& one : schemes) {
    add_averaged_orders(rows, outcomes, "convergence", one.scheme);
  }
  const auto compare = [&](const std::string& worse, const std::string& better) {
    const std::string id = "energy-" + worse + "-" + better;
    const std::string claim = "vibration lost in flight, " + worse + " over " + better;
    const TrialResult& first = outcomes.run(worse);
    const TrialResult& second = outcomes.run(better);
    rows.push_back(expect_at_least(id, claim, vibration_damping(first) / vibration_damping(second), 1.5, "",
                                   source, "implicit Euler damps twice as much as this Newmark"));
  };
  compare("moreau-jean", "newmark");
  add_soundness(rows, outcomes, "ds");
}

}  // namespace
}  // namespace picus::models::acary_two_balls_benchmark

namespace picus::models {

Benchmark acary_two_balls() {
  return {
      .name = "acary-two-balls",
      .title = "Two balls on a spring, with the schemes of Moreau, Newmark and HHT",
      .source = acary_two_balls_benchmark::source,
      .setting =
          "Two balls of 1 kg on a vertical spring of 1e3 N/m fall on a rigid floor; h = 2 ms. The slides "
          "print no more. Settled here as in Chen 2013, section 5.2: 1 m of spring without load, 0.801 m to "
          "the first contact, at rest at the start, e = 0.8, g = 10 m/s2.",
      .reference = "exact solution from event to event (Chen 2013, appendix B, in closed form)",
      .plan = acary_two_balls_benchmark::plan,
      .rows = {acary_two_balls_benchmark::add_rows}};
}

}  // namespace picus::models
