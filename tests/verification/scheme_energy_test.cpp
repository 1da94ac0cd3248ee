// The energy balances of Acary's slides ("Newmark based schemes and the coefficient of restitution"), step by step on a
// chain of masses and springs between stops, with an external force: linear, C = 0. In the notation of the slides
//
//     E = (v.M v + q.K q)/2,   x_{k+c} = (1 - c) x_k + c x_{k+1},   d x = x_{k+1} - x_k,   |x|_K^2 = x.K x,   U = G^T v
//
// and P the impulses of a step. Checked by hand; misprints in the slides are pointed out.

#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace picus {
namespace {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

constexpr double h = 2e-3;

/// Ground ~ mass 0 ~ mass 1 ~ mass 2 ~ mass 3 along x, springs of length 1. Stops below mass 0 and mass 1, above mass 3:
///
///     |~~~ O ~~~ O ~~~ O ~~~ O
///         |     |             |
struct Chain {
  explicit Chain(double restitution, bool has_force = true, bool has_stops = true) {
    const Vec4 speed(-1.0, 0.7, 0.2, 1.3);
    for (int i = 0; i < 4; ++i) {
      const std::string name = std::to_string(i);
      const PointNode node =
          model.add_point("point " + name, {.position = {i + 1.0, 0, 0}, .velocity = {speed[i], 0, 0}});
      model.fix(node, {Component::y, Component::z});
      model.add<PointMass>({.name = "mass " + name, .node = node, .mass = masses[i]});
      model.add<SpringDamper>(
          {.name = "spring " + name,
           .a = i == 0 ? MaterialPoint::on_ground(Vec3::Zero()) : MaterialPoint(nodes.back()),
           .b = node,
           .stiffness = stiffness[i],
           .free_length = 1.0});
      nodes.push_back(node);
    }
    K.setZero();
    for (int i = 0; i < 4; ++i) {
      K(i, i) += stiffness[i];
      if (i == 0) continue;
      K(i - 1, i - 1) += stiffness[i];
      K(i - 1, i) -= stiffness[i];
      K(i, i - 1) -= stiffness[i];
    }
    if (has_force) {
      for (int i = 0; i < 4; ++i) {
        model.add<NodalForce>({.name = "force " + std::to_string(i),
                               .point = nodes[i],
                               .force = [i](double t) { return Vec3(force_at(t)[i], 0, 0); }});
      }
    }
    has_force_ = has_force;
    if (!has_stops) return;
    add_stop(0, 0.995, 1.0, restitution);
    add_stop(1, 1.99, 1.0, restitution);
    add_stop(3, 4.01, -1.0, restitution);
  }

  static Vec4 force_at(double t) {
    return {-20.0, 15 * std::sin(40 * t), 30 * std::cos(23 * t), 25 + 10 * std::sin(90 * t)};
  }
  Vec4 force(double t) const { return has_force_ ? force_at(t) : Vec4::Zero(); }
  Mat4 M() const { return masses.asDiagonal(); }

  Model model{"chain"};
  std::vector<PointNode> nodes;
  Vec4 masses{1.0, 2.0, 1.5, 0.7};
  Vec4 stiffness{2000, 3000, 1000, 4000};
  Mat4 K;
  Eigen::Matrix<double, 4, Eigen::Dynamic> G{4, 0};

 private:
  void add_stop(int mass, double place, double direction, double restitution) {
    model.add<NodeToFaceContact>({.name = "stop " + std::to_string(mass),
                                  .slave = nodes[mass],
                                  .face = {.point = {place, 0, 0}, .normal = {direction, 0, 0}},
                                  .e_n = restitution});
    G.conservativeResize(4, G.cols() + 1);
    G.rightCols<1>() = direction * Vec4::Unit(mass);
  }
  bool has_force_ = true;
};

/// Deviations q from the free lengths of the springs and their rates at one instant; a is Newmark's acceleration, w
/// and y are half the last dq and dF, the filtered states of HHT.
struct Instant {
  double t;
  Vec4 q, v, a, F;
  Vec4 w = Vec4::Zero(), y = Vec4::Zero();
  Eigen::VectorXd U, P;
};

/// One step, and the terms from which all balances are formed.
struct Step {
  const Chain& chain;
  Instant k, next;

  Vec4 dq() const { return next.q - k.q; }
  Vec4 dv() const { return next.v - k.v; }
  Vec4 da() const { return next.a - k.a; }
  Vec4 F(double c) const { return (1 - c) * k.F + c * next.F; }
  Vec4 v(double c) const { return (1 - c) * k.v + c * next.v; }
  /// U_{k+c} . P
  double impact_work(double c) const { return ((1 - c) * k.U + c * next.U).dot(next.P); }
  double in_M(const Vec4& x) const { return x.dot(chain.M() * x); }
  double in_K(const Vec4& x) const { return x.dot(chain.K * x); }
  double energy(const Instant& at) const { return (in_M(at.v) + in_K(at.q)) / 2; }
  double energy_change() const { return energy(next) - energy(k); }
};

template <class Visit>
void for_each_step(const Chain& chain, std::string_view scheme, int steps, Visit&& visit) {
  const System system(chain.model);
  const auto integrator = make_integrator(scheme, {.step = h, .tolerance = 1e-12});
  const auto instant = [&](const State& state) {
    Instant at{.t = state.time, .F = chain.force(state.time), .P = state.contact_impulse};
    for (int i = 0; i < 4; ++i) {
      const PointNode& node = chain.nodes[i];
      at.q[i] = state.q.position(node).x() - (i + 1.0);
      at.v[i] = state.v[node.v];
      at.a[i] = state.auxiliary[node.v];
    }
    at.U = chain.G.transpose() * at.v;
    return at;
  };
  State state = integrator->start(system);
  Instant k = instant(state);
  for (int i = 0; i < steps; ++i) {
    integrator->step(state);
    Instant next = instant(state);
    next.w = (next.q - k.q) / 2;
    next.y = (next.F - k.F) / 2;
    visit(Step{chain, k, next});
    k = std::move(next);
  }
}

/// Both sides are sums of about a dozen products as large as the energy; the springs round positions of up to 4 m,
/// 1e-15 m, which the stiffness turns into 1e-12 N.
double rounding(const Step& step) {
  return 1e-13 * (1 + step.energy(step.k) + step.energy(step.next));
}

struct Balance {
  double change = 0.0;  ///< of the energy, less the work of external forces
  double claim = 0.0;   ///< the value according to the slides
};

/// The balance holds in every step, with and without stops; impacts do occur.
void expect_balance(const std::string& scheme, const std::function<Balance(const Step&)>& balance) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const bool has_stops : {true, false}) {
      const Chain chain(e, true, has_stops);
      Eigen::Index impacts = 0;
      for_each_step(chain, scheme, 500, [&](const Step& step) {
        const Balance found = balance(step);
        ASSERT_NEAR(found.change, found.claim, rounding(step))
            << scheme << ", e = " << e << ", t = " << step.k.t;
        if (has_stops) impacts += (step.next.P.array() > 0).count();
      });
      if (has_stops) {
        EXPECT_GE(impacts, 20) << scheme << ", e = " << e;
      }
    }
  }
}

std::string with(std::string_view scheme, std::string_view key, double value) {
  return std::string(scheme) + (scheme.find(':') == std::string_view::npos ? ":" : ",") + std::string(key) +
         "=" + fmt::format("{}", value);
}

// Moreau-Jean, (63). v_{k+theta} multiplies the equation of motion: dE comes from v_{1/2} and q_{1/2}, the rest from
// x_{k+theta} = x_{k+1/2} + (theta - 1/2) dx.

Balance moreau_jean(const Step& s, double theta) {
  return {.change = s.energy_change() - h * s.v(theta).dot(s.F(theta)),
          .claim = (0.5 - theta) * (s.in_M(s.dv()) + s.in_K(s.dq())) + s.impact_work(theta)};
}

TEST(SchemeEnergy, OfMoreauJean) {
  for (const double theta : {0.3, 0.5, 0.6, 1.0}) {
    expect_balance(with("moreau-jean", "theta", theta), [&](const Step& s) { return moreau_jean(s, theta); });
  }
}

/// The sum of U_k P over contacts that were opening and nevertheless carry an impulse. The slides conclude from
/// U_{k+1} = -e U_k for P > 0 that impacts dissipate energy, which requires U_k <= 0 there. But a contact that has
/// penetrated stays in the active set while it opens.
double reopening(const Step& step) {
  return step.k.U.cwiseProduct(step.next.P).cwiseMax(0.0).sum();
}

/// Steps in which the energy rises by more than external forces bring in.
struct Gains {
  int all = 0;
  int unexplained = 0;  ///< more than `share` of reopening()
};
Gains count_gains(const Chain& chain, const std::string& scheme, double share,
                  const std::function<double(const Step&)>& gain) {
  Gains gains;
  for_each_step(chain, scheme, 1000, [&](const Step& step) {
    gains.all += gain(step) > rounding(step);
    gains.unexplained += gain(step) > rounding(step) + share * reopening(step);
  });
  return gains;
}

TEST(SchemeEnergy, MoreauJeanDissipatesIfThetaIsNeitherTooSmallNorTooLarge) {
  const auto gains = [](double e, double theta) {
    const double share = std::max(0.0, 1 - theta * (1 + e));  // U_{k+theta} P = (1 - theta (1 + e)) U_k P
    return count_gains(Chain(e), with("moreau-jean", "theta", theta), share,
                       [&](const Step& step) { return moreau_jean(step, theta).change; });
  };
  // (64), (65): 1/2 <= theta <= 1/(1 + e).
  EXPECT_EQ(gains(0.0, 0.5).unexplained, 0);
  EXPECT_EQ(gains(0.0, 0.8).unexplained, 0);
  EXPECT_EQ(gains(0.5, 0.5).unexplained, 0);
  // At the upper end no explanation is needed.
  EXPECT_EQ(gains(0.0, 1.0).all, 0);
  EXPECT_EQ(gains(0.5, 2.0 / 3.0).all, 0);
  EXPECT_EQ(gains(1.0, 0.5).all, 0);
  // Below it (64) as stated does not hold: compressed contacts come to rest in a few bounces, every second one in
  // penetration.
  EXPECT_GE(gains(0.5, 0.5).all, 1);
  // Below 1/2 free vibrations grow, beyond 1/(1 + e) impacts under a compressive force may.
  EXPECT_GE(gains(0.0, 0.3).unexplained, 100);
  EXPECT_GE(gains(0.5, 1.0).unexplained, 1);
  EXPECT_GE(gains(1.0, 1.0).unexplained, 1);
}

// The variant (66), with q advanced by v_{k+1/2}: (67). Its work of external forces is h v_{k+1/2}.F_{k+theta}, as
// v_{k+1/2} multiplies the equation; the slide refers to (62), which has v_{k+theta}.

Balance variant(const Step& s, double theta) {
  return {.change = s.energy_change() - s.dq().dot(s.F(theta)),
          .claim = (0.5 - theta) * s.in_K(s.dq()) + s.impact_work(0.5)};
}

std::string variant_of(double theta) {
  return with("moreau-jean:dissipates=yes", "theta", theta);
}

TEST(SchemeEnergy, OfTheVariantOfMoreauJean) {
  for (const double theta : {0.5, 0.7, 1.0}) {
    expect_balance(variant_of(theta), [&](const Step& s) { return variant(s, theta); });
  }
}

TEST(SchemeEnergy, TheVariantDissipatesFromOneHalfOn) {
  // (68), (69), whatever the restitution, but for reopening(): U_{k+1/2} P = (1 - e)/2 U_k P.
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double theta : {0.5, 0.7, 1.0}) {
      const Gains gains = count_gains(Chain(e), variant_of(theta), (1 - e) / 2,
                                      [&](const Step& step) { return variant(step, theta).change; });
      EXPECT_EQ(gains.unexplained, 0) << "e = " << e << ", theta = " << theta;
      if (e == 1.0) {
        EXPECT_EQ(gains.all, 0) << "theta = " << theta;
      }
    }
  }
}

// Newmark, (71). With M dv = h (F - K q)_{k+gamma} + G P and dq = h v_{k+1/2} + h^2/2 (2 beta - gamma) da,
//     dE = v_{k+1/2}.M dv + q_{k+1/2}.K dq = dq.F_{k+gamma} - (gamma - 1/2)|dq|_K^2 + U_{k+1/2}.P - h^2/2 (2 beta - gamma) da.M a_{k+gamma},
// and M da = dF - K dq and h a_{k+gamma} = dv - M^-1 G P turn the last term into those of the slide.

Balance newmark_balance(const Step& s, double gamma, double beta) {
  const double factor = h / 2 * (2 * beta - gamma);
  const Vec4 dF = s.next.F - s.k.F;
  return {.change = s.energy_change() - s.dq().dot(s.F(gamma)),
          .claim = (0.5 - gamma) * s.in_K(s.dq()) +
                   factor * (s.dq().dot(s.chain.K * s.dv()) - s.dv().dot(dF)) + s.impact_work(0.5) +
                   factor * s.da().dot(s.chain.G * s.next.P)};
}

// The storage function (72) adds h^2/4 (2 beta - gamma)|a|_M^2, and a_{k+gamma} = a_{k+1/2} + (gamma - 1/2) da leaves
// h^2/2 (2 beta - gamma)|da|_M^2 in (74), where the slide has h/2.

Balance newmark_storage(const Step& s, double gamma, double beta) {
  const double factor = h * h / 2 * (2 * beta - gamma);
  return {
      .change = s.energy_change() + factor / 2 * (s.in_M(s.next.a) - s.in_M(s.k.a)) - s.dq().dot(s.F(gamma)),
      .claim = -(gamma - 0.5) * (s.in_K(s.dq()) + factor * s.in_M(s.da())) + s.impact_work(0.5)};
}

std::string newmark(double gamma, double beta) {
  return with(with("newmark", "gamma", gamma), "beta", beta);
}

struct Coefficients {
  double gamma, beta;
};
constexpr Coefficients newmark_cases[] = {{0.5, 0.25}, {0.5, 0.4}, {0.6, 0.3025}, {0.9, 0.49}, {1.0, 0.5625}};

TEST(SchemeEnergy, OfNewmark) {
  for (const auto& [gamma, beta] : newmark_cases) {
    expect_balance(newmark(gamma, beta),
                   [gamma = gamma, beta = beta](const Step& s) { return newmark_balance(s, gamma, beta); });
    expect_balance(newmark(gamma, beta),
                   [gamma = gamma, beta = beta](const Step& s) { return newmark_storage(s, gamma, beta); });
  }
}

TEST(SchemeEnergy, TheStorageFunctionOfNewmarkNeverRisesByItself) {
  // (75), (76): 2 beta >= gamma >= 1/2; except for reopening() again.
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const auto& [gamma, beta] : newmark_cases) {
      const Gains gains = count_gains(Chain(e), newmark(gamma, beta), (1 - e) / 2,
                                      [gamma = gamma, beta = beta](const Step& step) {
                                        return newmark_storage(step, gamma, beta).change;
                                      });
      EXPECT_EQ(gains.unexplained, 0) << "e = " << e << ", gamma = " << gamma;
      if (e == 1.0) {
        EXPECT_EQ(gains.all, 0) << "gamma = " << gamma;
      }
    }
  }
}

// HHT, (82) and (83) with nu = 1/2, w = dq/2 and y = dF/2 of the last step: M a = F - K q + 2 alpha (K w - y), so that (74) gets the work
// 2 alpha dq.(K w - y)_{k+gamma}. With dq = 2 w_{k+1} its first part is alpha|dq|_K^2 - 2 alpha (1 - gamma) (d|w|_K^2 + |dw|_K^2).

Balance hht_storage(const Step& s, double alpha) {
  const double gamma = 0.5 + alpha;
  const double beta = (1 + alpha) * (1 + alpha) / 4;
  const double factor = h * h / 2 * (2 * beta - gamma);
  const double share = 2 * alpha * (1 - gamma);
  const Vec4 dy = s.next.y - s.k.y;
  const Vec4 F = s.F(gamma - alpha);  // with F_{k+c} = F_k + c dF
  return {.change = s.energy_change() + factor / 2 * (s.in_M(s.next.a) - s.in_M(s.k.a)) +
                    share * (s.in_K(s.next.w) - s.in_K(s.k.w)) - s.dq().dot(F) - share * s.dq().dot(dy),
          .claim = s.impact_work(0.5) - (gamma - 0.5) * factor * s.in_M(s.da()) -
                   share * s.in_K(s.next.w - s.k.w)};
}

TEST(SchemeEnergy, OfHht) {
  for (const double alpha : {0.0, 0.05, 0.2, 0.3}) {
    expect_balance(with("hht", "alpha", alpha), [&](const Step& s) { return hht_storage(s, alpha); });
  }
}

TEST(SchemeEnergy, TheStorageFunctionOfHhtNeverRisesByItself) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double alpha : {0.0, 0.05, 0.2, 0.3}) {
      const Gains gains = count_gains(Chain(e), with("hht", "alpha", alpha), (1 - e) / 2,
                                      [&](const Step& step) { return hht_storage(step, alpha).change; });
      EXPECT_EQ(gains.unexplained, 0) << "e = " << e << ", alpha = " << alpha;
    }
  }
}

}  // namespace
}  // namespace picus
