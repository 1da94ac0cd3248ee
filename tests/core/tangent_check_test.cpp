// The checker detects any wrong derivative.

#include <support/mixed_model.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus::support {
namespace {

/// s'' on a scalar node with every role, and one deliberate error at a time.
enum class Fault {
  none,
  mass_not_symmetric,
  mass_gradient,
  stiffness,
  hidden_stiffness,
  damping,
  potential,
  work,
  gradient,
  geometric_stiffness,
  rate_jacobian,
  partial_rate,
  hidden_time,
  contact_gradient,
  contact_stiffness,
  not_a_number,
};

class Faulty : public Element, public Inertia, public Force, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    ScalarNode a;
    ScalarNode b;
    Fault fault = Fault::none;
  };
  Faulty(const Parameters& p, const Model&) : Element(p.name, {p.a, p.b}), p_(p) {}

  bool has_constant_mass() const override { return false; }
  void mass(const Configuration& q, std::span<double> M) const override {
    auto matrix = matrix_view<2, 2>(M);
    matrix << 2 + std::sin(q.value(p_.a)), 0, has(Fault::mass_not_symmetric) ? 0.1 : 0, 1;
  }
  void mass_gradient(const Configuration& q, std::span<const double> w, std::span<double> K) const override {
    K[0] = (has(Fault::mass_gradient) ? -1 : 1) * std::cos(q.value(p_.a)) * w[0];
  }

  Traits traits() const override {
    return {.depends_on_configuration = !has(Fault::hidden_stiffness),
            .depends_on_velocity = true,
            .has_potential = true,
            .is_conservative = has(Fault::work)};
  }
  void force(const Motion& motion, std::span<double> f) const override {
    const double s = motion.q.value(p_.b);
    f[1] = -s * s * s - 2 * motion.v[p_.b.v];
  }
  void conservative_force(const Configuration& q, double, std::span<double> f) const override {
    f[1] = -std::pow(q.value(p_.b), 3);
  }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override {
    K[3] = (has(Fault::stiffness) ? 2 : 3) * std::pow(motion.q.value(p_.b), 2);
    C[has(Fault::damping) ? 2 : 3] = has(Fault::not_a_number) ? std::nan("") : 2;
  }
  double potential_energy(const Configuration& q, double) const override {
    return (has(Fault::potential) ? 0.2 : 0.25) * std::pow(q.value(p_.b), 4);
  }

  /// g = sin s_a s_b - t^2
  Index row_count() const override { return 1; }
  bool is_rheonomic() const override { return !has(Fault::hidden_time); }
  void residual(const Configuration& q, double t, std::span<double> g) const override {
    g[0] = std::sin(q.value(p_.a)) * q.value(p_.b) - t * t;
  }
  void partial_rate(const Configuration&, double t, std::span<double> g_t) const override {
    g_t[0] = (has(Fault::partial_rate) ? -1 : -2) * t;
  }
  void gradient(const Configuration& q, double, std::span<double> G) const override {
    G[0] = std::cos(q.value(p_.a)) * q.value(p_.b);
    G[1] = (has(Fault::gradient) ? 1.001 : 1) * std::sin(q.value(p_.a));
  }
  void geometric_stiffness(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const override {
    K[0] = -lambda[0] * std::sin(q.value(p_.a)) * q.value(p_.b);
    K[1] = K[2] = lambda[0] * std::cos(q.value(p_.a));
    if (has(Fault::geometric_stiffness)) K[2] = 0;
  }
  void rate_jacobian(const Configuration& q, double, std::span<const double> v,
                     std::span<double> H) const override {
    H[0] = -std::sin(q.value(p_.a)) * q.value(p_.b) * v[0] + std::cos(q.value(p_.a)) * v[1];
    H[1] = has(Fault::rate_jacobian) ? 0 : std::cos(q.value(p_.a)) * v[0];
  }

 private:
  bool has(Fault fault) const { return p_.fault == fault; }
  Parameters p_;
};

/// g = (s, sin s) on a scalar node.
class FaultyContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;
    Fault fault = Fault::none;
  };
  FaultyContact(const Parameters& p, const Model&) : Element(p.name, {p.node}), p_(p) {
    law_.friction_directions = 1;
  }

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override {
    g[0] = q.value(p_.node);
    g[1] = std::sin(q.value(p_.node)) - std::sin(q_n.value(p_.node));
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    G[0] = p_.fault == Fault::contact_gradient ? -1 : 1;
    G[1] = std::cos(q.value(p_.node));
  }
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override {
    K[0] = (p_.fault == Fault::contact_stiffness ? 1 : -1) * p[1] * std::sin(q.value(p_.node));
  }

 private:
  Parameters p_;
  ContactLaw law_;
};

TangentReport report_of(Fault fault) {
  Model model;
  const auto a = model.add_scalar("a");
  const auto b = model.add_scalar("b");
  model.add<Faulty>({.name = "faulty", .a = a, .b = b, .fault = fault});
  model.add<FaultyContact>({.name = "faulty contact", .node = a, .fault = fault});
  return check_tangents(model);
}

/// -sqrt(s^2 + width^2), which is smooth over `width` only; its tangent is wrong by the part `error`.
class NearlyKinked : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;
    double width = 1.0;
    double error = 0.0;
  };
  NearlyKinked(const Parameters& p, const Model&) : Element(p.name, {p.node}), p_(p) {}

  Traits traits() const override { return {.depends_on_configuration = true}; }
  void force(const Motion& motion, std::span<double> f) const override {
    f[0] = -std::hypot(motion.q.value(p_.node), p_.width);
  }
  void tangents(const Motion& motion, std::span<double> K, std::span<double> /*C*/) const override {
    const double s = motion.q.value(p_.node);
    K[0] = (1 + p_.error) * s / std::hypot(s, p_.width);
  }

 private:
  Parameters p_;
};

// Differences of the default step are off by 1e-7 at the sharpest kink; smaller ones show a derivative that is off by 1e-9.
TEST(TangentCheck, ResolvesFunctionsThatAreSmoothOverAShortWay) {
  const auto check = [](double width, double error) {
    Model model;
    const ScalarNode node = model.add_scalar("s", {.value = 0.01});
    const auto element =
        model.add<NearlyKinked>({.name = "kink", .node = node, .width = width, .error = error});
    return check_tangents(model, *element, {.angle = 0.05}).worst_error;
  };
  for (const double width : {1.0, 0.1, 0.04}) {
    EXPECT_LT(check(width, 0.0), tangent_tolerance) << width;
    EXPECT_GT(check(width, 1e-9), tangent_tolerance) << width;
  }
}

TEST(TangentCheck, AcceptsAnElementWithoutFault) {
  const TangentReport report = report_of(Fault::none);
  EXPECT_LT(report.worst_error, tangent_tolerance) << report.description;
}

TEST(TangentCheck, AcceptsEveryElementOfAMixedModel) {
  Random random(37);
  const Model model = make_mixed_model(random);
  for (const auto& element : model.elements()) expect_exact_tangents(model, *element);
}

struct FaultCase {
  Fault fault;
  const char* part;  ///< of the description
};

class TangentCheckFinds : public ::testing::TestWithParam<FaultCase> {};

TEST_P(TangentCheckFinds, TheFunctionThatIsWrong) {
  const TangentReport report = report_of(GetParam().fault);
  EXPECT_GT(report.worst_error, 1e-4);
  EXPECT_NE(report.description.find(GetParam().part), std::string::npos) << report.description;
}

INSTANTIATE_TEST_SUITE_P(
    AllFaults, TangentCheckFinds,
    ::testing::Values(
        FaultCase{Fault::mass_not_symmetric, "element \"faulty\": mass against its transpose, local row"},
        FaultCase{Fault::mass_gradient, "element \"faulty\": mass_gradient, local row 0, column 0"},
        FaultCase{Fault::stiffness, "element \"faulty\": tangents, K, local row 1, column 1"},
        FaultCase{Fault::hidden_stiffness, "element \"faulty\": tangents, K, local row 1, column 1"},
        FaultCase{Fault::damping, "element \"faulty\": tangents, C, local row"},
        FaultCase{Fault::potential, "element \"faulty\": force of the potential"},
        FaultCase{Fault::work, "element \"faulty\": power of a conservative force"},
        FaultCase{Fault::gradient, "element \"faulty\": gradient, local row 0, column 1"},
        FaultCase{Fault::geometric_stiffness,
                  "element \"faulty\": geometric_stiffness, local row 0, column 1"},
        FaultCase{Fault::rate_jacobian, "element \"faulty\": rate_jacobian, local row 0, column 1"},
        FaultCase{Fault::partial_rate, "element \"faulty\": partial_rate"},
        FaultCase{Fault::hidden_time, "element \"faulty\": partial_rate"},
        FaultCase{Fault::contact_gradient, "element \"faulty contact\": gradient, local row 0, column 0"},
        FaultCase{Fault::contact_stiffness,
                  "element \"faulty contact\": geometric_stiffness, local row 0, column 0"},
        FaultCase{Fault::not_a_number, "element \"faulty\": tangents, C, local row 1, column 1: nan"}));

}  // namespace
}  // namespace picus::support
