#include <picus/local_dofs.hpp>
#include <picus/testing/tangent_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace picus::testing {
namespace {

using Matrix = Eigen::MatrixXd;

struct Sample {
  Configuration q;
  Vector v;
  double t;
};

std::span<double> storage(Matrix& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}
std::span<double> storage(Vector& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}
std::span<const double> values(const Vector& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

template <class R>
const R* find_role(std::span<const InRole<R>> roles, const Element& element) {
  const auto found =
      std::find_if(roles.begin(), roles.end(), [&](const auto& r) { return r.element == &element; });
  return found == roles.end() ? nullptr : found->role;
}

/// df/dk at k = 0 in units of the step, of order 8.
template <class Function>
auto central_difference(const Function& f) {
  constexpr std::array weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  auto sum = (weights[0] * (f(1.0) - f(-1.0))).eval();
  for (std::size_t i = 1; i < weights.size(); ++i) {
    const auto k = static_cast<double>(i + 1);
    sum += weights[i] * (f(k) - f(-k));
  }
  return sum;
}

class Checker {
 public:
  Checker(const Model& model, const Element& element, const TangentCheckOptions& options)
      : model_(model), element_(element), options_(options), random_(options.seed), n_(element.dof_count()) {
    for_each_dof(element, [&](Index, Index dof) { local_dofs_.push_back(dof); });
    for (const Node& node : element.nodes()) {
      for (Index i = 0; i < velocity_size(node.kind); ++i) {
        units_.push_back(node.kind != NodeKind::scalar && i < 3 ? options.length : 1.0);
      }
    }
  }

  TangentReport run() {
    const Inertia* inertia = find_role(model_.inertias(), element_);
    const Force* force = find_role(model_.forces(), element_);
    const BilateralConstraint* constraint = find_role(model_.constraints(), element_);
    const Contact* contact = find_role(model_.contacts(), element_);
    for (int i = 0; i < options_.samples; ++i) {
      const Sample at = sample();
      if (inertia) check_inertia(*inertia, at);
      if (force) check_force(*force, inertia, at);
      if (constraint) check_constraint(*constraint, at);
      if (contact) check_contact(*contact, at);
    }
    return report_;
  }

 private:
  using Function = std::function<Vector(const Configuration&)>;

  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  Vector random_vector(Index size) {
    Vector vector(size);
    for (double& entry : vector) entry = uniform();
    return vector;
  }

  Configuration random_configuration() {
    Vector increment = Vector::Zero(model_.velocity_count());
    for (std::size_t i = 0; i < units_.size(); ++i) increment[local_dofs_[i]] = units_[i] * uniform();
    for (const Node& node : element_.nodes()) {
      if (node.kind == NodeKind::scalar) increment[node.v] *= options_.angle;
      if (node.kind != NodeKind::frame) continue;
      auto turn = increment.segment<3>(node.v + 3);
      turn *= options_.angle * std::abs(uniform()) / turn.norm();
    }
    return moved(model_.initial_configuration(), increment);
  }

  Sample sample() {
    Sample at{random_configuration(), Vector::Zero(model_.velocity_count()),
              0.5 * options_.time * (1 + uniform())};
    for (std::size_t i = 0; i < units_.size(); ++i) at.v[local_dofs_[i]] = units_[i] * uniform();
    return at;
  }

  Configuration moved(const Configuration& q, const Vector& increment) const {
    Configuration result = q;
    retract(element_.nodes(), q, increment, result);
    return result;
  }

  Vector local(const Vector& natural) const {
    Vector result(n_);
    gather(element_, natural, storage(result));
    return result;
  }

  /// Column j: change of f with the component behind local column j, per unit of that component.
  Matrix difference(const Configuration& q, const Function& f) const {
    Matrix result;
    for (Index j = 0; j < n_; ++j) {
      const auto value = [&](double k) {
        Vector increment = Vector::Zero(model_.velocity_count());
        increment[dof(j)] = k * options_.step * unit(j);
        return f(moved(q, increment));
      };
      const Vector column = central_difference(value) / options_.step;
      result.conservativeResize(column.size(), n_);
      result.col(j) = column;
    }
    return result;
  }

  /// Local columns of the same component (a node named twice) are summed, and scaled as in difference().
  Matrix gathered(const Matrix& exact) const {
    Matrix result = Matrix::Zero(exact.rows(), n_);
    for (Index j = 0; j < n_; ++j) {
      for (Index k = 0; k < n_; ++k) {
        if (dof(k) == dof(j)) result.col(j) += unit(j) * exact.col(k);
      }
    }
    return result;
  }

  Index dof(Index column) const { return local_dofs_[static_cast<std::size_t>(column)]; }
  double unit(Index column) const { return units_[static_cast<std::size_t>(column)]; }

  void compare(std::string_view what, const Matrix& exact, const Matrix& expected, double scale) {
    scale = std::max({scale, exact.cwiseAbs().maxCoeff(), expected.cwiseAbs().maxCoeff(),
                      std::numeric_limits<double>::min()});
    for (Index c = 0; c < exact.cols(); ++c) {
      for (Index r = 0; r < exact.rows(); ++r) {
        const double error = std::abs(exact(r, c) - expected(r, c)) / scale;
        if (error <= report_.worst_error) continue;
        report_.worst_error = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        report_.description =
            fmt::format("element \"{}\": {}, local row {}, column {}: {} given, {} expected, error {:.3g}",
                        element_.name(), what, r, c, exact(r, c), expected(r, c), error);
      }
    }
  }

  /// Compares the local matrix `exact` with df/dq.
  void compare_derivative(std::string_view what, const Matrix& exact, const Configuration& q,
                          const Function& f) {
    compare(what, gathered(exact), difference(q, f), f(q).cwiseAbs().maxCoeff());
  }

  Matrix mass(const Inertia& inertia, const Configuration& q) const {
    Matrix M = Matrix::Zero(n_, n_);
    inertia.mass(q, storage(M));
    return M;
  }

  Matrix mass_gradient(const Inertia& inertia, const Configuration& q, const Vector& w) const {
    Matrix K = Matrix::Zero(n_, n_);
    if (!inertia.has_constant_mass()) inertia.mass_gradient(q, values(w), storage(K));
    return K;
  }

  void check_inertia(const Inertia& inertia, const Sample& at) {
    const Matrix M = mass(inertia, at.q);
    compare("M against its transpose", M, M.transpose(), 0.0);
    const Vector w = random_vector(n_);
    compare_derivative("mass_gradient", mass_gradient(inertia, at.q, w), at.q,
                       [&](const Configuration& q) -> Vector { return mass(inertia, q) * w; });
  }

  void check_force(const Force& force, const Inertia* inertia, const Sample& at) {
    const Force::Traits traits = force.traits();
    const auto f = [&](const Configuration& q, const Vector& v) {
      Vector result = Vector::Zero(n_);
      force.force({q, v, at.t}, storage(result));
      return result;
    };
    Matrix K = Matrix::Zero(n_, n_);
    Matrix C = Matrix::Zero(n_, n_);
    force.tangents({at.q, at.v, at.t}, storage(K), storage(C));
    if (!traits.depends_on_configuration) K.setZero();
    if (!traits.depends_on_velocity) C.setZero();
    compare_derivative("tangents, K", K, at.q, [&](const Configuration& q) -> Vector { return -f(q, at.v); });

    Matrix by_velocity(n_, n_);
    for (Index j = 0; j < n_; ++j) {
      by_velocity.col(j) = central_difference([&](double k) {
                             Vector v = at.v;
                             v[dof(j)] += k * options_.step * unit(j);
                             return Vector(-f(at.q, v));
                           }) /
                           options_.step;
    }
    const Vector total = f(at.q, at.v);
    compare("tangents, C", gathered(C), by_velocity, total.cwiseAbs().maxCoeff());

    Vector slope = Vector::Zero(n_);
    if (traits.has_potential) {
      const Function V = [&](const Configuration& q) -> Vector {
        return Vector::Constant(1, force.potential_energy(q, at.t));
      };
      Matrix exact(1, n_);
      if (traits.is_conservative) {
        exact.row(0) = -f(at.q, Vector::Zero(at.v.size())).transpose();
      } else {
        Vector part = Vector::Zero(n_);
        force.conservative_force(at.q, at.t, storage(part));
        exact.row(0) = -part.transpose();
      }
      compare_derivative("force of the potential (with the sign of dV/dq)", exact, at.q, V);
      slope = exact.row(0).transpose();
    }
    if (!traits.is_conservative) return;
    const Vector v = local(at.v);
    const double kinetic = inertia ? 0.5 * v.dot(mass_gradient(*inertia, at.q, v) * v) : 0.0;
    const double power = v.dot(total) + v.dot(slope) + kinetic;
    compare("power of a conservative force beyond its potential", Matrix::Constant(1, 1, power),
            Matrix::Zero(1, 1), v.cwiseAbs().dot(total.cwiseAbs() + slope.cwiseAbs()));
  }

  void check_constraint(const BilateralConstraint& constraint, const Sample& at) {
    const Index m = constraint.row_count();
    const auto violation = [&](const Configuration& q, double t) {
      Vector g = Vector::Zero(m);
      constraint.violation(q, t, storage(g));
      return g;
    };
    const auto gradient = [&](const Configuration& q) {
      Matrix G = Matrix::Zero(m, n_);
      constraint.gradient(q, at.t, storage(G));
      return G;
    };
    const auto partial_rate = [&](const Configuration& q) {
      Vector g_t = Vector::Zero(m);
      if (constraint.is_rheonomic()) constraint.partial_rate(q, at.t, storage(g_t));
      return g_t;
    };
    compare_derivative("gradient", gradient(at.q), at.q,
                       [&](const Configuration& q) { return violation(q, at.t); });

    const Vector by_time = central_difference([&](double k) {
                             return violation(at.q, at.t + k * options_.step * options_.time);
                           }) /
                           options_.step;
    compare("partial_rate", options_.time * partial_rate(at.q), by_time,
            violation(at.q, at.t).cwiseAbs().maxCoeff());

    const Vector lambda = random_vector(m);
    Matrix K = Matrix::Zero(n_, n_);
    constraint.force_gradient(at.q, at.t, values(lambda), storage(K));
    compare_derivative("force_gradient", K, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q).transpose() * lambda; });

    const Vector v = local(at.v);
    Matrix H = Matrix::Zero(m, n_);
    constraint.rate_gradient(at.q, at.t, values(v), storage(H));
    compare_derivative("rate_gradient", H, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q) * v + partial_rate(q); });
  }

  void check_contact(const Contact& contact, const Sample& at) {
    const Index rows = contact.row_count();
    const Configuration q_n = random_configuration();
    const auto gradient = [&](const Configuration& q) {
      Matrix G = Matrix::Zero(rows, n_);
      contact.gradient(q, storage(G));
      return G;
    };
    compare_derivative("gradient", gradient(at.q), at.q, [&](const Configuration& q) {
      Vector g = Vector::Zero(rows);
      contact.gap(q_n, q, storage(g));
      return g;
    });
    const Vector p = random_vector(rows);
    Matrix K = Matrix::Zero(n_, n_);
    contact.curvature(at.q, values(p), storage(K));
    compare_derivative("curvature", K, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q).transpose() * p; });
  }

  const Model& model_;
  const Element& element_;
  const TangentCheckOptions& options_;
  std::mt19937 random_;
  Index n_;
  std::vector<Index> local_dofs_;  ///< natural component of each local column
  std::vector<double> units_;      ///< of each local column: `length` or 1
  TangentReport report_;
};

}  // namespace

TangentReport check_tangents(const Model& model, const Element& element, const TangentCheckOptions& options) {
  return Checker(model, element, options).run();
}

TangentReport check_tangents(const Model& model, const TangentCheckOptions& options) {
  TangentReport worst;
  for (const auto& element : model.elements()) {
    TangentReport report = check_tangents(model, *element, options);
    if (report.worst_error > worst.worst_error) worst = std::move(report);
  }
  return worst;
}

}  // namespace picus::testing
