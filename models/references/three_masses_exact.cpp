#include <picus/error.hpp>
#include <picus/models/references/three_masses_exact.hpp>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <cmath>

namespace picus::models {

ThreeMassesExact::ThreeMassesExact(const Parameters& parameters) : p_(parameters) {
  const Index count = p_.on_wall ? 2 : 3;
  Eigen::Matrix3d K;
  K << 2.0 * p_.soft, -p_.soft, 0.0,      //
      -p_.soft, 2.0 * p_.soft, -p_.soft,  //
      0.0, -p_.soft, p_.soft + p_.stiff;
  const Eigen::Vector3d f(0.0, 0.0, p_.preload);
  const Eigen::Vector3d d(p_.soft, 0.0, 0.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(K.topLeftCorner(count, count));
  const Eigen::VectorXd lambda = solver.eigenvalues();
  modes_ = solver.eigenvectors();
  w_ = (lambda / p_.mass).cwiseSqrt();
  for (const double w : w_) {
    if (std::abs(w - p_.frequency) > 1e-6 * w) continue;
    throw ModelError(
        fmt::format("the drive has an eigenfrequency of the chain, {} rad/s: the motion grows for ever", w));
  }
  static_ = (modes_.transpose() * f.head(count)).cwiseQuotient(lambda);
  driven_ = (modes_.transpose() * d.head(count))
                .cwiseQuotient((lambda.array() - p_.mass * p_.frequency * p_.frequency).matrix());
}

double ThreeMassesExact::position(Index mass, double t) const {
  double u = 0.0;
  for (Index j = 0; mass <= modes_.rows() && j < w_.size(); ++j) {
    const double half = std::sin(0.5 * w_[j] * t);  // 1 - cos, without cancellation
    u += modes_(mass - 1, j) *
         (2.0 * static_[j] * half * half +
          driven_[j] * (std::sin(p_.frequency * t) - p_.frequency / w_[j] * std::sin(w_[j] * t)));
  }
  return u;
}

double ThreeMassesExact::velocity(Index mass, double t) const {
  double v = 0.0;
  for (Index j = 0; mass <= modes_.rows() && j < w_.size(); ++j) {
    v += modes_(mass - 1, j) *
         (static_[j] * w_[j] * std::sin(w_[j] * t) +
          driven_[j] * p_.frequency * (std::cos(p_.frequency * t) - std::cos(w_[j] * t)));
  }
  return v;
}

double ThreeMassesExact::acceleration(Index mass, double t) const {
  double a = 0.0;
  for (Index j = 0; mass <= modes_.rows() && j < w_.size(); ++j) {
    a +=
        modes_(mass - 1, j) * (static_[j] * w_[j] * w_[j] * std::cos(w_[j] * t) +
                               driven_[j] * p_.frequency *
                                   (w_[j] * std::sin(w_[j] * t) - p_.frequency * std::sin(p_.frequency * t)));
  }
  return a;
}

double ThreeMassesExact::wall_force(double t) const {
  return p_.on_wall ? p_.preload + p_.soft * position(2, t) : p_.stiff * position(3, t);
}

double ThreeMassesExact::least_wall_force() const {
  const Index mass = p_.on_wall ? 2 : 3;
  double most = 0.0;  // bound of |u|
  for (Index j = 0; j < w_.size(); ++j) {
    most += std::abs(modes_(mass - 1, j)) *
            (2.0 * std::abs(static_[j]) + std::abs(driven_[j]) * (1.0 + p_.frequency / w_[j]));
  }
  return p_.on_wall ? p_.preload - p_.soft * most : -p_.stiff * most;
}

}  // namespace picus::models
