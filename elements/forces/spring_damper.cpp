#include <picus/elements/forces/law_or_constant.hpp>
#include <picus/elements/forces/spring_damper.hpp>

#include <fmt/format.h>

namespace picus {
/// The line from A to B and its tension.
struct SpringDamper::Line {
  Vec3 D;
  double l;
  Vec3 n;          ///< zero where A and B coincide
  double tension;  ///< F + P
  double stress;   ///< tension / l
  double slope;    ///< dF/dl
};

SpringDamper::SpringDamper(const Parameters& parameters, const Model& model)
    : Element(parameters.name, PointPair(parameters.a, parameters.b).nodes()),
      ends_(parameters.a, parameters.b),
      preload_(parameters.preload) {
  const Culprit who{"spring-damper", name()};
  ends_.require(who, model);
  law_ = law_or_constant(who, "law", parameters.law, "stiffness", parameters.stiffness, "N/m");
  damping_ =
      law_or_constant(who, "damping_law", parameters.damping_law, "damping", parameters.damping, "N s/m");
  has_damper_ = parameters.damping > 0 || parameters.damping_law;
  require_finite(who, "preload", preload_, "N");
  const double start = ends_.separation(model.initial_configuration()).norm();
  l_0_ = parameters.free_length.value_or(start);
  require_not_negative(who, "free_length", l_0_, "m");
  law_.require(who, "law", start - l_0_);
  damping_.require(who, "damping_law", 0.0);
  needs_no_direction_ = l_0_ == 0 && preload_ == 0 && !has_damper_ && law_.is_proportional();
  // Points that are only a few rounding errors of their coordinates apart define no direction.
  const double size = parameters.a.position(model.initial_configuration()).norm();
  if (!needs_no_direction_ && start <= 1e-14 * size) {
    throw ModelError(
        fmt::format("{}: a and b coincide at the start, so that the force has no direction", who.text()));
  }
}

Force::Traits SpringDamper::traits() const {
  return {.depends_on_configuration = true,
          .depends_on_velocity = has_damper_,
          .has_potential = true,
          .potential_kind = PotentialKind::spring,
          .is_conservative = !has_damper_};
}

SpringDamper::Line SpringDamper::line(const Configuration& q) const {
  Line line;
  line.D = ends_.separation(q);
  line.l = line.D.norm();
  line.slope = law_.slope(line.l - l_0_);
  line.tension = law_.force(line.l - l_0_) + preload_;
  const bool has_direction = line.l > 0;
  line.n = has_direction ? Vec3(line.D / line.l) : Vec3(Vec3::Zero());
  if (needs_no_direction_) {
    line.stress = line.slope;
  } else {
    line.stress = has_direction ? line.tension / line.l : 0.0;
  }
  return line;
}

void SpringDamper::force(const Motion& motion, std::span<double> f) const {
  const Line at = line(motion.q);
  Vec3 w = at.stress * at.D;
  if (has_damper_) w += damping_.force(at.n.dot(ends_.rate(motion))) * at.n;
  ends_.write(PointPair::Column(-ends_.gradient(motion.q).transpose() * w), f);
}

void SpringDamper::conservative_force(const Configuration& q, double, std::span<double> f) const {
  const Line at = line(q);
  ends_.write(PointPair::Column(-ends_.gradient(q).transpose() * (at.stress * at.D)), f);
}

void SpringDamper::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  const Line at = line(motion.q);
  const PointPair::Rows G = ends_.gradient(motion.q);
  // w = N n with dn = (I - n n^T) dD/l.
  Vec3 w = at.stress * at.D;
  Mat3 dw = at.stress * Mat3::Identity() + (at.slope - at.stress) * at.n * at.n.transpose();
  PointPair::Square stiffness;
  if (has_damper_ && at.l > 0) {
    const Vec3 D_rate = ends_.rate(motion);
    const double rate = at.n.dot(D_rate);
    const double resistance = damping_.force(rate);
    const Mat3 nn = at.n * at.n.transpose();
    const Mat3 c_nn = damping_.slope(rate) * nn;
    const Mat3 across = (Mat3::Identity() - nn) / at.l;
    w += resistance * at.n;
    dw += resistance * across + damping_.slope(rate) * at.n * (D_rate.transpose() * across);
    stiffness.noalias() = G.transpose() * (dw * G + c_nn * ends_.rate_jacobian(motion));
    ends_.write(PointPair::Square(G.transpose() * (c_nn * G)), C);
  } else {
    stiffness.noalias() = G.transpose() * (dw * G);
  }
  ends_.add_geometric_stiffness(motion.q, w, stiffness);
  ends_.write(stiffness, K);
}

double SpringDamper::potential_energy(const Configuration& q, double) const {
  const double extension = ends_.separation(q).norm() - l_0_;
  return law_.potential(extension) + preload_ * extension;
}

std::vector<Quantity> SpringDamper::quantities() const {
  return {{"length", {}, "m", "distance of the two points"},
          {"extension_rate", {}, "m/s", "rate of the length"},
          {"tension", {}, "N", "elastic and damping force along the line, positive when it pulls"}};
}

void SpringDamper::observe(const Motion& motion, std::span<double> values) const {
  const Line at = line(motion.q);
  const double rate = at.n.dot(ends_.rate(motion));
  values[0] = at.l;
  values[1] = rate;
  values[2] = at.tension + (has_damper_ ? damping_.force(rate) : 0.0);
}

}  // namespace picus
