#pragma once

/// A trilinear hexahedron on eight point nodes: large displacements and strains, hyperelastic (material.hpp), total
/// Lagrangian with the initial configuration of the model as stress-free reference, 2 x 2 x 2 Gauss points.
///
///     E = (F^T F - I)/2,   V = int W(E) dV,   f = -dV/dx,   F = sum_a x_a dN_a/dX
///
/// Formulations:
///
/// |     full      Compatible strains alone. Locks in bending and for nu near 0.5; the cheapest.
///     enhanced  Twelve strain modes, condensed in each evaluation (enhanced_modes.hpp). Free of shear and
///               volumetric locking, and of hourglass modes even at 30 % compression (20 % for Saint
///               Venant-Kirchhoff) or 50 % tension.
///
/// Kelvin-Voigt viscosity, for Saint Venant-Kirchhoff: S = dW/dE at E + tau dE/dt, followed by the modes. tau is the
/// damping time; a vibration of angular frequency omega has the damping ratio tau omega/2.

#include <picus/continuum.hpp>
#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/solids/material.hpp>
#include <picus/elements/solids/reference_volume.hpp>
#include <picus/model.hpp>
#include <picus/observable.hpp>

#include <memory>
#include <string>
#include <variant>

namespace picus {

namespace solids {
class EnhancedModes;
}

/// The strain field of a hexahedron.
enum class HexahedronFormulation : std::uint8_t {
  full,      ///< compatible strains alone: cheap, but locks
  enhanced,  ///< enhanced by twelve modes: free of locking
};

class Hexahedron : public Element,
                   public Inertia,
                   public Force,
                   public Limited,
                   public Observable,
                   public Continuum,
                   public Drawable {
 public:
  struct Parameters {
    std::string name;
    /// One face counterclockwise as seen from inside, then the four nodes of the opposite face.
    std::array<PointNode, 8> nodes;
    SolidMaterial material;                                               ///< law, stiffness and density
    HexahedronFormulation formulation = HexahedronFormulation::enhanced;  ///< treatment of locking
    bool lumped_mass = false;   ///< diagonal mass instead of the consistent one
    double damping_time = 0.0;  ///< tau, s, >= 0; zero for neo-Hooke
  };
  Hexahedron(Parameters parameters, const Model& model);
  ~Hexahedron() override;

  double volume() const { return volume_.volume(); }  ///< of the reference configuration, m3
  /// int rho N_a dV, kg: the nodal masses in a uniform acceleration field.
  const std::array<double, 8>& nodal_masses() const { return nodal_masses_; }

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return true; }

  /// The force of neo-Hooke is NaN if the element is inverted.
  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

  /// Reports a corner or Gauss point where the Jacobian is not positive.
  std::string fault(const Configuration& q) const override;

  /// Volume averages: Cauchy stress, its von Mises stress, energy density.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

  /// Local coordinates (xi, eta, zeta) in [-1, 1]^3, see hexahedron_shape.hpp. Position and velocity; strain E, modes
  /// included, Cauchy stress and its von Mises stress, extrapolated trilinearly from the Gauss points.
  std::vector<Quantity> point_quantities() const override;
  bool contains(const Vec3& xi) const override;
  void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const override;

  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {}; }
  std::vector<std::array<Index, 8>> hexahedra() const override { return {{0, 1, 2, 3, 4, 5, 6, 7}}; }

 private:
  using Law = std::variant<solids::SaintVenantKirchhoff, solids::NeoHooke>;

  solids::Corners positions(const Configuration& q) const;
  solids::Corners velocities(const Vector& v) const;
  /// Calls action(law, F, F_hat, state) with the state satisfying r = 0; F_hat is F + tau dF/dt.
  template <class Action>
  void evaluate(const Configuration& q, const Vector* v, const Action& action) const;

  Law law_;
  solids::ReferenceVolume volume_;
  std::unique_ptr<solids::EnhancedModes> modes_;  ///< null for the full formulation
  Eigen::Matrix<double, 8, 8> mass_;              ///< kg, for each displacement component
  std::array<double, 8> nodal_masses_;
  double damping_time_;
};

}  // namespace picus
