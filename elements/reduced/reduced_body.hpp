#pragma once

/// A flexible body reduced to a few shapes (ReducedBasis): a frame node and a scalar node for each modal coordinate.
///
/// With s = s_0 + N eta, J and L as in reduced_basis.hpp, the forces that complete M dv/dt = f follow from the kinetic
/// energy by the equations of Boltzmann and Hamel:
///
///     f_u     = -R (Omega x (Omega x s) + 2 Omega x N etad)
///     f_Omega = -Omega x (J Omega + L etad) - dJ/dt Omega
///     f_eta   = 1/2 d(Omega . J Omega)/deta + 2 sum_a Omega_a B_a etad - K eta
///
/// Strain is the quadratic form 1/2 eta . K eta: deformations are small relative to the frame, whose motion is
/// unrestricted. The centrifugal term of the last line softens the body; where the basis contains the stiffening of
/// second order (ReducedBasis::has_spin_stiffening) both are balanced. A spin beyond ReducedBasis::largest_spin ends the
/// run with a SolverError.
///
/// Damping and gravity are elements of their own (ReducedDamping, ReducedGravity); add_reduced_body() creates everything.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/model.hpp>
#include <picus/reduced_basis.hpp>

#include <memory>
#include <string>
#include <vector>

namespace picus {

class ReducedBody : public Element, public Inertia, public Force {
 public:
  struct Parameters {
    std::string name;
    std::shared_ptr<const ReducedBasis> basis;  ///< shared by all bodies of its kind
    FrameNode frame;                            ///< the frame of the basis
    std::vector<ScalarNode> coordinates;  ///< eta, one for each mode, m sqrt(kg) for modes of unit modal mass
  };
  ReducedBody(Parameters parameters, const Model& model);

  /// Shared by all bodies of its kind.
  const std::shared_ptr<const ReducedBasis>& basis() const { return basis_; }
  /// The frame of the basis, from which deformations are measured.
  const FrameNode& frame() const { return frame_; }
  /// The modal coordinates eta, in the order of the basis.
  const std::vector<ScalarNode>& coordinates() const { return coordinates_; }
  /// Position of a point of the basis at q, inertial frame, m.
  Vec3 position(const ReducedPoint& point, const Configuration& q) const;
  /// Rotation of a frame of the basis at q, from its axes to the inertial frame.
  Mat3 rotation(const ReducedPoint& point, const Configuration& q) const;

  void mass(const Configuration& q, std::span<double> storage) const override;
  bool has_constant_mass() const override { return false; }
  void mass_gradient(const Configuration& q, std::span<const double> w,
                     std::span<double> storage) const override;

  /// The potential is the strain energy.
  Traits traits() const override;
  void force(const Motion& motion, std::span<double> storage) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  struct Kinematics;
  Vector eta(const Configuration& q) const;

  std::shared_ptr<const ReducedBasis> basis_;
  FrameNode frame_;
  std::vector<ScalarNode> coordinates_;
};

}  // namespace picus
