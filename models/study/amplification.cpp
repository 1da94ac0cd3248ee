#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/models/references/amplification_exact.hpp>
#include <picus/models/study/amplification.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace picus::models {
namespace {

constexpr double omega = 2 * std::numbers::pi;  // 1/s, so that T = 1 s

/// The force of a spring with zero free length is linear for any displacement.
struct OscillatorModel {
  OscillatorModel() {
    node = model.add_point("mass", {.position = {1, 0, 0}});
    model.fix(node, {Component::y, Component::z});
    model.add<PointMass>({.name = "body", .node = node, .mass = 1.0});
    model.add<SpringDamper>({.name = "spring",
                             .a = MaterialPoint::on_ground(Vec3::Zero()),
                             .b = node,
                             .stiffness = omega * omega,
                             .free_length = 0.0});
  }
  Model model{"oscillator"};
  PointNode node;
};

/// m, small compared with the size of the model, 1 m, but above the rounding errors that bound the tolerance of a
/// step.
constexpr double amplitude = 1e-7;

/// The components of a state on which a step may depend, divided by the amplitude: q, h v, h^2 dv~/dt, h^2 a.
class Memory {
 public:
  Memory(const OscillatorModel& oscillator, const State& state, double h)
      : node_(oscillator.node), dof_(oscillator.node.v), h_(h) {
    // Fixed components are not part of it.
    const bool is_velocity_like = state.auxiliary.size() == oscillator.model.velocity_count();
    for (Eigen::Index i = 0; i < state.auxiliary.size(); ++i) {
      if (!is_velocity_like || i == dof_) auxiliary_.push_back(i);
    }
  }

  Eigen::Index size() const { return 3 + std::ssize(auxiliary_); }

  void set_unit(Eigen::Index place, State& state) const {
    state.q.position(node_).x() = 0;
    for (Vector* vector : {&state.v, &state.acceleration, &state.auxiliary}) vector->setZero();
    if (place == 0) state.q.position(node_).x() = amplitude;
    if (place == 1) state.v[dof_] = amplitude / h_;
    if (place == 2) state.acceleration[dof_] = amplitude / (h_ * h_);
    if (place > 2) state.auxiliary[auxiliary_[place - 3]] = amplitude / (h_ * h_);
  }
  Eigen::VectorXd read(const State& state) const {
    Eigen::VectorXd z(size());
    z << state.q.position(node_).x(), h_ * state.v[dof_], h_ * h_ * state.acceleration[dof_],
        h_ * h_ * state.auxiliary(auxiliary_);
    return z / amplitude;
  }

 private:
  PointNode node_;
  Index dof_;
  double h_;
  std::vector<Eigen::Index> auxiliary_;  ///< its indices
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

void add(const Eigen::MatrixXd& matrix, double h_over_period, std::vector<double>& spectral_radius,
         std::vector<double>& period_error) {
  const Amplification found = amplification_of(matrix, h_over_period);
  spectral_radius.push_back(found.spectral_radius);
  period_error.push_back(found.period_error.value_or(none));
}

/// The matrix without row and column `place`.
Eigen::MatrixXd without(const Eigen::MatrixXd& matrix, Eigen::Index place) {
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (i != place) kept.push_back(i);
  }
  return matrix(kept, kept);
}

}  // namespace

Amplification amplification_of(const Eigen::MatrixXd& matrix, double h_over_period) {
  const Eigen::VectorXcd eigenvalues = matrix.eigenvalues();
  Amplification found{.spectral_radius = eigenvalues.cwiseAbs().maxCoeff(), .period_error = {}};
  double principal = 0.0;
  for (const std::complex<double>& one : eigenvalues) {
    if (one.imag() <= 0.0 || std::abs(one) <= principal) continue;
    principal = std::abs(one);
    found.period_error = omega * h_over_period / std::arg(one) - 1;
  }
  return found;
}

Eigen::MatrixXd amplification_matrix(std::string_view scheme, double h_over_period, int steps) {
  const OscillatorModel oscillator;
  const System system(oscillator.model);
  const auto integrator = make_integrator(scheme, {.step = h_over_period});
  State start = integrator->start(system);
  integrator->step(start);  // gets past the special treatment of a first step
  const Memory memory(oscillator, start, h_over_period);
  Eigen::MatrixXd matrix(memory.size(), memory.size());
  for (Eigen::Index place = 0; place < memory.size(); ++place) {
    State state = start;
    memory.set_unit(place, state);
    for (int i = 0; i < steps; ++i) integrator->step(state);
    matrix.col(place) = memory.read(state);
  }
  // A scheme may start its iteration from an acceleration without depending on it except through rounding, eps;
  // -omega^2 q is up to (omega h)^2 in these units.
  const double omega_h = omega * h_over_period;
  const double noise = 64 * std::numeric_limits<double>::epsilon() * (1 + omega_h * omega_h);
  if (matrix.col(2).norm() * matrix.row(2).norm() <= noise) matrix.col(2).setZero();
  return balanced(std::move(matrix));
}

Spectrum find_spectrum(std::string_view scheme, std::span<const double> h_over_period) {
  Spectrum spectrum{.h_over_period = {h_over_period.begin(), h_over_period.end()}};
  for (const double ratio : h_over_period) {
    add(amplification_matrix(scheme, ratio), ratio, spectrum.spectral_radius, spectrum.period_error);
    const auto exact = exact::amplification_matrix(scheme, omega * ratio);
    if (exact) add(*exact, ratio, spectrum.exact_spectral_radius, spectrum.exact_period_error);
  }
  return spectrum;
}

Eigen::MatrixXd balanced(Eigen::MatrixXd matrix) {
  for (Eigen::Index place = matrix.rows(); place-- > 0;) {
    if (matrix.col(place).isZero(0) || matrix.row(place).isZero(0)) {
      matrix = without(matrix, place);
      place = matrix.rows();  // restarts, since components used only by the dropped one are now unused too
    }
  }
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (Eigen::Index place = 0; place < matrix.rows(); ++place) {
      const double own = std::abs(matrix(place, place));
      const double row = matrix.row(place).lpNorm<1>() - own;
      const double column = matrix.col(place).lpNorm<1>() - own;
      if (!(row > 0 && column > 0)) continue;
      const double factor = std::exp2(std::trunc(std::log2(row / column) / 2));
      if (factor == 1.0) continue;
      matrix.col(place) *= factor;
      matrix.row(place) /= factor;
      is_changed = true;
    }
  }
  return matrix;
}

}  // namespace picus::models
