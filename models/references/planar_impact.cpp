#include <picus/error.hpp>
#include <picus/models/references/planar_impact.hpp>

#include <Eigen/LU>

#include <cmath>
#include <optional>

namespace picus::models {
namespace {

constexpr double impact_rounding = 1e-12;

/// The impulse after which the normal rate is `target`, from the rates u.
std::optional<Eigen::Vector2d> to_rate(const PlanarImpact& impact, const Eigen::Vector2d& u, double target) {
  const Eigen::Matrix2d& W = impact.W;
  const Eigen::Vector2d stick = W.inverse() * (Eigen::Vector2d(target, 0) - u);
  if (stick[0] >= -impact_rounding && std::abs(stick[1]) <= impact.mu * stick[0] + impact_rounding)
    return stick;
  for (const double side : {-1.0, 1.0}) {
    const Eigen::Vector2d direction(1, -side * impact.mu);
    const double normal = (target - u[0]) / W.row(0).dot(direction);
    if (normal < 0) continue;
    const Eigen::Vector2d P = normal * direction;
    if (side * (u[1] + W.row(1).dot(P)) >= -impact_rounding) return P;
  }
  return {};
}

/// The impulse with this normal part.
std::optional<Eigen::Vector2d> with_normal(const PlanarImpact& impact, const Eigen::Vector2d& u,
                                           double normal) {
  const Eigen::Matrix2d& W = impact.W;
  const double stick = -(u[1] + W(1, 0) * normal) / W(1, 1);
  if (std::abs(stick) <= impact.mu * normal + impact_rounding) return Eigen::Vector2d(normal, stick);
  for (const double side : {-1.0, 1.0}) {
    const Eigen::Vector2d P(normal, -side * impact.mu * normal);
    if (side * (u[1] + W.row(1).dot(P)) >= -impact_rounding) return P;
  }
  return {};
}

Eigen::Vector2d required(const std::optional<Eigen::Vector2d>& impulse) {
  if (!impulse) throw Error("planar impact: it neither sticks nor slides");
  return *impulse;
}

}  // namespace

Eigen::Vector2d PlanarImpact::impulse(ImpactLaw::Kind law) const {
  switch (law) {
    case ImpactLaw::Kind::newton:
      return required(to_rate(*this, u_0, -e * u_0[0]));
    case ImpactLaw::Kind::poisson: {
      const Eigen::Vector2d compression = required(to_rate(*this, u_0, 0.0));
      const Eigen::Vector2d u_C = u_0 + W * compression;
      const std::optional<Eigen::Vector2d> least = with_normal(*this, u_C, e * compression[0]);
      if (least && u_C[0] + W.row(0).dot(*least) >= -impact_rounding) return compression + *least;
      return compression + required(to_rate(*this, u_C, 0.0));
    }
    case ImpactLaw::Kind::lzb:
      break;
  }
  throw Error("planar impact: no closed form for this law");
}

}  // namespace picus::models
