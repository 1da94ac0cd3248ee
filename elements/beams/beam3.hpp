#pragma once

/// A geometrically exact beam (Reissner, Simo) with three frame nodes: like Beam, but two orders more accurate where
/// the solution is smooth.
///
/// Sections are rigid, with frames (t, d1, d2), t along the beam, at a, middle and b: A = R S with S constant.
/// Positions and rotations relative to the middle section M are interpolated with the quadratic Lagrange polynomials,
/// and strains are evaluated at the two Gauss points s = -1/sqrt 3 and 1/sqrt 3 (primes: derivatives with respect to
/// the initial arc length):
///
///     x(s) = sum N_I x_I,   phi(s) = sum N_I phi_I,   phi_I = log(M^T A_I),   A(s) = M exp(phi(s))
///     eps  = (A^T x', T(phi) phi') - (A^T x', T(phi) phi')_start                      1, 1/m (order: section.hpp)
///     s    = C eps + D d(eps)/dt                                                      N, N m
///     V    = sum over Gauss points w/2 eps . C eps,   f = -sum w (d eps/dq)^T s,   w = ds |x'| at the start
///
/// The formulation is objective, as phi does not change in a rigid motion, and path independent. The initial
/// configuration is strain-free, however curved and twisted. The two points have twelve strains, as many as there are
/// relative motions of the nodes, so that no strain is tied to another: there is no locking.
///
/// Mass: translations are interpolated with N, the rotational inertia rho J is lumped. As the velocities are u
/// (inertial) and Omega (body), M is constant; for a straight beam of length L with its middle node at mid-length,
///
///     M_uu = rho A L/30 [4 I, 2 I, -I; 2 I, 16 I, 2 I; -I, 2 I, 4 I] (consistent), rho A L (1/6, 4/6, 1/6) I (lumped)
///     M_Omega = L (1/6, 4/6, 1/6) S rhoJ S^T at a, middle, b, with the forces -Omega x (M_Omega Omega)
///
/// The rotation of the sections at a and b relative to the middle one must stay below pi, and below 3 rad initially.
/// Beyond pi the shorter way round is taken: strain, force and energy jump. A step that ends beyond 3 rad therefore
/// fails; the remedy is more elements.
///
/// [Crisfield, Jelenic 1999, Proc. R. Soc. Lond. A 455, 1125-1147; Jelenic, Crisfield 1999, Comput. Methods Appl. Mech.
/// Engrg. 171, 141-171]

#include <picus/continuum.hpp>
#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/beams/beam.hpp>
#include <picus/elements/beams/beam3_point.hpp>
#include <picus/elements/beams/section.hpp>
#include <picus/elements/bodies/mass_point.hpp>
#include <picus/model.hpp>
#include <picus/observable.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace picus {

class Beam3 : public Element,
              public Inertia,
              public Force,
              public Limited,
              public Observable,
              public Continuum,
              public Drawable {
 public:
  struct Parameters {
    std::string name;
    FrameNode a;       ///< start; s = 0
    FrameNode middle;  ///< s = L/2
    FrameNode b;       ///< end; s = L
    Section section;   ///< stiffness, mass and damping per unit length
    /// For a straight and untwisted beam: d1 is the component of this vector normal to the line from a to b, in the
    /// inertial frame at the start.
    Vec3 orientation = Vec3::UnitY();
    /// For any other beam, all three or none: the columns are (t, d1, d2) at a, in the inertial frame at the start.
    std::optional<Mat3> axes_a = std::nullopt;
    std::optional<Mat3> axes_middle = std::nullopt;  ///< the same at the middle node
    std::optional<Mat3> axes_b = std::nullopt;       ///< the same at b
    BeamMass mass = BeamMass::consistent;            ///< distribution of the mass to the nodes
  };
  Beam3(const Parameters& parameters, const Model& model);

  /// Arc length of the curve x(s) at the start, m.
  double length() const { return length_; }
  /// For Gravity, exact for a uniform field: 1/6, 4/6 and 1/6 of the mass if the middle node is at mid-length.
  std::vector<MassPoint> mass_points() const;
  /// The strain eps of section.hpp at the Gauss points, the one nearer to a first.
  std::array<Vec6, 2> strains(const Configuration& q) const;
  /// The resultants of section.hpp at the same points, damping included, N and N m.
  std::array<Vec6, 2> resultants(const Motion& motion) const;

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return true; }

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

  /// Reports outer sections rotated relative to the middle one by 3 rad or more.
  std::string fault(const Configuration& q) const override;

  /// "strain" (2 x 6) and "section_force" (2 x 6), at the Gauss points.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

  /// Local coordinates (sigma, y, z): sigma = (1 + s)/2 in [0, 1] from a to b, and the offsets along d1 and d2, m.
  /// Position and velocity of the point of the rigid section; strain (6), section_force (6) and axial_strain, which
  /// are extrapolated linearly from the Gauss points, where they are most accurate.
  std::vector<Quantity> point_quantities() const override;
  bool contains(const Vec3& xi) const override;
  void observe_point(const Vec3& xi, const Motion& motion, std::span<double> values) const override;

  /// The line through the nodes.
  std::vector<MaterialPoint> points() const override { return {node_[0], node_[1], node_[2]}; }
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1, 2}}; }
  std::vector<double> line_radii() const override { return {equivalent_radius(stiffness_)}; }

 private:
  void place_points(const Culprit& who, const beam3::Relative& start);
  void place_mass(const Section& section, const beam3::Relative& start);
  beam3::Relative relative_at(const Configuration& q) const;
  std::array<beam3::Rate, 3> rates_of(const Motion& motion) const;
  Vec6 resultant(const beam3::Strain& strain, const beam3::Vec12& y_t) const;
  SectionMotion section_at(double s, const Motion& motion) const;

  std::array<FrameNode, 3> node_;  ///< a, middle, b
  std::array<Mat3, 3> S_;          ///< section axes, in the axes of the nodes
  std::array<beam3::Point, 2> point_;
  double length_ = 0.0;
  Mat6 stiffness_;
  Mat6 damping_;
  Mat3 masses_ = Mat3::Zero();     ///< translational mass matrix: consistent or lumped
  Vec3 node_mass_ = Vec3::Zero();  ///< its row sums
  std::array<Mat3, 3> J_ = {Mat3::Zero(), Mat3::Zero(),
                            Mat3::Zero()};  ///< rotational inertia at the nodes, in their axes
  bool is_damped_;
  bool is_gyroscopic_;  ///< whether J is not that of a sphere
};

}  // namespace picus
