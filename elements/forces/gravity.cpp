#include <picus/checks.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

/// Bodies on one node are combined in their common centre of mass.
std::vector<MassPoint> checked(const Culprit& who, const std::vector<MassPoint>& bodies, const Model& model) {
  if (bodies.empty()) throw ModelError(fmt::format("{}: bodies is empty, nothing has weight", who.text()));
  std::vector<MassPoint> result;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const MassPoint& body = bodies[i];
    require_point(who, fmt::format("bodies[{}]", i), body.point, model);
    require_positive(who, fmt::format("mass of bodies[{}]", i), body.mass, "kg");
    const auto known = std::find_if(result.begin(), result.end(), [&](const MassPoint& other) {
      return other.point.node == body.point.node;
    });
    if (known == result.end()) {
      result.push_back(body);
    } else {
      const double sum = known->mass + body.mass;
      known->point.offset = (known->mass * known->point.offset + body.mass * body.point.offset) / sum;
      known->mass = sum;
    }
  }
  return result;
}

std::vector<Node> nodes_of(const std::vector<MassPoint>& bodies) {
  std::vector<Node> nodes;
  nodes.reserve(bodies.size());
  for (const MassPoint& body : bodies) nodes.push_back(body.point.node);
  return nodes;
}

}  // namespace

Gravity::Gravity(const Parameters& parameters, const Model& model)
    : Gravity(parameters.name, parameters.acceleration,
              checked({"gravity", parameters.name}, parameters.bodies, model)) {}

Gravity::Gravity(std::string name, const Vec3& acceleration, std::vector<MassPoint> bodies)
    : Element(std::move(name), nodes_of(bodies)), acceleration_(acceleration), bodies_(std::move(bodies)) {
  const Culprit who{"gravity", this->name()};
  require_finite(who, "acceleration", acceleration_, "m/s2");
  if (dof_count() > max_local_dofs) {
    throw ModelError(fmt::format(
        "{}: its bodies have {} velocity components, more than the {} of one element; add_gravity makes as "
        "many elements as are needed",
        who.text(), dof_count(), max_local_dofs));
  }
  for (const MassPoint& body : bodies_) has_offset_ = has_offset_ || !body.point.offset.isZero(0.0);
}

Force::Traits Gravity::traits() const {
  return {.depends_on_configuration = has_offset_,
          .depends_on_velocity = false,
          .has_potential = true,
          .potential_kind = PotentialKind::gravity,
          .is_conservative = true,
          .is_load = true};
}

void Gravity::force(const Motion& motion, std::span<double> f) const {
  Eigen::Map<Vector> vector(f.data(), dof_count());
  Index first = 0;
  for (const auto& [point, mass] : bodies_) {
    const Vec3 weight = mass * acceleration_;
    vector.segment<3>(first) = weight;
    if (has_offset_ && point.on_frame()) {
      vector.segment<3>(first + 3) = point.offset.cross(motion.q.rotation(point.node).transpose() * weight);
    }
    first += point.dof_count();
  }
}

void Gravity::tangents(const Motion& motion, std::span<double> K, std::span<double>) const {
  if (!has_offset_) return;
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), dof_count(), dof_count());
  Index first = 0;
  for (const auto& [point, mass] : bodies_) {
    if (point.on_frame()) {
      const Vec3 weight = motion.q.rotation(point.node).transpose() * (mass * acceleration_);
      matrix.block<3, 3>(first + 3, first + 3) = -skew_times_skew(point.offset, weight);
    }
    first += point.dof_count();
  }
}

double Gravity::potential_energy(const Configuration& q, double) const {
  double sum = 0;
  for (const auto& [point, mass] : bodies_) sum -= mass * acceleration_.dot(point.position(q));
  return sum;
}

}  // namespace picus
