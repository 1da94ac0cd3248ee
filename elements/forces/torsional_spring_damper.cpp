#include <picus/checks.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>

namespace picus {

TorsionalSpringDamper::TorsionalSpringDamper(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.node}),
      node_(parameters.node),
      k_(parameters.stiffness),
      c_(parameters.damping),
      s_0_(parameters.free_angle) {
  const Culprit who{"torsional spring-damper", name()};
  model.require_node(node_, who.text(), "node");
  require_not_negative(who, "stiffness", k_, "N m/rad");
  require_not_negative(who, "damping", c_, "N m s/rad");
  require_finite(who, "free_angle", s_0_, "rad");
}

Force::Traits TorsionalSpringDamper::traits() const {
  return {.depends_on_configuration = k_ > 0,
          .depends_on_velocity = c_ > 0,
          .has_potential = true,
          .is_conservative = c_ == 0};
}

void TorsionalSpringDamper::force(const Motion& motion, std::span<double> f) const {
  f[0] = -k_ * (motion.q.value(node_) - s_0_) - c_ * motion.v[node_.v];
}

void TorsionalSpringDamper::tangents(const Motion&, std::span<double> K, std::span<double> C) const {
  K[0] = k_;
  C[0] = c_;
}

void TorsionalSpringDamper::conservative_force(const Configuration& q, double, std::span<double> f) const {
  f[0] = -k_ * (q.value(node_) - s_0_);
}

double TorsionalSpringDamper::potential_energy(const Configuration& q, double) const {
  const double turn = q.value(node_) - s_0_;
  return 0.5 * k_ * turn * turn;
}

}  // namespace picus
