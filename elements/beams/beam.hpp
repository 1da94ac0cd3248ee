#pragma once

/// A geometrically exact beam (Reissner, Simo) between two frame nodes: bending, torsion, elongation and
/// shear under displacements and rotations of any size.
///
/// Sections are rigid. The section frames (t, d1, d2), t along the beam, are attached to the nodes: A = R_A S_A and
/// B = R_B S_B with S constant. The strain is constant over the element and is derived from the screw motion (rho,
/// Theta) that carries A into B (screw.hpp), so that the element is a helix, an arc or a straight line:
///
///     strain     eps = ((rho, Theta) - (rho, Theta)_start)/L,   L = |rho_start|     1, 1/m
///     resultant  s   = C eps + D d(eps)/dt                                          N, N m
///     potential  V   = L/2 eps . C eps                                              J
///     force      f   = -(d eps/dq)^T L s
///
/// with components in the order of section.hpp.
///
/// The formulation is objective (a rigid motion produces no strain), path independent (eps is a function of the
/// configuration), free of locking (rho couples bending and shear as the exact curve does) and exact wherever the
/// true strain is constant, whatever the initial curvature and twist. The error is of second order in the element
/// length.
///
/// Mass: the positions between the nodes are interpolated linearly in the inertial frame, the rotational inertia rho
/// J is lumped at the nodes; the error is again of second order. As the velocities are u (inertial) and Omega (body),
/// M is constant:
///
///     M_uu = rho A L/6 [2 I, I; I, 2 I] (consistent) or rho A L/2 I at each node (lumped)
///     M_Omega = L/2 S rho J S^T at each node, with the force -Omega x (M_Omega Omega)
///
/// The relative rotation of the end sections of an element must stay below pi, and below 3 rad initially. Beyond pi
/// the screw takes the shorter way round: strain, force and energy jump. A step that ends beyond 3 rad therefore
/// fails; the remedy is more elements.
///
/// [Sonneville, Cardona, Bruels 2014, Comput. Methods Appl. Mech. Engrg. 268, 451-474, on SE(3); here on R3 x
/// SO(3)]

#include <picus/continuum.hpp>
#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/beams/section.hpp>
#include <picus/elements/bodies/mass_point.hpp>
#include <picus/model.hpp>
#include <picus/observable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace picus {

struct Screw;
struct SectionMotion;

/// How the translational mass of an element is distributed to its nodes; rotational inertia is lumped in both cases.
enum class BeamMass : std::uint8_t {
  consistent,  ///< rho A L/6 [2 I, I; I, 2 I]
  lumped,      ///< rho A L/2 I at each node
};

class Beam : public Element,
             public Inertia,
             public Force,
             public Limited,
             public Observable,
             public Continuum,
             public Drawable {
 public:
  struct Parameters {
    std::string name;
    FrameNode a;      ///< start; s = 0
    FrameNode b;      ///< end; s = L
    Section section;  ///< stiffness, mass and damping per unit length
    /// For a straight and untwisted beam: d1 is the component of this vector normal to the line from a to b, in the
    /// inertial frame at the start.
    Vec3 orientation = Vec3::UnitY();
    /// For any other beam, both or neither: the columns are (t, d1, d2) at end a, in the inertial frame at the start.
    std::optional<Mat3> axes_a = std::nullopt;
    std::optional<Mat3> axes_b = std::nullopt;  ///< the same at b
    BeamMass mass = BeamMass::consistent;       ///< distribution of the mass to the nodes
  };
  Beam(const Parameters& parameters, const Model& model);

  /// The length L at the start, m.
  double length() const { return length_; }
  /// Half the mass at each node, for Gravity: exact for a uniform field and linear interpolation.
  std::vector<MassPoint> mass_points() const;
  /// The strain eps, in the order of section.hpp.
  Vec6 strain(const Configuration& q) const;
  /// Section forces N and M, damping included, in section axes: the resultant of section.hpp, N and N m.
  Vec6 resultant(const Motion& motion) const;

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return true; }

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

  /// Reports end sections rotated relative to each other by 3 rad or more.
  std::string fault(const Configuration& q) const override;

  /// "strain" (6) and "section_force" (6).
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

  /// Local coordinates (s, y, z): s in [0, 1] from a to b along the screw, and the offsets along d1 and d2, m.
  /// Position and velocity of the point of the rigid section, strain (6), section_force (6) and axial_strain.
  std::vector<Quantity> point_quantities() const override;
  bool contains(const Vec3& xi) const override;
  void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const override;

  /// The line between the nodes.
  std::vector<MaterialPoint> points() const override { return {a_, b_}; }
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }
  std::vector<double> line_radii() const override { return {equivalent_radius(stiffness_)}; }

 private:
  Screw screw_at(const Configuration& q) const;
  Vec6 screw_rate(const Screw& screw, ConstVectorRef v) const;
  Vec6 resultant(const Screw& screw, const Motion& motion) const;
  SectionMotion section_at(double s, const Screw& screw, const Motion& motion) const;
  void write_end_forces(const Screw& screw, const Vec6& s, std::span<double> f) const;

  FrameNode a_, b_;
  Mat3 S_A_, S_B_;  ///< section axes, in the axes of the nodes
  Vec6 start_;      ///< (rho, Theta) at the start
  double length_;
  Mat6 stiffness_;  ///< C/L
  Mat6 damping_;    ///< D/L
  double mass_;     ///< rho A L
  BeamMass mass_kind_;
  Mat3 J_A_, J_B_;  ///< rotational inertia at the nodes, in their axes
  bool is_damped_;
  bool is_gyroscopic_;  ///< whether J is not that of a sphere
};

}  // namespace picus
