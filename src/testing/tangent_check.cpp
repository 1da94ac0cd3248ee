#include "probe.hpp"
#include <picus/testing/tangent_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

using tangent_check::Probe;
using tangent_check::Sample;

using Matrix = Probe::Matrix;

std::span<double> storage(Matrix& matrix) {
  return std::span(matrix.data(), matrix.size());
}
std::span<double> storage(Vector& vector) {
  return std::span(vector.data(), vector.size());
}
std::span<const double> values(const Vector& vector) {
  return std::span(vector.data(), vector.size());
}

template <class R>
const R* find_role(std::span<const InRole<R>> roles, const Element& element) {
  const auto found =
      std::find_if(roles.begin(), roles.end(), [&](const InRole<R>& r) { return r.element == &element; });
  return found == roles.end() ? nullptr : found->role;
}

class Checker {
 public:
  Checker(const Model& model, const Element& element, const TangentCheckOptions& options)
      : element_(element), options_(options), probe_(model, element, options), n_(element.dof_count()) {}

  TangentReport check(const Model& model) {
    const Inertia* inertia = find_role(model.inertias(), element_);
    const Force* force = find_role(model.forces(), element_);
    const BilateralConstraint* constraint = find_role(model.constraints(), element_);
    const Contact* contact = find_role(model.contacts(), element_);
    for (int i = 0; i < options_.samples; ++i) {
      const Sample at = probe_.random_sample();
      if (inertia != nullptr) check_inertia(*inertia, at);
      if (force != nullptr) check_force(*force, inertia, at);
      if (constraint != nullptr) check_constraint(*constraint, at);
      if (contact != nullptr) check_contact(*contact, at);
    }
    return report();
  }

 private:
  /// The worst entry of one function.
  struct Finding {
    std::string_view what;
    double error = 0.0;
    std::string text;
  };

  Finding& worst_of(std::string_view what) {
    const auto known =
        std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.what == what; });
    if (known != findings_.end()) return *known;
    findings_.push_back({what, 0.0, ""});
    return findings_.back();
  }

  /// An error in one function also affects the differences of functions derived from it; therefore all wrong ones are
  /// named, in the order of the check.
  TangentReport report() const {
    TangentReport result;
    for (const Finding& finding : findings_) {
      result.worst_error = std::max(result.worst_error, finding.error);
      if (finding.error <= tangent_tolerance) continue;
      if (!result.description.empty()) result.description += '\n';
      result.description += finding.text;
    }
    return result;
  }

  void compare(std::string_view what, const Matrix& given, const Matrix& expected, double scale) {
    scale = scale_of(given, expected, scale);
    Finding& finding = worst_of(what);
    for (Index c = 0; c < given.cols(); ++c) {
      for (Index r = 0; r < given.rows(); ++r) {
        const double error = std::abs(given(r, c) - expected(r, c)) / scale;
        if (error <= finding.error) continue;
        finding.error = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        finding.text =
            fmt::format("element \"{}\": {}, local row {}, column {}: {} given, {} expected, error {:.3g}",
                        element_.name(), what, r, c, given(r, c), expected(r, c), error);
      }
    }
  }

  static double scale_of(const Matrix& given, const Matrix& expected, double scale) {
    return std::max({scale, given.cwiseAbs().maxCoeff(), expected.cwiseAbs().maxCoeff(),
                     std::numeric_limits<double>::min()});
  }

  /// Compares with differences of the step of the options, and with those of a quarter and a sixteenth of it if these
  /// disagree: a derivative that is wrong agrees with none of them.
  template <class Difference>
  void compare_with(std::string_view what, const Matrix& given, const Difference& difference, double scale) {
    Matrix closest;
    double smallest = std::numeric_limits<double>::infinity();
    for (const double step : {options_.step, options_.step / 4, options_.step / 16}) {
      Matrix expected = difference(step);
      const double error = (given - expected).cwiseAbs().maxCoeff() / scale_of(given, expected, scale);
      if (smallest <= error) continue;
      smallest = error;
      closest = std::move(expected);
      if (error <= tangent_tolerance) break;
    }
    compare(what, given, closest, scale);
  }

  /// Compares a local matrix with df/dq.
  template <class Function>
  void compare_derivative(std::string_view what, const Matrix& exact, const Configuration& q,
                          const Function& f) {
    compare_with(
        what, probe_.gathered(exact), [&](double step) { return probe_.difference(q, f, step); },
        f(q).cwiseAbs().maxCoeff());
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
    compare("mass against its transpose", M, M.transpose(), 0.0);
    const Vector w = probe_.random_vector(n_);
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
    const Vector total = f(at.q, at.v);
    compare_derivative("tangents, K", K, at.q, [&](const Configuration& q) -> Vector { return -f(q, at.v); });
    compare_with(
        "tangents, C", probe_.gathered(C),
        [&](double step) {
          return probe_.difference(
              at.v, [&](const Vector& v) -> Vector { return -f(at.q, v); }, step);
        },
        total.cwiseAbs().maxCoeff());

    Vector of_potential = Vector::Zero(n_);
    if (traits.has_potential) {
      if (traits.is_conservative) {
        of_potential = f(at.q, Vector::Zero(at.v.size()));
      } else {
        force.conservative_force(at.q, at.t, storage(of_potential));
      }
      compare_derivative("force of the potential, as dV/dq", -of_potential.transpose(), at.q,
                         [&](const Configuration& q) -> Vector {
                           return Vector::Constant(1, force.potential_energy(q, at.t));
                         });
    }
    if (!traits.is_conservative) return;
    const Vector v = probe_.local(at.v);
    const double kinetic = inertia != nullptr ? 0.5 * v.dot(mass_gradient(*inertia, at.q, v) * v) : 0.0;
    const double power = v.dot(total - of_potential) + kinetic;
    compare("power of a conservative force beyond its potential", Matrix::Constant(1, 1, power),
            Matrix::Zero(1, 1), v.cwiseAbs().dot(total.cwiseAbs() + of_potential.cwiseAbs()));
  }

  void check_constraint(const BilateralConstraint& constraint, const Sample& at) {
    const Index m = constraint.row_count();
    const auto violation = [&](const Configuration& q, double t) {
      Vector g = Vector::Zero(m);
      constraint.residual(q, t, storage(g));
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
    compare_with(
        "partial_rate", options_.time * partial_rate(at.q),
        [&](double step) -> Matrix {
          const double dt = step * options_.time;
          return tangent_check::central_difference([&](double k) { return violation(at.q, at.t + k * dt); }) /
                 step;
        },
        violation(at.q, at.t).cwiseAbs().maxCoeff());

    const Vector lambda = probe_.random_vector(m);
    Matrix K = Matrix::Zero(n_, n_);
    constraint.geometric_stiffness(at.q, at.t, values(lambda), storage(K));
    compare_derivative("geometric_stiffness", K, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q).transpose() * lambda; });

    const Vector v = probe_.local(at.v);
    Matrix H = Matrix::Zero(m, n_);
    constraint.rate_jacobian(at.q, at.t, values(v), storage(H));
    compare_derivative("rate_jacobian", H, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q) * v + partial_rate(q); });
  }

  void check_contact(const Contact& contact, const Sample& at) {
    const Index rows = contact.row_count();
    const Configuration q_n = contact.has_path_dependent_slip() ? at.q : probe_.random_configuration();
    const auto gradient = [&](const Configuration& q) {
      Matrix G = Matrix::Zero(rows, n_);
      contact.gradient(q, storage(G));
      return G;
    };
    compare_derivative("gradient", gradient(at.q), at.q, [&](const Configuration& q) {
      Vector g = Vector::Zero(rows);
      contact.displacement(q_n, q, storage(g));
      return g;
    });
    const Vector p = probe_.random_vector(rows);
    Matrix K = Matrix::Zero(n_, n_);
    contact.geometric_stiffness(at.q, values(p), storage(K));
    compare_derivative("geometric_stiffness", K, at.q,
                       [&](const Configuration& q) -> Vector { return gradient(q).transpose() * p; });
  }

  const Element& element_;
  const TangentCheckOptions& options_;
  Probe probe_;
  Index n_;
  std::vector<Finding> findings_;
};

}  // namespace

TangentReport check_tangents(const Model& model, const Element& element, const TangentCheckOptions& options) {
  return Checker(model, element, options).check(model);
}

TangentReport check_tangents(const Model& model, const TangentCheckOptions& options) {
  TangentReport worst;
  for (const auto& element : model.elements()) {
    TangentReport report = check_tangents(model, *element, options);
    if (report.worst_error > worst.worst_error) worst = std::move(report);
  }
  return worst;
}

}  // namespace picus
