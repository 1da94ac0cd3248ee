#pragma once

/// A rigid body on a frame node.
///
/// Kinetic energy (c: centre of mass, J: inertia about it, both in body axes):
///
///     1/2 m |u + R (Omega x c)|^2 + 1/2 Omega . J Omega
///
///     M = [ m I      -m R c^    ]        f = [ -m R (Omega x (Omega x c))   ]
///         [ m c^ R^T  J - m c^ c^ ]          [ -Omega x (J - m c^ c^) Omega ]
///
/// For c = 0 these are the equations of Galvez (2020), eq. 2.45c-d, and M is constant.

#include <picus/element.hpp>
#include <picus/elements/bodies/mass_point.hpp>
#include <picus/model.hpp>

#include <limits>
#include <string>

namespace picus {

class RigidBody : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    FrameNode node;     ///< reference point and body axes
    double mass = 0.0;  ///< kg, > 0
    /// J about the centre of mass in body axes, kg m2: symmetric, principal moments >= 0, none larger than
    /// the sum of the other two (to 2e-5 of the largest). See inertia_tensors.hpp for common shapes.
    Mat3 inertia = Mat3::Constant(std::numeric_limits<double>::quiet_NaN());
    Vec3 centre_of_mass = Vec3::Zero();  ///< c, from the node in body axes, m
  };
  RigidBody(Parameters parameters, const Model& model);

  /// The mass, kg.
  double body_mass() const { return mass_; }
  /// Centre of mass and mass, for Gravity.
  MassPoint mass_point() const { return {{node_, c_}, mass_}; }

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return !has_offset_; }
  void mass_gradient(const Configuration& q, std::span<const double> w, std::span<double> K) const override;

  /// Its velocity-quadratic terms conserve energy together with the mass.
  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  FrameNode node_;
  double mass_;
  Vec3 c_;
  Mat3 J_node_;      ///< J - m c^ c^
  bool has_offset_;  ///< c is not zero
  bool has_force_;   ///< whether there are velocity-quadratic terms; false for a sphere about its centre
};

}  // namespace picus
