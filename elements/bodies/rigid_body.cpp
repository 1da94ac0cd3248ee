#include <picus/checks.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/gyroscopic.hpp>
#include <picus/elements/principal_values.hpp>
#include <picus/elements/skew_products.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

void require_inertia(const Culprit& who, const Mat3& J) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) require_finite(who, fmt::format("inertia({}, {})", i, j), J(i, j), "kg m2");
  }
  const double largest = J.cwiseAbs().maxCoeff();
  if ((J - J.transpose()).cwiseAbs().maxCoeff() > 1e-9 * largest) {
    throw ModelError(fmt::format("{}: inertia is not symmetric", who.text()));
  }
  // Moments given to six digits may violate the triangle inequalities by the rounding of all three.
  const double slack = 2e-5 * largest;
  const Vec3 moments = principal_values(J);
  if (moments[0] < -slack) {
    throw ModelError(fmt::format("{}: inertia has a principal moment of {} kg m2, none may be negative",
                                 who.text(), moments[0]));
  }
  if (moments[2] > moments[0] + moments[1] + slack) {
    throw ModelError(
        fmt::format("{}: inertia has principal moments {}, {} and {} kg m2; no body has one larger than the "
                    "sum of the others",
                    who.text(), moments[0], moments[1], moments[2]));
  }
}

}  // namespace

RigidBody::RigidBody(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.node}),
      node_(parameters.node),
      mass_(parameters.mass),
      c_(parameters.centre_of_mass),
      J_node_(parameters.inertia),
      has_offset_(!c_.isZero(0.0)),
      has_force_(has_offset_ || !is_spherical(parameters.inertia)) {
  const Culprit who{"rigid body", name()};
  model.require_node(node_, who.text(), "node");
  require_positive(who, "mass", mass_, "kg");
  require_finite(who, "centre_of_mass", c_, "m");
  require_inertia(who, parameters.inertia);
  J_node_ -= mass_ * skew_times_skew(c_, c_);
}

void RigidBody::mass(const Configuration& q, std::span<double> M) const {
  auto matrix = matrix_view<6, 6>(M);
  matrix.diagonal().head<3>().setConstant(mass_);
  matrix.bottomRightCorner<3, 3>() = J_node_;
  if (!has_offset_) return;
  matrix.topRightCorner<3, 3>() = -mass_ * times_skew(q.rotation(node_), c_);
  matrix.bottomLeftCorner<3, 3>() = matrix.topRightCorner<3, 3>().transpose();
}

void RigidBody::mass_gradient(const Configuration& q, std::span<const double> w, std::span<double> K) const {
  if (!has_offset_) return;
  const auto R = q.rotation(node_);
  const auto vector = vector_view<6>(w);
  const Vec3 c_x_w = c_.cross(vector.tail<3>());
  auto matrix = matrix_view<6, 6>(K);
  matrix.topRightCorner<3, 3>() = mass_ * times_skew(R, c_x_w);
  matrix.bottomRightCorner<3, 3>() = mass_ * skew_times_skew(c_, R.transpose() * vector.head<3>());
}

Force::Traits RigidBody::traits() const {
  return {.depends_on_configuration = has_offset_,
          .depends_on_velocity = has_force_,
          .has_potential = false,
          .is_conservative = true};
}

void RigidBody::force(const Motion& motion, std::span<double> f) const {
  if (!has_force_) return;
  const Vec3 Omega = motion.v.segment<3>(node_.v + 3);
  auto vector = vector_view<6>(f);
  if (has_offset_) vector.head<3>() = -mass_ * (motion.q.rotation(node_) * Omega.cross(Omega.cross(c_)));
  vector.tail<3>() = -Omega.cross(J_node_ * Omega);
}

void RigidBody::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  if (!has_force_) return;
  const Vec3 Omega = motion.v.segment<3>(node_.v + 3);
  auto damping = matrix_view<6, 6>(C);
  // -d(-Omega x J Omega) = Omega^ J - (J Omega)^, and Omega^ J = -(J Omega^)^T for symmetric J.
  const Vec3 momentum = J_node_ * Omega;
  damping.bottomRightCorner<3, 3>() =
      -times_skew(J_node_, Omega).transpose() - times_skew(Mat3::Identity(), momentum);
  if (!has_offset_) return;
  const Mat3 R = motion.q.rotation(node_);
  const Vec3 rate = Omega.cross(c_);
  matrix_view<6, 6>(K).topRightCorner<3, 3>() = -mass_ * times_skew(R, Omega.cross(rate));
  damping.topRightCorner<3, 3>() = -mass_ * (times_skew(R, rate) + R * skew_times_skew(Omega, c_));
}

}  // namespace picus
