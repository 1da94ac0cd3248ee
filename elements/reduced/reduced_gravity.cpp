#include <picus/checks.hpp>
#include <picus/elements/reduced/reduced_gravity.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

namespace picus {
namespace {

std::vector<Node> nodes_of(const ReducedGravity::Parameters& p) {
  if (p.body == nullptr) throw ModelError(Culprit{"reduced gravity", p.name}.text() + ": it has no body");
  return {p.body->nodes().begin(), p.body->nodes().end()};
}

}  // namespace

ReducedGravity::ReducedGravity(const Parameters& p, const Model& model)
    : Element(p.name, nodes_of(p)),
      acceleration_(p.acceleration),
      basis_(p.body->basis()),
      frame_(p.body->frame()),
      coordinates_(p.body->coordinates()) {
  const Culprit who{"reduced gravity", name()};
  model.require_element(p.body, who.text(), "body");
  require_finite(who, "acceleration", acceleration_, "m/s2");
}

Force::Traits ReducedGravity::traits() const {
  return {.depends_on_velocity = false,
          .has_potential = true,
          .potential_kind = PotentialKind::gravity,
          .is_conservative = true,
          .is_load = true};
}

Vec3 ReducedGravity::first_moment(const Configuration& q) const {
  Vec3 s = basis_->first_moment;
  for (Index k = 0; k < count_of(coordinates_); ++k) s += basis_->N.col(k) * q.value(coordinates_[k]);
  return s;
}

void ReducedGravity::force(const Motion& motion, std::span<double> f) const {
  const Vec3 a = motion.q.rotation(frame_).transpose() * acceleration_;
  Eigen::Map<Vector> vector(f.data(), dof_count());
  vector.head<3>() = basis_->mass * acceleration_;
  vector.segment<3>(3) = first_moment(motion.q).cross(a);
  vector.tail(dof_count() - 6).noalias() = basis_->N.transpose() * a;
}

void ReducedGravity::tangents(const Motion& motion, std::span<double> K, std::span<double> /*C*/) const {
  const Vec3 a = motion.q.rotation(frame_).transpose() * acceleration_;
  const Index n = dof_count(), m = n - 6;
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), n, n);
  matrix.block<3, 3>(3, 3) = -skew_times_skew(first_moment(motion.q), a);
  matrix.block(3, 6, 3, m).noalias() = so3::skew(a) * basis_->N;
  matrix.block(6, 3, m, 3) = matrix.block(3, 6, 3, m).transpose();
}

double ReducedGravity::potential_energy(const Configuration& q, double /*t*/) const {
  return -acceleration_.dot(basis_->mass * q.position(frame_) + q.rotation(frame_) * first_moment(q));
}

}  // namespace picus
