#include <picus/elements/joints/user_constraint.hpp>
#include <picus/elements/local_differences.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace picus {
namespace {

constexpr Index max_rows = 12;

/// One-sided where the central difference would ask for a negative time.
template <class Evaluate>
void time_difference(double t, double step, std::span<double> derivative, const Evaluate& evaluate) {
  if (t >= 2 * step) {
    central_difference(step, derivative, [&](double by, std::span<double> g) { evaluate(t + by, g); });
    return;
  }
  constexpr std::array<double, 5> weights = {-25.0 / 12, 4.0, -3.0, 4.0 / 3, -1.0 / 4};
  std::array<double, max_rows> storage;
  const std::span<double> g(storage.data(), derivative.size());
  std::fill(derivative.begin(), derivative.end(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    std::fill(g.begin(), g.end(), 0.0);
    evaluate(t + static_cast<double>(k) * step, g);
    for (std::size_t i = 0; i < g.size(); ++i) derivative[i] += weights[k] * g[i] / step;
  }
}

}  // namespace

UserConstraint::UserConstraint(Parameters parameters, const Model& model)
    : Element(parameters.name, parameters.nodes), parameters_(std::move(parameters)) {
  const Culprit who{"user constraint", name()};
  require_nodes_of_user(who, *this, model);
  if (!parameters_.residual) throw ModelError(who.text() + ": residual is not given");
  if (parameters_.rows < 1 || parameters_.rows > max_rows) {
    throw ModelError(
        fmt::format("{}: rows is {}, must lie in [1, {}]", who.text(), parameters_.rows, max_rows));
  }
  require_positive(who, "length", parameters_.length, "m");
  require_positive(who, "duration", parameters_.duration, "s");
  std::array<double, max_rows> g{};
  parameters_.residual(model.initial_configuration(), 0.0, std::span(g.data(), parameters_.rows));
  for (Index i = 0; i < parameters_.rows; ++i)
    require_finite(who, fmt::format("row {} of the residual at the start", i), g[i], "");
}

void UserConstraint::residual(const Configuration& q, double t, std::span<double> g) const {
  std::fill(g.begin(), g.end(), 0.0);
  parameters_.residual(q, t, g);
}

void UserConstraint::gradient(const Configuration& q, double t, std::span<double> G) const {
  if (parameters_.gradient) {
    std::fill(G.begin(), G.end(), 0.0);
    return parameters_.gradient(q, t, G);
  }
  const DifferenceSteps steps(*this, parameters_.length);
  LocalConfiguration moved(*this, q);
  for (Index j = 0; j < dof_count(); ++j) {
    central_difference(steps.of(j), G.subspan(j * parameters_.rows, parameters_.rows),
                       [&](double by, std::span<double> g) {
                         moved.move(j, by);
                         parameters_.residual(moved.q(), t, g);
                         moved.restore();
                       });
  }
}

void UserConstraint::geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                                         std::span<double> K) const {
  const Index n = dof_count();
  const Index m = parameters_.rows;
  const DifferenceSteps steps(*this, parameters_.length);
  LocalConfiguration moved(*this, q);
  const auto multiply = [&](std::span<const double> rows) {
    return std::inner_product(rows.begin(), rows.end(), lambda.begin(), 0.0);
  };
  if (!parameters_.gradient) {
    std::array<double, max_rows> storage;
    const std::span<double> g(storage.data(), m);
    return second_derivatives(*this, moved, steps, K, [&](const LocalConfiguration& at) {
      residual(at.q(), t, g);
      return multiply(g);
    });
  }
  std::array<double, max_rows * max_local_dofs> storage;
  const std::span<double> G(storage.data(), m * n);
  for (Index j = 0; j < n; ++j) {
    central_difference(steps.of(j), K.subspan(j * n, n), [&](double by, std::span<double> force) {
      moved.move(j, by);
      gradient(moved.q(), t, G);
      moved.restore();
      for (Index i = 0; i < n; ++i) force[i] = multiply(G.subspan(i * m, m));
    });
  }
}

void UserConstraint::rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                                   std::span<double> H) const {
  const Index m = parameters_.rows;
  const DifferenceSteps steps(*this, parameters_.length);
  const double along = steps.along(v);
  LocalConfiguration moved(*this, q);
  std::array<double, max_rows> storage;
  for (Index j = 0; j < dof_count(); ++j) {
    central_difference(steps.of(j), H.subspan(j * m, m), [&](double by, std::span<double> rate) {
      if (along > 0) {
        central_difference(along, rate, [&](double further, std::span<double> g) {
          moved.move(j, by);
          moved.move(v, further);
          parameters_.residual(moved.q(), t, g);
          moved.restore();
        });
      }
      if (!parameters_.is_rheonomic) return;
      const std::span<double> g_t(storage.data(), m);
      moved.move(j, by);
      partial_rate(moved.q(), t, g_t);
      moved.restore();
      for (Index i = 0; i < m; ++i) rate[i] += g_t[i];
    });
  }
}

void UserConstraint::partial_rate(const Configuration& q, double t, std::span<double> g_t) const {
  time_difference(t, 1e-3 * parameters_.duration, g_t,
                  [&](double at, std::span<double> g) { parameters_.residual(q, at, g); });
}

}  // namespace picus
