#include <picus/checks.hpp>
#include <picus/elements/forces/bushing.hpp>
#include <picus/elements/point_pair.hpp>
#include <picus/elements/principal_values.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/require_point.hpp>
#include <picus/so3.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

using Rows6 = Eigen::Matrix<double, 6, 12>;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

// Each product below is instantiated once, for the time that this file takes to compile.
Mat3 times(const Mat3& A, const Mat3& B) {
  return A * B;
}
Mat3 transpose_times(const Mat3& A, const Mat3& B) {
  return A.transpose() * B;
}
Vec3 times(const Mat3& A, const Vec3& x) {
  return A * x;
}
Vec3 transpose_times(const Mat3& A, const Vec3& x) {
  return A.transpose() * x;
}
PointPair::Rows times(const Mat3& A, const PointPair::Rows& B) {
  return A * B;
}
Vec6 times(const Mat6& A, const Vec6& x) {
  return A * x;
}
Rows6 times(const Mat6& A, const Rows6& B) {
  return A * B;
}
Vec6 times(const Rows6& B, const Vec12& x) {
  return B * x;
}
Vec12 transpose_times(const Rows6& B, const Vec6& s) {
  return B.transpose() * s;
}
Mat12 transpose_times(const Rows6& B, const Rows6& D) {
  return B.transpose() * D;
}

void require_semidefinite(const Culprit& who, std::string_view what, const Mat6& matrix) {
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j)
      require_finite(who, fmt::format("{}({}, {})", what, i, j), matrix(i, j), "");
  }
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double diagonal = std::sqrt(std::abs(matrix(i, i) * matrix(j, j)));
      const double size = std::max({std::abs(matrix(i, j)), std::abs(matrix(j, i)), diagonal});
      if (std::abs(matrix(i, j) - matrix(j, i)) > 1e-9 * size)
        throw ModelError(fmt::format("{}: {} is not symmetric", who.text(), what));
    }
  }
  if (matrix.diagonal().minCoeff() < 0 || smallest_scaled_eigenvalue(matrix) < -1e-9) {
    throw ModelError(fmt::format("{}: {} has a negative eigenvalue {:.3g}", who.text(), what,
                                 principal_values(matrix)[0]));
  }
}

Mat3 rotation_of(const MaterialPoint& point, const Configuration& q) {
  return point.is_ground() ? Mat3(Mat3::Identity()) : Mat3(q.rotation(point.node));
}
Vec3 origin_of(const MaterialPoint& point, const Configuration& q) {
  return point.is_ground() ? Vec3(Vec3::Zero()) : Vec3(q.position(point.node));
}

}  // namespace

/// Both ends at one configuration.
struct Bushing::Kinematics {
  Mat3 R_A;
  Mat3 R_B;
  Vec3 r;  ///< the attachment point of B in the axes of A
  Mat3 P;
  Vec3 psi;
  Mat3 T_inverse;  ///< T(psi)^-1
  Vec6 e;

  /// d(r)/dq
  PointPair::Rows r_gradient(const Vec3& X_B) const {
    PointPair::Rows G;
    const Mat3 to_A = R_A.transpose();
    G << -to_A, so3::skew(r), to_A, -times(to_A, times_skew(R_B, X_B));
    return G;
  }
  /// Rotation of B in its bushing axes relative to A, d(theta)/dq with dP = P dtheta^.
  PointPair::Rows theta_gradient(const Mat3& E_A, const Mat3& E_B) const {
    PointPair::Rows G = PointPair::Rows::Zero();
    G.block<3, 3>(0, 3) = -times(E_A, P).transpose();
    G.block<3, 3>(0, 9) = E_B.transpose();
    return G;
  }
};

Bushing::Bushing(const Parameters& parameters, const Model& model)
    : Element(parameters.name, PointPair(parameters.a, parameters.b).nodes()),
      a_(parameters.a),
      b_(parameters.b),
      K_(parameters.stiffness),
      C_(parameters.damping),
      has_damping_(!C_.isZero(0.0)) {
  const Culprit who{"bushing", name()};
  PointPair(a_, b_).require(who, model);
  if (!a_.is_ground()) require_frame_point(who, "a", a_, model);
  if (!b_.is_ground()) require_frame_point(who, "b", b_, model);
  require_semidefinite(who, "stiffness", K_);
  require_semidefinite(who, "damping", C_);
  if (K_.isZero(0.0) && !has_damping_) {
    throw ModelError(who.text() + ": neither stiffness nor damping is given");
  }
  const Mat3& axes = parameters.axes;
  if (!((axes.transpose() * axes - Mat3::Identity()).norm() <= 1e-9) || axes.determinant() < 0) {
    throw ModelError(who.text() + ": axes is not a proper orthogonal matrix");
  }
  const Configuration& q_0 = model.initial_configuration();
  E_A_ = rotation_of(a_, q_0).transpose() * axes;
  E_B_ = rotation_of(b_, q_0).transpose() * axes;
}

Mat6 Bushing::diagonal(const Vec3& translational, const Vec3& rotational) {
  Mat6 result = Mat6::Zero();
  result.diagonal() << translational, rotational;
  return result;
}

Force::Traits Bushing::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = has_damping_,
          .has_potential = true,
          .potential_kind = PotentialKind::spring,
          .is_conservative = !has_damping_};
}

Bushing::Kinematics Bushing::kinematics(const Configuration& q) const {
  Kinematics at;
  at.R_A = rotation_of(a_, q);
  at.R_B = rotation_of(b_, q);
  at.r = transpose_times(at.R_A, Vec3(b_.position(q) - origin_of(a_, q)));
  at.P = transpose_times(times(at.R_A, E_A_), times(at.R_B, E_B_));
  at.psi = so3::log(at.P);
  at.T_inverse = so3::tangent_inverse(at.psi);
  at.e << transpose_times(E_A_, Vec3(at.r - a_.offset)), at.psi;
  return at;
}

namespace {

/// B = de/dq
Rows6 strain_gradient(const PointPair::Rows& r_gradient, const PointPair::Rows& theta_gradient,
                      const Mat3& E_A, const Mat3& T_inverse) {
  Rows6 B;
  B << times(Mat3(E_A.transpose()), r_gradient), times(T_inverse, theta_gradient);
  return B;
}

}  // namespace

Vec6 Bushing::rate(const Kinematics& at, const Motion& motion) const {
  Vec12 v = Vec12::Zero();
  if (!a_.is_ground()) v.head<6>() = motion.v.segment<6>(a_.node.v);
  if (!b_.is_ground()) v.tail<6>() = motion.v.segment<6>(b_.node.v);
  return times(strain_gradient(at.r_gradient(b_.offset), at.theta_gradient(E_A_, E_B_), E_A_, at.T_inverse),
               v);
}

void Bushing::force(const Motion& motion, std::span<double> f) const {
  const Kinematics at = kinematics(motion.q);
  Vec6 s = times(K_, at.e);
  if (has_damping_) s += times(C_, rate(at, motion));
  const Rows6 B =
      strain_gradient(at.r_gradient(b_.offset), at.theta_gradient(E_A_, E_B_), E_A_, at.T_inverse);
  write(Vec12(-transpose_times(B, s)), f);
}

void Bushing::conservative_force(const Configuration& q, double, std::span<double> f) const {
  const Kinematics at = kinematics(q);
  const Rows6 B =
      strain_gradient(at.r_gradient(b_.offset), at.theta_gradient(E_A_, E_B_), E_A_, at.T_inverse);
  write(Vec12(-transpose_times(B, times(K_, at.e))), f);
}

void Bushing::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  const Kinematics at = kinematics(motion.q);
  const PointPair::Rows r_q = at.r_gradient(b_.offset);
  const PointPair::Rows theta_q = at.theta_gradient(E_A_, E_B_);
  const Rows6 B = strain_gradient(r_q, theta_q, E_A_, at.T_inverse);
  Vec6 s = times(K_, at.e);
  Rows6 ds = times(K_, B);

  if (has_damping_) {
    s += times(C_, rate(at, motion));
    const Vec3 zero = Vec3::Zero();
    const Vec3 Omega_A = a_.is_ground() ? zero : Vec3(motion.v.segment<3>(a_.node.v + 3));
    const Vec3 Omega_B = b_.is_ground() ? zero : Vec3(motion.v.segment<3>(b_.node.v + 3));
    const Vec3 u =
        b_.velocity(motion.q, motion.v) - (a_.is_ground() ? zero : Vec3(motion.v.segment<3>(a_.node.v)));
    // r' = R_A^T u + r x Omega_A and psi' = T^-1 omega, omega = E_B^T Omega_B - P^T E_A^T Omega_A.
    PointPair::Rows r_rate_q = -times(so3::skew(Omega_A), r_q);
    r_rate_q.block<3, 3>(0, 3) += so3::skew(transpose_times(at.R_A, u));
    r_rate_q.block<3, 3>(0, 9) -= transpose_times(at.R_A, times_skew(at.R_B, Omega_B.cross(b_.offset)));
    const Vec3 turn_A = transpose_times(at.P, transpose_times(E_A_, Omega_A));
    const Vec3 omega = transpose_times(E_B_, Omega_B) - turn_A;
    const Mat3 by_turn = times(so3::tangent_inverse_derivative(at.psi, omega), at.T_inverse) -
                         times(at.T_inverse, so3::skew(turn_A));
    ds += times(C_, strain_gradient(r_rate_q, theta_q, E_A_, by_turn));
    write(transpose_times(B, times(C_, B)), C);
  }

  Mat12 stiffness = transpose_times(B, ds);
  // d(B^T s)/dq for the displacements, s held constant ...
  const Vec3 w = times(E_A_, Vec3(s.head<3>()));
  const Mat3 R_w = times_skew(at.R_A, w);
  stiffness.block<3, 3>(0, 3) += R_w;
  stiffness.middleRows<3>(3) += times(so3::skew(w), r_q);
  stiffness.block<3, 3>(6, 3) -= R_w;
  stiffness.block<3, 3>(9, 9) += skew_times_skew(b_.offset, transpose_times(at.R_B, times(at.R_A, w)));
  stiffness.block<3, 3>(9, 3) += transpose_times(times_skew(at.R_B, b_.offset), R_w);
  // ... and for the rotations: T^-T(psi) = T^-1(-psi), d(P mu) = P (dmu - mu^ dtheta).
  const Vec3 s_psi = s.tail<3>();
  const Vec3 mu = transpose_times(at.T_inverse, s_psi);
  const Mat3 dmu = -times(so3::tangent_inverse_derivative(-at.psi, s_psi), at.T_inverse);
  stiffness.middleRows<3>(3) -= times(times(times(E_A_, at.P), Mat3(dmu - so3::skew(mu))), theta_q);
  stiffness.middleRows<3>(9) += times(times(E_B_, dmu), theta_q);
  write(stiffness, K);
}

double Bushing::potential_energy(const Configuration& q, double) const {
  const Vec6 e = kinematics(q).e;
  return 0.5 * e.dot(times(K_, e));
}

std::vector<Quantity> Bushing::quantities() const {
  return {{"displacement", {3}, "m", "of B against A, in the bushing axes of A"},
          {"rotation", {3}, "rad", "rotation vector of B against A, in the bushing axes of A"},
          {"load",
           {6},
           "N,N,N,N m,N m,N m",
           "K e + C de/dt: what the bushing resists displacement and rotation with"}};
}

void Bushing::observe(const Motion& motion, std::span<double> values) const {
  const Kinematics at = kinematics(motion.q);
  Eigen::Map<Vec6>(values.data()) = at.e;
  Eigen::Map<Vec6> load(values.data() + 6);
  load = times(K_, at.e);
  if (has_damping_) load += times(C_, rate(at, motion));
}

std::vector<MaterialPoint> Bushing::points() const {
  MaterialPoint origin_a = a_;
  MaterialPoint origin_b = b_;
  if (!a_.is_ground()) origin_a.offset.setZero();
  if (!b_.is_ground()) origin_b.offset.setZero();
  return {origin_a, a_, b_, origin_b};
}

void Bushing::write(const Vec12& column, std::span<double> f) const {
  PointPair(a_, b_).write(column, f);
}

void Bushing::write(const Mat12& square, std::span<double> K) const {
  PointPair(a_, b_).write(square, K);
}

}  // namespace picus
