#include <picus/checks.hpp>
#include <picus/elements/beams/beam3.hpp>
#include <picus/elements/beams/beam3_strain.hpp>
#include <picus/elements/beams/section_axes.hpp>
#include <picus/elements/beams/section_point.hpp>
#include <picus/elements/beams/tangent_map.hpp>
#include <picus/elements/gyroscopic.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

using beam3::Point;
using beam3::Pose;
using beam3::Rate;
using beam3::Relative;
using beam3::Vec12;

/// The quadratic shape functions of the nodes a, middle and b at s = -1, 0, 1, and their derivatives.
std::array<double, 3> shape(double s) {
  return {s * (s - 1) / 2, 1 - s * s, s * (s + 1) / 2};
}
std::array<double, 2> shape_slope(double s) {
  return {s - 0.5, s + 0.5};
}

/// dx/ds in the section axes of the middle node.
Vec3 dx_ds(const Relative& at, double s) {
  const auto slope = shape_slope(s);
  return slope[0] * at.d[0] + slope[1] * at.d[1];
}

std::array<Pose, 3> poses_of(const Culprit& who, const Beam3::Parameters& p, const Configuration& q) {
  std::array<Pose, 3> at = {Pose{q.position(p.a), Mat3::Identity()},
                            Pose{q.position(p.middle), Mat3::Identity()},
                            Pose{q.position(p.b), Mat3::Identity()}};
  const double size = std::max({at[0].x.norm(), at[1].x.norm(), at[2].x.norm()});
  const auto require_apart = [&](std::size_t i, std::size_t j, const char* names) {
    if ((at[i].x - at[j].x).norm() <= 1e-12 * size) {
      throw ModelError(fmt::format("{}: nodes {} are at the same place", who.text(), names));
    }
  };
  require_apart(0, 1, "a and middle");
  require_apart(1, 2, "middle and b");
  require_apart(0, 2, "a and b");
  const bool has_axes = p.axes_a.has_value();
  if (p.axes_middle.has_value() != has_axes || p.axes_b.has_value() != has_axes) {
    throw ModelError(who.text() + ": of axes_a, axes_middle and axes_b only some are given");
  }
  if (has_axes) {
    require_axes(who, "axes_a", *p.axes_a);
    require_axes(who, "axes_middle", *p.axes_middle);
    require_axes(who, "axes_b", *p.axes_b);
    at[0].axes = so3::orthonormalized(*p.axes_a);
    at[1].axes = so3::orthonormalized(*p.axes_middle);
    at[2].axes = so3::orthonormalized(*p.axes_b);
    return at;
  }
  const Vec3 chord = at[2].x - at[0].x;
  const double off = chord.cross(at[1].x - at[0].x).norm() / chord.squaredNorm();
  if (off > 1e-6) {
    throw ModelError(
        fmt::format("{}: middle is {:.3g} of the length off the line from a to b, which needs axes_a, "
                    "axes_middle and axes_b",
                    who.text(), off));
  }
  at[0].axes = at[1].axes = at[2].axes = section_axes(who, chord.normalized(), p.orientation);
  return at;
}

}  // namespace

Beam3::Beam3(const Parameters& p, const Model& model)
    : Element(p.name, {p.a, p.middle, p.b}), node_{p.a, p.middle, p.b} {
  const Culprit who{"beam", name()};
  model.require_node(node_[0], who.text(), "a");
  model.require_node(node_[1], who.text(), "middle");
  model.require_node(node_[2], who.text(), "b");
  if (p.a == p.middle) throw ModelError(who.text() + ": a and middle are the same node");
  if (p.middle == p.b) throw ModelError(who.text() + ": middle and b are the same node");
  if (p.a == p.b) throw ModelError(who.text() + ": a and b are the same node");
  require_section(who, p.section);

  const Configuration& q = model.initial_configuration();
  const std::array<Pose, 3> at = poses_of(who, p, q);
  for (std::size_t i = 0; i < 3; ++i) S_[i] = q.rotation(node_[i]).transpose() * at[i].axes;
  const Relative relative = relative_at(q);
  for (std::size_t i = 0; i < 2; ++i) {
    const double rotation = relative.phi[i].norm();
    if (rotation >= max_rotation) {
      throw ModelError(fmt::format(
          "{}: the sections at {} and middle are turned against each other by {:.4g} rad, must be less "
          "than {}",
          who.text(), i == 0 ? "a" : "b", rotation, max_rotation));
    }
  }
  place_points(who, relative);
  place_mass(p.section, relative);
  if (p.mass == BeamMass::lumped) masses_ = node_mass_.asDiagonal();
  stiffness_ = p.section.stiffness;
  damping_ = p.section.damping;
  is_damped_ = !damping_.isZero(0.0);
  is_gyroscopic_ = !is_spherical(p.section.inertia);
}

void Beam3::place_points(const Culprit& who, const Relative& start) {
  const Vec3 chord = start.d[1] - start.d[0];
  for (const double end : {-1.0, 1.0}) {
    if (!(dx_ds(start, end).dot(chord) > 0)) {
      throw ModelError(who.text() + ": middle is not between the quarter points of the line from a to b");
    }
  }
  for (std::size_t g = 0; g < 2; ++g) {
    const double s = (g == 0 ? -1 : 1) / std::sqrt(3.0);
    const double ds = dx_ds(start, s).norm();
    const auto N = shape(s);
    const auto slope = shape_slope(s);
    point_[g] = {{N[0], N[2]}, {slope[0] / ds, slope[1] / ds}, ds, Vec6::Zero()};
    point_[g].start = beam3::Strain(point_[g], start).value();
    if (point_[g].start[0] < 0.5) {
      throw ModelError(who.text() + ": the first section axis does not point along the beam from a to b");
    }
  }
}

void Beam3::place_mass(const Section& section, const Relative& start) {
  // Three Gauss points, of order five: exact for a straight beam.
  for (const auto& [s, weight] :
       {std::pair(-std::sqrt(0.6), 5.0 / 9), std::pair(0.0, 8.0 / 9), std::pair(std::sqrt(0.6), 5.0 / 9)}) {
    const double length = weight * dx_ds(start, s).norm();
    const auto values = shape(s);
    const Vec3 N(values[0], values[1], values[2]);
    length_ += length;
    masses_ += section.mass * length * N * N.transpose();
    for (std::size_t i = 0; i < 3; ++i) {
      J_[i] += length * values[i] * (S_[i] * section.inertia * S_[i].transpose());
    }
  }
  node_mass_ = masses_.rowwise().sum();
}

std::vector<MassPoint> Beam3::mass_points() const {
  return {{node_[0], node_mass_[0]}, {node_[1], node_mass_[1]}, {node_[2], node_mass_[2]}};
}

Relative Beam3::relative_at(const Configuration& q) const {
  const auto pose = [&](std::size_t i) -> Pose {
    return {q.position(node_[i]), q.rotation(node_[i]).lazyProduct(S_[i])};
  };
  return Relative({pose(0), pose(1), pose(2)});
}

std::string Beam3::fault(const Configuration& q) const {
  const Mat3 M = q.rotation(node_[1]).lazyProduct(S_[1]);
  for (const std::size_t end : {0, 2}) {
    const Mat3 A = q.rotation(node_[end]).lazyProduct(S_[end]);
    if (exceeds_max_rotation(M, A))
      return rotation_fault(end == 0 ? "the sections at a and middle" : "the sections at b and middle", M, A);
  }
  return {};
}

std::array<Rate, 3> Beam3::rates_of(const Motion& motion) const {
  const auto rate = [&](std::size_t i) -> Rate {
    return {motion.v.segment<3>(node_[i].v), S_[i].transpose() * motion.v.segment<3>(node_[i].v + 3)};
  };
  return {rate(0), rate(1), rate(2)};
}

std::array<Vec6, 2> Beam3::strains(const Configuration& q) const {
  const Relative at = relative_at(q);
  return {beam3::Strain(point_[0], at).value(), beam3::Strain(point_[1], at).value()};
}

std::array<Vec6, 2> Beam3::resultants(const Motion& motion) const {
  const Relative at = relative_at(motion.q);
  Vec12 y_t = Vec12::Zero();
  if (is_damped_) y_t = at.rate(rates_of(motion));
  return {resultant(beam3::Strain(point_[0], at), y_t), resultant(beam3::Strain(point_[1], at), y_t)};
}

Vec6 Beam3::resultant(const beam3::Strain& strain, const Vec12& y_t) const {
  Vec6 s = stiffness_.lazyProduct(strain.value());
  if (is_damped_) s += damping_.lazyProduct(strain.rate(y_t));
  return s;
}

void Beam3::mass(const Configuration&, std::span<double> M) const {
  auto matrix = matrix_view<18, 18>(M);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) matrix.block<3, 3>(6 * i, 6 * j).diagonal().setConstant(masses_(i, j));
    matrix.block<3, 3>(6 * i + 3, 6 * i + 3) = J_[i];
  }
}

Force::Traits Beam3::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = is_damped_ || is_gyroscopic_,
          .has_potential = true,
          .potential_kind = PotentialKind::strain,
          .is_conservative = !is_damped_};
}

double Beam3::potential_energy(const Configuration& q, double) const {
  const Relative at = relative_at(q);
  double V = 0;
  for (const Point& point : point_) {
    const Vec6 eps = beam3::Strain(point, at).value();
    V += 0.5 * point.weight * eps.dot(stiffness_ * eps);
  }
  return V;
}

void Beam3::conservative_force(const Configuration& q, double, std::span<double> f) const {
  const Relative at = relative_at(q);
  Vec12 p = Vec12::Zero();
  for (const Point& point : point_) {
    const beam3::Strain strain(point, at);
    p += point.weight * strain.forces(stiffness_.lazyProduct(strain.value()));
  }
  at.write_forces(p, S_, f);
}

void Beam3::force(const Motion& motion, std::span<double> f) const {
  const Relative at = relative_at(motion.q);
  Vec12 y_t = Vec12::Zero();
  if (is_damped_) y_t = at.rate(rates_of(motion));
  Vec12 p = Vec12::Zero();
  for (const Point& point : point_) {
    const beam3::Strain strain(point, at);
    p += point.weight * strain.forces(resultant(strain, y_t));
  }
  at.write_forces(p, S_, f);
  if (!is_gyroscopic_) return;
  auto vector = vector_view<18>(f);
  for (Index i = 0; i < 3; ++i) {
    const std::size_t I = i;
    const Vec3 Omega = motion.v.segment<3>(node_[I].v + 3);
    vector.segment<3>(6 * i + 3) -= Omega.cross(J_[I] * Omega);
  }
}

void Beam3::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  const Relative at = relative_at(motion.q);
  const beam3::Gradient G = at.gradient(S_);
  const std::array<Rate, 3> rates = rates_of(motion);
  Vec12 y_t = Vec12::Zero();
  if (is_damped_) y_t = at.rate(rates);

  Vec12 p = Vec12::Zero();
  beam3::Mat12 k = beam3::Mat12::Zero();  // dp/dy
  beam3::Mat12 d = beam3::Mat12::Zero();  // dp/dy_t
  for (const Point& point : point_) {
    const beam3::Strain strain(point, at);
    const Vec6 s = resultant(strain, y_t);
    p += point.weight * strain.forces(s);
    const beam3::StrainGradient B = strain.gradient();
    beam3::StrainGradient s_y = stiffness_.lazyProduct(B);
    if (is_damped_) {
      s_y += damping_.lazyProduct(strain.rate_derivative(y_t));
      d += point.weight * B.transpose().lazyProduct(damping_.lazyProduct(B).eval());
    }
    k += point.weight * B.transpose().lazyProduct(s_y);
    strain.add_second_derivative(s, k);
  }

  auto stiffness = matrix_view<18, 18>(K);
  if (is_damped_) {
    k += d.lazyProduct(at.rate_derivative(rates));
    const beam3::NodeRows G_d = G.transpose().lazyProduct(d);
    matrix_view<18, 18>(C) = G_d.lazyProduct(G);
    stiffness.middleCols<3>(9) = G_d.lazyProduct(at.rotation_of_rates(rates, S_[1]));
  }
  beam3::NodeRows rows = G.transpose().lazyProduct(k);
  rows += at.force_derivative(p, S_);
  stiffness += rows.lazyProduct(G);
  at.add_rotation_of_forces(p, S_[1], stiffness);

  if (!is_gyroscopic_) return;
  auto damping = matrix_view<18, 18>(C);
  for (Index i = 0; i < 3; ++i) {
    const std::size_t I = i;
    damping.block<3, 3>(6 * i + 3, 6 * i + 3) +=
        gyroscopic_damping(J_[I], motion.v.segment<3>(node_[I].v + 3));
  }
}

std::vector<Quantity> Beam3::quantities() const {
  return {{"strain",
           {2, 6},
           "1,1,1,1/m,1/m,1/m",
           "at both Gauss points: elongation, shear along d1 and d2, twist, curvature about d1 and d2"},
          {"section_force",
           {2, 6},
           "N,N,N,N m,N m,N m",
           "at both Gauss points: N, V1, V2, T, M1, M2 in section axes (t, d1, d2)"}};
}

void Beam3::observe(const Motion& motion, std::span<double> values) const {
  auto vector = vector_view<24>(values);
  const std::array<Vec6, 2> eps = strains(motion.q);
  const std::array<Vec6, 2> s = resultants(motion);
  vector << eps[0], eps[1], s[0], s[1];
}

SectionMotion Beam3::section_at(double s, const Motion& motion) const {
  const Relative at = relative_at(motion.q);
  const std::array<Rate, 3> rates = rates_of(motion);
  const Vec12 y_t = at.rate(rates);
  const auto N = shape(s);
  const Vec3 d = N[0] * at.d[0] + N[2] * at.d[1];
  const Vec3 d_t = N[0] * y_t.segment<3>(0) + N[2] * y_t.segment<3>(6);
  const Vec3 phi_t = N[0] * y_t.segment<3>(3) + N[2] * y_t.segment<3>(9);
  const TangentMap map(N[0] * at.phi[0] + N[2] * at.phi[1]);
  const Mat3 rotation = map.rotation();
  const Vec3& omega = rates[1].omega;
  return {motion.q.position(node_[1]) + at.M * d, at.M * rotation, rates[1].u + at.M * (omega.cross(d) + d_t),
          rotation.transpose() * omega + map.matrix() * phi_t};
}

std::vector<Quantity> Beam3::point_quantities() const {
  return section_point_quantities();
}

bool Beam3::contains(const Vec3& xi) const {
  return is_section_point(xi);
}

void Beam3::observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const {
  const double s = 2 * xi[0] - 1;
  const auto between = [&](const std::array<Vec6, 2>& at_points) -> Vec6 {
    const double to_second = 0.5 * (1 + std::sqrt(3.0) * s);
    return (1 - to_second) * at_points[0] + to_second * at_points[1];
  };
  observe_section_point(section_at(s, motion), between(strains(motion.q)), between(resultants(motion)), xi,
                        values);
}

}  // namespace picus
