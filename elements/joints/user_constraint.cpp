#include <picus/elements/joints/user_constraint.hpp>
#include <picus/elements/local_differences.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace picus {
namespace {

constexpr Index max_rows = 12;

constexpr std::size_t max_entries = max_rows * max_local_dofs;  // of G

/// Adds to `derivative` the weighted sum of function values at multiples of the step: the derivative to fourth order.
/// evaluate(s, out) adds the function to `out`, which is zero on entry.
template <class Evaluate>
void add_difference(std::span<const std::pair<double, double>> places, double step,
                    std::span<double> derivative, const Evaluate& evaluate) {
  std::array<double, max_entries> storage;
  const std::span<double> values(storage.data(), derivative.size());
  for (const auto& [place, weight] : places) {
    std::fill(values.begin(), values.end(), 0.0);
    evaluate(place * step, values);
    for (std::size_t i = 0; i < values.size(); ++i) derivative[i] += weight * values[i] / step;
  }
}

constexpr std::array<std::pair<double, double>, 4> central = {
    {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}}};
constexpr std::array<std::pair<double, double>, 5> one_sided = {
    {{0, -25.0 / 12}, {1, 4.0}, {2, -3.0}, {3, 4.0 / 3}, {4, -1.0 / 4}}};

/// A one-sided difference where the central one would need a negative time.
template <class Evaluate>
void time_difference(double t, double step, std::span<double> derivative, const Evaluate& evaluate) {
  std::fill(derivative.begin(), derivative.end(), 0.0);
  const auto at = [&](double by, std::span<double> out) { evaluate(t + by, out); };
  if (t >= 2 * step)
    add_difference(central, step, derivative, at);
  else
    add_difference(one_sided, step, derivative, at);
}

/// H += G ([X_j, X_v]) in each column j: the commutator of the rotations of a body about its axes j and v is the
/// rotation about e_j x v.
void add_commutators(std::span<const Node> nodes, Index rows, std::span<const double> G,
                     std::span<const double> v, std::span<double> H) {
  Index first = 0;
  for (const Node& node : nodes) {
    if (node.kind == NodeKind::frame) {
      for (Index j = 0; j < 3; ++j) {
        const Index i = (j + 1) % 3, k = (j + 2) % 3;  // e_j x v = v_i e_k - v_k e_i
        const Index turn = first + 3;
        for (Index row = 0; row < rows; ++row) {
          H[(turn + j) * rows + row] +=
              v[turn + i] * G[(turn + k) * rows + row] - v[turn + k] * G[(turn + i) * rows + row];
        }
      }
    }
    first += velocity_size(node.kind);
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
  if (parameters_.is_rheonomic) return;
  for (const double part : {0.37, 1.0}) {
    std::array<double, max_rows> later{};
    parameters_.residual(model.initial_configuration(), part * parameters_.duration,
                         std::span(later.data(), parameters_.rows));
    if (later != g)
      throw ModelError(who.text() + ": its residual depends on time, but is_rheonomic is false");
  }
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

// With X_j and X_v the derivatives along a component and along v: X_j (X_v g + g_t), time moving along with v. With a
// gradient it is (X_v + d/dt) X_j g + [X_j, X_v] g.
void UserConstraint::rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                                   std::span<double> H) const {
  const Index n = dof_count();
  const Index m = parameters_.rows;
  const bool is_rheonomic = parameters_.is_rheonomic;
  const DifferenceSteps steps(*this, parameters_.length);
  const double order = parameters_.gradient ? 1.0 : DifferenceSteps::second;
  double step = order * steps.along(v);
  const double of_time = order * 1e-3 * parameters_.duration;
  if (is_rheonomic) step = step > 0 ? std::min(step, of_time) : of_time;
  const bool moves_time = is_rheonomic && t >= 2 * step;
  LocalConfiguration moved(*this, q);
  const auto move_on = [&](double by) {
    moved.move(v, by);
    return moves_time ? t + by : t;
  };
  std::fill(H.begin(), H.end(), 0.0);
  if (parameters_.gradient) {
    if (step > 0) {
      add_difference(central, step, H, [&](double by, std::span<double> G) {
        const double at = move_on(by);
        parameters_.gradient(moved.q(), at, G);
        moved.restore();
      });
    }
    std::array<double, max_entries> storage;
    const std::span<double> G(storage.data(), H.size());
    gradient(q, t, G);
    add_commutators(nodes(), m, G, v, H);
  } else if (step > 0) {
    for (Index j = 0; j < n; ++j) {
      mixed_difference(order * steps.of(j), step, H.subspan(j * m, m),
                       [&](double by, double further, std::span<double> g) {
                         moved.move(j, by);
                         const double at = move_on(further);
                         parameters_.residual(moved.q(), at, g);
                         moved.restore();
                       });
    }
  }
  if (!is_rheonomic || moves_time) return;
  std::array<double, max_entries> storage;
  const std::span<double> G_t(storage.data(), H.size());
  time_difference(t, 1e-3 * parameters_.duration, G_t,
                  [&](double at, std::span<double> G) { gradient(q, at, G); });
  for (std::size_t i = 0; i < H.size(); ++i) H[i] += G_t[i];
}

void UserConstraint::partial_rate(const Configuration& q, double t, std::span<double> g_t) const {
  time_difference(t, 1e-3 * parameters_.duration, g_t,
                  [&](double at, std::span<double> g) { parameters_.residual(q, at, g); });
}

}  // namespace picus
