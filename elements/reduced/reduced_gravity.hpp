#pragma once

/// A uniform acceleration field a acting on a ReducedBody:
///
///     V = -a . (m x + R s),   f_u = m a,   f_Omega = s x R^T a,   f_eta = N^T R^T a,   s = s_0 + N eta

#include <picus/elements/reduced/reduced_body.hpp>

namespace picus {

class ReducedGravity : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    Vec3 acceleration = Vec3::Zero();   ///< a in the inertial frame, m/s2
    const ReducedBody* body = nullptr;  ///< the body on which it acts
  };
  ReducedGravity(const Parameters& parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  Vec3 first_moment(const Configuration& q) const;

  Vec3 acceleration_;
  std::shared_ptr<const ReducedBasis> basis_;
  FrameNode frame_;
  std::vector<ScalarNode> coordinates_;
};

}  // namespace picus
