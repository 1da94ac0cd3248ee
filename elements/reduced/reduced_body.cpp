#include <picus/checks.hpp>
#include <picus/elements/reduced/reduced_body.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

/// Vectors and 3 x m matrices of modal size, on the stack.
using Modal = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_local_dofs, 1>;
using Modal3 = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, max_local_dofs>;
using ModalMap = Eigen::Map<Eigen::MatrixXd>;

std::vector<Node> all_nodes(const ReducedBody::Parameters& p) {
  std::vector<Node> nodes{p.frame};
  nodes.insert(nodes.end(), p.coordinates.begin(), p.coordinates.end());
  return nodes;
}

}  // namespace

/// The quantities from which all terms are computed, at one configuration.
struct ReducedBody::Kinematics {
  Kinematics(const ReducedBody& body, const Configuration& q)
      : basis(*body.basis_), R(q.rotation(body.frame_)), eta(body.coordinates_.size()) {
    for (Index k = 0; k < eta.size(); ++k) eta[k] = q.value(body.coordinates_[k]);
    s = basis.first_moment + basis.N * eta;
    for (Index a = 0; a < 3; ++a) L.row(a).noalias() = basis.L.row(a) + (eta.transpose() * basis.L_1[a]);
    Symmetric3 components = Symmetric3::Zero();
    slopes.resize(6, eta.size());
    for (Index c = 0; c < 6; ++c) {
      slopes.row(c).noalias() = 2.0 * eta.transpose() * basis.inertia_2[c];
      components[c] = slopes.row(c).dot(eta) / 2;
    }
    slopes += basis.inertia_1;
    components += basis.inertia_1 * eta;
    J = basis.inertia + symmetric3(components);
  }

  /// Column k: dJ/deta_k a.
  Modal3 slopes_times(const Vec3& a) const {
    Modal3 product(3, eta.size());
    for (Index k = 0; k < eta.size(); ++k) product.col(k) = symmetric3(slopes.col(k)) * a;
    return product;
  }
  /// Row a: (B_a w)^T, the derivative of L w with respect to eta.
  Modal3 L_slopes_times(const Eigen::Ref<const Vector>& w) const {
    Modal3 product(3, eta.size());
    for (Index a = 0; a < 3; ++a) product.row(a).transpose().noalias() = basis.L_1[a] * w;
    return product;
  }

  const ReducedBasis& basis;
  Mat3 R;
  Modal eta;
  Vec3 s;
  Mat3 J;
  Modal3 L{3, eta.size()};
  /// dJ/deta_k, components as columns.
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, max_local_dofs> slopes;
};

ReducedBody::ReducedBody(Parameters p, const Model& model)
    : Element(p.name, all_nodes(p)), basis_(p.basis), frame_(p.frame), coordinates_(p.coordinates) {
  const Culprit who{"reduced body", name()};
  if (basis_ == nullptr) throw ModelError(who.text() + ": it has no basis");
  basis_->check();
  model.require_node(frame_, who.text(), "frame");
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    model.require_node(coordinates_[k], who.text(), fmt::format("coordinates[{}]", k));
  if (count_of(coordinates_) != basis_->mode_count()) {
    throw ModelError(fmt::format("{}: it has {} coordinates, its basis has {} modes", who.text(),
                                 coordinates_.size(), basis_->mode_count()));
  }
}

Vec3 ReducedBody::position(const ReducedPoint& point, const Configuration& q) const {
  return q.position(frame_) + q.rotation(frame_) * point.displaced(eta(q));
}

Mat3 ReducedBody::rotation(const ReducedPoint& point, const Configuration& q) const {
  return q.rotation(frame_) * point.axes * so3::exp(point.rotated(eta(q)));
}

Vector ReducedBody::eta(const Configuration& q) const {
  Vector values(coordinates_.size());
  for (Index k = 0; k < values.size(); ++k) values[k] = q.value(coordinates_[k]);
  return values;
}

void ReducedBody::mass(const Configuration& q, std::span<double> storage) const {
  const Kinematics k(*this, q);
  const Index n = dof_count(), m = n - 6;
  ModalMap M(storage.data(), n, n);
  M.topLeftCorner<3, 3>().diagonal().setConstant(basis_->mass);
  M.block<3, 3>(0, 3) = -times_skew(k.R, k.s);
  M.block<3, 3>(3, 3) = k.J;
  M.block(0, 6, 3, m).noalias() = k.R * basis_->N;
  M.block(3, 6, 3, m) = k.L;
  M.bottomRightCorner(m, m) = basis_->modal_mass;
  M.block<3, 3>(3, 0) = M.block<3, 3>(0, 3).transpose();
  M.block(6, 0, m, 6) = M.block(0, 6, 6, m).transpose();
}

void ReducedBody::mass_gradient(const Configuration& q, std::span<const double> w,
                                std::span<double> storage) const {
  const Kinematics k(*this, q);
  const Index n = dof_count(), m = n - 6;
  ModalMap K(storage.data(), n, n);
  const Eigen::Map<const Vector> all(w.data(), n);
  const auto w_eta = all.tail(m);
  const Vec3 w_Omega = all.segment<3>(3);
  const Vec3 body_w = k.R.transpose() * all.head<3>();
  // u: R (-s x w_Omega + N w_eta)
  const Vec3 row_u = w_Omega.cross(k.s) + basis_->N * w_eta;
  K.block<3, 3>(0, 3) = -times_skew(k.R, row_u);
  const Modal3 omega_N = so3::skew(w_Omega) * basis_->N;
  K.block(0, 6, 3, m).noalias() = k.R * omega_N;
  // Omega: s x R^T w_u + J w_Omega + L w_eta, with d(R^T w_u) = (R^T w_u)^ dTheta
  K.block<3, 3>(3, 3) = skew_times_skew(k.s, body_w);
  K.block(3, 6, 3, m) = k.slopes_times(w_Omega) + k.L_slopes_times(w_eta);
  K.block(3, 6, 3, m).noalias() -= so3::skew(body_w) * basis_->N;
  // eta: N^T R^T w_u + L^T w_Omega + M_ee w_eta
  K.block(6, 3, m, 3).noalias() = basis_->N.transpose() * so3::skew(body_w);
  auto last = K.bottomRightCorner(m, m);
  for (Index a = 0; a < 3; ++a) last.noalias() += w_Omega[a] * basis_->L_1[a].transpose();
}

Force::Traits ReducedBody::traits() const {
  return {.has_potential = true, .potential_kind = PotentialKind::strain, .is_conservative = true};
}

void ReducedBody::force(const Motion& motion, std::span<double> storage) const {
  const Kinematics k(*this, motion.q);
  const Index n = dof_count(), m = n - 6;
  Eigen::Map<Vector> f(storage.data(), n);
  const Vec3 Omega = motion.v.segment<3>(frame_.v + 3);
  if (!(Omega.norm() <= basis_->largest_spin)) {
    throw SolverError(fmt::format(
        "reduced body \"{}\" turns at {:.4g} rad/s, its basis is for at most {:.4g}: beyond, "
        "centrifugal forces {}",
        name(), Omega.norm(), basis_->largest_spin,
        basis_->has_spin_stiffening ? "deform it too much"
                                    : "soften it without the stiffening that its basis leaves out"));
  }
  Modal rate(m);
  for (Index i = 0; i < m; ++i) rate[i] = motion.v[coordinates_[i].v];
  const Vec3 a = basis_->N * rate;
  f.head<3>() = -(k.R * Omega.cross(Omega.cross(k.s) + 2.0 * a));
  const Modal3 dJ_Omega = k.slopes_times(Omega);
  f.segment<3>(3) = -Omega.cross(k.J * Omega + k.L * rate) - dJ_Omega * rate;
  auto f_eta = f.tail(m);
  f_eta.noalias() = 0.5 * (dJ_Omega.transpose() * Omega);
  f_eta.noalias() -= basis_->stiffness * k.eta;
  for (Index axis = 0; axis < 3; ++axis) f_eta.noalias() += (2.0 * Omega[axis]) * (basis_->L_1[axis] * rate);
}

void ReducedBody::tangents(const Motion& motion, std::span<double> K_storage,
                           std::span<double> C_storage) const {
  const Kinematics k(*this, motion.q);
  const Index n = dof_count(), m = n - 6;
  ModalMap K(K_storage.data(), n, n), C(C_storage.data(), n, n);
  const Vec3 Omega = motion.v.segment<3>(frame_.v + 3);
  const Mat3 Omega_skew = so3::skew(Omega);
  Modal rate(m);
  for (Index i = 0; i < m; ++i) rate[i] = motion.v[coordinates_[i].v];
  const Vec3 a = basis_->N * rate;
  const Modal3 dJ_Omega = k.slopes_times(Omega);
  const Modal3 dL_rate = k.L_slopes_times(rate);
  const Modal3 Omega_N = Omega_skew * basis_->N;
  const Vec3 Omega_s = Omega.cross(k.s);

  K.block<3, 3>(0, 3) = -times_skew(k.R, Omega.cross(Omega_s + 2.0 * a));
  K.block(0, 6, 3, m).noalias() = k.R * (Omega_skew * Omega_N);
  K.block(3, 6, 3, m).noalias() = Omega_skew * (dJ_Omega + dL_rate);
  // d(dJ/dt Omega)/deta, where dJ/dt depends on eta by its terms of second order.
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, max_local_dofs> second(6, m);
  for (Index c = 0; c < 6; ++c) second.row(c).noalias() = 2.0 * rate.transpose() * basis_->inertia_2[c];
  for (Index i = 0; i < m; ++i) K.block<3, 1>(3, 6 + i) += symmetric3(second.col(i)) * Omega;
  auto K_eta = K.bottomRightCorner(m, m);
  K_eta = basis_->stiffness;
  const Symmetric3 factors = symmetric3_factors(Omega, Omega);
  for (Index c = 0; c < 6; ++c) K_eta.noalias() -= factors[c] * basis_->inertia_2[c];

  C.block<3, 3>(0, 3) = -k.R * (so3::skew(Omega_s + 2.0 * a) + skew_times_skew(Omega, k.s));
  C.block(0, 6, 3, m).noalias() = 2.0 * k.R * Omega_N;
  const Vec3 h = k.J * Omega + k.L * rate;
  C.block<3, 3>(3, 3) = Omega_skew * k.J - so3::skew(h) + symmetric3(k.slopes * rate);
  C.block(3, 6, 3, m) = Omega_skew * k.L + dJ_Omega;
  C.block(6, 3, m, 3) = -dJ_Omega.transpose() - 2.0 * dL_rate.transpose();
  auto C_eta = C.bottomRightCorner(m, m);
  for (Index axis = 0; axis < 3; ++axis) C_eta.noalias() -= (2.0 * Omega[axis]) * basis_->L_1[axis];
}

double ReducedBody::potential_energy(const Configuration& q, double /*t*/) const {
  Modal eta(coordinates_.size());
  for (Index k = 0; k < eta.size(); ++k) eta[k] = q.value(coordinates_[k]);
  const Modal force = basis_->stiffness * eta;
  return 0.5 * eta.dot(force);
}

}  // namespace picus
