#include <picus/elements/forces/law_or_constant.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>

namespace picus {

TorsionalSpringDamper::TorsionalSpringDamper(const Parameters& parameters, const Model& model)
    : Element(parameters.name, {parameters.node}),
      node_(parameters.node),
      s_0_(parameters.free_angle),
      has_spring_(parameters.stiffness > 0 || parameters.law),
      has_damper_(parameters.damping > 0 || parameters.damping_law) {
  const Culprit who{"torsional spring-damper", name()};
  model.require_node(node_, who.text(), "node");
  law_ = law_or_constant(who, "law", parameters.law, "stiffness", parameters.stiffness, "N m/rad");
  damping_ =
      law_or_constant(who, "damping_law", parameters.damping_law, "damping", parameters.damping, "N m s/rad");
  require_finite(who, "free_angle", s_0_, "rad");
  law_.require(who, "law", model.initial_configuration().value(node_) - s_0_);
  damping_.require(who, "damping_law", 0.0);
}

Force::Traits TorsionalSpringDamper::traits() const {
  return {.depends_on_configuration = has_spring_,
          .depends_on_velocity = has_damper_,
          .has_potential = true,
          .potential_kind = PotentialKind::spring,
          .is_conservative = !has_damper_};
}

void TorsionalSpringDamper::force(const Motion& motion, std::span<double> f) const {
  f[0] = -law_.force(motion.q.value(node_) - s_0_);
  if (has_damper_) f[0] -= damping_.force(motion.v[node_.v]);
}

void TorsionalSpringDamper::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  K[0] = law_.slope(motion.q.value(node_) - s_0_);
  if (has_damper_) C[0] = damping_.slope(motion.v[node_.v]);
}

void TorsionalSpringDamper::conservative_force(const Configuration& q, double, std::span<double> f) const {
  f[0] = -law_.force(q.value(node_) - s_0_);
}

double TorsionalSpringDamper::potential_energy(const Configuration& q, double) const {
  return law_.potential(q.value(node_) - s_0_);
}

}  // namespace picus
