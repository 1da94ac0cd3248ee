#pragma once

/// A uniform acceleration field a acting on some bodies:
///
///     V = -sum m a . x_com,   f = (m a, X x R^T m a)   for a centre of mass x_com = x + R X.
///
/// One element has at most max_local_dofs velocity components, those of 16 frames or 32 points; add_gravity() makes
/// as many elements as the bodies of a larger model need.

#include <picus/element.hpp>
#include <picus/elements/bodies/mass_point.hpp>
#include <picus/model.hpp>

#include <limits>
#include <string>
#include <vector>

namespace picus {

class Gravity : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    /// a in the inertial frame, m/s2; must be given.
    Vec3 acceleration = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    std::vector<MassPoint> bodies;  ///< RigidBody::mass_point(), PointMass::mass_point(); masses > 0
  };
  Gravity(const Parameters& parameters, const Model& model);

  /// The acceleration a in the inertial frame, m/s2.
  const Vec3& acceleration() const { return acceleration_; }

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  Gravity(std::string name, const Vec3& acceleration, std::vector<MassPoint> bodies);

  Vec3 acceleration_;
  std::vector<MassPoint> bodies_;  ///< one for each node
  bool has_offset_ = false;        ///< whether a centre of mass is not at its node
};

}  // namespace picus
