#include <picus/elements/forces/nodal_moment.hpp>
#include <picus/elements/forces/require_load.hpp>
#include <picus/elements/skew_products.hpp>

namespace picus {

NodalMoment::NodalMoment(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.node}),
      node_(parameters.node),
      moment_(std::move(parameters.moment)),
      follower_(parameters.follower) {
  const Culprit who{"nodal moment", name()};
  model.require_node(node_, who.text(), "node");
  require_load(who, "moment", moment_, "N m");
}

Force::Traits NodalMoment::traits() const {
  return {.depends_on_configuration = !follower_,
          .depends_on_velocity = false,
          .has_potential = false,
          .is_conservative = false,
          .is_load = true};
}

void NodalMoment::force(const Motion& motion, std::span<double> f) const {
  const Vec3 M = moment_(motion.t);
  auto moment = vector_view<6>(f).tail<3>();
  if (follower_) {
    moment = M;
  } else {
    moment = motion.q.rotation(node_).transpose() * M;
  }
}

void NodalMoment::tangents(const Motion& motion, std::span<double> K, std::span<double>) const {
  if (follower_) return;
  const Vec3 M = motion.q.rotation(node_).transpose() * moment_(motion.t);
  matrix_view<6, 6>(K).bottomRightCorner<3, 3>() = -times_skew(Mat3::Identity(), M);
}

}  // namespace picus
