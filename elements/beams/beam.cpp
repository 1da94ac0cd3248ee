#include <picus/checks.hpp>
#include <picus/elements/beams/beam.hpp>
#include <picus/elements/beams/screw_tangents.hpp>
#include <picus/elements/beams/section_axes.hpp>
#include <picus/elements/beams/section_point.hpp>
#include <picus/elements/beams/tangent_map.hpp>
#include <picus/elements/gyroscopic.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace picus {
namespace {

/// The initial positions and axes of both end sections.
struct Ends {
  Vec3 x_A, x_B;
  Mat3 A, B;
};

Ends ends_of(const Culprit& who, const Beam::Parameters& p, const Configuration& q) {
  Ends ends{q.position(p.a), q.position(p.b), Mat3::Identity(), Mat3::Identity()};
  const Vec3 chord = ends.x_B - ends.x_A;
  const double distance = chord.norm();
  if (distance <= 1e-12 * std::max(ends.x_A.norm(), ends.x_B.norm())) {
    throw ModelError(who.text() + ": nodes a and b are at the same place");
  }
  if (p.axes_a.has_value() != p.axes_b.has_value()) {
    throw ModelError(who.text() + ": of axes_a and axes_b only one is given");
  }
  if (p.axes_a) {
    require_axes(who, "axes_a", *p.axes_a);
    require_axes(who, "axes_b", *p.axes_b);
    ends.A = so3::orthonormalized(*p.axes_a);
    ends.B = so3::orthonormalized(*p.axes_b);
  } else {
    ends.A = ends.B = section_axes(who, chord / distance, p.orientation);
  }
  return ends;
}

}  // namespace

Beam::Beam(const Parameters& p, const Model& model)
    : Element(p.name, {p.a, p.b}), a_(p.a), b_(p.b), mass_kind_(p.mass) {
  const Culprit who{"beam", name()};
  model.require_node(a_, who.text(), "a");
  model.require_node(b_, who.text(), "b");
  if (a_ == b_) throw ModelError(who.text() + ": a and b are the same node");
  require_section(who, p.section);

  const Configuration& q = model.initial_configuration();
  const Ends ends = ends_of(who, p, q);
  S_A_ = q.rotation(a_).transpose() * ends.A;
  S_B_ = q.rotation(b_).transpose() * ends.B;
  const Screw start = screw_at(q);
  start_ = start.coordinates();
  length_ = start.rho.norm();
  if (start.theta.norm() >= max_rotation) {
    throw ModelError(
        fmt::format("{}: its ends are turned against each other by {:.4g} rad, must be less than {}",
                    who.text(), start.theta.norm(), max_rotation));
  }
  if (start.rho.x() < 0.5 * length_) {
    throw ModelError(who.text() + ": the first section axis does not point along the beam from a to b");
  }

  stiffness_ = p.section.stiffness / length_;
  damping_ = p.section.damping / length_;
  is_damped_ = !damping_.isZero(0.0);
  mass_ = p.section.mass * length_;
  const Mat3 J = 0.5 * length_ * p.section.inertia;
  J_A_ = S_A_ * J * S_A_.transpose();
  J_B_ = S_B_ * J * S_B_.transpose();
  is_gyroscopic_ = !is_spherical(J);
}

std::vector<MassPoint> Beam::mass_points() const {
  return {{a_, mass_ / 2}, {b_, mass_ / 2}};
}

Screw Beam::screw_at(const Configuration& q) const {
  const Mat3 A = q.rotation(a_).lazyProduct(S_A_);
  const Mat3 B = q.rotation(b_).lazyProduct(S_B_);
  return {q.position(a_), A, q.position(b_), B};
}

std::string Beam::fault(const Configuration& q) const {
  const Mat3 A = q.rotation(a_).lazyProduct(S_A_);
  const Mat3 B = q.rotation(b_).lazyProduct(S_B_);
  return exceeds_max_rotation(A, B) ? rotation_fault("its ends", A, B) : std::string();
}

Vec6 Beam::screw_rate(const Screw& screw, ConstVectorRef v) const {
  const Vec3 y = screw.A.transpose() * (v.segment<3>(b_.v) - v.segment<3>(a_.v));
  return screw.rate(y, S_A_.transpose() * v.segment<3>(a_.v + 3), S_B_.transpose() * v.segment<3>(b_.v + 3));
}

Vec6 Beam::strain(const Configuration& q) const {
  return (screw_at(q).coordinates() - start_) / length_;
}

Vec6 Beam::resultant(const Screw& screw, const Motion& motion) const {
  const Vec6 change = screw.coordinates() - start_;
  Vec6 s = stiffness_.lazyProduct(change);
  if (is_damped_) s += damping_.lazyProduct(screw_rate(screw, motion.v));
  return s;
}

Vec6 Beam::resultant(const Motion& motion) const {
  return resultant(screw_at(motion.q), motion);
}

void Beam::mass(const Configuration&, std::span<double> M) const {
  auto matrix = matrix_view<12, 12>(M);
  const bool is_lumped = mass_kind_ == BeamMass::lumped;
  const double own = is_lumped ? mass_ / 2 : mass_ / 3;
  const double shared = is_lumped ? 0.0 : mass_ / 6;
  for (Index i = 0; i < 3; ++i) {
    matrix(i, i) = matrix(6 + i, 6 + i) = own;
    matrix(i, 6 + i) = matrix(6 + i, i) = shared;
  }
  matrix.block<3, 3>(3, 3) = J_A_;
  matrix.block<3, 3>(9, 9) = J_B_;
}

Force::Traits Beam::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = is_damped_ || is_gyroscopic_,
          .has_potential = true,
          .potential_kind = PotentialKind::strain,
          .is_conservative = !is_damped_};
}

double Beam::potential_energy(const Configuration& q, double) const {
  const Vec6 change = screw_at(q).coordinates() - start_;
  return 0.5 * change.dot(stiffness_ * change);
}

void Beam::write_end_forces(const Screw& screw, const Vec6& s, std::span<double> f) const {
  const Screw::EndForces end = screw.end_forces(s.head<3>(), s.tail<3>());
  auto vector = vector_view<12>(f);
  const Vec3 n = screw.A * end.n;
  vector.segment<3>(0) = n;
  vector.segment<3>(3) = -(S_A_ * end.m_A);
  vector.segment<3>(6) = -n;
  vector.segment<3>(9) = -(S_B_ * end.m_B);
}

void Beam::conservative_force(const Configuration& q, double, std::span<double> f) const {
  const Screw at = screw_at(q);
  write_end_forces(at, stiffness_ * (at.coordinates() - start_), f);
}

void Beam::force(const Motion& motion, std::span<double> f) const {
  const Screw at = screw_at(motion.q);
  write_end_forces(at, resultant(at, motion), f);
  if (!is_gyroscopic_) return;
  auto vector = vector_view<12>(f);
  const Vec3 Omega_A = motion.v.segment<3>(a_.v + 3);
  const Vec3 Omega_B = motion.v.segment<3>(b_.v + 3);
  vector.segment<3>(3) -= Omega_A.cross(J_A_ * Omega_A);
  vector.segment<3>(9) -= Omega_B.cross(J_B_ * Omega_B);
}

void Beam::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  const Screw at = screw_at(motion.q);
  const Vec6 s = resultant(at, motion);
  const Vec3 N = s.head<3>();
  const screw::Gradient G = screw::gradient(at, S_A_, S_B_);

  screw::Matrix9 k;
  if (is_damped_) {
    const Vec3 y = at.A.transpose() * (motion.v.segment<3>(b_.v) - motion.v.segment<3>(a_.v));
    const Vec3 omega_A = S_A_.transpose() * motion.v.segment<3>(a_.v + 3);
    const Vec3 omega_B = S_B_.transpose() * motion.v.segment<3>(b_.v + 3);
    const screw::EndRows G_D = G.transpose().lazyProduct(damping_);
    screw::EndRows rows = G.transpose().lazyProduct(stiffness_);
    rows += G_D.lazyProduct(screw::rate_derivative(at, y, omega_A, omega_B));
    rows += screw::end_force_derivative(at, N, s.tail<3>(), S_A_, S_B_);
    k = rows.lazyProduct(G);
    // y is resolved in the axes of A and rotates with them.
    const Mat3 turning = (at.inverse.matrix().transpose() * so3::skew(y)) * S_A_.transpose();
    k.middleCols<3>(3) += G_D.leftCols<3>().lazyProduct(turning);
    screw::write_ends(G_D.lazyProduct(G), C);
  } else {
    screw::EndRows rows = G.transpose().lazyProduct(stiffness_);
    rows += screw::end_force_derivative(at, N, s.tail<3>(), S_A_, S_B_);
    k = rows.lazyProduct(G);
  }
  // The force A n on the ends rotates with the axes of A: A (dTheta x n) in section axes.
  k.block<3, 3>(0, 3) -= times_skew(at.A, at.inverse.apply(N)).lazyProduct(S_A_.transpose());
  screw::write_ends(k, K);

  if (!is_gyroscopic_) return;
  auto damping = matrix_view<12, 12>(C);
  damping.block<3, 3>(3, 3) += gyroscopic_damping(J_A_, motion.v.segment<3>(a_.v + 3));
  damping.block<3, 3>(9, 9) += gyroscopic_damping(J_B_, motion.v.segment<3>(b_.v + 3));
}

std::vector<Quantity> Beam::quantities() const {
  return {{"strain",
           {6},
           "1,1,1,1/m,1/m,1/m",
           "elongation, shear along d1 and d2, twist, curvature about d1 and d2"},
          {"section_force", {6}, "N,N,N,N m,N m,N m", "N, V1, V2, T, M1, M2 in section axes (t, d1, d2)"}};
}

void Beam::observe(const Motion& motion, std::span<double> values) const {
  const Screw at = screw_at(motion.q);
  auto vector = vector_view<12>(values);
  vector.head<6>() = (at.coordinates() - start_) / length_;
  vector.tail<6>() = resultant(at, motion);
}

/// The section at fraction s along the element: A displaced by the screw motion s (rho, Theta).
SectionMotion Beam::section_at(double s, const Screw& screw, const Motion& motion) const {
  const Vec3 u_A = motion.v.segment<3>(a_.v);
  const Vec3 omega_A = S_A_.transpose() * motion.v.segment<3>(a_.v + 3);
  const Vec6 rate = s * screw_rate(screw, motion.v);
  const Vec3 rho = s * screw.rho;
  const TangentMap map(s * screw.theta);
  const Mat3 rotation = map.rotation();
  const Vec3 p = map.matrix().transpose() * rho;  // from A to the section, in the axes of A
  const Vec3 p_t =
      map.matrix().transpose() * rate.head<3>() + map.transposed_derivative(rho) * rate.tail<3>();
  return {motion.q.position(a_) + screw.A * p, screw.A * rotation, u_A + screw.A * (omega_A.cross(p) + p_t),
          rotation.transpose() * omega_A + map.matrix() * rate.tail<3>()};
}

std::vector<Quantity> Beam::point_quantities() const {
  return section_point_quantities();
}

bool Beam::contains(const Vec3& xi) const {
  return is_section_point(xi);
}

void Beam::observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const {
  const Screw at = screw_at(motion.q);
  const Vec6 strain = (at.coordinates() - start_) / length_;
  observe_section_point(section_at(xi[0], at, motion), strain, resultant(at, motion), xi, values);
}

}  // namespace picus
