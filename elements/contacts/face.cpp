#include <picus/elements/contacts/face.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace picus {
namespace {

Vec3 first_tangent(const Culprit& who, const Vec3& normal, const std::optional<Vec3>& given) {
  // Beyond 0.9995 (within 1.8 degrees of z) normal x z is too short to be a direction that users can predict.
  const bool is_along_z = std::abs(normal.z()) > 0.9995;
  const Vec3 wanted = given        ? require_direction(who, "tangent of the face", *given)
                      : is_along_z ? Vec3(Vec3::UnitX())
                                   : Vec3(normal.cross(Vec3::UnitZ()));
  const Vec3 in_plane = wanted - wanted.dot(normal) * normal;
  if (in_plane.norm() < 1e-6) {
    throw ModelError(fmt::format("{}: tangent of the face is along its normal", who.text()));
  }
  return in_plane.normalized();
}

}  // namespace

Mat3 checked_directions(const Culprit& who, const Face& face, const Model& model) {
  if (face.node) model.require_node(*face.node, who.text(), "node of the face");
  require_finite(who, "point of the face", face.point, "m");
  const Vec3 normal = require_direction(who, "normal of the face", face.normal);
  const Vec3 tangent = first_tangent(who, normal, face.tangent);
  Mat3 directions;
  directions << normal, tangent, normal.cross(tangent);
  return directions;
}

ContactLaw checked_law(const Culprit& who, const Friction& mu, double e_n, double e_t,
                       Index friction_directions, const ImpactLaw& impact) {
  require_not_negative(who, "mu", mu.at_rest(), "");
  for (double speed = 1e-6; mu.law() && speed < 2e3; speed *= 10) {
    const FrictionLaw::Value value = mu.law()->at(speed);
    require_not_negative(who, fmt::format("mu at {:g} m/s", speed), value.mu, "");
    require_finite(who, fmt::format("slope of mu at {:g} m/s", speed), value.slope, "s/m");
  }
  require_between(who, "e_n", e_n, 0.0, 1.0);
  require_between(who, "e_t", e_t, 0.0, 1.0);
  if (friction_directions < 0 || friction_directions > 2) {
    throw ModelError(
        fmt::format("{}: friction_directions is {}, must be 1 or 2", who.text(), friction_directions));
  }
  ContactLaw law{.mu = mu.at_rest(), .e_n = e_n, .e_t = e_t, .friction = mu.law()};
  if (friction_directions == 0 && law.has_friction()) {
    throw ModelError(fmt::format("{}: mu is {}, but friction_directions is 0", who.text(), law.mu));
  }
  require_impact_law(who, impact, e_t);
  law.impact = impact;
  law.friction_directions = law.has_friction() ? friction_directions : 0;
  return law;
}

ContactLaw checked_law(const Culprit& who, const ContactLaw& sliding, double drilling_radius,
                       double rolling_arm) {
  require_not_negative(who, "drilling_radius", drilling_radius, "m");
  require_not_negative(who, "rolling_arm", rolling_arm, "m");
  ContactLaw law = sliding;
  law.has_drilling = drilling_radius > 0;
  law.rolling_directions = rolling_arm > 0 ? sliding.friction_directions : 0;
  if (!law.has_drilling && rolling_arm == 0) return law;
  if (law.friction_directions == 0)
    throw ModelError(fmt::format("{}: mu is 0, but drilling_radius or rolling_arm is not", who.text()));
  if (law.friction)
    throw ModelError(
        fmt::format("{}: drilling_radius and rolling_arm need a mu that does not depend on the sliding speed",
                    who.text()));
  if (law.has_drilling && law.friction_directions == 1)
    throw ModelError(fmt::format("{}: drilling_radius is {} m, but a planar contact does not drill",
                                 who.text(), drilling_radius));
  return law;
}

void require_resistance(const Culprit& who, const ResistingSide& a, const ResistingSide& b) {
  for (const ResistingSide& side : {a, b}) {
    if (side.turns) continue;
    throw ModelError(fmt::format(
        "{}: drilling_radius or rolling_arm is not 0, but {} is on point nodes, which do not turn",
        who.text(), side.name));
  }
  if (a.is_round || b.is_round) return;
  throw ModelError(fmt::format(
      "{}: drilling_radius or rolling_arm is not 0, but {} and {} are sharp and touch without an area",
      who.text(), a.name, b.name));
}

}  // namespace picus
