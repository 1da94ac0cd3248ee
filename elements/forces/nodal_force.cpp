#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/require_load.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/require_point.hpp>

namespace picus {

NodalForce::NodalForce(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.point.node}),
      point_(parameters.point),
      force_(std::move(parameters.force)),
      follower_(parameters.follower),
      has_lever_(!point_.offset.isZero(0.0)) {
  const Culprit who{"nodal force", name()};
  require_point(who, "point", point_, model);
  require_load(who, "force", force_, "N");
  if (follower_ && !point_.on_frame()) {
    throw ModelError(who.text() + ": a follower force needs a frame node to follow");
  }
}

Force::Traits NodalForce::traits() const {
  return {.depends_on_configuration = follower_ || has_lever_,
          .depends_on_velocity = false,
          .has_potential = false,
          .is_conservative = false,
          .is_load = true};
}

void NodalForce::force(const Motion& motion, std::span<double> f) const {
  const Vec3 F = force_(motion.t);
  if (!point_.on_frame()) {
    vector_view<3>(f) = F;
    return;
  }
  const auto R = motion.q.rotation(point_.node);
  auto vector = vector_view<6>(f);
  if (follower_) {
    vector.head<3>() = R * F;
    vector.tail<3>() = point_.offset.cross(F);
  } else {
    vector.head<3>() = F;
    if (has_lever_) vector.tail<3>() = point_.offset.cross(R.transpose() * F);
  }
}

void NodalForce::tangents(const Motion& motion, std::span<double> K, std::span<double>) const {
  if (!follower_ && !has_lever_) return;
  const Vec3 F = force_(motion.t);
  const auto R = motion.q.rotation(point_.node);
  auto matrix = matrix_view<6, 6>(K);
  if (follower_) {
    matrix.topRightCorner<3, 3>() = times_skew(R, F);
  } else {
    matrix.bottomRightCorner<3, 3>() = -skew_times_skew(point_.offset, R.transpose() * F);
  }
}

}  // namespace picus
